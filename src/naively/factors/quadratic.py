"""Quadratic: Gaussians, with independent columns or with a full covariance.

    log p(x | g) = -1/2 sum z^2 - log normalizer,   z = (x - mu) / sigma

The squared distance is always of the difference to the mean, never expanded: at a mean of
1e8 the expanded form keeps no digit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.data.column import Block, Real
from naively.factors.far import LOWEST, far_rows, squares
from naively.frozen import Frozen

__all__ = ["LOG_2PI", "Quadratic"]

LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, slots=True, eq=False)
class Quadratic(Frozen):
    """Means, and variances [g, j] or covariances [g, j, k].

    A column whose variance is 0 in every group is the same everywhere: no evidence.

    >>> nba = Quadratic(np.array([[80.58], [75.44]]), np.array([[1.53], [2.27]]) ** 2)
    >>> out = np.zeros((1, 2)); nba.score(Real(np.array([[75.0]]), ("height",)), out)
    >>> np.exp(out).round(6)
    array([[0.000337, 0.172475]])
    """

    mu: Matrix
    var: AnyArray
    unknown: Flags | None = None
    """Columns of which no cell is known: missing ones are drawn."""

    @property
    def n_groups(self) -> int:
        return len(self.mu)

    @property
    def full(self) -> bool:
        """Whether there are covariances between the columns."""
        return self.var.ndim == 3

    def variances(self) -> Matrix:
        """The variance of each column."""
        return np.einsum("gjj->gj", self.var) if self.full else self.var

    def score(self, block: Block, out: Matrix) -> None:
        self.score_far(block, self.score_near(block, out), out)

    def score_near(self, block: Block, out: Matrix) -> Indices:
        """Score all rows but those far out, which are returned: so is any with an infinite cell."""
        return self._score(cast(Real, block).values, out)

    def score_far(self, block: Block, far: Indices, out: Matrix) -> None:
        """Score the rows that `score_near` left; none of their cells is infinite."""
        if len(far):
            out[far] += self._relative(cast(Real, block).values[far])[0]

    def _score(self, values: AnyArray, out: Matrix) -> Indices:
        with np.errstate(over="ignore", invalid="ignore"):
            if not self.full:
                return kernels.gaussian_scores(values, self.mu, *self.scales(), LOWEST, out)
            gained = np.zeros(out.shape)
            self._score_full(values, gained)
        gained[np.isinf(values).any(axis=1)] = -np.inf  # also where the column is no evidence
        far = far_rows(gained)
        gained[far] = 0.0
        out += gained
        return far

    def scales(self) -> tuple[Matrix, Matrix]:
        """1 / sigma and log sigma sqrt(2 pi); 0 for a column that is no evidence."""
        informative = self.var > 0
        with np.errstate(divide="ignore"):
            inv_scale = np.where(informative, 1 / np.sqrt(self.var), 0.0)
            log_norm = np.where(informative, 0.5 * (np.log(self.var) + LOG_2PI), 0.0)
        return inv_scale, log_norm

    def _score_full(self, values: AnyArray, out: Matrix) -> None:
        """Rows that lack the same cells are scored together, by the marginal of the rest."""
        values = np.asarray(values, dtype=np.float64)
        for rows, present in self._patterns(values):
            for g in range(self.n_groups):
                lower, log_norm = self._marginal(g, present)
                z = np.linalg.solve(lower, (values[rows][:, present] - self.mu[g, present]).T)
                with np.errstate(over="ignore"):
                    out[rows, g] -= 0.5 * np.einsum("ji,ji->i", z, z) + log_norm

    def _patterns(self, values: Matrix) -> Iterator[tuple[Indices | slice, Flags]]:
        """The rows that have the same cells, and which cells these are."""
        there = ~np.isnan(values) & self._used()
        if there.all():
            yield slice(None), np.ones(values.shape[1], dtype=bool)
            return
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        for k, present in enumerate(patterns):
            if present.any():
                yield np.flatnonzero(which.ravel() == k), present

    def _marginal(self, g: int, present: Flags) -> tuple[Matrix, float]:
        """The Cholesky factor of a group's covariance of some columns, and the log normalizer."""
        lower = np.linalg.cholesky(self.var[g][np.ix_(present, present)])
        return lower, float(np.log(np.diag(lower)).sum() + 0.5 * present.sum() * LOG_2PI)

    def _relative(self, values: AnyArray) -> tuple[Matrix, Vector]:
        """Scores of far rows without what the nearest group's distance takes off all of them.

        The second number is that: -1/2 of the nearest squared distance.
        """
        values = np.asarray(values, dtype=np.float64)
        if not self.full:
            inv_scale, log_norm = self.scales()
            excess, nearest = squares(values, self.mu, inv_scale)
            return -0.5 * excess - (~np.isnan(values)).astype(float) @ log_norm.T, -0.5 * nearest
        score, shared = np.zeros((len(values), self.n_groups)), np.zeros(len(values))
        for rows, present in self._patterns(values):
            marginals = [self._marginal(g, present) for g in range(self.n_groups)]
            w = np.stack([np.linalg.inv(lower) for lower, _ in marginals])
            excess, nearest = squares(values[rows][:, present], self.mu[:, present], w)
            score[rows] = -0.5 * excess - np.array([norm for _, norm in marginals])
            shared[rows] = -0.5 * nearest
        return score, shared

    def log_measure(self, block: Block) -> Vector | float:
        """What `score` left out of far rows."""
        values = cast(Real, block).values
        far = self._score(values, np.zeros((len(values), self.n_groups)))
        if not len(far):
            return 0.0
        out = np.zeros(len(values))
        out[far] = self._relative(values[far])[1]
        return out

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        z = rng.standard_normal((len(group), self.mu.shape[1]))
        values = self.mu[group]
        if self.full:
            used = self._used()
            lower = np.stack([self._marginal(g, used)[0] for g in range(self.n_groups)])
            values[:, used] += np.einsum("ijk,ik->ij", lower[group], z[:, used])
        else:
            values += np.sqrt(self.var)[group] * z
        if self.unknown is not None:
            values[:, self.unknown] = np.nan
        return Real(values, ())

    def _used(self) -> Flags:
        """The columns that are not the same everywhere."""
        return cast(Flags, (self.variances() > 0).all(axis=0))
