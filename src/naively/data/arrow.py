"""Arrow's doors: tables, streams of record batches, and all that speaks its protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from naively._typing import AnyArray, Indices, Label
from naively.data.cells import ArrayCells, Cells, marked, seconds_of, time_label
from naively.data.schema import THRESHOLDS, Schema, infer
from naively.data.source import Source
from naively.data.strips import Part, Strip, TableSource, refuse_doubles
from naively.errors import DataError, UnsupportedType

__all__ = ["ArrowCells", "OnceSource", "StreamSource", "arrow_source", "arrow_strip", "stream_of"]


def _kind_of(of: pa.DataType) -> str:
    """The kind of cells of an Arrow type; "nested" where no column may hold them."""
    t = pa.types
    if t.is_dictionary(of):
        return _kind_of(of.value_type)
    tests: tuple[tuple[str, tuple[Callable[[Any], bool], ...]], ...] = (
        ("boolean", (t.is_boolean,)),
        ("integer", (t.is_integer,)),
        ("number", (t.is_floating, t.is_decimal)),
        ("string", (t.is_string, t.is_large_string, t.is_string_view)),
        ("time", (t.is_date, t.is_timestamp)),
        ("duration", (t.is_duration, t.is_time, t.is_interval)),
        ("empty", (t.is_null,)),
    )
    return next((kind for kind, holds in tests if any(test(of) for test in holds)), "nested")


def _plain(array: Any) -> Any:
    """The array in one chunk, without extension, run-end or view encodings."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.nulls(0, array.type)
    if isinstance(array, pa.ExtensionArray):
        return _plain(array.storage)
    if pa.types.is_run_end_encoded(array.type):
        return _plain(pc.run_end_decode(array))
    if pa.types.is_string_view(array.type):
        return array.cast(pa.large_string())
    if pa.types.is_dictionary(array.type) and not pa.types.is_integer(array.dictionary.type):
        values = _plain(array.dictionary)
        if values is not array.dictionary:
            return pa.DictionaryArray.from_arrays(array.indices, values)
    return array


class ArrowCells:
    """Cells of an Arrow array of any type.

    >>> ArrowCells(pa.array(["a", None, "a"])).coded()
    (array([ 0, -1,  0], dtype=int32), ['a'])
    """

    def __init__(self, array: Any) -> None:
        self.array = _plain(array)
        self.kind = _kind_of(self.array.type)

    @property
    def declared(self) -> bool:
        return pa.types.is_dictionary(self.array.type) and self.kind != "string"

    def __len__(self) -> int:
        return len(self.array)

    def take(self, keep: AnyArray) -> ArrowCells:
        if keep.dtype == bool:
            return ArrowCells(self.array.filter(pa.array(keep)))
        return ArrowCells(self.array.take(pa.array(keep)))

    def count_missing(self) -> int:
        if self.kind == "number":
            return int(np.isnan(self.numbers()).sum())
        if pa.types.is_dictionary(self.array.type):
            return int((self.coded()[0] < 0).sum())
        return int(self.array.null_count)

    def numbers(self) -> AnyArray:
        array = self.array
        if pa.types.is_dictionary(array.type):
            codes = _indices(array)
            table = np.append(ArrowCells(array.dictionary).numbers().astype(np.float64), np.nan)
            return table[codes]
        if self.kind in ("time", "duration"):
            return _seconds(array)
        if pa.types.is_decimal(array.type) or (array.null_count and self.kind != "boolean"):
            array = array.cast(pa.float64(), safe=False)
        elif self.kind == "boolean":
            array = array.cast(pa.uint8())
            array = array.cast(pa.float64()) if array.null_count else array
        out: AnyArray = array.to_numpy(zero_copy_only=False)
        return out

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        return self._coded

    @cached_property
    def _coded(self) -> tuple[Indices, Sequence[Label]]:
        array = self.array
        if pa.types.is_dictionary(array.type):
            return _used(_indices(array), _labels(array.dictionary))
        if self.kind == "empty":
            return np.full(len(array), -1, dtype=np.int32), []
        if self.kind in ("integer", "number", "duration") and not (
            self.kind == "integer" and array.null_count
        ):
            return ArrayCells(self.numbers()).coded()
        encoded = array.dictionary_encode()
        return _indices(encoded), _labels(encoded.dictionary)

    def text_size(self) -> tuple[int, int]:
        if "_coded" in self.__dict__ or pa.types.is_dictionary(self.array.type):
            codes, labels = self.coded()
            n = np.bincount(codes + 1, minlength=len(labels) + 1)[1:].tolist()
            pairs = [(len(str(v)) * k, (" " in str(v)) * k) for v, k in zip(labels, n, strict=True)]
            return sum(a for a, _ in pairs), sum(b for _, b in pairs)
        characters = pc.sum(pc.utf8_length(self.array)).as_py()
        spaced = pc.sum(pc.match_substring(self.array, " ")).as_py()
        return int(characters or 0), int(spaced or 0)

    def example(self) -> object:
        at = self.odd_cell()
        if at >= len(self.array) or not self.array[at].is_valid:
            return None
        one = ArrowCells(self.array.slice(at, 1))
        labels = one.coded()[1]
        return labels[0] if labels else None

    def odd_cell(self) -> int:
        """The first cell that holds something."""
        return int(np.argmax(self.array.is_valid().to_numpy(zero_copy_only=False)))

    def value(self, at: int) -> object:
        return self.array[at].as_py()


