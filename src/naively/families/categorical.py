"""Categorical: a probability for each label, smoothed by pseudo-counts.

    theta_gv = (n_gv + a_v) / (n_g + sum of a)

Laplace: a_v = alpha. The sum runs over the column's labels, K of them, so the theta of a
group sum to 1. With the m-estimate a_v = m p_v, where the p_v sum to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, cast

import numpy as np

from naively._typing import Flags, Indices, Label, Matrix, Vector
from naively.data.coding import MissingIsValue
from naively.data.domain import Domain, sorted_labels
from naively.errors import UnknownColumn, nearest
from naively.factors import Table
from naively.families.base import Family, Form, Part, check_amounts, refuse_where, require
from naively.statistics import Statistic, Sums

__all__ = ["Categorical"]


@dataclass(frozen=True, slots=True)
class Categorical(Family):
    """Labels with a Dirichlet prior.

    `alpha` is one pseudo-count for every label, or one for each by name. `m` and `p` give
    the m-estimate instead: `p` is "uniform", "pooled" (the frequencies over all groups) or a
    probability for each label. `labels` declares labels that need not occur. A label that
    training never saw is no evidence (`unseen="ignore"`), or has a bucket of its own
    (`"reserve"`), or is refused (`"error"`). `theta`, a probability for each label, states
    the distribution.

    >>> counts = Sums(np.array([[5.0]]), np.array([[2.0, 3.0]]), (Domain(("a", "b")),))
    >>> np.exp(Categorical(alpha=1).factor(counts).column(0)).ravel().round(4)
    array([0.4286, 0.5714])
    """

    alpha: float | Mapping[Label, float] = 1.0
    m: float | None = None
    p: str | Mapping[Label, float] | None = None
    labels: tuple[Label, ...] = ()
    theta: Mapping[Label, float] | None = field(default=None, kw_only=True)
    unseen: Literal["ignore", "reserve", "error"] = field(default="ignore", kw_only=True)
    name: ClassVar[str] = "categorical"
    form: ClassVar[Form] = "codes"
    unseen_as: ClassVar[tuple[str, ...]] = ("ignore", "reserve", "error")

    def validate(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        for alpha in self.alpha.values() if isinstance(self.alpha, Mapping) else (self.alpha,):
            check_amounts(alpha=alpha)
        check_amounts(m=self.m or 0)
        require(
            (self.m is None) == (self.p is None),
            f"m={self.m!r}, p={self.p!r}",
            "both m and p, or neither",
        )
        if isinstance(self.p, Mapping):
            _check_sum(self.p, "p")
        elif self.p is not None:
            require(
                self.p in ("uniform", "pooled"),
                f"p={self.p!r}",
                "'uniform', 'pooled' or a probability for each label",
            )

        if self.theta is not None:
            _check_sum(self.theta, "theta")

    def declared(self) -> Sums | None:
        if self.theta is None:
            return None
        domain = Domain(sorted_labels(self.theta))
        t = np.array([[float(self.theta[label]) for label in domain.labels]])
        return Sums(np.ones((1, 1)), t, (domain,))

    def __hash__(self) -> int:
        alpha, p, theta = (
            frozenset(stated.items()) if isinstance(stated, Mapping) else stated
            for stated in (self.alpha, self.p, self.theta)
        )
        return hash((alpha, self.m, p, theta, self.labels, self.unseen, self.missing))

    def parts(self) -> tuple[Part, ...]:
        return ((self, MissingIsValue() if self.missing == "value" else None),)

    def factor(self, statistic: Statistic) -> Table:
        sums = self._declared(cast(Sums, statistic))
        offsets = sums.offsets
        pseudo = self._pseudo_counts(sums)
        column = np.repeat(np.arange(sums.n_columns), np.diff(offsets))
        weight = np.zeros(sums.n_columns)
        np.add.at(weight, column, pseudo)
        bucket = self._reserved(pseudo, offsets)
        totals = sums.n + weight + bucket
        self._check(totals, sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_theta = np.log(sums.t + pseudo) - np.log(totals)[:, column]
            log_unseen = np.log(bucket) - np.log(totals) if self.unseen == "reserve" else None
        return Table(
            cast("tuple[Domain, ...]", sums.domains), _stacked(log_theta, log_unseen, offsets)
        )

    def _declared(self, sums: Sums) -> Sums:
        """The counts with the declared labels among them."""
        declared = Domain(self.labels)
        domains = cast("tuple[Domain, ...]", sums.domains)
        return sums.recoded(tuple(domain.union(declared) for domain in domains))

    def _pseudo_counts(self, sums: Sums) -> Vector:
        """a_v for every label of every column."""
        domains = cast("tuple[Domain, ...]", sums.domains)
        if self.m is not None:
            return self.m * np.concatenate([self._p(sums, j) for j in range(len(domains))])
        if isinstance(self.alpha, Mapping):
            return np.concatenate([_by_label(self.alpha, d, "alpha") for d in domains])
        return np.full(int(sums.offsets[-1]), float(self.alpha))

    def _p(self, sums: Sums, j: int) -> Vector:
        domain = cast("tuple[Domain, ...]", sums.domains)[j]
        if isinstance(self.p, Mapping):
            return _by_label(self.p, domain, "p")
        if self.p == "uniform":
            return np.full(len(domain), 1 / max(1, len(domain)))
        pooled = sums.counts(j).sum(axis=0)
        return cast(Vector, pooled / max(pooled.sum(), 1e-300))

    def _reserved(self, pseudo: Vector, offsets: Indices) -> Vector:
        """The pseudo-count of the bucket for unseen labels, by column: as large as a label's."""
        sizes = np.diff(offsets)
        if self.unseen != "reserve":
            return np.zeros(len(sizes))
        sums = np.add.reduceat(np.append(pseudo, 0.0), offsets[:-1]) if len(sizes) else np.zeros(0)
        return np.where(sizes > 0, sums / np.maximum(sizes, 1), 1.0)

    @staticmethod
    def _check(totals: Matrix, sums: Sums) -> None:
        empty = (totals <= 0) & (np.diff(sums.offsets) > 0)
        refuse_where(empty, "has no value", "smooth with alpha > 0")


def _check_sum(stated: Mapping[Label, float], what: str) -> None:
    """Stated probabilities of labels are probabilities."""
    total = sum(stated.values())
    good = abs(total - 1) < 1e-9 and min(stated.values()) >= 0
    require(good, f"{what}={stated!r}, with sum {total:g}", "probabilities that sum to 1")


def _by_label(numbers: Mapping[Label, float], domain: Domain, what: str) -> Vector:
    """A stated number for each label."""
    for label in domain.labels:
        if label not in numbers:
            raise UnknownColumn(
                f"{what} has no entry for the label {label!r}",
                "one for each label",
                nearest(str(label), map(str, numbers)),
            )
    return np.array([float(numbers[label]) for label in domain.labels])


def _stacked(log_theta: Matrix, log_unseen: Matrix | None, offsets: Indices) -> Matrix:
    """Labels by groups, each column followed by its row for unseen labels."""
    n_columns = len(offsets) - 1
    table = np.zeros((int(offsets[-1]) + n_columns, len(log_theta)))
    unseen: Flags = np.zeros(len(table), dtype=bool)
    unseen[offsets[1:] + np.arange(n_columns)] = True
    table[~unseen] = log_theta.T
    if log_unseen is not None:
        table[unseen] = log_unseen.T
    return table
