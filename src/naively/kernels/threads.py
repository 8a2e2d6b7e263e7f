"""How many threads a kernel may use."""

from __future__ import annotations

import os
from numbers import Integral

from naively.errors import ParameterError
from naively.kernels.registry import native

__all__ = [
    "processors",
    "set_threads",
    "threads",
]

MOST = 1024
"""More threads than any machine has use for are a mistake."""


def threads() -> int:
    """The number of threads a kernel may use."""
    return 1 if native is None else int(native.threads())


def set_threads(n: int | None = None) -> None:
    """Let every kernel use n threads; None is one for each processor this process may use.

    The environment variable NAIVELY_THREADS sets the number at the start.

    >>> before = threads()
    >>> set_threads(1)
    >>> threads()
    1
    >>> set_threads(before)
    """
    n = min(processors(), MOST) if n is None else n
    if not _is_count(n):
        raise ParameterError(f"{n!r} threads", f"a whole number from 1 to {MOST:,}")
    if native is not None:
        native.set_threads(int(n))


def _is_count(n: object) -> bool:
    return isinstance(n, Integral) and 1 <= int(n) <= MOST


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _threads_asked_for() -> int | None:
    asked = os.environ.get("NAIVELY_THREADS", "")
    if asked and not asked.isdecimal():
        raise ParameterError(f"NAIVELY_THREADS={asked!r}", "a number of threads", "unset it")
    return int(asked) if asked else None


set_threads(_threads_asked_for())
