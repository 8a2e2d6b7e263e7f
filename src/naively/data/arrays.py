"""Tables without names: NumPy arrays, nested lists, SciPy's sparse matrices.

Their columns are x0, x1, ... and are matched by position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.cells import ArrayCells, Cells
from naively.data.column import Counts
from naively.data.profile import Profile, profile_matrix
from naively.data.source import CELLS, Source
from naively.data.strips import ArrayStrip, TableSource
from naively.errors import DataError, UnsupportedType

__all__ = ["MatrixSource", "SparseSource", "array_source", "list_source", "sparse_source"]


def array_source(x: AnyArray) -> Source:
    """The source of an array in two dimensions."""
    if isinstance(x, np.ma.MaskedArray):
        x = np.ma.filled(x.astype(np.float64), np.nan) if x.dtype.kind in "biuf" else x.astype(object).filled(None)
    _check_shape(x.shape)
    if x.dtype.kind == "c":
        raise DataError("Complex data not supported", "real numbers", "give its parts as columns")
    if x.dtype.names or x.dtype.kind == "V":
        raise UnsupportedType(f"an array of records {x.dtype}", "a plain array", "give a dict of columns")
    if x.dtype.kind in "biuf":
        return MatrixSource(x)
    return _object_source(x, "an array")


def _object_source(x: AnyArray, description: str) -> Source:
    """An array of objects, texts or times: column by column, by values."""
    strips = {f"x{j}": ArrayStrip(x[:, j]) for j in range(x.shape[1])}
    source = TableSource(strips, description, named=False)
    source.plain = True
    return source


def _check_shape(shape: tuple[int, ...]) -> None:
    """Two dimensions, at least one row and one column."""
    if len(shape) != 2:
        what = {0: "a single value", 1: "an array in 1 dimension"}
        raise DataError(
            what.get(len(shape), f"an array in {len(shape)} dimensions"),
            "rows and columns (2 dimensions)",
            "Reshape your data: x.reshape(-1, 1) is one column, x.reshape(1, -1) is one row",
        )
    if not shape[1]:
        raise DataError(f"0 feature(s) (shape={shape}) while a minimum of 1 is required.")
    if not shape[0]:
        raise DataError(
            f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required."
        )


def list_source(rows: Sequence[Any]) -> Source:
    """Nested lists, a list of tuples or a list of dicts (rows with names)."""
    if len(rows) and all(isinstance(row, dict) for row in rows):
        from naively.data.dispatch import dict_source

        names = list(dict.fromkeys(name for row in rows for name in row))
        return dict_source({name: [row.get(name) for row in rows] for name in names})
    if not len(rows) or not all(isinstance(row, (list, tuple, np.ndarray)) for row in rows):
        cells = np.asarray(rows, dtype=object)
        return array_source(cells) if cells.ndim == 2 else _refused(cells)
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        odd = next(i for i, row in enumerate(rows) if len(row) != len(rows[0]))
        found = f"row {odd:,} has {len(rows[odd])} cells, row 0 has {len(rows[0])}"
        raise DataError(found, "rows of one length")
    types = {type(cell) for row in rows for cell in row}
    if any(not issubclass(t, (np.generic, float, int, str)) and t is not type(None) for t in types):
        return _odd_lists(rows)
    if len(types) == 1 and next(iter(types)) not in (str, type(None)):
        array = np.asarray(rows)
        if array.dtype.kind in "bifu":
            return array_source(array)
    return _odd_lists(rows)


def _odd_lists(rows: Sequence[Any]) -> Source:
    cells = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            cells[i, j] = cell
    _check_shape(cells.shape)
    return _object_source(cells, "nested lists")


def _refused(cells: AnyArray) -> Source:
    _check_shape(cells.shape)
    raise DataError(f"lists of shape {cells.shape}", "rows and columns")


@dataclass(frozen=True, slots=True)
class MatrixPart:
    """Some rows of an array."""

    start: int
    values: AnyArray
    position: dict[str, int]
    at: Indices | None = None

    @property
    def n_rows(self) -> int:
        return len(self.values)

    def row_of(self, position: int) -> int:
        return self.start + position if self.at is None else int(self.at[position])

    def cells(self, name: str) -> Cells:
        return ArrayCells(self.values[:, self.position[name]])

    def take(self, keep: AnyArray) -> MatrixPart:
        at = (np.arange(self.start, self.start + self.n_rows) if self.at is None else self.at)[keep]
        return MatrixPart(self.start, self.values[keep], self.position, at)

    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        return _as_floats(_columns(self.values, [self.position[name] for name in names]))

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        return None


def _columns(values: AnyArray, at: list[int]) -> AnyArray:
    """Some columns of an array: a view where they are neighbours."""
    if len(at) == values.shape[1] and at == list(range(len(at))):
        return values
    if at == list(range(at[0], at[0] + len(at))):
        return values[:, at[0] : at[0] + len(at)]
    return values[:, at]


def _as_floats(values: AnyArray) -> AnyArray:
    """float64 or float32 in the machine's byte order, without a copy where they are."""
    kept = values.dtype in (np.float32, np.float64) and values.dtype.isnative
    to = np.float32 if values.dtype == np.float16 else values.dtype.newbyteorder("=")
    if kept:
        return values
    return values.astype(to if values.dtype.kind == "f" and to in (np.float32, np.float64) else np.float64)


