"""The cells of one column in one slice of a table, as NumPy and Python hold them.

A door needs only two things of a column: its cells as numbers (NaN is missing), and its
cells as codes into the labels that occur (-1 is missing). Arrow's answer stands in
`data/arrow.py`; here are those for arrays and for Python objects.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from naively._typing import AnyArray, Indices, Label

__all__ = [
    "ArrayCells",
    "Cells",
    "MarkedCells",
    "ObjectCells",
    "kind_of_type",
    "marked",
    "seconds_of",
    "time_label",
]


class Cells(Protocol):
    """One column of one slice.

    `kind` is what the cells are stored as: "boolean", "integer", "number", "string",
    "time", "duration" or "empty"; `declared` says that they were declared categories.
    """

    @property
    def kind(self) -> str: ...
    @property
    def declared(self) -> bool: ...
    def __len__(self) -> int: ...
    def take(self, keep: AnyArray) -> Cells: ...
    def count_missing(self) -> int: ...
    def numbers(self) -> AnyArray: ...
    def coded(self) -> tuple[Indices, Sequence[Label]]: ...
    def text_size(self) -> tuple[int, int]: ...
    def example(self) -> object: ...


def seconds_of(x: AnyArray) -> AnyArray:
    """datetime64 or timedelta64 as float seconds, NaT as NaN.

    >>> seconds_of(np.array(["1970-01-02", "NaT"], "M8[D]"))
    array([86400.,    nan])
    """
    unit = np.datetime_data(x.dtype)[0]
    if unit in ("Y", "M", "generic"):
        x = x.astype(f"{x.dtype.kind}8[D]")
        unit = "D"
    per = {"W": 604800, "D": 86400, "h": 3600, "m": 60, "s": 1}.get(unit)
    step = np.datetime_data(x.dtype)[1]
    whole = x.astype(np.int64)
    if per is None:
        parts = {"ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15}[unit]
        out = (whole // parts) + (whole % parts) / parts
    else:
        out = whole.astype(np.float64) * per
    out = out * step
    out[np.isnat(x)] = np.nan
    return out


def time_label(moment: Any) -> str:
    """A moment as ISO text, no longer than it needs to be; one with a zone in UTC.

    >>> time_label(np.datetime64("2020-01-01T00:00:00")), time_label(dt.datetime(2020, 1, 1, 9))
    ('2020-01-01', '2020-01-01T09:00:00')
    """
    if isinstance(moment, dt.datetime) and moment.tzinfo:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    text = str(moment) if isinstance(moment, np.datetime64) else str(moment.isoformat())
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removesuffix("T00:00:00")


class ArrayCells:
    """Cells of a NumPy array of numbers, truth values, times or fixed-width text.

    >>> ArrayCells(np.array([2, 5, 2])).coded()
    (array([0, 1, 0]), [2, 5])
    """

    declared = False

    def __init__(self, values: AnyArray) -> None:
        self.values = np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values

    @property
    def kind(self) -> str:
        kinds = {"b": "boolean", "f": "number", "U": "string", "T": "string"}
        kinds |= {"M": "time", "m": "duration", "i": "integer", "u": "integer"}
        return kinds[self.values.dtype.kind]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, keep: AnyArray) -> ArrayCells:
        return ArrayCells(self.values[keep])

    def _absent(self) -> AnyArray | None:
        kind = self.values.dtype.kind
        if kind in "mM":
            return np.isnat(self.values)
        return np.isnan(self.values) if kind == "f" else None

    def count_missing(self) -> int:
        absent = self._absent()
        return 0 if absent is None else int(absent.sum())

    def numbers(self) -> AnyArray:
        return seconds_of(self.values) if self.values.dtype.kind in "mM" else self.values

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        values = self.values
        if values.dtype.kind == "m":
            values = seconds_of(values)
        absent = self._absent()
        if absent is not None and absent.any():
            codes = np.full(len(values), -1, dtype=np.int64)
            codes[~absent], labels = _codes_of(values[~absent])
            return codes, labels
        return _codes_of(values)

    def text_size(self) -> tuple[int, int]:
        lengths = np.strings.str_len(self.values) if len(self.values) else np.zeros(0, int)
        spaced = np.strings.find(self.values, " ") >= 0 if len(self.values) else np.zeros(0)
        return int(lengths.sum()), int(spaced.sum())

    def example(self) -> object:
        absent = self._absent()
        at = 0 if absent is None else int(np.argmin(absent)) if len(absent) else 0
        if not len(self.values) or (absent is not None and absent[at]):
            return None
        kind, value = self.values.dtype.kind, self.values[at]
        if kind in "mMUT":
            return time_label(value) if kind == "M" else str(value)
        return value.item()

    def odd_cell(self) -> int:
        """An array has no odd cells."""
        return 0

    def value(self, at: int) -> object:
        return self.values[at]


def _codes_of(values: AnyArray) -> tuple[Indices, Sequence[Label]]:
    """Codes and sorted labels; small integers by a table instead of a sort."""
    if values.dtype.kind in "biu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 65_536 and abs(low) < 2**62:
            offset = values.astype(np.int64) - low
            seen = np.bincount(offset, minlength=1) > 0
            table = np.cumsum(seen) - 1
            labels = (np.flatnonzero(seen) + low).astype(values.dtype).tolist()
            return table[offset], labels
    unique, codes = np.unique(values, return_inverse=True)
    if unique.dtype.kind == "M":
        return codes, [time_label(moment) for moment in unique]
    return codes, [str(v) for v in unique] if unique.dtype.kind in "UT" else unique.tolist()


_NOTHING = {"NoneType", "NAType", "NaTType"}


@lru_cache(maxsize=256)
def kind_of_type(of: type) -> str:
    """The kind of a cell by its Python type; "" where no column may hold it.

    >>> kind_of_type(Decimal), kind_of_type(dict)
    ('number', '')
    """
    if of.__name__ in _NOTHING:
        return "empty"
    kinds: tuple[tuple[str, tuple[type, ...]], ...] = (
        ("boolean", (bool, np.bool_)),
        ("duration", (dt.timedelta, dt.time, np.timedelta64)),
        ("integer", (int, np.integer)),
        ("number", (float, np.floating, Decimal, Fraction)),
        ("string", (str,)),
        ("time", (dt.date, np.datetime64)),
    )
    return next((kind for kind, types in kinds if issubclass(of, types)), "")


class ObjectCells:
    """Cells that are Python objects: the slow door, which looks at each of them.

    >>> ObjectCells(["a", None, "b"]).coded()
    (array([ 0, -1,  1]), ['a', 'b'])
    """

    declared = False

    def __init__(self, values: Sequence[Any], kind: str | None = None) -> None:
        self.values = values.tolist() if isinstance(values, np.ndarray) else list(values)
        self._kind = kind

    @cached_property
    def kind(self) -> str:
        from naively.data.profile import joined_kind

        if self._kind is not None:
            return self._kind
        kind = "empty"
        for one in set(map(type, self.values)):
            kind = joined_kind(kind, kind_of_type(one) or "nested")
        return kind if kind != "number" or self.count_missing() < len(self) else "empty"

    def odd_cell(self) -> int:
        """The position of the first cell that cannot stand with those before it."""
        from naively.data.profile import joined_kind

        kind = "empty"
        for i, value in enumerate(self.values):
            one = kind_of_type(type(value)) or "nested"
            if isinstance(value, float) and value != value:
                one = "empty"
            kind = joined_kind(kind, one)
            if kind in ("mixed", "nested"):
                return i
        return 0

    def __len__(self) -> int:
        return len(self.values)

    def take(self, keep: AnyArray) -> ObjectCells:
        at = np.arange(len(self.values))[keep].tolist()
        return ObjectCells([self.values[i] for i in at])

    @cached_property
    def _absent(self) -> AnyArray:
        flags = ((kind_of_type(type(v)) == "empty" or _is_nan(v)) for v in self.values)
        return np.fromiter(flags, dtype=bool, count=len(self.values))

    def count_missing(self) -> int:
        return int(self._absent.sum())

    def numbers(self) -> AnyArray:
        absent = self._absent
        number = _seconds if self.kind in ("time", "duration") else float
        cells = (np.nan if a else number(v) for v, a in zip(self.values, absent, strict=True))
        return np.fromiter(cells, dtype=np.float64, count=len(self.values))

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        plain = {"time": time_label, "duration": _seconds}.get(self.kind, _scalar)
        index: dict[Any, int] = {}
        codes = np.full(len(self.values), -1, dtype=np.int64)
        for i, (value, absent) in enumerate(zip(self.values, self._absent.tolist(), strict=True)):
            if not absent:
                codes[i] = index.setdefault(value, len(index))
        return codes, [plain(value) for value in index]

    def text_size(self) -> tuple[int, int]:
        texts = [v for v in self.values if isinstance(v, str)]
        return sum(map(len, texts)), sum(" " in text for text in texts)

    def example(self) -> object:
        at = int(np.argmin(self._absent)) if len(self.values) else 0
        if not len(self.values) or self._absent[at]:
            return None
        value = self.values[at]
        return time_label(value) if self.kind == "time" else _scalar(value)

    def value(self, at: int) -> object:
        return self.values[at]


def _is_nan(value: Any) -> bool:
    return isinstance(value, (float, np.floating, Decimal)) and bool(value != value) or (
        isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))
    )


def _scalar(value: Any) -> Any:
    """A plain Python scalar of any cell that is not a time."""
    if isinstance(value, np.generic):
        return value.item()
    return float(value) if isinstance(value, (Decimal, Fraction)) else value


def _seconds(value: Any) -> float:
    """Seconds since 1970 of a time; the length of a duration; the seconds of a time of day."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return float(seconds_of(np.array([value]))[0])
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, dt.time):
        whole = (value.hour * 60 + value.minute) * 60 + value.second
        return whole + value.microsecond / 1e6
    if isinstance(value, dt.datetime):
        return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).timestamp()
    return float((value - dt.date(1970, 1, 1)).days * 86400)


