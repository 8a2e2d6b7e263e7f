"""The values that a family or a coding can have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naively._typing import AnyArray, Flags

__all__ = ["Support"]


@dataclass(frozen=True, slots=True)
class Support:
    """A range of numbers, perhaps whole ones; `says` in words, `instead` what else would do.

    >>> Support("0, 1, 2, ...", low=0, whole=True).outside(np.array([1.0, 1.5, -1.0, np.nan]))
    array([False,  True,  True, False])
    """

    says: str
    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    instead: str = "'gaussian'"

    def outside(self, values: AnyArray) -> Flags:
        """The cells that are there and cannot be."""
        out = (values < self.low) | (values > self.high)
        return out | (np.floor(values) < values) if self.whole else out
