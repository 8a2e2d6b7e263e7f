"""Table: one log probability per label and group, for a block of coded columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block, Codes
from naively.data.domain import Domain

__all__ = ["Table"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """log p(x_j = v | g), the columns stacked below each other.

    Each column ends with one row more, for labels that were never seen: zeros where they
    are no evidence.

    >>> t = Table((Domain(("no", "yes")),), np.log([[0.9, 0.2], [0.1, 0.8], [1.0, 1.0]]))
    >>> out = np.zeros((1, 2)); t.score((Codes(np.array([1]), t.domains[0]),), out)
    >>> np.exp(out)
    array([[0.1, 0.8]])
    """

    domains: tuple[Domain, ...]
    table: Matrix

    @property
    def n_groups(self) -> int:
        return int(self.table.shape[1])

    @property
    def offsets(self) -> Indices:
        """Where each column begins in the table, and the end."""
        sizes = [len(domain) + 1 for domain in self.domains]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def column(self, j: int) -> Matrix:
        """The log probabilities of one column: labels by groups, without the unseen row."""
        low, high = self.offsets[j : j + 2]
        return self.table[low : high - 1]

    def recoded(self, block: Block) -> tuple[Codes, ...]:
        """The columns in our domains: labels that these do not have are unseen."""
        pairs = zip(cast("tuple[Codes, ...]", block), self.domains, strict=True)
        return tuple(column.recoded(domain) for column, domain in pairs)

    def score(self, block: Block, out: Matrix) -> None:
        codes = [column.codes for column in self.recoded(block)]
        kernels.table_scores(codes, self.table, self.offsets, out)

    def log_measure(self, block: Block) -> Vector | float:
        return 0.0

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        drawn = [self._drawn(j, group, rng) for j in range(len(self.domains))]
        return tuple(Codes(c, d) for c, d in zip(drawn, self.domains, strict=True))

    def _drawn(self, j: int, group: Indices, rng: np.random.Generator) -> Indices:
        cumulative = np.cumsum(np.exp(self.column(j)), axis=0).T  # groups by labels
        cumulative /= cumulative[:, -1:]
        u = rng.random(len(group))
        codes = np.empty(len(group), dtype=np.int32)
        for g in range(self.n_groups):
            mine = group == g
            codes[mine] = np.searchsorted(cumulative[g], u[mine], side="right")
        return codes
