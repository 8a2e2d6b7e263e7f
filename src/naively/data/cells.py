"""The cells of one column in one slice of a table.

A door needs only two things of a column: its cells as numbers (NaN is missing), and its
cells as codes into the labels that occur (-1 is missing). Here are the contract and the
answer of NumPy's arrays; that of Python objects stands in `data/objects.py` and
`data/text_cells.py`, Arrow's in `data/arrow_cells.py`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Label, Vector

__all__ = [
    "EXACT",
    "ArrayCells",
    "Cells",
    "MarkedCells",
    "as_float",
    "joined_kind",
    "marked",
    "only",
    "seconds_of",
    "time_label",
]

NUMERIC = ("boolean", "integer", "number")
"""The kinds that hold one another, from the narrowest on."""

EXACT = 2**53
"""Below it every integer is a double of its own."""


def joined_kind(a: str, b: str) -> str:
    """The kind that holds cells of both kinds, "mixed" where there is none.

    >>> joined_kind("integer", "number"), joined_kind("empty", "string")
    ('number', 'string')
    >>> joined_kind("time", "number"), joined_kind("nested", "mixed")
    ('mixed', 'nested')
    """
    if a == b or b == "empty":
        return a
    if a == "empty":
        return b
    if a in NUMERIC and b in NUMERIC:
        return NUMERIC[max(NUMERIC.index(a), NUMERIC.index(b))]
    return "nested" if "nested" in (a, b) else "mixed"


class Cells(Protocol):
    """One column of one slice.

    `kind` is what the cells are stored as: "boolean", "integer", "number", "string",
    "time", "duration", "empty", or what is refused: "mixed" and "nested"; `declared` says
    that they were declared to be categories.
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
    def text_size(self) -> tuple[int, int]:
        """The characters of all texts, and how many of them have a space."""
        ...

    def example(self) -> Label:
        """The first value that is there."""
        ...

    def odd_cell(self) -> int:
        """The position of the first cell that does not belong."""
        ...

    def value(self, at: int) -> object: ...


def only(keep: Sequence[bool], codes: Indices, labels: Sequence[Label]) -> Any:
    """Codes and labels with only some of the labels; cells of the others are missing.

    >>> only([False, True], np.array([0, 1, -1]), ["?", "a"])
    (array([-1,  0, -1]), ['a'])
    """
    if all(keep):
        return codes, labels
    table = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1)
    return table[codes], [label for label, kept in zip(labels, keep, strict=True) if kept]


def as_float(number: Any) -> float:
    """The nearest double, infinite where there is none.

    >>> as_float(-(10**400))
    -inf
    """
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15}
_SECONDS = {"W": 604_800, "D": 86_400, "h": 3_600, "m": 60}


def seconds_of(x: AnyArray) -> Vector:
    """datetime64 or timedelta64 as seconds, NaT as NaN.

    >>> seconds_of(np.array(["1970-01-02", "NaT"], "M8[D]"))
    array([86400.,    nan])
    """
    if np.datetime_data(x.dtype)[0] in ("Y", "M", "generic"):
        x = x.astype(f"{x.dtype.kind}8[D]")
    unit, step = np.datetime_data(x.dtype)
    whole = x.astype(np.int64)
    if unit in _SECONDS:
        out = whole.astype(np.float64) * _SECONDS[unit]
    else:
        parts = _PER_SECOND[unit]
        out = (whole // parts) + (whole % parts) / parts
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
    if isinstance(moment, np.datetime64) and np.datetime_data(moment.dtype)[0] in ("h", "m"):
        moment = moment.astype("M8[s]")
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
        kinds = {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}
        kinds |= {"M": "time", "m": "duration", "U": "string", "T": "string"}
        return kinds[self.values.dtype.kind]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, keep: AnyArray) -> ArrayCells:
        return ArrayCells(self.values[keep])

    def _absent(self) -> Flags | None:
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
        absent = self._absent()
        values = seconds_of(self.values) if self.values.dtype.kind == "m" else self.values
        if absent is None or not absent.any():
            return _codes_of(values)
        codes = np.full(len(values), -1, dtype=np.int64)
        codes[~absent], labels = _codes_of(values[~absent])
        return codes, labels

    def text_size(self) -> tuple[int, int]:
        lengths = np.char.str_len(self.values.astype(str))
        spaced = np.char.find(self.values.astype(str), " ") >= 0
        return int(lengths.sum()), int(spaced.sum())

    def example(self) -> Label:
        absent = self._absent()
        at = 0 if absent is None or not len(absent) else int(np.argmin(absent))
        if not len(self.values) or (absent is not None and absent[at]):
            return None
        if self.values.dtype.kind in "biuf":
            return cast(Label, self.values[at].item())
        return ArrayCells(self.values[at : at + 1]).coded()[1][0]

    def odd_cell(self) -> int:
        return 0

    def value(self, at: int) -> object:
        return self.values[at].item()


def _codes_of(values: AnyArray) -> tuple[Indices, Sequence[Label]]:
    """Codes and sorted labels; small integers by a table instead of a sort."""
    if values.dtype.kind in "biu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 65_536 and high < 2**62:
            offset = values.astype(np.int64) - low
            seen = np.bincount(offset) > 0
            labels: list[Label] = (np.flatnonzero(seen) + low).astype(values.dtype).tolist()
            return (np.cumsum(seen) - 1)[offset], labels
    unique, codes = np.unique(values, return_inverse=True)
    if unique.dtype.kind == "M":
        return codes, [time_label(moment) for moment in unique]
    return codes, [str(v) for v in unique] if unique.dtype.kind in "UT" else unique.tolist()


class MarkedCells:
    """Texts of which some stand for a missing cell.

    >>> MarkedCells(ArrayCells(np.array(["a", "?", "a"])), frozenset({"?"})).coded()
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
        out: tuple[Indices, Sequence[Label]] = only(
            [label not in self.markers for label in labels], codes, labels
        )
        return out

    def text_size(self) -> tuple[int, int]:
        return self.cells.text_size()

    def example(self) -> Label:
        labels = self.coded()[1]
        return labels[0] if labels else None

    def odd_cell(self) -> int:
        return self.cells.odd_cell()

    def value(self, at: int) -> object:
        return self.cells.value(at)


def marked(cells: Cells, markers: frozenset[str]) -> Cells:
    """The cells, with markers of missing cells where they are texts."""
    return MarkedCells(cells, markers) if markers and cells.kind == "string" else cells
