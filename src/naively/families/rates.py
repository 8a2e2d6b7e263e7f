"""The prior that the families of counts and waiting times share.

It speaks in rows: `strength` imagined rows at the column's overall mean. A group of which
little is known is then like the whole column, in whatever unit it is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from naively._typing import Flags, Matrix, Vector
from naively.factors import Linear
from naively.factors.measures import Measure
from naively.families.base import check_amounts, check_range, refuse_where, require
from naively.statistics import Statistic, Sums

__all__ = ["Smoothed", "average", "check_pair", "smoothed"]

LARGEST = 1e302
"""A larger normalizer would not leave room for the products that it is taken from."""


@dataclass(frozen=True, slots=True)
class Smoothed:
    """n and t with the imagined rows among them, and which columns say anything at all.

    `constant` is what a column that says nothing would be: 0, or NaN where no cell is there.
    """

    n: Matrix
    t: Matrix
    informative: Flags
    constant: Vector

    def linear(self, eta: Matrix, a: Matrix, measure: Measure) -> Linear:
        """The factor; a column that says nothing has no weight."""
        eta, a = np.where(self.informative, eta, 0.0), np.where(self.informative, a, 0.0)
        check_range(np.where(a > LARGEST, np.inf, a))
        quiet = np.flatnonzero(~self.informative).tolist()
        silent = {j: float(self.constant[j]) for j in quiet}
        return Linear.of(eta, a, measure, silent=silent)


def smoothed(
    statistic: Statistic,
    strength: float,
    rows: float | None = None,
    total: float | None = None,
) -> Smoothed:
    """n + rows and t + total, with the imagined rows stated or `strength` at the mean.

    >>> s = smoothed(Sums(np.array([[4.0], [0.0]]), np.array([[8.0], [0.0]])), 1.0)
    >>> (s.t / s.n).ravel()
    array([2., 2.])
    """
    sums = cast(Sums, statistic)
    with np.errstate(over="ignore"):
        n_all, t_all = sums.n.sum(axis=0), sums.t.sum(axis=0)
    check_range(t_all)
    mean = np.divide(t_all, n_all, out=np.zeros_like(t_all), where=n_all > 0)
    n = sums.n + (strength if rows is None else rows)
    t = sums.t + (strength * mean if total is None else total)
    # Nothing but zeros: the mean is 0 in any unit, and no group differs from another.
    informative = np.asarray((n_all > 0) & ((t_all > 0) | (total is not None)))
    refuse_where((n <= 0) & informative, "has no value", "use strength > 0")
    n, t = np.where(informative, n, 1.0), np.where(informative, t, 1.0)
    return Smoothed(n, t, informative, np.where(n_all > 0, 0.0, np.nan))


def average(x: float) -> Sums:
    """What one row counts that is the mean of a stated distribution.

    >>> average(3.0).t
    array([[3.]])
    """
    return Sums(np.ones((1, 1)), np.full((1, 1), float(x)))


def check_pair(**stated: float | None) -> None:
    """Two parameters of one prior: both stated and not negative, or neither."""
    known = {name: value for name, value in stated.items() if value is not None}
    found = ", ".join(f"{name}={value!r}" for name, value in stated.items())
    require(len(known) in (0, len(stated)), found, f"both {' and '.join(stated)}, or neither")
    check_amounts(**known)
