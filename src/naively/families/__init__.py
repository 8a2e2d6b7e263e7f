"""The families: what can be believed of a column given its class.

Each is a frozen set of prior parameters; pass one by name or as an object:

    NaiveBayes(columns={"age": "gaussian", "fare": Inflated(LogNormal()), "ticket": "ignore"})
"""

from __future__ import annotations

from naively.families.base import Family
from naively.families.bernoulli import Bernoulli
from naively.families.categorical import Categorical
from naively.families.complement import Complement
from naively.families.exponential import Exponential
from naively.families.gaussian import Gaussian
from naively.families.geometric import Geometric
from naively.families.histogram import Histogram
from naively.families.inflated import Inflated
from naively.families.kernel import Kernel
from naively.families.lognormal import LogNormal
from naively.families.multinomial import Multinomial
from naively.families.negative_binomial import NegativeBinomial
from naively.families.part_of_time import PartOfTime
from naively.families.poisson import Poisson
from naively.families.registry import FAMILIES

__all__ = [
    "FAMILIES",
    "Bernoulli",
    "Categorical",
    "Complement",
    "Exponential",
    "Family",
    "Gaussian",
    "Geometric",
    "Histogram",
    "Inflated",
    "Kernel",
    "LogNormal",
    "Multinomial",
    "NegativeBinomial",
    "PartOfTime",
    "Poisson",
]
