"""Exponential: waiting times.

lam_g = (n_g + shape) / (t_g + rate)      a Gamma(shape, rate) prior
log p(x | g) = log lam - lam x
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Waiting
from naively.families.base import Family, Support, check_amounts, check_positive, refuse_where
from naively.families.rates import average, check_pair, smoothed
from naively.statistics import Statistic, Sums

__all__ = ["Exponential"]


@dataclass(frozen=True, slots=True)
class Exponential(Family):
    """Amounts of at least 0; the prior is `strength` rows at the column's mean, or stated.

    `lam`, one by the mean, states the distribution, for `Model.from_distributions`.

    >>> from naively.statistics import Sums
    >>> minutes = Sums(np.array([[4.0]]), np.array([[8.0]]))
    >>> Exponential(strength=0).factor(minutes).eta
    array([[-0.5]])
    """

    strength: float = 1.0
    shape: float | None = None
    rate: float | None = None
    lam: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "exponential"
    scale_equivariant: ClassVar[bool] = True
    support: ClassVar[Support | None] = Support("x >= 0", low=0)

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        check_pair(shape=self.shape, rate=self.rate)
        if self.lam is not None:
            check_positive(lam=self.lam)

    def declared(self) -> Sums | None:
        return None if self.lam is None else average(1 / self.lam)

    def factor(self, statistic: Statistic) -> Linear:
        s = smoothed(statistic, self.strength, self.shape, self.rate)
        refuse_where(s.t <= 0, "has only zeros", "use strength > 0")
        with np.errstate(over="ignore"):
            lam = s.n / s.t
        tiny = "has numbers so small that their rate is infinite"
        refuse_where(np.isinf(lam), tiny, "measure it in a smaller unit")
        return s.linear(-lam, -np.log(lam), Waiting())
