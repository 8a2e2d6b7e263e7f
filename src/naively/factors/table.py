"""Table: one log probability per label and group, for a block of coded columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block, Codes
from naively.data.domain import UNSEEN, Domain
from naively.frozen import Frozen

__all__ = ["Table"]


@dataclass(frozen=True, slots=True, eq=False)
class Table(Frozen):
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
    _aligned: list[Aligned] = field(init=False, repr=False, default_factory=list)
    """The last alignment, since batches of one source share their domains."""

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

    def score(self, block: Block, out: Matrix) -> None:
        self.score_seen(block, out)

    def score_seen(self, block: Block, out: Matrix) -> list[int]:
        """As `score`; returned is how many cells of each column hold a label not seen before."""
        columns = cast("tuple[Codes, ...]", block)
        aligned = self._aligned_to(tuple(column.domain for column in columns))
        codes = [column.codes for column in columns]
        ranges = kernels.table_scores(codes, aligned.table, aligned.offsets, out)
        strangers = zip(codes, aligned.strange, ranges.reshape(-1, 2).tolist(), strict=True)
        return [_count(c, strange, low, high) for c, strange, (low, high) in strangers]

    def _aligned_to(self, domains: tuple[Domain, ...]) -> Aligned:
        """The table in the order of a block's own labels: lines move, and no cell is recoded."""
        known = self._aligned[0] if self._aligned else None
        if known is None or any(a is not b for a, b in zip(domains, known.domains, strict=True)):
            known = self._align(domains)
            self._aligned[:] = [known]
        return known

    def _align(self, domains: tuple[Domain, ...]) -> Aligned:
        lines, strange = [], []
        pairs = zip(domains, self.domains, strict=True)
        for (theirs, ours), (start, stop) in zip(pairs, pairwise(self.offsets), strict=True):
            at = theirs.positions_in(ours)
            strange.append(np.flatnonzero(at < 0))
            lines.append(np.append(np.where(at < 0, stop - 1, start + at), stop - 1))
        ends = np.cumsum([0, *map(len, lines)])
        table = np.ascontiguousarray(self.table[np.concatenate(lines)]) if lines else self.table
        return Aligned(domains, table, ends, tuple(strange))

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


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A table whose lines stand in the order of other domains, and their codes that it lacks."""

    domains: tuple[Domain, ...]
    table: Matrix
    offsets: Indices
    strange: tuple[Indices, ...]


def _count(codes: Indices, strange: Indices, low: int, high: int) -> int:
    """How many codes are UNSEEN or strange; most often the range of all of them tells."""
    lost = int((codes == UNSEEN).sum()) if low == UNSEEN else 0
    if not len(strange) or high < strange[0]:
        return lost
    n = np.bincount(codes[codes >= 0], minlength=high + 1)
    return lost + int(n[strange[strange <= high]].sum())
