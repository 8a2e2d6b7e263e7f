"""Arrow's doors: tables, streams of record batches, and all that speaks its protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from naively._typing import AnyArray
from naively.data.arrow_cells import ArrowCells
from naively.data.cells import Cells, MarkedCells, marked
from naively.data.schema import THRESHOLDS, Schema
from naively.data.source import ROWS, Source
from naively.data.spelt import SpeltCells
from naively.data.strips import Part, Strip, TableSource, refuse_doubles
from naively.errors import DataError, UnsupportedType

__all__ = [
    "OnceSource",
    "StreamSource",
    "arrow_source",
    "arrow_strip",
    "one_after_another",
    "stream_of",
]


class ArrowStrip:
    """A column of an Arrow table.

    >>> ArrowStrip(pa.array([1, 2, 3])).cut(1, 3).numbers()
    array([2, 3])
    """

    def __init__(self, column: Any) -> None:
        self.column = column

    def __len__(self) -> int:
        return len(self.column)

    def cut(self, start: int, stop: int) -> Cells:
        return ArrowCells(self.column.slice(start, stop - start))


def arrow_strip(values: Any) -> Strip:
    """The strip of an Arrow array, a Polars series, or whatever exports an Arrow array."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return ArrowStrip(values)
    if hasattr(values, "__arrow_c_stream__"):
        column = pa.chunked_array(values)
        if pa.types.is_struct(column.type):
            raise DataError(f"a table ({type(values).__name__})", "one column")
        return ArrowStrip(column)
    if hasattr(values, "__arrow_c_array__"):
        return ArrowStrip(pa.array(values))
    raise UnsupportedType(f"a column of type {type(values).__name__}", "a sequence of values")


def arrow_source(x: Any) -> Source:
    """The source of a table, a batch, a reader, a Polars frame or any Arrow stream."""
    name = type(x).__name__
    if name == "LazyFrame":
        x = x.collect()
    if isinstance(x, (pa.Array, pa.ChunkedArray)) or name == "Series":
        fix = "Reshape your data: give a frame, x.to_frame()"
        raise DataError(f"one column ({name})", "a table", fix)
    if isinstance(x, pa.RecordBatch):
        x = pa.Table.from_batches([x])
    if not isinstance(x, pa.Table) and _is_frame(x):
        x = _exported(x, pa.table)
    if isinstance(x, pa.Table):
        refuse_doubles(x.schema.names)
        columns = zip(x.schema.names, x.columns, strict=True)
        what = "an Arrow table" if name in ("Table", "RecordBatch") else f"a {name}"
        return TableSource({n: ArrowStrip(column) for n, column in columns}, what)
    if not isinstance(x, pa.RecordBatchReader):
        x = _exported(x, pa.RecordBatchReader.from_stream)
    return OnceSource(x, f"a stream ({name})")


def _is_frame(x: Any) -> bool:
    """Whether a stream's owner is a table that can be read again, rather than a reader."""
    return any(hasattr(x, name) for name in ("__len__", "num_rows", "shape"))


def _exported(x: Any, by: Callable[[Any], Any]) -> Any:
    name = f"{type(x).__module__}.{type(x).__name__}"
    if not hasattr(x, "__arrow_c_stream__"):
        raise UnsupportedType(f"an object of type {name}", "an Arrow table or stream")
    try:
        return by(x)
    except Exception as error:
        what = f"a stream of {name} that cannot be exported: {error}"
        raise UnsupportedType(what, "columns of types that Arrow knows") from error


class FloatBlock:
    """Columns of doubles that write their numbers side by side: nobody needs to gather them."""

    def __init__(self, columns: Mapping[str, Cells], n_rows: int) -> None:
        self.cells = {
            name: cells
            for name, cells in columns.items()
            if isinstance(cells, ArrowCells) and cells.array.type == pa.float64()
        }
        self.values = np.empty((n_rows, len(self.cells)), order="F")
        for cells, room in zip(self.cells.values(), self.values.T, strict=True):
            cells.room = room

    def written(self, names: tuple[str, ...]) -> AnyArray | None:
        """The numbers of all columns, where these are the ones that are asked for."""
        if names != tuple(self.cells):
            return None
        for cells in self.cells.values():
            cells.numbers()
        return self.values


@dataclass(frozen=True, slots=True)
class StreamPart(Part):
    """Some rows of a stream."""

    floats: FloatBlock | None = None

    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        return None if self.floats is None else self.floats.written(names)


