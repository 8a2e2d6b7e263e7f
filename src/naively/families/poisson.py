"""Poisson: counts of rare events.

lam_g = (t_g + shape) / (n_g + rate)      a Gamma(shape, rate) prior
log p(x | g) = x log lam - lam - log x!
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Rare
from naively.families.base import Family, Support, check_amounts
from naively.families.rates import average, check_pair, smoothed
from naively.statistics import Statistic, Sums

__all__ = ["Poisson"]


@dataclass(frozen=True, slots=True)
class Poisson(Family):
    """Counts 0, 1, 2, ...; the prior is `strength` rows at the column's mean, or stated.

    `lam` states the distribution, for `Model.from_distributions`.

    >>> from naively.statistics import Sums
    >>> calls = Sums(np.array([[2.0], [2.0]]), np.array([[6.0], [2.0]]))
    >>> np.exp(Poisson(strength=0).factor(calls).eta).round(12).ravel()
    array([3., 1.])
    """

    strength: float = 1.0
    shape: float | None = None
    rate: float | None = None
    lam: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "poisson"
    support: ClassVar[Support | None] = Support("0, 1, 2, ...", low=0, whole=True)

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        check_pair(shape=self.shape, rate=self.rate)
        check_amounts(lam=self.lam or 0)

    def declared(self) -> Sums | None:
        return None if self.lam is None else average(self.lam)

    def factor(self, statistic: Statistic) -> Linear:
        s = smoothed(statistic, self.strength, self.rate, self.shape)
        lam = s.t / s.n
        with np.errstate(divide="ignore"):
            return s.linear(np.log(lam), lam, Rare())
