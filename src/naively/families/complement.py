"""Complement: each class is described by the words of all the others (Rennie and others, 2003).

    theta_gj = (t_j - t_gj + alpha) / (sum over j of the same)
    score(g) = -sum x_j log theta_gj

Like every other family it is added to the log prior; scikit-learn's ComplementNB leaves the
prior out, which is `prior="uniform"` here, and the better choice with `norm=True`.

It corrects multinomial naive Bayes where classes differ much in size. The scores are not
log probabilities of the rows: the family cannot be drawn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from naively.factors import Linear
from naively.factors.measures import NoMeasure
from naively.families.base import (
    Degenerate,
    Family,
    Form,
    Support,
    check_amounts,
    check_range,
    require,
)
from naively.statistics import Statistic, Sums

__all__ = ["Complement"]


@dataclass(frozen=True, slots=True)
class Complement(Family):
    """A block of counts; `norm` divides the weights of a class by their sum.

    >>> words = Sums(np.ones((2, 1)), np.array([[3.0, 1.0], [1.0, 1.0]]))
    >>> np.exp(-Complement(alpha=0).factor(words).eta)
    array([[0.5 , 0.5 ],
           [0.75, 0.25]])
    """

    alpha: float = 1.0
    norm: bool = False
    name: ClassVar[str] = "complement"
    form: ClassVar[Form] = "counts"
    separable: ClassVar[bool] = False
    generative: ClassVar[bool] = False
    support: ClassVar[Support | None] = Support("x >= 0", low=0)

    def validate(self) -> None:
        check_amounts(alpha=self.alpha)
        require(isinstance(self.norm, bool), f"norm={self.norm!r}", "True or False")

    @property
    def kind(self) -> str:
        return "multinomial"

    def factor(self, statistic: Statistic) -> Linear:
        t = cast(Sums, statistic).t
        with np.errstate(over="ignore", invalid="ignore"):
            others = t.sum(axis=0) - t + self.alpha
            check_range(others + others.sum(axis=1, keepdims=True))
        if (others <= 0).any():
            raise Degenerate(
                "has a column that no other class has",
                "smooth with alpha > 0",
                int(np.argwhere(others <= 0)[0][0]),
            )
        log_theta = np.log(others / others.sum(axis=1, keepdims=True))
        weights = log_theta / log_theta.sum(axis=1, keepdims=True) if self.norm else -log_theta
        return Linear.of(weights, np.zeros_like(t), NoMeasure(self.name))
