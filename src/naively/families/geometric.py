"""Geometric: failures before the first success.

theta_g = (n_g + alpha) / (n_g + alpha + t_g + beta)      a Beta(alpha, beta) prior
log p(x | g) = log theta + x log(1 - theta)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Failures
from naively.families.base import Family, Support, check_amounts, is_finite, require
from naively.families.rates import average, check_pair, smoothed
from naively.statistics import Statistic, Sums

__all__ = ["Geometric"]


@dataclass(frozen=True, slots=True)
class Geometric(Family):
    """Counts 0, 1, 2, ...; the prior is `strength` rows at the column's mean, or stated.

    `theta`, the probability of a success, states the distribution.

    >>> from naively.statistics import Sums
    >>> tries = Sums(np.array([[3.0]]), np.array([[9.0]]))
    >>> np.exp(-Geometric(strength=0).factor(tries).a).round(12)
    array([[0.25]])
    """

    strength: float = 1.0
    alpha: float | None = None
    beta: float | None = None
    theta: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "geometric"
    support: ClassVar[Support | None] = Support("0, 1, 2, ...", low=0, whole=True)

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        check_pair(alpha=self.alpha, beta=self.beta)
        good = self.theta is None or (is_finite(self.theta) and 0 < self.theta <= 1)
        require(good, f"theta={self.theta!r}", "a probability above 0")

    def declared(self) -> Sums | None:
        return None if self.theta is None else average((1 - self.theta) / self.theta)

    def factor(self, statistic: Statistic) -> Linear:
        s = smoothed(statistic, self.strength, self.alpha, self.beta)
        with np.errstate(divide="ignore"):
            log_failure = -np.log1p(s.n / s.t)  # also where theta is lost beside 1
        return s.linear(log_failure, np.log1p(s.t / s.n), Failures((1.0,) * s.n.shape[1]))
