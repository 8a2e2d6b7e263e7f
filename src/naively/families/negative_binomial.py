"""Negative binomial: counts that vary more than Poisson's.

    log p(x | g) = r log(r / (r + mu_g)) + x log(mu_g / (r + mu_g)) + log h(x)

The size r is one number a column, so that the score stays linear in x. Matching the
variance within the groups, mu + mu^2 / r, gives r = sum n mu^2 / sum n (var - mu).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block
from naively.factors import Linear
from naively.factors.measures import Failures
from naively.families.base import Family, Support, check_amounts, check_positive, check_range
from naively.families.gaussian import column_moments
from naively.families.rates import smoothed
from naively.statistics import Moments, Statistic, Sums

__all__ = ["NegativeBinomial"]

LARGEST = 1e6
"""An r at which the family can no longer be told from Poisson."""


@dataclass(frozen=True, slots=True)
class NegativeBinomial(Family):
    """Counts 0, 1, 2, ...; `r` is estimated unless stated.

    >>> m = Moments(np.array([[4.0]]), np.zeros(1), np.array([[2.0]]), np.array([[16.0]]))
    >>> NegativeBinomial(strength=0).factor(m).measure.r    # variance 4 = 2 + 2^2 / r
    (2.0,)
    """

    r: float | None = None
    strength: float = 1.0
    name: ClassVar[str] = "negative_binomial"
    support: ClassVar[Support | None] = Support("0, 1, 2, ...", low=0, whole=True)

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        if self.r is not None:
            check_positive(r=self.r)

    def cells(self, n_columns: int, n_values: int) -> int:
        return 3 * n_columns

    def observe(
        self, block: Block, group: Indices, n_groups: int, weight: Vector | None
    ) -> Statistic:
        return column_moments(block, group, n_groups, weight)

    def factor(self, statistic: Statistic) -> Linear:
        moments = cast(Moments, statistic)
        r = self._sizes(moments)
        means = np.where(moments.n > 0, moments.means(), 0.0)
        s = smoothed(Sums(moments.n, moments.n * means), self.strength)
        mu = s.t / s.n
        with np.errstate(divide="ignore"):
            eta = -np.log1p(r / mu)
        return s.linear(eta, r * np.log1p(mu / r), Failures(tuple(r.tolist())))

    def _sizes(self, moments: Moments) -> Vector:
        """r by column."""
        if self.r is not None:
            return np.full(moments.n_columns, float(self.r))
        mu: Matrix = np.where(moments.n > 0, moments.means(), 0.0)
        with np.errstate(over="ignore", invalid="ignore"):
            above = (moments.m2 - moments.n * mu).sum(axis=0)
            square = (moments.n * mu * mu).sum(axis=0)
        check_range(above + square)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = np.where(above > square / LARGEST, square / above, LARGEST)
        return np.where(square > 0, np.maximum(r, 1 / LARGEST), 1.0)
