"""Quadratic: Gaussians, with independent columns or with a full covariance.

    log p(x | g) = -1/2 sum z^2 - log normalizer,   z = (x - mu) / sigma

The squared distance is always of the difference to the mean, never expanded: at a mean of
1e8 the expanded form keeps no digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.data.column import Block, Real

__all__ = ["LOG_2PI", "Quadratic"]

LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """Means, and variances [g, j] or covariances [g, j, k].

    A column whose variance is 0 in every group is the same everywhere: no evidence.

    >>> nba = Quadratic(np.array([[80.58], [75.44]]), np.array([[1.53], [2.27]]) ** 2)
    >>> out = np.zeros((1, 2)); nba.score(Real(np.array([[75.0]]), ("height",)), out)
    >>> np.exp(out).round(6)
    array([[0.000337, 0.172475]])
    """

    mu: Matrix
    var: AnyArray

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
        values = cast(Real, block).values
        before = out.copy() if _far(values) else None
        if self.full:
            self._score_full(values, out)
        else:
            self._score_diagonal(values, out)
        if before is not None:
            self._score_far(values, before, out)

    def _score_diagonal(self, values: AnyArray, out: Matrix) -> None:
        informative = self.var > 0
        with np.errstate(divide="ignore"):
            inv_scale = np.where(informative, 1 / np.sqrt(self.var), 0.0)
            log_norm = np.where(informative, 0.5 * (np.log(self.var) + LOG_2PI), 0.0)
        kernels.gaussian_scores(values, self.mu, inv_scale, log_norm, out)

    def _score_full(self, values: AnyArray, out: Matrix) -> None:
        """Rows that lack the same cells are scored together, by the marginal of the rest."""
        values = np.asarray(values, dtype=np.float64)
        there = ~np.isnan(values) & (self.variances() > 0).all(axis=0)
        if there.all():
            self._score_marginal(values, np.ones(values.shape[1], dtype=bool), slice(None), out)
            return
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        for k, present in enumerate(patterns):
            if present.any():
                rows = np.flatnonzero(which.ravel() == k)
                self._score_marginal(values[rows], present, rows, out)

    def _score_marginal(
        self, values: Matrix, present: Flags, rows: Indices | slice, out: Matrix
    ) -> None:
        for g in range(self.n_groups):
            lower = np.linalg.cholesky(self.var[g][np.ix_(present, present)])
            d = (values[:, present] - self.mu[g, present]).T
            z = np.linalg.solve(lower, d)
            log_norm = np.log(np.diag(lower)).sum() + 0.5 * present.sum() * LOG_2PI
            with np.errstate(over="ignore"):
                out[rows, g] -= 0.5 * np.einsum("ji,ji->i", z, z) + log_norm

    def _score_far(self, values: AnyArray, before: Matrix, out: Matrix) -> None:
        """Rows so far out that z^2 overflows still have a nearest group.

        z is scaled by the row's largest before it is squared, and what all groups share is
        taken away before it is scaled back.
        """
        rows = np.flatnonzero(~np.isfinite(out).all(axis=1) & np.isfinite(before).all(axis=1))
        if not len(rows):
            return
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            sigma = np.sqrt(self.variances())[None]
            x = np.asarray(values[rows], dtype=np.float64)[:, None, :]
            z = np.where(sigma > 0, x / sigma - self.mu[None] / sigma, 0.0)
            z = np.nan_to_num(z, nan=0.0, posinf=np.finfo(float).max, neginf=-np.finfo(float).max)
            scale = np.abs(z).max(axis=(1, 2), keepdims=True)
            q = ((z / scale) ** 2).sum(axis=2)
            excess = (q - q.min(axis=1, keepdims=True)) * scale[:, :, 0] * scale[:, :, 0]
        out[rows] = before[rows] - 0.5 * np.nan_to_num(excess, nan=0.0)

    def log_measure(self, block: Block) -> Vector | float:
        return 0.0

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        z = rng.standard_normal((len(group), self.mu.shape[1]))
        if self.full:
            lower = np.linalg.cholesky(self.var)
            return Real(self.mu[group] + np.einsum("ijk,ik->ij", lower[group], z), ())
        return Real(self.mu[group] + np.sqrt(self.var)[group] * z, ())


def _far(values: AnyArray) -> bool:
    """Whether some cell is so large that its square may overflow."""
    if not values.size:
        return False
    with np.errstate(invalid="ignore"):
        top = max(np.nanmax(values, initial=0.0), -np.nanmin(values, initial=0.0))
    return bool(top > 1e100)
