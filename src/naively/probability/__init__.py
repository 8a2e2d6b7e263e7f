"""Probability on finite tables: joint distributions, events, Bayes' rule, belief, independence.

>>> from naively.probability import Joint
>>> Joint.from_rows({"fever": [True, False, False]}).P("fever")
1/3 = 0.333333
"""

from __future__ import annotations

from naively.probability.answer import Distribution, Probability
from naively.probability.belief import Belief
from naively.probability.column import col
from naively.probability.conditional import Conditional
from naively.probability.conjugate import Beta, Gamma, Normal
from naively.probability.independence import Independence, independence_matrix
from naively.probability.information import (
    entropy,
    expectation,
    most_probable,
    mutual_information,
    sum_out,
)
from naively.probability.joint import Joint
from naively.probability.parameters import parameters
from naively.probability.rules import bayes, bayes_rule, total_probability

__all__ = [
    "Belief",
    "Beta",
    "Conditional",
    "Distribution",
    "Gamma",
    "Independence",
    "Joint",
    "Normal",
    "Probability",
    "bayes",
    "bayes_rule",
    "col",
    "entropy",
    "expectation",
    "independence_matrix",
    "most_probable",
    "mutual_information",
    "parameters",
    "sum_out",
    "total_probability",
]
