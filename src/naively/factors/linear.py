"""Linear: every exponential family whose statistic is x itself.

    log p(x_j | g) = x_j eta_gj - A_gj + log h(x_j)

Bernoulli, Poisson, exponential, geometric, negative binomial and multinomial columns all
score as one product with a matrix of weights: the linear view of naive Bayes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.data.column import Block, Counts, Real
from naively.factors.measures import LARGEST, Composition, Measure, log_gamma
from naively.frozen import Frozen

__all__ = ["Linear"]

SUM = 1e307
"""What the products of a row may add up to: twice as much would not be infinite yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Linear(Frozen):
    """eta and A by group and column, and the measure they have in common.

    Infinite weights mean that something cannot happen: `never_some` marks where x > 0 has
    probability 0, `never_none` where x < 1 has. They are kept apart so that no product of
    0 and infinity can arise.

    >>> from naively.factors.measures import Coin
    >>> theta = np.array([[0.5], [0.8]])
    >>> coin = Linear(np.log(theta / (1 - theta)), -np.log(1 - theta), Coin())
    >>> out = np.zeros((2, 2)); coin.score(Real(np.array([[1.0], [0.0]]), ("x",)), out)
    >>> np.exp(out).round(12)
    array([[0.5, 0.8],
           [0.5, 0.2]])
    """

    eta: Matrix
    a: Matrix
    measure: Measure
    never_some: Flags | None = None
    never_none: Flags | None = None
    silent: Mapping[int, float] = field(default_factory=dict)
    """Columns that say nothing, and what is drawn there: their one value, NaN of no cell."""
    reach: Vector = field(init=False, repr=False)
    """The largest amount of each column whose score cannot overflow, whatever the others are."""

    def __post_init__(self) -> None:
        with np.errstate(divide="ignore", over="ignore"):
            peak = np.abs(self.eta).max(axis=0, initial=0.0) * max(1, self.eta.shape[1])
            object.__setattr__(self, "reach", np.minimum(SUM / peak, LARGEST))
        Frozen.__post_init__(self)

    @classmethod
    def of(
        cls,
        eta: Matrix,
        a: Matrix,
        measure: Measure,
        never_none: Flags | None = None,
        silent: Mapping[int, float] | None = None,
    ) -> Linear:
        """A factor from weights of which some may be minus infinity."""
        never_some = np.isneginf(eta)
        finite = np.where(np.isfinite(eta), eta, 0.0)
        return cls(
            np.ascontiguousarray(finite),
            np.ascontiguousarray(np.broadcast_to(a, eta.shape)),
            measure,
            never_some if never_some.any() else None,
            never_none if never_none is not None and never_none.any() else None,
            silent or {},
        )

    @property
    def n_groups(self) -> int:
        return len(self.eta)

    def weights(self) -> Matrix:
        """eta with its infinities again."""
        out = self.eta.copy()
        if self.never_some is not None:
            out[self.never_some] = -np.inf
        if self.never_none is not None:
            out[self.never_none] = np.inf
        return out

    def score(self, block: Block, out: Matrix) -> None:
        if isinstance(block, Counts):
            self._score_sparse(block, out)
            return
        values = cast(Real, block).values
        kernels.linear_scores(self._within_reach(values), self.eta, self.a, out)
        if self.never_some is not None:
            _forbid(values > 0, self.never_some, out)
        if self.never_none is not None:
            _forbid(values < 1, self.never_none, out)

    def _within_reach(self, x: AnyArray, at: Indices | None = None) -> AnyArray:
        """Amounts beyond reach count as the largest within: no product overflows.

        So far out the classes are told apart as they are anywhere beyond.
        """
        if not x.size or not np.fmax.reduce(x, axis=None) > self.reach.min():
            return x
        return np.minimum(x, self.reach if at is None else self.reach[at])

    def _score_sparse(self, block: Counts, out: Matrix) -> None:
        data = self._within_reach(block.data, block.indices)
        kernels.sparse_scores(block.indptr, block.indices, data, self.eta, out)
        out -= self.a.sum(axis=1)
        if self.never_some is not None:
            there = (block.data > 0).astype(np.float64)
            hits = np.zeros_like(out)
            flags = self.never_some.astype(np.float64)
            kernels.sparse_scores(block.indptr, block.indices, there, flags, hits)
            out[hits > 0] = -np.inf

    def log_measure(self, block: Block) -> Vector | float:
        if isinstance(block, Counts):
            return self._sparse_measure(block)
        values = np.asarray(cast(Real, block).values, dtype=np.float64)
        return self.measure.log(self._audible(values, np.nan))

    def _audible(self, cells: Matrix, instead: float) -> Matrix:
        """The cells, with a number in place of those in columns that say nothing."""
        if self.silent:
            cells = cells.copy()
            cells[:, list(self.silent)] = instead
        return cells

    def _sparse_measure(self, block: Counts) -> Vector | float:
        if not isinstance(self.measure, Composition):
            return 0.0 if not block.n_rows else self.measure.log(block.dense())
        rows, n = block.row_of_cell(), block.n_rows
        data = np.where(np.isnan(block.data), 0.0, block.data)
        totals = np.bincount(rows, data, n).astype(np.float64)
        logs = np.bincount(rows, log_gamma(data + 1), n).astype(np.float64)
        return self.measure.log_of_cells(totals, logs)

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        with np.errstate(divide="ignore"):
            eta = self._audible(self.weights()[group], -1.0)  # drawn, and then not used
            values = self.measure.sample(eta, rng)
        for j, value in self.silent.items():
            values[:, j] = value
        return Real(values, ())


def _forbid(cells: Flags, never: Flags, out: Matrix) -> None:
    """-inf where a row has a cell that its group says cannot be."""
    hits = cells.astype(np.float64) @ never.T.astype(np.float64)
    out[hits > 0] = -np.inf