def _indices(array: Any) -> Indices:
    """The indices of a dictionary array, -1 where null."""
    indices = array.indices
    if indices.null_count:
        indices = indices.cast(pa.int64()) if indices.type.bit_width > 32 else indices.cast(pa.int32())
        indices = indices.fill_null(-1)
    out: Indices = indices.to_numpy(zero_copy_only=False)
    return out if out.dtype.kind == "i" else out.astype(np.int64)


def _labels(values: Any) -> list[Label]:
    """The values of a dictionary as Python scalars: times as ISO text, decimals as floats."""
    kind = _kind_of(values.type)
    if kind == "time":
        moments = _naive(values).to_numpy(zero_copy_only=False)
        return [None if np.isnat(m) else time_label(m) for m in moments]
    if kind == "duration" or pa.types.is_decimal(values.type):
        numbers = ArrowCells(values).numbers().tolist()
        return [None if x != x else x for x in numbers]
    labels: list[Label] = values.to_pylist()
    return labels


def _used(codes: Indices, labels: list[Label]) -> tuple[Indices, Sequence[Label]]:
    """Only the labels that occur, and null labels as missing cells."""
    seen = np.bincount(codes[codes >= 0], minlength=len(labels)) > 0
    for i, label in enumerate(labels):
        if label is None or label != label:
            seen[i] = False
    if seen.all():
        return codes, labels
    table = np.append(np.where(seen, np.cumsum(seen) - 1, -1), -1)
    return table[codes], [label for label, kept in zip(labels, seen.tolist(), strict=True) if kept]


def _naive(array: Any) -> Any:
    """Timestamps without their zone: they are stored in UTC."""
    if pa.types.is_timestamp(array.type) and array.type.tz is not None:
        return array.cast(pa.timestamp(array.type.unit))
    return array


def _seconds(array: Any) -> AnyArray:
    """Times as seconds since 1970, durations and times of day as seconds."""
    if pa.types.is_interval(array.type):
        cells = [None if v is None else v for v in array.to_pylist()]
        parts = [np.nan if v is None else (v[0] * 30 + v[1]) * 86400 + v[2] / 1e9 for v in cells]
        return np.array(parts, dtype=np.float64)
    if pa.types.is_time(array.type):
        width = pa.int32() if array.type.bit_width == 32 else pa.int64()
        array = array.cast(width).cast(pa.int64()).cast(pa.duration(array.type.unit))
    moments = _naive(array).to_numpy(zero_copy_only=False)
    return seconds_of(moments)


class ArrowStrip:
    """A column of an Arrow table."""

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
        return ArrowStrip(pa.chunked_array(values))
    if hasattr(values, "__arrow_c_array__"):
        return ArrowStrip(pa.array(values))
    raise UnsupportedType(f"a column of type {type(values).__name__}", "a sequence of values")


def arrow_source(x: Any) -> Source:
    """The source of a table, a batch, a reader, a Polars frame or any Arrow stream."""
    name = type(x).__name__
    if name == "LazyFrame":
        x = x.collect()
    if isinstance(x, (pa.Array, pa.ChunkedArray)) or name == "Series":
        raise DataError(
            f"one column ({name})", "a table", "Reshape your data: give a frame, x.to_frame()"
        )
    if isinstance(x, pa.RecordBatch):
        x = pa.Table.from_batches([x])
    if not isinstance(x, pa.Table) and _is_frame(x):
        x = pa.table(x)
    if isinstance(x, pa.Table):
        refuse_doubles(x.schema.names)
        columns = zip(x.schema.names, x.columns, strict=True)
        what = "an Arrow table" if name in ("Table", "RecordBatch") else f"a {name}"
        return TableSource({n: ArrowStrip(column) for n, column in columns}, what)
    if not isinstance(x, pa.RecordBatchReader):
        x = _reader_of(x)
    return OnceSource(x, f"a stream ({name})")


