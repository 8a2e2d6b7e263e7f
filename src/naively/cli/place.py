"""Where a verb may write: decided before it does any work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from naively.data.output import check_place

__all__ = ["check_output"]


def check_output(path: Path, force: bool, endings: Iterable[str] = ()) -> None:
    """Refuse to overwrite unless forced, other endings than these, and places that are no files."""
    known = tuple(endings)
    if known and path.suffix.lower() not in known:
        endings = ", ".join(known)
        raise click.UsageError(f"output to {path.name!r}; expected a name that ends in {endings}")
    check_place(path)
    if path.exists() and not force:
        raise click.UsageError(f"{path} exists; overwrite it with --force, or choose another name")
