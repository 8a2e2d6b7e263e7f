"""The contract of a statistic: it adds, it has an identity, it says what its inverse is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, Self

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.domain import Domain
from naively.errors import ForgetError

__all__ = ["Statistic", "are_whole", "checked_remainder", "regrouped"]


class Statistic(Protocol):
    """Sums over rows, by group.

    Adding the statistics of two sets of rows is the statistic of all the rows.
    """

    name: ClassVar[str]

    @property
    def n_groups(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def domains(self) -> tuple[Domain, ...] | None:
        """The labels of coded columns."""
        ...

    @property
    def inverse(self) -> Literal["exact", "approximate", "none"]:
        """Whether rows can be taken out again by subtraction."""
        ...

    def values_with(self, other: Self) -> int:
        """How many labels, or kept values, the sum with another has in all its columns."""
        ...

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def regroup(self, index: Indices, n_groups: int) -> Self:
        """Group i becomes group index[i]; -1 drops it."""
        ...

    def select(self, columns: Indices) -> Self:
        """The statistic of some of the columns."""
        ...

    def pruned(self) -> Self:
        """Without the labels that no row has, the others in their natural order."""
        ...

    def arrays(self) -> Mapping[str, AnyArray]:
        """Everything that is kept, as named arrays, for files and comparison."""
        ...


def are_whole(*arrays: AnyArray) -> bool:
    """Whether all are integers that a double holds exactly: their sums have an exact inverse.

    >>> are_whole(np.array([2.0, 3.0])), are_whole(np.array([2.5])), are_whole(np.array([1e20]))
    (True, False, False)
    """
    return all(bool(((np.rint(a) == a) & (np.abs(a) < 2.0**53)).all()) for a in arrays)


def regrouped(array: AnyArray, index: Indices, n_groups: int) -> AnyArray:
    """Rows of an array at new places; a dropped one has index -1, a new one is 0.

    >>> regrouped(np.array([[1.0], [2.0]]), np.array([2, 0]), 3).ravel()
    array([2., 0., 1.])
    """
    out = np.zeros((n_groups, *array.shape[1:]), dtype=array.dtype)
    kept = index >= 0
    out[index[kept]] = array[kept]
    return out


def checked_remainder(total: AnyArray, part: AnyArray, what: str) -> AnyArray:
    """What is left of a total, where that is possible: whole numbers exactly, rounding as 0.

    >>> checked_remainder(np.array([3.0]), np.array([5.0]), "counts")
    Traceback (most recent call last):
    naively.errors.ForgetError: counts would become negative (-2); expected rows that were \
learned before; fold the remaining rows again
    """
    left = total - part
    whole = (np.rint(total) == total) & (np.rint(part) == part)
    scale = np.where(whole, 0.0, np.maximum(total, part))
    if (left < -1e-9 * scale).any():
        worst = float(left.min())
        raise ForgetError(
            f"{what} would become negative ({worst:g})",
            "rows that were learned before",
            "fold the remaining rows again",
        )
    left[left <= 1e-12 * scale * (part > 0)] = 0.0
    return left
