"""Moments: counts, means and squared deviations by group, merged without cancellation.

    mean = sum w x / n        m2 = sum w (x - mean)^2

The mean is kept relative to a fixed `shift` per column, so that rounding happens at the
size of the deviations and not at the size of the values. Two sets of rows merge by
Chan, Golub and LeVeque (1979):

    n = n_a + n_b      d = mean_b - mean_a
    mean = mean_a + d n_b / n
    m2   = m2_a + m2_b + d^2 n_a n_b / n

With the columns taken jointly m2 is the matrix of co-moments, and only rows that are
complete in the block are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.errors import ForgetError, StructureMismatch
from naively.frozen import Frozen
from naively.statistics.base import checked_remainder, regrouped

__all__ = ["ROUNDING", "Moments"]

ROUNDING = 2.0**-43
"""What is smaller than this share of the numbers it is the difference of is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments(Frozen):
    """n, mean and m2 by group and column; co-moments where m2 has three axes.

    >>> def of(*x):
    ...     x = np.array(x)
    ...     return Moments(np.full((1, 1), len(x)), x[:1], np.full((1, 1), x.mean() - x[0]),
    ...                    np.full((1, 1), ((x - x.mean()) ** 2).sum()))
    >>> both = of(1e8, 1e8 + 1) + of(1e8 + 2, 1e8 + 3)
    >>> float(both.m2[0, 0]), float(both.means()[0, 0]) - 1e8
    (5.0, 1.5)
    """

    n: Matrix
    shift: Vector
    mean: Matrix
    m2: AnyArray
    name: ClassVar[str] = "moments"

    @property
    def n_groups(self) -> int:
        return len(self.mean)

    @property
    def n_columns(self) -> int:
        return len(self.shift)

    @property
    def domains(self) -> None:
        return None

    @property
    def joint(self) -> bool:
        """Whether the columns are taken together, with their co-moments."""
        return self.m2.ndim == 3

    @property
    def inverse(self) -> Literal["exact", "approximate", "none"]:
        return "approximate"

    def means(self) -> Matrix:
        """The means in the units of the data."""
        return self.shift + self.mean

    def deviations(self) -> Matrix:
        """The squared deviations of each column by itself."""
        return _diagonal(self.m2)

    def _weight(self, n: AnyArray) -> AnyArray:
        return n[:, :, None] if self.joint else n

    def _square(self, d: Matrix) -> AnyArray:
        return d[:, :, None] * d[:, None, :] if self.joint else d * d

    def _mean_from(self, other: Moments) -> Matrix:
        """The other's means, relative to our shift."""
        return other.mean + (other.shift - self.shift)

    def _shifted_like(self, other: Moments) -> Moments:
        """With the other's shift in the columns of which we have no cell yet."""
        shift = np.where(self.n.any(axis=0), self.shift, other.shift)
        return replace(self, shift=shift)

    def values_with(self, other: Moments) -> int:
        return 0

    def __add__(self, other: Moments) -> Moments:
        if not self.n.any():
            return other
        if not other.n.any():
            return self
        with np.errstate(over="ignore", invalid="ignore"):  # refused where a factor is made
            return self._shifted_like(other)._merged(other)

    def _merged(self, other: Moments) -> Moments:
        n = self.n + other.n
        share = other.n / np.where(n > 0, n, 1)
        theirs = np.where(other.n > 0, self._mean_from(other), self.mean)
        d = np.where(self.n > 0, theirs - self.mean, 0.0)
        mean = np.where(self.n > 0, self.mean + d * share, theirs)
        between = self._square(d) * self._weight(self.n * share)
        return replace(self, n=n, mean=mean, m2=self.m2 + other.m2 + between)

    def __sub__(self, other: Moments) -> Moments:
        if not other.n.any():
            return self
        n = checked_remainder(self.n, other.n, "counts")
        there = n > 0
        d = np.where(other.n > 0, self._mean_from(other) - self.mean, 0.0)
        share = np.divide(other.n, n, out=np.zeros_like(n), where=there)
        mean = np.where(there, self.mean - d * share, 0.0)
        # The inverse of the merge: the distance from the remaining mean is d n / n_left.
        between = self._square(d) * self._weight(self.n * share)
        m2 = np.where(self._weight(there), self.m2 - other.m2 - between, 0.0)
        noise = ROUNDING * (np.abs(self.mean) + np.abs(d * share)).max(axis=0, initial=0.0)
        m2 = self._without_noise(m2, self.n * noise * noise)
        return replace(self, n=n, mean=mean, m2=m2)._flattened(noise)

    def _without_noise(self, m2: AnyArray, noise: Matrix) -> AnyArray:
        """Squared deviations within rounding of 0 are 0; more than that below 0 is refused."""
        left, before = _diagonal(m2), self.deviations()
        if (left < -1e-7 * before - noise).any():
            raise ForgetError(
                "squared deviations would become negative",
                "rows that were learned before",
                "fold the remaining rows again",
            )
        return self._cleared(m2, left <= ROUNDING * before + noise)

    def _flattened(self, noise: Vector) -> Moments:
        """With one mean and no deviations in columns whose whole spread is rounding.

        Such a column was constant: the noise in its means must not become evidence.
        """
        total = self.pooled()
        variance = total.deviations() / np.where(total.n > 0, total.n, 1)
        flat = np.broadcast_to(variance <= noise * noise, self.mean.shape)
        nothing = np.abs(total.means()) <= noise
        common = np.where(nothing, -self.shift, total.mean)
        mean = np.where(flat & (self.n > 0), common, self.mean)
        return replace(self, mean=mean, m2=self._cleared(self.m2, flat))

    def _cleared(self, m2: AnyArray, flat: Flags) -> AnyArray:
        """The deviations without those of the flagged columns."""
        return np.where(flat[:, :, None] | flat[:, None, :] if self.joint else flat, 0.0, m2)

    def regroup(self, index: Indices, n_groups: int) -> Moments:
        n, mean, m2 = (regrouped(a, index, n_groups) for a in (self.n, self.mean, self.m2))
        return replace(self, n=n, mean=mean, m2=m2)

    def select(self, columns: Indices) -> Moments:
        if self.joint:
            m2 = self.m2[:, columns][:, :, columns]
            return Moments(self.n, self.shift[columns], self.mean[:, columns], m2)
        at = (slice(None), columns)
        return Moments(self.n[at], self.shift[columns], self.mean[at], self.m2[at])

    def beside(self, other: Moments) -> Moments:
        if self.joint:
            raise StructureMismatch("columns beside a block with co-moments", "separate columns")
        shift = np.concatenate([self.shift, other.shift])
        pairs = ((self.n, other.n), (self.mean, other.mean), (self.m2, other.m2))
        n, mean, m2 = map(np.hstack, pairs)
        return Moments(n, shift, mean, m2)

    def pruned(self) -> Moments:
        return self

    def pooled(self) -> Moments:
        """All groups as one: the total mean and the total squared deviations."""
        if not self.n_groups:
            return self.regroup(np.empty(0, dtype=np.int64), 1)
        total = self.regroup(np.array([0] + [-1] * (self.n_groups - 1)), 1)
        for g in range(1, self.n_groups):
            index = np.full(self.n_groups, -1)
            index[g] = 0
            total = total + self.regroup(index, 1)
        return total

    def arrays(self) -> Mapping[str, AnyArray]:
        return {"n": self.n, "shift": self.shift, "mean": self.mean, "m2": self.m2}


def _diagonal(m2: AnyArray) -> AnyArray:
    return np.einsum("gjj->gj", m2) if m2.ndim == 3 else m2
