"""Kernel density: no form assumed, a Gaussian bump on every value.

    h_g = 0.9 min(sigma_g, iqr_g / 1.349) n_g^(-1/5)      Silverman's bandwidth

The statistic keeps the values themselves, up to a cap of 10,000 distinct ones a column.
A group of which no value is known is like the whole column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block, Real
from naively.factors import Kernel as KernelFactor
from naively.families.base import Family, check_positive
from naively.statistics import Sample, Statistic
from naively.statistics.moments import ROUNDING

__all__ = ["Kernel"]


@dataclass(frozen=True, slots=True)
class Kernel(Family):
    """Numbers of any shape; `adjust` multiplies the bandwidth, `bandwidth` states it.

    >>> s = Sample((np.array([0.0, 1.0, 2.0, 3.0, 4.0]),), (np.ones((5, 1)),))
    >>> Kernel().factor(s).bandwidth.round(4)
    array([[0.9225]])
    """

    adjust: float = 1.0
    bandwidth: float | None = None
    name: ClassVar[str] = "kernel"
    scale_equivariant: ClassVar[bool] = True

    def validate(self) -> None:
        check_positive(adjust=self.adjust)
        if self.bandwidth is not None:
            check_positive(bandwidth=self.bandwidth)

    def cells(self, n_columns: int, n_values: int) -> int:
        return n_values

    def observe(
        self, block: Block, group: Indices, n_groups: int, weight: Vector | None
    ) -> Statistic:
        values = np.asarray(cast(Real, block).values, dtype=np.float64)
        weight = np.ones(len(values)) if weight is None else weight
        kept = [_kept(column, group, n_groups, weight) for column in values.T]
        return Sample.of([p for p, _ in kept], [w for _, w in kept])

    def factor(self, statistic: Statistic) -> KernelFactor:
        sample = cast(Sample, statistic)
        weights = tuple(_filled(w) for w in sample.weights)
        columns = zip(sample.points, weights, strict=True)
        widths = [self._widths(p, w) for p, w in columns]
        return KernelFactor(sample.points, weights, np.column_stack(widths))

    def _widths(self, points: Vector, weights: Matrix) -> Vector:
        """One bandwidth a group; 0 where the column is the same everywhere."""
        overall = _spread(points, weights.sum(axis=1))
        if overall == 0:
            return np.zeros(weights.shape[1])
        if self.bandwidth is not None:
            return np.full(weights.shape[1], self.bandwidth)
        spread = np.array([_spread(points, w) or overall for w in weights.T])
        return cast(Vector, 0.9 * self.adjust * spread * weights.sum(axis=0) ** -0.2)


def _filled(weights: Matrix) -> Matrix:
    """The weights, where a group without values has those of all groups."""
    empty = ~weights.any(axis=0)
    return np.where(empty, weights.sum(axis=1, keepdims=True), weights)


def _kept(column: Vector, group: Indices, n_groups: int, weight: Vector) -> tuple[Vector, Matrix]:
    """A column's distinct values, and their weights by group."""
    there = ~np.isnan(column)
    points, where = np.unique(column[there], return_inverse=True)
    cells = where.ravel() * n_groups + group[there]
    table = np.bincount(cells, weight[there], len(points) * n_groups).astype(np.float64)
    return points, table.reshape(len(points), n_groups)


def _spread(points: Vector, w: Vector) -> float:
    """min(sigma, iqr / 1.349) of weighted values; sigma where the quartiles coincide.

    Quartiles coincide up to rounding: values an ulp apart would make bumps as narrow.
    """
    points, w, total = points[w > 0], w[w > 0], w.sum()
    if not len(points):
        return 0.0
    away = points - points[0]  # of one of them: a value by itself has exactly no spread
    away -= w @ (away / total)
    reach = float(np.abs(away).max()) or 1.0  # scaled by it, no square overflows
    sigma = reach * float(np.sqrt(w @ (away / reach) ** 2 / total))
    middle = (np.cumsum(w) - 0.5 * w) / total
    low, high = np.interp([0.25, 0.75], middle, points)
    noise = ROUNDING * float(np.abs(points).max())
    return sigma if high - low <= noise else min(sigma, float(high - low) / 1.349)
