"""Gaussian: a mean and a variance, or a covariance, for each group.

    mean_g = (n m + s M) / (n + s)
    var_g  = (m2 + s V + n s / (n + s) (m - M)^2) / (n - ddof + s)

n, m and m2 are the group's; M and V are the column's over all groups. The prior is the
normal-inverse-gamma of `strength` s: so many imagined rows like the whole column. It is
in the column's own unit, so it works for incomes and for probabilities alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Indices, Matrix, Vector
from naively.data.column import Block, Real
from naively.factors import Quadratic
from naively.families.base import (
    Degenerate,
    Family,
    check_amounts,
    check_positive,
    check_range,
    check_stated,
    refuse_where,
    require,
)
from naively.statistics import Moments, Statistic

__all__ = ["Gaussian", "block_moments", "column_moments"]

TINY = 1e-290
"""Smaller variances have lost digits: their deviations are too small to be squared."""

SLIGHT = 1e-6
"""The trace of a spread that vanished, as a share of `TINY`."""


@dataclass(frozen=True, slots=True)
class Gaussian(Family):
    """Numbers around a mean.

    `covariance` is "diagonal" (independent columns), "full" (one matrix a group: quadratic
    discriminant analysis) or "tied" (one matrix for all groups: linear discriminant
    analysis). `strength=0` is maximum likelihood, `ddof=1` divides by n - 1. With `mean` and
    `std` it is a stated distribution, for `Model.from_distributions`.

    >>> m = Moments(np.array([[3.0]]), np.zeros(1), np.array([[2.0]]), np.array([[6.0]]))
    >>> Gaussian(strength=0).factor(m).var
    array([[2.]])
    """

    covariance: Literal["diagonal", "full", "tied"] = "diagonal"
    strength: float = 1.0
    ddof: int = 0
    mean: float | None = field(default=None, kw_only=True)
    std: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "gaussian"
    scale_equivariant: ClassVar[bool] = True
    reveals_infinity: ClassVar[bool] = True

    def validate(self) -> None:
        check_amounts(strength=self.strength)
        known = ("diagonal", "full", "tied")
        require(self.covariance in known, f"covariance={self.covariance!r}", f"one of {known}")
        require(self.ddof in (0, 1), f"ddof={self.ddof!r}", "0 (divide by n) or 1 (by n - 1)")
        check_stated(mean=self.mean, std=self.std)
        if self.std is not None:
            check_positive(std=self.std)

    def declared(self) -> Moments | None:
        if self.mean is None or self.std is None:
            return None
        one = np.ones((1, 1))
        return Moments(one, np.array([float(self.mean)]), 0 * one, one * float(self.std) ** 2)

    @property
    def kind(self) -> str:
        return "gaussian" if self.covariance == "diagonal" else "gaussian.joint"

    @property
    def separable(self) -> bool:  # type: ignore[override]
        return self.covariance == "diagonal"

    def __str__(self) -> str:
        return "gaussian" if self.separable else f"gaussian ({self.covariance})"

    @property
    def leaner(self) -> str:  # type: ignore[override]
        return (
            Family.leaner if self.separable else "use covariance='diagonal', or leave out columns"
        )

    def cells(self, n_columns: int, n_values: int) -> int:
        return 3 * n_columns if self.separable else 1 + n_columns + n_columns**2

    def observe(
        self, block: Block, group: Indices, n_groups: int, weight: Vector | None
    ) -> Statistic:
        moments = column_moments if self.separable else block_moments
        return moments(block, group, n_groups, weight)

    def factor(self, statistic: Statistic) -> Quadratic:
        moments = cast(Moments, statistic)
        pooled = moments.pooled()
        with np.errstate(all="ignore"):
            total = np.where(pooled.n > 0, pooled.deviations() / pooled.n, 0.0)[0]
        check_range(total)
        _refuse_tiny(total, moments)
        self._check_counts(moments, total)
        n, s = moments.n, self.strength
        away = moments.mean - pooled.mean
        mean = pooled.mean + away * np.where(n + s > 0, n / np.maximum(n + s, 1e-300), 0.0)
        pull = np.where(n + s > 0, n * s / np.maximum(n + s, 1e-300), 0.0)
        var = self._variance(moments, total, away, pull)
        nothing = np.broadcast_to(pooled.n[0] <= 0, total.shape)
        return Quadratic(moments.shift + mean, var, nothing if nothing.any() else None)

    def _variance(self, m: Moments, total: Vector, away: Matrix, pull: Matrix) -> AnyArray:
        """A variance for each column; 0 where the column is the same everywhere."""
        if m.joint:
            return self._covariance(m, total, away, pull)
        divisor = np.maximum(m.n - self.ddof, 0) + self.strength
        spread = m.m2 + self.strength * total + pull * away * away
        var = np.divide(spread, divisor, out=np.zeros_like(spread), where=divisor > 0)
        self._check_spread(var, total)
        return np.where(total > 0, var, 0.0)

    def _covariance(self, m: Moments, total: Vector, away: Matrix, pull: Matrix) -> AnyArray:
        """A matrix for each group, or the one that they share."""
        between = pull[:, :, None] * away[:, :, None] * away[:, None, :]
        spread = m.m2 + self.strength * np.diag(total) + between
        divisor = (np.maximum(m.n - self.ddof, 0) + self.strength)[:, :, None]
        if self.covariance == "tied":
            spread = np.broadcast_to(spread.sum(axis=0), spread.shape)
            divisor = np.broadcast_to(divisor.sum(axis=0), divisor.shape)
        var: AnyArray = spread / np.maximum(divisor, 1e-300)
        self._check_positive(var, total)
        return var

    def _check_counts(self, m: Moments, total: Vector) -> None:
        """Without a prior a group needs cells of its own."""
        empty = (m.n <= (self.ddof if self.strength == 0 else -1)) & (total > 0)
        refuse_where(empty, "has too few values", "use strength > 0")

    def _check_spread(self, var: AnyArray, total: Vector) -> None:
        refuse_where((var <= 0) & (total > 0), "has variance 0", "use strength > 0")

    def _check_positive(self, var: AnyArray, total: Vector) -> None:
        used = np.flatnonzero(total > 0)
        for g, matrix in enumerate(var):
            try:
                np.linalg.cholesky(matrix[np.ix_(used, used)])
            except np.linalg.LinAlgError:
                raise Degenerate("has a singular covariance", "use strength > 0", g) from None


def column_moments(block: Block, group: Indices, n_groups: int, weight: Vector | None) -> Moments:
    """n, mean and m2 of each column by itself, relative to the column's first values."""
    values = cast(Real, block).values
    shift = _shift(values)
    n, mean, m2 = kernels.group_moments(values, group, weight, shift, n_groups)
    _mark_tiny(values, group, m2)
    return Moments(n, shift, mean, m2)


