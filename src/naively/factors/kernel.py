"""Kernel: a Gaussian bump on every kept value.

p(x | g) = sum_i w_i N(x; x_i, h_g) / sum_i w_i
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.data.column import Block, Real
from naively.factors.far import FAR, squares
from naively.factors.quadratic import LOG_2PI
from naively.frozen import Frozen

__all__ = ["Kernel"]

CELLS = 1 << 22
"""How many pairs of row and kept value are compared at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Kernel(Frozen):
    """For each column the kept values, their weights by group, and a bandwidth by group.

    A bandwidth of 0 marks a column that is the same everywhere: no evidence.

    >>> k = Kernel((np.array([0.0, 2.0]),), (np.array([[1.0, 0.0], [1.0, 1.0]]),), np.ones((2, 1)))
    >>> out = np.zeros((1, 2)); k.score(Real(np.array([[1.0]]), ("x",)), out)
    >>> np.exp(out).round(6)
    array([[0.241971, 0.241971]])
    """

    points: tuple[Vector, ...]
    weights: tuple[Matrix, ...]
    bandwidth: Matrix

    @property
    def n_groups(self) -> int:
        return len(self.bandwidth)

    def score(self, block: Block, out: Matrix) -> None:
        values = np.asarray(cast(Real, block).values, dtype=np.float64)
        for j in range(len(self.points)):
            if (self.bandwidth[:, j] > 0).all():
                self._score_column(j, values[:, j], out)

    def _score_column(self, j: int, x: Vector, out: Matrix) -> None:
        rows = np.flatnonzero(~np.isnan(x))
        distinct, where = np.unique(x[rows], return_inverse=True)
        scores = np.empty((len(distinct), self.n_groups))
        for g in range(self.n_groups):
            used = self.weights[j][:, g] > 0
            points, weights = self.points[j][used], self.weights[j][used, g]
            scores[:, g] = _log_density(distinct, points, weights, self.bandwidth[g, j])
        for far, end in self._beyond(j, distinct):
            scores[far] = self._relative(j, distinct[far], end)[0]
        out[rows] += scores[where]

    def _beyond(self, j: int, x: Vector) -> list[tuple[Flags, int]]:
        """The values far above and far below all bumps, and which end of the points they face."""
        points = self.points[j]
        with np.errstate(over="ignore"):
            reach = FAR * self.bandwidth[:, j].max()
            return [(x > points[-1] + reach, -1), (x < points[0] - reach, 0)]

    def _relative(self, j: int, x: Vector, end: int) -> tuple[Matrix, Vector]:
        """Scores of far values by the nearest bump of each group, and what they leave out."""
        weights, w = self.weights[j], 1 / self.bandwidth[:, j]
        nearest = np.array([np.flatnonzero(column)[end] for column in weights.T])
        share = weights[nearest, np.arange(self.n_groups)] / weights.sum(axis=0)
        excess, least = squares(x[:, None], self.points[j][nearest, None], w[:, None])
        return np.log(share * w) - 0.5 * LOG_2PI - 0.5 * excess, -0.5 * least

    def log_measure(self, block: Block) -> Vector | float:
        """What `score` left out of far values."""
        values = np.asarray(cast(Real, block).values, dtype=np.float64)
        out = np.zeros(len(values))
        for j in range(len(self.points)):
            if (self.bandwidth[:, j] > 0).all():
                for far, end in self._beyond(j, values[:, j]):
                    with np.errstate(over="ignore"):  # of many columns that are all far out
                        out[far] += self._relative(j, values[far, j], end)[1]
        return out

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        out = np.full((len(group), len(self.points)), np.nan)  # where no value is known
        known = [j for j, points in enumerate(self.points) if len(points)]
        for j, g in product(known, range(self.n_groups)):
            mine = np.flatnonzero(group == g)
            w = self.weights[j][:, g]
            centres = rng.choice(self.points[j], len(mine), p=w / w.sum())
            out[mine, j] = centres + self.bandwidth[g, j] * rng.standard_normal(len(mine))
        return Real(out, ())


def _log_density(x: Vector, points: Vector, weights: Vector, h: float) -> AnyArray:
    """log of the weighted mean of the bumps, a slice of rows at a time."""
    log_w = np.log(weights / weights.sum()) - np.log(h) - 0.5 * LOG_2PI
    step = max(1, CELLS // max(1, len(points)))
    parts = []
    for low in range(0, len(x), step):
        with np.errstate(over="ignore"):  # a bump that is out of reach adds nothing
            z = (x[low : low + step, None] - points) / h
            z *= 0.5 * z
            parts.append(kernels.log_sum_exp(log_w - z))
    return np.concatenate(parts) if parts else np.empty(0)
