"""Bernoulli: a coin for each group.

theta_g = (t_g + alpha) / (n_g + alpha + beta)      a Beta(alpha, beta) prior
log p(x | g) = x log theta / (1 - theta) + log(1 - theta)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Coin
from naively.families.base import Family, Support, check_amounts, is_finite, refuse_where, require
from naively.families.rates import average
from naively.statistics import Statistic, Sums

__all__ = ["Bernoulli"]


@dataclass(frozen=True, slots=True)
class Bernoulli(Family):
    """Truth values, or numbers that are 0 or 1; `beta` is alpha unless stated.

    `theta`, the probability of 1, states the distribution.

    >>> heads = Sums(np.array([[4.0]]), np.array([[3.0]]))
    >>> np.exp(Bernoulli(alpha=1).factor(heads).eta).round(12)    # odds (3 + 1) to (1 + 1)
    array([[2.]])
    """

    alpha: float = 1.0
    beta: float | None = None
    theta: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "bernoulli"
    support: ClassVar[Support | None] = Support("0 or 1", 0, 1, True, "'categorical'")

    def validate(self) -> None:
        check_amounts(alpha=self.alpha, beta=self.alpha if self.beta is None else self.beta)
        good = self.theta is None or (is_finite(self.theta) and 0 <= self.theta <= 1)
        require(good, f"theta={self.theta!r}", "a probability")

    def declared(self) -> Sums | None:
        return None if self.theta is None else average(self.theta)

    def factor(self, statistic: Statistic) -> Linear:
        sums = cast(Sums, statistic)
        beta = self.alpha if self.beta is None else self.beta
        yes = sums.t + self.alpha
        no = sums.n - sums.t + beta
        refuse_where((yes + no) <= 0, "has no value", "smooth with alpha > 0")
        with np.errstate(divide="ignore"):
            log_yes, log_no = np.log(yes / (yes + no)), np.log(no / (yes + no))
        never_none = no <= 0
        a = np.where(never_none, 0.0, -log_no)
        eta = np.where(never_none, log_yes, log_yes + a)
        return Linear.of(eta, a, Coin(), never_none)