def block_moments(block: Block, group: Indices, n_groups: int, weight: Vector | None) -> Moments:
    """n, means and co-moments of the rows that are complete in the block."""
    values = np.asarray(cast(Real, block).values, dtype=np.float64)
    whole = ~np.isnan(values).any(axis=1)
    weight = np.ones(len(values)) if weight is None else weight
    values, group, weight = values[whole], group[whole], weight[whole]
    shift = _shift(values)
    d = values.shape[1]
    n = np.bincount(group, weight, n_groups).astype(np.float64)[:, None]
    mean, m2 = np.zeros((n_groups, d)), np.zeros((n_groups, d, d))
    for g in np.flatnonzero(n[:, 0] > 0):
        mine = np.flatnonzero(group == g)
        pivot = values[mine[0]]  # of the group itself: a constant column has exactly no spread
        x, w = values[mine] - pivot, weight[mine]
        offset = w @ x / n[g]
        mean[g] = (pivot - shift) + offset
        x -= offset
        with np.errstate(over="ignore"):  # refused where a factor is made
            m2[g] = (x * w[:, None]).T @ x
    _mark_tiny(values, group, np.einsum("gjj->gj", m2))
    return Moments(n, shift, mean, m2)


def _mark_tiny(values: AnyArray, group: Indices, m2: Matrix) -> None:
    """Squared deviations that vanished leave a trace: only a constant column has exactly none."""
    for j in np.flatnonzero(~m2.any(axis=0)) if len(group) else ():
        low, high = (ends.reduce(values[:, j], initial=np.nan) for ends in (np.fmin, np.fmax))
        if 0 < float(high) - float(low) < np.sqrt(TINY):
            m2[group[0], j] = TINY * SLIGHT


def _refuse_tiny(total: Vector, m: Moments) -> None:
    """A variance that is lost below the smallest numbers is no evidence that there is none."""
    means = np.where(m.n > 0, m.mean, np.nan)
    apart = np.fmax.reduce(means, axis=0) > np.fmin.reduce(means, axis=0)
    lost = (total < TINY) & ((total > 0) | apart)
    if lost.any():
        fix = "measure it in a smaller unit"
        tiny = "has deviations too small to be squared"
        raise Degenerate(tiny, fix, None, int(np.argmax(lost)))


def _shift(values: AnyArray) -> Vector:
    """A value of about the size of each column's: the mean of its first cells."""
    head = np.asarray(values[:64], dtype=np.float64)
    there = ~np.isnan(head)
    with np.errstate(over="ignore", invalid="ignore"):  # what is infinite is refused later
        sums = np.where(there, head, 0.0).sum(axis=0) if len(head) else np.zeros(values.shape[1])
    count = there.sum(axis=0)
    return cast(Vector, np.divide(sums, count, out=np.zeros_like(sums), where=count > 0))