class StreamSource(Source):
    """Record batches in order from `open`, which is told the columns that are wanted.

    >>> table = pa.table({"a": [1, 2], "b": [3, 4]})
    >>> StreamSource(["a", "b"], lambda names: table.select(names).to_batches(), "two").column("b")
    array([3, 4])
    """

    def __init__(
        self,
        names: Sequence[str],
        open: Callable[[Sequence[str]], Iterable[Any]],
        description: str,
        n_rows: int | None = None,
    ) -> None:
        if not names:
            raise DataError(f"{description} without columns", "at least one column")
        refuse_doubles(names)
        self.names = tuple(names)
        self.open = open
        self.description = description
        self.n_rows = n_rows
        self.spelt: frozenset[str] = frozenset()
        self.begun: dict[str, int] = {}
        self.related: Callable[[], Any] = lambda: None

    def slices(self, names: Sequence[str], rows: int) -> Iterator[Part]:
        wanted = list(dict.fromkeys(names)) or list(self.names[:1])
        start = 0
        for batch in _resized(self.open(wanted), rows):
            columns = {n: marked(self.cells_of(n, batch.column(n)), self.markers) for n in wanted}
            floats = FloatBlock(columns, batch.num_rows)
            yield StreamPart(start, batch.num_rows, columns, floats=floats)
            start += batch.num_rows

    @property
    def relation(self) -> Any:
        return self.related()

    def cells_of(self, name: str, array: Any) -> Cells:
        """The cells of a column of one slice."""
        return SpeltCells(array) if name in self.spelt else ArrowCells(array)


def _resized(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """The batches cut to at most so many rows, and small ones put together (a copy)."""
    waiting: list[Any] = []
    n = 0
    for batch in batches:
        if waiting and batch.schema != waiting[0].schema:  # the next file stores it otherwise
            yield from _cut(waiting, n, rows)
            waiting, n = [], 0
        waiting.append(batch)
        n += batch.num_rows
        if n >= rows // 4:
            yield from _cut(waiting, n, rows)
            waiting, n = [], 0
    if n:
        yield from _cut(waiting, n, rows)


def one_after_another(
    parts: Iterable[tuple[str, Iterable[Any]]], begun: dict[str, int]
) -> Iterator[Any]:
    """The batches of some files; where each of them begins is noted."""
    row = 0
    for path, batches in parts:
        begun[path] = row
        for batch in batches:
            row += batch.num_rows
            yield batch


def _cut(batches: list[Any], n: int, rows: int) -> Iterator[Any]:
    whole = batches[0] if len(batches) == 1 else pa.Table.from_batches(batches)
    if n <= rows:
        return iter([whole])
    return (whole.slice(i, rows) for i in range(0, n, rows))


class OnceSource(StreamSource):
    """A reader that can be read once: its first rows are kept for the schema."""

    def __init__(self, reader: Any, description: str) -> None:
        super().__init__(reader.schema.names, self._read, description)
        self.reiterable = False
        self._reader = reader
        self._kept: list[Any] | None = None
        self._spent = False

    def _first(self) -> list[Any]:
        """The first 100,000 rows, kept; a reader that ends before can be read again."""
        if self._kept is None:
            self._kept, rows = [], 0
            while rows < THRESHOLDS.first_rows:
                batch = next(self._reader, None)
                if batch is None:
                    self.reiterable, self.n_rows = True, rows
                    break
                self._kept.append(batch)
                rows += batch.num_rows
        return self._kept

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        if self._spent:
            raise DataError(
                f"{self.description} was read already",
                "a table that can be read twice",
                "give the table or the path itself, or a new reader",
            )
        first = self._first()
        if not self.reiterable:
            self._spent, self._kept = True, []
        while first:
            yield first[0].select(names)
            if self.reiterable:
                first = first[1:]
            else:
                first.pop(0)
        if not self.reiterable:
            for batch in self._reader:
                yield batch.select(names)

    def inferred(self, weight: str | object | None = None, *, habit: bool = False) -> Schema:
        """Inferred from the first rows, which the note says."""
        seen = sum(batch.num_rows for batch in self._first())
        note = "" if self.reiterable else f"inferred from the first {seen:,} rows"
        return replace(super().inferred(weight), note=note)

    def first_slices(self, names: Sequence[str], rows: int) -> Iterator[Part]:
        """What inference sees."""
        first = self._first()
        kept = StreamSource(self.names, lambda some: (b.select(some) for b in first), "")
        kept.markers = self.markers
        return kept.slices(names, rows)


def stream_of(source: Source, requested_schema: object) -> object:
    """A source as an Arrow stream."""
    parts = source.settled().slices(source.names, ROWS)
    first = _batch(next(parts, None), source.names)
    known = [f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in first.schema]
    schema = pa.schema(known)

    def batches() -> Iterator[Any]:
        yield first.cast(schema)
        for part in parts:
            yield _batch(part, source.names).cast(schema)

    reader = pa.RecordBatchReader.from_batches(schema, batches())
    return reader.__arrow_c_stream__(requested_schema)


def _batch(part: Any, names: Sequence[str]) -> Any:
    """A slice as a record batch."""
    arrays = [pa.nulls(0) if part is None else _array(part.cells(name)) for name in names]
    return pa.RecordBatch.from_arrays(arrays, list(names))


def _array(cells: Any) -> Any:
    if isinstance(cells, MarkedCells):
        codes, labels = cells.coded()
        return pa.array(labels, pa.string()).take(pa.array(codes, mask=codes < 0))
    array = getattr(cells, "array", None)
    return pa.array(cells.values, from_pandas=True) if array is None else array
