"""Opaque: densities by group of which only their values are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block, Real

__all__ = ["Opaque"]


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """log p(x | g) of one column, asked of the density of each group.

    >>> from scipy import stats
    >>> out = np.zeros((1, 2))
    >>> Opaque((stats.norm(0, 1), stats.norm(3, 1))).score(Real(np.array([[0.0]]), ("x",)), out)
    >>> out.round(4)
    array([[-0.9189, -5.4189]])
    """

    densities: tuple[Any, ...]

    @property
    def n_groups(self) -> int:
        return len(self.densities)

    def score(self, block: Block, out: Matrix) -> None:
        x = np.asarray(cast(Real, block).values, dtype=np.float64)[:, 0]
        there = ~np.isnan(x)
        for g, density in enumerate(self.densities):
            discrete = hasattr(density, "logpmf") and not hasattr(density.dist, "logpdf")
            log = density.logpmf if discrete else density.logpdf
            out[there, g] += log(x[there])

    def log_measure(self, block: Block) -> Vector | float:
        return 0.0

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        drawn = np.empty((len(group), 1))
        for g, density in enumerate(self.densities):
            mine = group == g
            drawn[mine, 0] = density.rvs(size=int(mine.sum()), random_state=rng)
        return Real(drawn, ())
