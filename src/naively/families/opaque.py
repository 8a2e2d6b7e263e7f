"""Opaque: densities that somebody states, as SciPy's frozen distributions.

They score and are drawn from, and that is all: there is nothing to count, and no formula that
could be exported or saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naively.factors.opaque import Opaque as OpaqueFactor
from naively.families.base import Family
from naively.statistics import Statistic, Sums

__all__ = ["Opaque", "is_density"]


@dataclass(frozen=True, slots=True)
class Opaque(Family):
    """One density for each group, with `logpdf` (or `logpmf`) and `rvs`."""

    densities: tuple[Any, ...] = field(default=(), kw_only=True)
    name: ClassVar[str] = "opaque"
    separable: ClassVar[bool] = False

    def factor(self, statistic: Statistic) -> OpaqueFactor:
        return OpaqueFactor(self.densities)

    @staticmethod
    def nothing_counted(n_groups: int) -> Sums:
        """What a stated density has counted."""
        return Sums(np.ones((n_groups, 1)), np.zeros((n_groups, 1)))


def is_density(x: object) -> bool:
    """Whether something is a frozen distribution of SciPy, or behaves like one.

    >>> from scipy import stats
    >>> is_density(stats.norm(0, 1)), is_density("norm")
    (True, False)
    """
    return hasattr(x, "rvs") and (hasattr(x, "logpdf") or hasattr(x, "logpmf"))
