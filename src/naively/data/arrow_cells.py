"""Cells of an Arrow array, of whatever type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Label, Vector
from naively.data.cells import ArrayCells, Cells, only, seconds_of, time_label

__all__ = ["ArrowCells", "kind_of"]


def _is_whole_decimal(of: Any) -> bool:
    """Whether a type is that of large integers: DuckDB exports a HUGEINT so."""
    return bool(pa.types.is_decimal(of)) and of.scale <= 0


_TESTS: tuple[tuple[str, tuple[Callable[[Any], bool], ...]], ...] = (
    ("boolean", (pa.types.is_boolean,)),
    ("integer", (pa.types.is_integer, _is_whole_decimal)),
    ("number", (pa.types.is_floating, pa.types.is_decimal)),
    ("string", (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)),
    ("time", (pa.types.is_date, pa.types.is_timestamp)),
    ("duration", (pa.types.is_duration, pa.types.is_time, pa.types.is_interval)),
    ("empty", (pa.types.is_null,)),
)
_known: dict[Any, str] = {}


def kind_of(of: Any) -> str:
    """The kind of cells of an Arrow type; "nested" where no column may hold them."""
    kind = _known.get(of)
    if kind is None:
        plain = of.value_type if pa.types.is_dictionary(of) else of
        found = (kind for kind, tests in _TESTS if any(test(plain) for test in tests))
        kind = _known[of] = next(found, "nested")
    return kind


def _plain(array: Any) -> Any:
    """The array in one chunk, without extension, run-end or view encodings."""
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    of = array.type
    if getattr(of, "extension_name", "") == "arrow.uuid":
        return pa.array([v if v is None else str(v) for v in array.to_pylist()], pa.string())
    if isinstance(array, pa.ExtensionArray):
        return _plain(array.storage)
    if pa.types.is_run_end_encoded(of):
        return _plain(pc.run_end_decode(array))
    if pa.types.is_dictionary(of) and of.value_type == pa.string_view():
        return pa.DictionaryArray.from_arrays(array.indices, _plain(array.dictionary))
    return array


class ArrowCells:
    """Cells of an Arrow array of any type.

    >>> ArrowCells(pa.array(["a", None, "a"])).coded()
    (array([ 0, -1,  0], dtype=int32), ['a'])
    """

    room: AnyArray | None = None
    """Where doubles are to be written, if that matters."""

    def __init__(self, array: Any) -> None:
        self.array = _plain(array)
        self.kind = kind_of(self.array.type)
        self._is_dictionary = pa.types.is_dictionary(self.array.type)

    @property
    def declared(self) -> bool:
        return self._is_dictionary and self.kind != "string"

    def __len__(self) -> int:
        return len(self.array)

    def take(self, keep: AnyArray) -> Cells:
        chosen = pa.array(keep)
        return ArrowCells(
            self.array.filter(chosen) if keep.dtype == bool else self.array.take(chosen)
        )

    def count_missing(self) -> int:
        if self._is_dictionary:
            return int((self.coded()[0] < 0).sum())
        if self.kind == "number":
            return int(np.isnan(self.numbers()).sum())
        return int(self.array.null_count)

    def numbers(self) -> AnyArray:
        return self._numbers

    @cached_property
    def _numbers(self) -> AnyArray:
        array = self.array
        if self.kind == "empty":
            return np.full(len(array), np.nan)
        if self._is_dictionary:
            table = ArrowCells(array.dictionary).numbers().astype(np.float64)
            return np.append(table, np.nan)[_indices(array)]
        if self.kind in ("time", "duration"):
            return _seconds(array)
        if self.kind == "boolean":
            array = array.cast(pa.uint8())
        if _is_plain(array.type) and len(array):  # no cells may have no buffer
            return _filled(array, True, self.room)
        if pa.types.is_decimal(array.type):
            array = array.cast(pa.string())  # Arrow's own cast is not the nearest double
        if pa.types.is_string(array.type) or array.null_count:
            array = array.cast(pa.float64(), safe=False)
        out: AnyArray = array.to_numpy(zero_copy_only=False)
        return out

    def filled(self) -> AnyArray | None:
        """Integers as they are stored, with -1 where they are missing."""
        if not self.array.null_count or not pa.types.is_integer(self.array.type):
            return None
        return _filled(self.array)

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        return self._coded

    @cached_property
    def _coded(self) -> tuple[Indices, Sequence[Label]]:
        array = self.array
        if self._is_dictionary:
            return _used(_indices(array), _labels(array.dictionary))
        if self.kind == "empty":
            return np.full(len(array), -1, dtype=np.int32), []
        if self.kind == "string":
            codes, first = _text_codes(array)
            return codes, [array[i].as_py() for i in first.tolist()]
        exact = pa.types.is_integer(array.type) and not array.null_count
        if exact or self.kind in ("number", "duration"):
            return ArrayCells(self.numbers()).coded()
        encoded = array.dictionary_encode()
        return _indices(encoded), _labels(encoded.dictionary)

    def text_size(self) -> tuple[int, int]:
        if "_coded" in self.__dict__ or self._is_dictionary:
            codes, labels = self.coded()
            n = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
            pairs = [(str(label), k) for label, k in zip(labels, n, strict=True)]
            return sum(len(v) * k for v, k in pairs), sum((" " in v) * k for v, k in pairs)
        texts = self.array.cast(pa.large_string())  # what pyarrow's functions know
        characters = pc.sum(pc.utf8_length(texts)).as_py()
        spaced = pc.sum(pc.match_substring(texts, " ")).as_py()
        return int(characters or 0), int(spaced or 0)

    def example(self) -> Label:
        labels = ArrowCells(self.array.slice(self.odd_cell(), 1)).coded()[1]
        return labels[0] if labels else None

    def odd_cell(self) -> int:
        if not self.array.null_count:
            return 0
        for part in (self.array.slice(0, 64), self.array):  # most often it is among the first
            there = part.is_valid().to_numpy(zero_copy_only=False)
            if there.any():
                return int(np.argmax(there))
        return 0

    def value(self, at: int) -> object:
        return self.array[at].as_py()


def _text_codes(array: Any) -> tuple[Indices, Indices]:
    """The codes of texts, and the rows where each first occurs, from the bytes as they lie."""
    there = _there(array)
    _, where, *data = array.buffers()
    n, start = len(array), array.offset
    if pa.types.is_string_view(array.type):
        views = _bytes(where)[16 * start : 16 * (start + n)]
        return kernels.view_codes(views, [_bytes(buffer) for buffer in data], there)
    width = np.dtype(np.int64 if pa.types.is_large_string(array.type) else np.int32)
    if where is None:
        return kernels.text_codes(np.zeros(n + 1, width), _bytes(None), there)
    offsets = np.frombuffer(where, width, n + 1, start * width.itemsize)
    return kernels.text_codes(offsets, _bytes(data[0]), there)


def _bytes(buffer: Any) -> AnyArray:
    return np.frombuffer(b"" if buffer is None else buffer, np.uint8)


def _there(array: Any) -> Flags | None:
    """Which cells are not null; None where all are there."""
    if not array.null_count:
        return None
    n, start = len(array), array.offset
    bits = np.frombuffer(array.buffers()[0], np.uint8)[start // 8 : (start + n + 7) // 8]
    flags = np.unpackbits(bits, count=n + start % 8, bitorder="little")[start % 8 :]
    return cast(Flags, flags.view(np.bool_))


def _is_plain(of: Any) -> bool:
    """Whether cells of a type are stored as NumPy stores numbers."""
    return bool(pa.types.is_integer(of) or of in (pa.float64(), pa.float32()))


def _stored(array: Any) -> AnyArray:
    """Numbers as they are stored, whatever stands where one is missing."""
    of = np.dtype(array.type.to_pandas_dtype())
    return np.frombuffer(array.buffers()[1], of, len(array), array.offset * of.itemsize)


def _filled(array: Any, floats: bool = False, room: AnyArray | None = None) -> AnyArray:
    """Numbers as they are stored, with NaN, or -1 in integers, for those that are null.

    Where there is `room` for doubles, they are written there.
    """
    stored = _stored(array)
    kind = stored.dtype.kind
    if not array.null_count:
        if room is None:
            return stored
        room[:] = stored
        return room
    if kind == "u":
        stored = stored.astype(np.promote_types(stored.dtype, np.int8))  # of 64 bits: to floats
    if room is None:
        room = np.empty(len(stored), np.float64 if floats and kind in "iu" else stored.dtype)
    bits = np.frombuffer(array.buffers()[0], np.uint8)
    kernels.filled(stored, bits, array.offset, room)
    return room


def _indices(array: Any) -> Indices:
    """The indices of a dictionary array, -1 where null."""
    indices = array.indices
    out = _filled(indices) if len(indices) else np.empty(0, dtype=np.int32)
    return out if out.dtype.kind == "i" else out.astype(np.int64)


def _labels(values: Any) -> list[Label]:
    """The values of a dictionary as Python scalars: times as ISO text, decimals as numbers."""
    kind = kind_of(values.type)
    if kind == "time":
        moments = _naive(values).to_numpy(zero_copy_only=False)
        return [None if np.isnat(moment) else time_label(moment) for moment in moments]
    if kind == "integer" and pa.types.is_decimal(values.type):
        return [None if value is None else int(value) for value in values.to_pylist()]
    if kind == "duration" or pa.types.is_decimal(values.type):
        return [None if x != x else x for x in ArrowCells(values).numbers().tolist()]
    labels: list[Label] = values.to_pylist()
    return labels


def _used(codes: Indices, labels: list[Label]) -> tuple[Indices, Sequence[Label]]:
    """Only the labels that occur, and null labels as missing cells."""
    seen = kernels.occurring(codes, len(labels))
    for i, label in enumerate(labels):
        if label is None or label != label:
            seen[i] = False
    out: tuple[Indices, Sequence[Label]] = only(seen.tolist(), codes, labels)
    return out


def _naive(array: Any) -> Any:
    """Timestamps without their zone: they are stored in UTC."""
    if pa.types.is_timestamp(array.type) and array.type.tz is not None:
        return array.cast(pa.timestamp(array.type.unit))
    return array


def _seconds(array: Any) -> Vector:
    """Times as seconds since 1970, durations and times of day as seconds."""
    of = array.type
    if pa.types.is_interval(of):
        cells = (np.nan if v is None else _interval(v) for v in array.to_pylist())
        return np.fromiter(cells, dtype=np.float64, count=len(array))
    if pa.types.is_time(of):
        whole = array.cast(pa.int32() if of.bit_width == 32 else pa.int64())
        array = whole.cast(pa.int64()).cast(pa.duration(of.unit))
    return seconds_of(_naive(array).to_numpy(zero_copy_only=False))


def _interval(value: Any) -> float:
    """Months, days and nanoseconds in seconds; a month has 30 days."""
    months, days, nanoseconds = value
    return float((months * 30 + days) * 86_400 + nanoseconds / 1e9)
