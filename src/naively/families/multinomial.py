"""Multinomial: counts that share a total, such as the words of a text.

theta_gj = (t_gj + alpha) / (t_g + alpha D)
log p(x | g) = sum x_j log theta_gj + log of total! / prod x_j!
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from naively.factors import Linear
from naively.factors.measures import Composition
from naively.families.base import Degenerate, Family, Form, Support, check_amounts, check_range
from naively.statistics import Statistic, Sums

__all__ = ["Multinomial"]


@dataclass(frozen=True, slots=True)
class Multinomial(Family):
    """A block of D columns of counts, dense or sparse.

    >>> words = Sums(np.array([[1.0]]), np.array([[3.0, 1.0]]))
    >>> np.exp(Multinomial(alpha=0).factor(words).eta)
    array([[0.75, 0.25]])
    """

    alpha: float = 1.0
    name: ClassVar[str] = "multinomial"
    form: ClassVar[Form] = "counts"
    separable: ClassVar[bool] = False
    support: ClassVar[Support | None] = Support("x >= 0", low=0)

    def validate(self) -> None:
        check_amounts(alpha=self.alpha)

    def factor(self, statistic: Statistic) -> Linear:
        t = cast(Sums, statistic).t + self.alpha
        with np.errstate(over="ignore"):
            total = t.sum(axis=1, keepdims=True)
            check_range(t + total)
        if (total <= 0).any():
            group = int(np.flatnonzero(total[:, 0] <= 0)[0])
            raise Degenerate("has no counts", "smooth with alpha > 0", group)
        with np.errstate(divide="ignore"):
            return Linear.of(np.log(t / total), np.zeros_like(t), Composition())
