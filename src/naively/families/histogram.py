"""Histogram: numbers by the bin they fall into.

    p(x | g) = theta_g,bin(x) / width of the bin

The edges are structure: they are decided before anything is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from naively._typing import Vector
from naively.data.coding import Bins, Coding
from naively.errors import DataError
from naively.families.base import Family, Part, check_amounts, is_finite, require
from naively.families.categorical import Categorical

__all__ = ["Histogram"]


@dataclass(frozen=True, slots=True)
class Histogram(Family):
    """Bins of equal `"width"` or equal `"frequency"`, or with the `edges` stated.

    Equal cuts merge, so a column of few values has fewer bins than asked. Beyond the outer
    edges belongs to the outer bins. `partial_fit` cuts by its first batch.

    >>> Histogram(bins=2).settled(np.array([0.0, 1.0, 4.0])).edges
    (0.0, 2.0, 4.0)
    >>> Histogram(bins=2, cut="frequency").settled(np.array([0.0, 1.0, 4.0])).edges
    (0.0, 1.0, 4.0)
    """

    bins: int = 10
    cut: Literal["width", "frequency"] = "width"
    edges: tuple[float, ...] | None = None
    alpha: float = 1.0
    name: ClassVar[str] = "histogram"
    scale_equivariant: ClassVar[bool] = True
    derived: ClassVar[tuple[str, type[Coding]] | None] = ("categorical", Bins)

    def validate(self) -> None:
        whole = is_finite(self.bins) and self.bins == int(self.bins)
        require(whole and self.bins >= 1, f"bins={self.bins!r}", "a whole number of at least 1")
        check_amounts(alpha=self.alpha)
        require(self.cut in ("width", "frequency"), f"cut={self.cut!r}", "'width' or 'frequency'")
        if self.edges is not None:
            edges = tuple(float(edge) for edge in self.edges)
            rising = len(edges) > 1 and all(a < b for a, b in pairwise(edges))
            require(rising, f"edges={self.edges!r}", "at least two rising numbers")
            object.__setattr__(self, "edges", edges)

    @property
    def is_settled(self) -> bool:
        return self.edges is not None

    def settled(self, values: Vector) -> Histogram:
        values = values[~np.isnan(values)]
        if self.edges is not None:
            return self
        if not len(values):
            return replace(self, edges=(0.0, 1.0))
        low, high = float(values.min()), float(values.max())
        if low == high:
            return replace(self, edges=_around(low))
        if self.cut == "width":
            cuts = np.linspace(low, high, int(self.bins) + 1)
        else:
            cuts = np.quantile(values, np.linspace(0, 1, int(self.bins) + 1))
        return replace(self, edges=tuple(np.unique(cuts).tolist()))

    def parts(self) -> tuple[Part, ...]:
        if self.edges is None:
            raise DataError("a histogram without edges", "a structure that is settled")
        labels = tuple(range(len(self.edges) - 1))
        return ((Categorical(alpha=self.alpha, labels=labels), Bins(self.edges)),)

    def __str__(self) -> str:
        return f"histogram ({len(self.edges) - 1 if self.edges else self.bins} bins)"


def _around(value: float) -> tuple[float, float]:
    """One bin for a column that is the same everywhere."""
    half = abs(value) / 2 or 0.5
    return value - half, value + half
