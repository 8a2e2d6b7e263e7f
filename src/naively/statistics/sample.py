"""Sample: the values themselves, each once, with its weight in every group.

A kernel density needs the rows. Equal values are kept once; beyond `CAP` distinct values
a column keeps those with the smallest hash, which is a fair sample that does not depend
on the order or the grouping of the rows, so merging stays exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from naively._typing import AnyArray, Indices, Matrix, Vector
from naively.errors import ForgetError
from naively.frozen import Frozen
from naively.statistics.base import are_whole, checked_remainder, regrouped

__all__ = ["CAP", "Sample"]

CAP = 10_000
"""How many distinct values of a column are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Frozen):
    """For each column its sorted distinct values and their weights by group.

    >>> a = Sample((np.array([1.0]),), (np.array([[2.0]]),))
    >>> b = Sample((np.array([1.0, 3.0]),), (np.array([[1.0], [1.0]]),))
    >>> (a + b).points[0], (a + b).weights[0].ravel()
    (array([1., 3.]), array([3., 1.]))
    """

    points: tuple[Vector, ...]
    weights: tuple[Matrix, ...]
    capped: bool = False
    name: ClassVar[str] = "sample"

    @property
    def n_groups(self) -> int:
        return int(self.weights[0].shape[1])

    @property
    def n_columns(self) -> int:
        return len(self.points)

    @property
    def domains(self) -> None:
        return None

    @property
    def inverse(self) -> Literal["exact", "approximate", "none"]:
        if self.capped:
            return "none"
        return "exact" if are_whole(*self.weights) else "approximate"

    @classmethod
    def of(cls, points: Sequence[Vector], weights: Sequence[Matrix]) -> Sample:
        """A sample of distinct sorted values, no more of them than are kept."""
        kept = [_capped(p, w) for p, w in zip(points, weights, strict=True)]
        cut = any(cut for _, _, cut in kept)
        return cls(tuple(p for p, _, _ in kept), tuple(w for _, w, _ in kept), cut)

    def _combined(self, other: Sample, sign: float) -> Sample:
        pairs = [
            _union(*columns, sign)
            for columns in zip(self.points, self.weights, other.points, other.weights, strict=True)
        ]
        capped = self.capped or other.capped or any(cut for _, _, cut in pairs)
        return Sample(tuple(p for p, _, _ in pairs), tuple(w for _, w, _ in pairs), capped)

    def values_with(self, other: Sample) -> int:
        pairs = zip(self.points, other.points, strict=True)
        return sum(min(CAP, len(p) + len(q)) for p, q in pairs)

    def __add__(self, other: Sample) -> Sample:
        return self._combined(other, 1.0)

    def __sub__(self, other: Sample) -> Sample:
        if self.capped:
            raise ForgetError(
                f"a kernel density keeps at most {CAP:,} values and has dropped some",
                "all the values that were learned",
                "fold the remaining rows again",
            )
        return self._combined(other, -1.0)

    def regroup(self, index: Indices, n_groups: int) -> Sample:
        weights = tuple(regrouped(w.T, index, n_groups).T for w in self.weights)
        return replace(self, weights=weights)

    def select(self, columns: Indices) -> Sample:
        points = tuple(self.points[j] for j in columns)
        return replace(self, points=points, weights=tuple(self.weights[j] for j in columns))

    def pruned(self) -> Sample:
        used = [w.any(axis=1) for w in self.weights]
        points = tuple(p[u] for p, u in zip(self.points, used, strict=True))
        weights = tuple(w[u] for w, u in zip(self.weights, used, strict=True))
        return replace(self, points=points, weights=weights)

    def arrays(self) -> Mapping[str, AnyArray]:
        named: dict[str, AnyArray] = {"capped": np.array(self.capped)}
        for j, (p, w) in enumerate(zip(self.points, self.weights, strict=True)):
            named |= {f"points.{j}": p, f"weights.{j}": w}
        return named


def _union(p: Vector, w: Matrix, q: Vector, v: Matrix, sign: float) -> tuple[Vector, Matrix, bool]:
    """Both columns' values with their weights added (or taken away), and whether any were cut."""
    points = np.union1d(p, q)
    weights = np.zeros((len(points), w.shape[1]))
    weights[np.searchsorted(points, p)] = w
    theirs = np.zeros_like(weights)
    theirs[np.searchsorted(points, q)] = v
    if sign < 0:
        return points, checked_remainder(weights, theirs, "kept values"), False
    return _capped(points, weights + theirs)


def _capped(points: Vector, weights: Matrix) -> tuple[Vector, Matrix, bool]:
    """At most `CAP` values: those with the smallest hash."""
    if len(points) <= CAP:
        return points, weights, False
    kept = np.sort(np.argpartition(_hash(points), CAP)[:CAP])
    return points[kept], weights[kept], True


def _hash(points: Vector) -> AnyArray:
    """A well-mixed 64-bit number for each value (the finalizer of splitmix64)."""
    z = (points + 0.0).view(np.uint64).copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(z ^ (z >> np.uint64(31)))