def _is_frame(x: Any) -> bool:
    """Whether a stream's owner is a table that can be read again, rather than a reader."""
    return hasattr(x, "__len__") or hasattr(x, "num_rows") or hasattr(x, "shape")


def _reader_of(x: Any) -> Any:
    if not hasattr(x, "__arrow_c_stream__"):
        name = f"{type(x).__module__}.{type(x).__name__}"
        raise UnsupportedType(f"an object of type {name}", "an Arrow table or stream")
    try:
        return pa.RecordBatchReader.from_stream(x)
    except (TypeError, pa.ArrowInvalid) as error:
        raise UnsupportedType(f"a stream of {type(x).__name__}: {error}", "a stream of rows") from error


class StreamSource(Source):
    """Record batches in order from `open`, which is told the columns that are wanted."""

    def __init__(
        self,
        names: Sequence[str],
        open: Callable[[Sequence[str]], Iterable[Any]],
        description: str,
        n_rows: int | None = None,
    ) -> None:
        refuse_doubles(names)
        if not names:
            raise DataError(f"{description} without columns", "at least one column")
        self.names = tuple(names)
        self.open = open
        self.description = description
        self.n_rows = n_rows

    def slices(self, names: Sequence[str], rows: int) -> Iterator[Part]:
        names = list(dict.fromkeys(names))
        start = 0
        for batch in _resized(self.open(names), rows):
            columns = {n: marked(ArrowCells(batch.column(n)), self.markers) for n in names}
            yield Part(start, batch.num_rows, columns)
            start += batch.num_rows


def _resized(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """The batches cut to at most so many rows, and small ones put together."""
    waiting: list[Any] = []
    n = 0
    for batch in batches:
        if batch.num_rows >= rows // 2 and not waiting:
            yield from (batch.slice(i, rows) for i in range(0, batch.num_rows, rows))
            continue
        waiting.append(batch)
        n += batch.num_rows
        if n >= rows // 2:
            table = pa.Table.from_batches(waiting)
            yield from (table.slice(i, rows) for i in range(0, n, rows))
            waiting, n = [], 0
    if n:
        yield pa.Table.from_batches(waiting)


class OnceSource(StreamSource):
    """A reader that can be read once: its first rows are kept for the schema."""

    def __init__(self, reader: Any, description: str) -> None:
        super().__init__(reader.schema.names, self._read, description)
        self.reiterable = False
        self._reader = reader
        self._kept: list[Any] = []
        self._state = "fresh"

    def _first(self) -> list[Any]:
        """The first 100,000 rows, kept."""
        if self._state == "fresh":
            rows = 0
            while rows < THRESHOLDS.first_rows:
                batch = next(self._reader, None)
                if batch is None:
                    self.reiterable, self.n_rows = True, rows
                    break
                self._kept.append(batch)
                rows += batch.num_rows
            self._state = "kept"
        return self._kept

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        if self._state == "spent":
            raise DataError(
                f"{self.description} was read already", "a table that can be read twice",
                "give the table or the path itself, or fit and predict on two readers",
            )
        first = self._first()
        if not self.reiterable:
            self._state, self._kept = "spent", []
        for batch in first:
            yield batch.select(names)
        if not self.reiterable:
            del first
            for batch in self._reader:
                yield batch.select(names)

    @property
    def schema(self) -> Schema:
        """Inferred from the first rows, which the note says."""
        if self._schema is None:
            first = self._first()
            schema = infer(self.profiles())
            seen = sum(batch.num_rows for batch in first)
            note = "" if self.reiterable else f"inferred from the first {seen:,} rows"
            self._schema = Schema(schema.columns, note)
        return self._schema

    def first_slices(self, names: Sequence[str], rows: int) -> Iterator[Part]:
        """What inference sees."""
        kept = StreamSource(self.names, lambda some: (b.select(some) for b in self._first()), "")
        kept.markers = self.markers
        return kept.slices(names, rows)


def stream_of(source: Source, requested_schema: object) -> object:
    """A source as an Arrow stream."""
    parts = source.slices(source.names, 65_536)
    first = next(parts, None)
    if first is None:
        return pa.table({name: [] for name in source.names}).__arrow_c_stream__(requested_schema)
    one = _arrow_batch(first, source.names)
    fields = [f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in one.schema]
    schema = pa.schema(fields)
    rest = (_arrow_batch(part, source.names).cast(schema) for part in parts)
    batches = (batch for some in ([one.cast(schema)], rest) for batch in some)
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    return reader.__arrow_c_stream__(requested_schema)


def _arrow_batch(part: Any, names: Sequence[str]) -> Any:
    def array(cells: Any) -> Any:
        return cells.array if isinstance(cells, ArrowCells) else pa.array(cells.values)

    return pa.RecordBatch.from_arrays([array(part.cells(name)) for name in names], list(names))
