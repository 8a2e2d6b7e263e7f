"""Tables that lie in memory column by column: dicts, frames, Arrow tables, Python rows.

A `Strip` is a whole column that can be cut into `Cells`; a `TableSource` is some strips
of one length side by side. Nothing is decoded before its slice is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.cells import ArrayCells, Cells, marked
from naively.data.column import Counts
from naively.data.objects import ObjectCells
from naively.data.source import Source
from naively.data.text_cells import TextCells, are_texts
from naively.errors import DataError, UnsupportedType

__all__ = [
    "ArrayStrip",
    "Part",
    "Strip",
    "TableSource",
    "array_of_cells",
    "refuse_doubles",
    "strip_of",
]


class Strip(Protocol):
    """A whole column."""

    def __len__(self) -> int: ...
    def cut(self, start: int, stop: int) -> Cells: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a table in columns; `at` are their numbers where some were left out."""

    start: int
    n_rows: int
    columns: Mapping[str, Cells]
    at: Indices | None = None

    def row_of(self, position: int) -> int:
        return self.start + position if self.at is None else int(self.at[position])

    def cells(self, name: str) -> Cells:
        return self.columns[name]

    def take(self, keep: AnyArray) -> Part:
        at = (np.arange(self.start, self.start + self.n_rows) if self.at is None else self.at)[keep]
        columns = {name: cells.take(keep) for name, cells in self.columns.items()}
        return Part(self.start, len(at), columns, at)

    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        return None

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        return None


class ArrayStrip:
    """A column that is a NumPy array; `plain` ones may hold only scalars.

    >>> ArrayStrip(np.arange(10)).cut(2, 4).coded()
    (array([0, 1]), [2, 3])
    """

    def __init__(self, values: AnyArray, plain: bool = False) -> None:
        self.values = values
        self.plain = plain

    def __len__(self) -> int:
        return len(self.values)

    def cut(self, start: int, stop: int) -> Cells:
        part = np.require(self.values[start:stop], requirements="A")  # not so in records
        if part.dtype.kind == "T":
            part = part.astype(object)
        if part.dtype.kind != "O":
            return ArrayCells(part)
        values = part.tolist()
        return TextCells(values) if are_texts(values) else ObjectCells(values, self.plain)


class TableSource(Source):
    """Named strips of one length.

    >>> TableSource({"a": ArrayStrip(np.arange(3))}, "a dict").n_rows
    3
    """

    lies_in_memory = True

    def __init__(self, strips: Mapping[str, Strip], description: str, named: bool = True) -> None:
        if not strips:
            raise DataError(f"{description} without columns", "at least one column")
        self.strips = strips
        self.names = tuple(strips)
        self.named = named
        lengths = {name: len(strip) for name, strip in strips.items()}
        self.n_rows = next(iter(lengths.values()))
        for name, length in lengths.items():
            if length != self.n_rows:
                first = next(iter(lengths))
                raise DataError(
                    f"column {name!r} has {length:,} values, column {first!r} has {self.n_rows:,}",
                    "columns of one length",
                )
        self.description = f"{description} ({self.n_rows:,} x {len(strips):,})"

    def slices(self, names: Sequence[str], rows: int) -> Iterator[Part]:
        n_rows = self.n_rows or 0
        for start in range(0, n_rows, rows):
            stop = min(start + rows, n_rows)
            cells = {n: marked(self.strips[n].cut(start, stop), self.markers) for n in names}
            yield Part(start, stop - start, cells)


def refuse_doubles(names: Sequence[str]) -> None:
    """Two columns of one name cannot be told apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"two columns are named {name!r}", "one name for each", "rename one")
        seen.add(name)


def strip_of(values: Any, what: str = "a column") -> Strip:
    """The strip of any one-dimensional thing: array, list, Series, Arrow array.

    >>> len(strip_of(["a", "b", None]))
    3
    """
    home = type(values).__module__.partition(".")[0]
    if home == "pandas":
        from naively.data.frames import series_strip

        return series_strip(values)
    if home in ("pyarrow", "polars") or hasattr(values, "__arrow_c_array__"):
        from naively.data.arrow import arrow_strip

        return arrow_strip(values)
    single = (str, bytes, Mapping, Set)
    if isinstance(values, single) or not hasattr(values, "__len__"):
        raise UnsupportedType(f"{what}: {type(values).__name__}", "a sequence of values")
    return ArrayStrip(_one_dimensional(values, what))


def _one_dimensional(values: Any, what: str) -> AnyArray:
    if isinstance(values, np.ma.MaskedArray):
        values = _unmasked(values)
    if not isinstance(values, np.ndarray) and not hasattr(values, "__array__"):
        values = array_of_cells(list(values))
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise DataError(f"{what} has shape {array.shape}", "one dimension")
    if array.dtype.kind == "c":
        raise DataError(f"{what}: Complex data not supported", "real numbers or labels")
    if array.dtype.kind == "V":
        wanted = "numbers, truth values, text or times"
        raise UnsupportedType(f"{what} of type {array.dtype}", wanted)
    return array


def array_of_cells(values: list[Any]) -> AnyArray:
    """A list as an array of numbers where all its cells are of one plain type, else of objects.

    >>> array_of_cells([1, 2]), array_of_cells([1, None])
    (array([1, 2]), array([1, None], dtype=object))
    """
    types = set(map(type, values))
    if len(types) == 1 and types <= {float, bool}:
        return np.array(values)
    if types == {int}:
        array = np.array(values)
        if array.dtype.kind == "i":
            return array
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells


def _unmasked(values: Any) -> AnyArray:
    """A masked array with its masked cells missing."""
    cells = np.asarray(values.data).astype(object)
    cells[np.ma.getmaskarray(values)] = None
    return cells
