"""SciPy's sparse matrices: non-negative ones are one block of counts.

SciPy is never imported here; whoever gives a matrix has done so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.arrays import check_shape, floats_of
from naively.data.beside import beside
from naively.data.cells import ArrayCells, Cells
from naively.data.column import Counts
from naively.data.profile import Profile
from naively.data.source import Source
from naively.errors import DataError, UnsupportedType

__all__ = ["SparseSource", "sparse_source"]


def sparse_source(x: Any) -> Source:
    """The source of a SciPy sparse matrix or array in any format."""
    check_shape(x.shape)
    if x.dtype.kind == "c":
        raise DataError("Complex data not supported", "real numbers")
    if x.dtype.kind not in "biuf":
        raise UnsupportedType(f"a sparse matrix of {x.dtype}", "numbers")
    rows = x.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return SparseSource(rows)


@dataclass(frozen=True, slots=True)
class SparsePart:
    """Some rows of a sparse matrix."""

    start: int
    rows: Any
    position: dict[str, int]
    at: Indices | None = None

    @property
    def n_rows(self) -> int:
        return int(self.rows.shape[0])

    def row_of(self, position: int) -> int:
        return self.start + position if self.at is None else int(self.at[position])

    def cells(self, name: str) -> Cells:
        return ArrayCells(self.rows[:, [self.position[name]]].toarray()[:, 0])

    def take(self, keep: AnyArray) -> SparsePart:
        at = (np.arange(self.start, self.start + self.n_rows) if self.at is None else self.at)[keep]
        return SparsePart(self.start, self.rows[np.arange(self.n_rows)[keep]], self.position, at)

    def _some(self, names: tuple[str, ...]) -> Any:
        if len(names) == self.rows.shape[1]:
            return self.rows
        return self.rows[:, [self.position[name] for name in names]]

    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        return floats_of(self._some(names).toarray())

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        some = self._some(names)
        return Counts(some.indptr, some.indices, some.data.astype(np.float64, copy=False), names)


class SparseSource(Source):
    """A sparse matrix by rows; non-negative ones are one block of counts."""

    named = False
    sparse = True

    def __init__(self, rows: Any) -> None:
        self.rows = rows
        self.n_rows = int(rows.shape[0])
        self.names = tuple(f"x{j}" for j in range(rows.shape[1]))
        self.description = f"a sparse matrix ({self.n_rows:,} x {len(self.names):,})"

    def slices(self, names: Sequence[str], rows: int) -> Iterator[SparsePart]:
        position = {name: j for j, name in enumerate(self.names)}
        for start in range(0, self.n_rows or 0, rows):
            yield SparsePart(start, self.rows[start : start + rows], position)

    def quick(self) -> None:
        """Its profiles come from the stored cells, not from slices."""

    def profiles(self, weight: str | object | None = None) -> dict[str, Profile]:
        """Extremes and missing cells, from the stored cells and the zeros between them."""
        rows = self._seen(weight)
        n, width = rows.shape
        kind = "number" if rows.dtype.kind == "f" else "integer"
        between = np.bincount(rows.indices, minlength=width) < n
        absent = np.isnan(rows.data) if kind == "number" else np.zeros(rows.nnz, dtype=bool)
        missing = np.bincount(rows.indices[absent], minlength=width)
        low, high = np.where(between, 0.0, np.inf), np.where(between, 0.0, -np.inf)
        np.fmin.at(low, rows.indices, rows.data)
        np.fmax.at(high, rows.indices, rows.data)
        columns = zip(self.names, missing.tolist(), low.tolist(), high.tolist(), strict=True)
        return {
            name: Profile(n, n, "empty") if m == n else Profile(n, m, kind, None, lo, hi)
            for name, m, lo, hi in columns
        }

    def _seen(self, weight: Any) -> Any:
        """The rows with a weight above 0."""
        weights = beside(self, weight, "sample_weight")
        if weights is None:
            return self.rows
        parts = self.slices((), self.n_rows or 1)
        keep = weights.numbers(next(parts)) > 0
        return self.rows if keep.all() else self.rows[np.flatnonzero(keep)]
