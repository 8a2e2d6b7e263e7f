"""Every family: a new one is a file beside this and a line here."""

from __future__ import annotations

from naively.families.base import Family as Family
from naively.families.bernoulli import Bernoulli as Bernoulli
from naively.families.categorical import Categorical as Categorical
from naively.families.complement import Complement as Complement
from naively.families.exponential import Exponential as Exponential
from naively.families.gaussian import Gaussian as Gaussian
from naively.families.geometric import Geometric as Geometric
from naively.families.histogram import Histogram as Histogram
from naively.families.inflated import Inflated as Inflated
from naively.families.kernel import Kernel as Kernel
from naively.families.lognormal import LogNormal as LogNormal
from naively.families.multinomial import Multinomial as Multinomial
from naively.families.negative_binomial import NegativeBinomial as NegativeBinomial
from naively.families.part_of_time import PartOfTime as PartOfTime
from naively.families.poisson import Poisson as Poisson
