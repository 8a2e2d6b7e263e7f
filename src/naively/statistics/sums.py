"""Sums: how much weight each group has, and sums of T(x) by group.

    n_gj = sum of w        over the rows of group g whose cell j is there
    t_gk = sum of w T_k(x) over the same rows

For coded columns T is one indicator per label, so t is a table of counts; for numeric
families T(x) = x.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, cast

import numpy as np

from naively._typing import AnyArray, Indices, Matrix
from naively.data.domain import Domain
from naively.frozen import Frozen
from naively.statistics.base import are_whole, checked_remainder, regrouped

__all__ = ["Sums"]


@dataclass(frozen=True, slots=True, eq=False)
class Sums(Frozen):
    """Counts and sums by group.

    >>> male, female = (Sums(np.array([[n]]), np.array([[n]]), (Domain((v,)),))
    ...                 for n, v in ((2.0, "m"), (1.0, "f")))
    >>> (male + female).t, (male + female).domains[0].labels
    (array([[1., 2.]]), ('f', 'm'))
    """

    n: Matrix
    t: Matrix
    domains: tuple[Domain, ...] | None = None
    name: ClassVar[str] = "sums"

    @property
    def n_groups(self) -> int:
        return len(self.t)

    @property
    def n_columns(self) -> int:
        return self.t.shape[1] if self.domains is None else len(self.domains)

    @property
    def inverse(self) -> Literal["exact", "approximate", "none"]:
        return "exact" if are_whole(self.n, self.t) else "approximate"

    @property
    def offsets(self) -> Indices:
        """Where each coded column's counts begin in t, and the end."""
        sizes = [len(domain) for domain in self.domains or ()]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def counts(self, column: int) -> Matrix:
        """The table of one coded column: groups by labels."""
        low, high = self.offsets[column : column + 2]
        return self.t[:, low:high]

    def recoded(self, domains: tuple[Domain, ...]) -> Sums:
        """The same counts under larger domains."""
        if self.domains is None or domains == self.domains:
            return self
        starts = np.concatenate([[0], np.cumsum([len(d) for d in domains])])
        at = [
            start + mine.positions_in(new)
            for start, mine, new in zip(starts[:-1], self.domains, domains, strict=True)
        ]
        t = np.zeros((self.n_groups, int(starts[-1])))
        t[:, np.concatenate(at).astype(np.int64)] = self.t
        return replace(self, t=t, domains=domains)

    def _united(self, other: Sums) -> tuple[Sums, Sums]:
        if self.domains is None or other.domains is None:
            return self, other
        both = tuple(a.union(b) for a, b in zip(self.domains, other.domains, strict=True))
        return self.recoded(both), other.recoded(both)

    def values_with(self, other: Sums) -> int:
        pairs = zip(self.domains or (), other.domains or (), strict=True)
        return sum(len(a.union(b)) for a, b in pairs)

    def __add__(self, other: Sums) -> Sums:
        a, b = self._united(other)
        return replace(a, n=a.n + b.n, t=a.t + b.t)

    def __sub__(self, other: Sums) -> Sums:
        a, b = self._united(other)
        n = checked_remainder(a.n, b.n, "counts")
        t = checked_remainder(a.t, b.t, "counts" if a.domains else "sums")
        return replace(a, n=n, t=t if a.domains else np.where(n == 0, 0.0, t))

    def regroup(self, index: Indices, n_groups: int) -> Sums:
        n, t = regrouped(self.n, index, n_groups), regrouped(self.t, index, n_groups)
        return replace(self, n=n, t=t)

    def select(self, columns: Indices) -> Sums:
        if self.domains is None:
            n = self.n if self.n.shape[1] == 1 else self.n[:, columns]
            return replace(self, n=n, t=self.t[:, columns])
        offsets = self.offsets
        cells = [np.arange(offsets[j], offsets[j + 1]) for j in columns]
        kept = tuple(self.domains[j] for j in columns)
        t = self.t[:, np.concatenate(cells)] if cells else self.t[:, :0]
        return Sums(self.n[:, columns], t, kept)

    def beside(self, other: Sums) -> Sums:
        domains = None if self.domains is None else (*self.domains, *(other.domains or ()))
        return Sums(np.hstack([self.n, other.n]), np.hstack([self.t, other.t]), domains)

    def pruned(self) -> Sums:
        if self.domains is None:
            return self
        used = cast(AnyArray, self.t.any(axis=0))
        kept = self
        if not used.all():
            parts = np.split(used, self.offsets[1:-1])
            domains = tuple(d.keep(p.tolist()) for d, p in zip(self.domains, parts, strict=True))
            kept = replace(self, t=self.t[:, used], domains=domains)
        return kept.recoded(tuple(domain.sorted() for domain in kept.domains or ()))

    def arrays(self) -> Mapping[str, AnyArray]:
        return {"n": self.n, "t": self.t}
