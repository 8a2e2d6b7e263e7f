"""Tables without names: NumPy arrays and nested lists.

Their columns are x0, x1, ... and are matched by position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.cells import ArrayCells, Cells
from naively.data.column import Counts
from naively.data.profile import Profile, profile_matrix
from naively.data.schema import THRESHOLDS, Schema
from naively.data.source import CELLS, Source
from naively.data.strips import ArrayStrip, TableSource
from naively.errors import DataError, UnsupportedType

__all__ = ["MatrixSource", "array_source", "check_shape", "floats_of", "list_source"]


TALL = 131_072
"""Longer arrays are profiled in slices: most columns soon have too many values to count."""


def array_source(x: Any) -> Source:
    """The source of an array in two dimensions.

    >>> array_source(np.eye(2)).names
    ('x0', 'x1')
    """
    if isinstance(x, np.ma.MaskedArray):
        number = x.dtype.kind in "biuf"
        x = np.ma.filled(x.astype(np.float64 if number else object), np.nan if number else None)
    x = np.asarray(x)
    if x.dtype.names is not None and x.ndim == 1:
        records = {name: ArrayStrip(x[name]) for name in x.dtype.names}
        return TableSource(records, "an array of records")
    check_shape(x.shape)
    if x.dtype.kind == "c":
        raise DataError("Complex data not supported", "real numbers", "give its parts as columns")
    if x.dtype.kind == "V":
        fix = "give a dict of columns"
        raise UnsupportedType(f"an array of records {x.dtype}", "a plain array", fix)
    return MatrixSource(x) if x.dtype.kind in "biuf" else _cells_source(x, "an array")


def _cells_source(x: AnyArray, description: str) -> Source:
    """An array of objects, texts or times: column by column, by values."""
    strips = {f"x{j}": ArrayStrip(x[:, j], plain=True) for j in range(x.shape[1])}
    return TableSource(strips, description, named=False)


def check_shape(shape: tuple[int, ...]) -> None:
    """Two dimensions, at least one row and one column."""
    if len(shape) != 2:
        dimensions = {0: "a single value", 1: "an array in 1 dimension"}
        raise DataError(
            dimensions.get(len(shape), f"an array in {len(shape)} dimensions"),
            "rows and columns (2 dimensions)",
            "Reshape your data: x.reshape(-1, 1) is one column, x.reshape(1, -1) is one row",
        )
    for n, what in ((shape[1], "0 feature(s)"), (shape[0], "Found array with 0 sample(s)")):
        if not n:
            raise DataError(f"{what} (shape={shape}) while a minimum of 1 is required.")


def list_source(rows: Sequence[Any]) -> Source:
    """The source of nested lists, or of dicts: rows with names.

    >>> list_source([{"a": 1, "b": "x"}, {"a": 2}]).names
    ('a', 'b')
    """
    if rows and all(isinstance(row, dict) for row in rows):
        from naively.data.dispatch import dict_source

        names = list(dict.fromkeys(name for row in rows for name in row))
        return dict_source({name: [row.get(name) for row in rows] for name in names})
    if not rows or not all(isinstance(row, (list, tuple, np.ndarray)) for row in rows):
        check_shape((len(rows),))
    return _nested(rows)


def _nested(rows: Sequence[Any]) -> Source:
    """Rows of cells: an array of numbers where all cells are of one plain type."""
    width = len(rows[0])
    odd = next((i for i, row in enumerate(rows) if len(row) != width), None)
    if odd is not None:
        found = f"row {odd:,} has {len(rows[odd])} cells, row 0 has {width}"
        raise DataError(found, "rows of one length")
    check_shape((len(rows), width))
    types = {type(cell) for row in rows for cell in row}
    if len(types) == 1 and issubclass(next(iter(types)), (bool, int, float, np.number, np.bool_)):
        array = np.asarray(rows)
        if array.dtype.kind in "biuf":
            return array_source(array)
    cells = np.empty((len(rows), width), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            cells[i, j] = cell
    return _cells_source(cells, "nested lists")


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
        if len(names) == self.values.shape[1]:
            return floats_of(self.values)
        at = [self.position[name] for name in names]
        if at == list(range(at[0], at[0] + len(at))):
            return floats_of(self.values[:, at[0] : at[0] + len(at)])
        return floats_of(self.values[:, at])

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        return None


def floats_of(values: AnyArray) -> AnyArray:
    """float64 or float32 in the machine's byte order, without a copy where they are.

    >>> floats_of(np.array([1, 2])), floats_of(np.array([1, 2], np.float16)).dtype
    (array([1., 2.]), dtype('float32'))
    """
    small = values.dtype.kind == "f" and values.dtype.itemsize <= 4
    return values.astype(np.float32 if small else np.float64, copy=False)


class MatrixSource(Source):
    """An array of numbers or truth values; its batches are views of it.

    >>> source = MatrixSource(np.array([[1.5], [2.5]]))
    >>> batch, = source.batches(source.schema)
    >>> np.shares_memory(batch.blocks[0].values, source.values)
    True
    """

    named = False
    lies_in_memory = True

    def __init__(self, values: AnyArray) -> None:
        self.values = values
        self.n_rows = len(values)
        self.names = tuple(f"x{j}" for j in range(values.shape[1]))
        self.floats = values.dtype.kind == "f"
        self.counted_in_place = values.dtype in (np.float64, np.float32, np.uint8)
        self.description = f"an array ({self.n_rows:,} x {len(self.names):,})"

    def slices(self, names: Sequence[str], rows: int) -> Iterator[MatrixPart]:
        position = {name: j for j, name in enumerate(self.names)}
        for start in range(0, len(self.values), rows):
            yield MatrixPart(start, self.values[start : start + rows], position)

    def inferred(self, weight: str | object | None = None, *, habit: bool = False) -> Schema:
        """By habit floats are Gaussian: the first rows are shown, and none of them decides.

        A column of which they show nothing is looked at whole.
        """
        rows = THRESHOLDS.glance_rows
        if not habit or weight is not None or len(self.values) <= rows or self._schema is not None:
            return super().inferred(weight)
        schema = MatrixSource(self.values[:rows]).inferred()
        if any(column.type == "empty" for column in schema):
            return super().inferred(weight)
        columns = tuple(replace(c, type="number") for c in schema)
        return Schema(columns, f"shown are the first {rows:,} of {len(self.values):,} rows")

    def profiles(self, weight: str | object | None = None) -> dict[str, Profile]:
        """As every source, but many columns at a time."""
        if weight is not None or len(self.values) > TALL:
            return super().profiles(weight)
        width = max(1, CELLS // len(self.values))
        found: list[Profile] = []
        for j in range(0, self.values.shape[1], width):
            found.extend(profile_matrix(self.values[:, j : j + width]))
        return dict(zip(self.names, found, strict=True))