class MarkedCells:
    """Texts of which some stand for a missing cell.

    >>> MarkedCells(ObjectCells(["a", "?", "a"]), frozenset({"?"})).coded()
    (array([ 0, -1,  0]), ['a'])
    """

    kind = "string"

    def __init__(self, cells: Cells, markers: frozenset[str]) -> None:
        self.cells = cells
        self.markers = markers

    @property
    def declared(self) -> bool:
        return self.cells.declared

    def __len__(self) -> int:
        return len(self.cells)

    def take(self, keep: AnyArray) -> MarkedCells:
        return MarkedCells(self.cells.take(keep), self.markers)

    def count_missing(self) -> int:
        return int((self.coded()[0] < 0).sum())

    def numbers(self) -> AnyArray:
        return self.cells.numbers()

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        codes, labels = self.cells.coded()
        kept = [label not in self.markers for label in labels]
        if all(kept):
            return codes, labels
        table = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        return table[codes], [label for label, k in zip(labels, kept, strict=True) if k]

    def text_size(self) -> tuple[int, int]:
        return self.cells.text_size()

    def example(self) -> object:
        labels = self.coded()[1]
        return labels[0] if labels else None


def marked(cells: Cells, markers: frozenset[str]) -> Cells:
    """The cells, with markers of missing cells where they are texts."""
    return MarkedCells(cells, markers) if markers and cells.kind == "string" else cells
