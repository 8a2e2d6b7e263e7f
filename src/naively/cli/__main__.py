"""`python -m naively.cli`."""

from naively.cli import main

main()
