"""Geometric: failures before the first success.

theta_g = (n_g + alpha) / (n_g + alpha + t_g + beta)      a Beta(alpha, beta) prior
log p(x | g) = log theta + x log(1 - theta)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Failures
from naively.families.base import Family, Support, check_amounts
from naively.families.rates import check_pair, smoothed
from naively.statistics import Statistic

__all__ = ["Geometric"]


@dataclass(frozen=True, slots=True)
class Geometric(Family):
    """Counts 0, 1, 2, ...; the prior is `strength` rows at the column's mean, or stated.

    >>> from naively.statistics import Sums
    >>> tries = Sums(np.array([[3.0]]), np.array([[9.0]]))
    >>> np.exp(-Geometric(strength=0).factor(tries).a).round(12)
    array([[0.25]])
    """

    strength: float = 1.0
    alpha: float | None = None
    beta: float | None = None
    name: ClassVar[str] = "geometric"
    support: ClassVar[Support | None] = Support("0, 1, 2, ...", low=0, whole=True)

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        check_pair(alpha=self.alpha, beta=self.beta)

    def factor(self, statistic: Statistic) -> Linear:
        s = smoothed(statistic, self.strength, self.alpha, self.beta)
        with np.errstate(divide="ignore"):
            log_failure = -np.log1p(s.n / s.t)  # also where theta is lost beside 1
        return s.linear(log_failure, np.log1p(s.t / s.n), Failures((1.0,) * s.n.shape[1]))