class MatrixSource(Source):
    """An array of numbers or truth values; its batches are views of it.

    >>> source = MatrixSource(np.array([[1.5], [2.5]]))
    >>> batch, = source.batches(source.schema)
    >>> np.shares_memory(batch.blocks[0].values, source.values)
    True
    """

    named = False

    def __init__(self, values: AnyArray) -> None:
        self.values = values
        self.n_rows = len(values)
        self.names = tuple(f"x{j}" for j in range(values.shape[1]))
        self.floats = values.dtype.kind == "f"
        self.description = f"an array ({self.n_rows:,} x {len(self.names):,})"

    def slices(self, names: Sequence[str], rows: int) -> Iterator[MatrixPart]:
        position = {name: j for j, name in enumerate(self.names)}
        for start in range(0, len(self.values), rows):
            yield MatrixPart(start, self.values[start : start + rows], position)

    def profiles(
        self, weight: str | object | None = None, skip: Sequence[str] = ()
    ) -> dict[str, Profile]:
        """As every source, but many columns at a time."""
        if weight is not None or self.values.shape[0] > CELLS:
            return super().profiles(weight, skip)
        width = max(1, CELLS // len(self.values))
        found: list[Profile] = []
        for j in range(0, self.values.shape[1], width):
            found.extend(profile_matrix(self.values[:, j : j + width]))
        return {name: p for name, p in zip(self.names, found, strict=True) if name not in skip}


def sparse_source(x: Any) -> Source:
    """The source of a SciPy sparse matrix or array in any format."""
    _check_shape(x.shape)
    if x.dtype.kind == "c":
        raise DataError("Complex data not supported", "real numbers")
    if x.dtype.kind not in "biuf":
        raise UnsupportedType(f"a sparse matrix of {x.dtype}", "numbers")
    return SparseSource(x.tocsr())


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
        at = self.position[name]
        return ArrayCells(self.rows[:, [at]].toarray()[:, 0])

    def take(self, keep: AnyArray) -> SparsePart:
        at = (np.arange(self.start, self.start + self.n_rows) if self.at is None else self.at)[keep]
        kept = np.flatnonzero(keep) if keep.dtype == bool else keep
        return SparsePart(self.start, self.rows[kept], self.position, at)

    def _some(self, names: tuple[str, ...]) -> Any:
        if len(names) == self.rows.shape[1]:
            return self.rows
        return self.rows[:, [self.position[name] for name in names]]

    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        return _as_floats(self._some(names).toarray())

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        some = self._some(names)
        if not some.has_canonical_format:
            some = some.copy()
            some.sum_duplicates()
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

    def profiles(
        self, weight: str | object | None = None, skip: Sequence[str] = ()
    ) -> dict[str, Profile]:
        """Extremes and missing cells, from the stored cells alone (and the zeros between)."""
        rows = self.rows
        if weight is not None:
            return super().profiles(weight, skip)
        n, width = rows.shape
        stored = np.bincount(rows.indices, minlength=width)
        missing = np.bincount(rows.indices[np.isnan(rows.data)], minlength=width)
        low, high = np.where(stored < n, 0.0, np.inf), np.where(stored < n, 0.0, -np.inf)
        np.fmin.at(low, rows.indices, rows.data)
        np.fmax.at(high, rows.indices, rows.data)
        kind = "number" if rows.dtype.kind == "f" else "integer"
        columns = zip(missing.tolist(), low.tolist(), high.tolist(), strict=True)
        found = [Profile(n, m, kind, None, lo, hi, integral=False) for m, lo, hi in columns]
        return {name: p for name, p in zip(self.names, found, strict=True) if name not in skip}
