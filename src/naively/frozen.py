"""Records whose arrays stay as they were made.

What was learned is shared by models, merged statistics and files: an array that somebody
writes into would contradict all the others.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

__all__ = ["Frozen"]


class Frozen:
    """A frozen dataclass of arrays: none of them can be written into, none is copied.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Counts(Frozen):
    ...     n: np.ndarray
    >>> Counts(np.array([1.0, 2.0])).n[0] = 5
    Traceback (most recent call last):
    ValueError: assignment destination is read-only
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for part in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            held = getattr(self, part.name, None)
            if isinstance(held, (np.ndarray, tuple)):
                object.__setattr__(self, part.name, _closed(held))

    def __reduce__(self) -> tuple[Any, ...]:
        """Made again from its parts, since arrays come out of a pickle open."""
        parts = fields(self)  # type: ignore[arg-type]
        return type(self), tuple(getattr(self, part.name) for part in parts if part.init)


def _closed(held: Any) -> Any:
    """A read-only view of an array, or of each array in a tuple."""
    if isinstance(held, tuple):
        arrays = held and isinstance(held[0], np.ndarray)
        return tuple(map(_closed, held)) if arrays else held
    view = held.view()
    view.flags.writeable = False
    return view
