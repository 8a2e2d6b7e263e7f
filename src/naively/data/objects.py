"""Cells that are Python objects: lists, object arrays, nested rows.

The slow door: it looks at every cell, which is why it is also the one that says exactly
which cell of a column does not belong.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Label
from naively.data.cells import as_float, joined_kind, seconds_of, time_label

__all__ = ["ObjectCells", "is_absent", "is_unicode", "kind_of_type"]

_NOTHING = ("NoneType", "NAType", "NaTType")
_KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("boolean", (bool, np.bool_)),
    ("duration", (dt.timedelta, dt.time, np.timedelta64)),
    ("integer", (int, np.integer)),
    ("number", (float, np.floating, Decimal, Fraction)),
    ("string", (str,)),
    ("time", (dt.date, np.datetime64)),
)
_known: dict[type, str] = {}


def kind_of_type(of: type) -> str:
    """The kind of a cell by its Python type.

    >>> kind_of_type(Decimal), kind_of_type(dict)
    ('number', 'nested')
    """
    kind = _known.get(of)
    if kind is None:
        found = (kind for kind, types in _KINDS if issubclass(of, types))
        kind = "empty" if of.__name__ in _NOTHING else next(found, "nested")
        kind = "time" if of.__name__ == "Period" else kind
        _known[of] = kind
    return kind


class ObjectCells:
    """Cells that are Python objects of one kind; None and NaN are missing.

    >>> ObjectCells(["a", None, "b"]).coded()
    (array([ 0, -1,  1]), ['a', 'b'])

    `plain` says that they come from an array, which may hold nothing but scalars.
    """

    declared = False

    def __init__(self, values: Iterable[Any], plain: bool = False) -> None:
        plain_array = isinstance(values, np.ndarray) and values.dtype.kind not in "mM"
        self.values: list[Any] = values.tolist() if plain_array else list(values)  # type: ignore[attr-defined]
        self.plain = plain

    @cached_property
    def _kinds(self) -> list[str]:
        """The kind of every cell; a NaN is none."""
        kinds = [kind_of_type(type(value)) for value in self.values]
        if "number" in kinds or "time" in kinds or "duration" in kinds:
            for i, (kind, value) in enumerate(zip(kinds, self.values, strict=True)):
                if kind in ("number", "time", "duration") and _is_nan(value):
                    kinds[i] = "empty"
        return kinds

    @cached_property
    def kind(self) -> str:
        kind = "empty"
        for one in sorted(set(self._kinds)):
            kind = joined_kind(kind, one)
        return "nested" if kind == "string" and self._has_half_characters() else kind

    def _has_half_characters(self) -> bool:
        """Whether some text is none in Unicode: a half of a pair of surrogates."""
        texts = [value for value in self.values if isinstance(value, str)]
        return not is_unicode("".join(texts)) and not all(map(is_unicode, texts))

    @cached_property
    def _absent(self) -> Flags:
        return np.fromiter((kind == "empty" for kind in self._kinds), bool, len(self.values))

    def odd_cell(self) -> int:
        so_far = "empty"
        for i, kind in enumerate(self._kinds):
            so_far = joined_kind(so_far, kind)
            odd = kind == "string" and not is_unicode(self.values[i])
            if odd or so_far in ("mixed", "nested"):
                return i
        return int(np.argmin(self._absent)) if len(self.values) else 0

    def value(self, at: int) -> object:
        return self.values[at]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, keep: AnyArray) -> ObjectCells:
        at = np.arange(len(self.values))[keep].tolist()
        return ObjectCells([self.values[i] for i in at], self.plain)

    def count_missing(self) -> int:
        return int(self._absent.sum())

    def numbers(self) -> AnyArray:
        number = _seconds if self.kind in ("time", "duration") else as_float
        pairs = zip(self.values, self._absent.tolist(), strict=True)
        cells = (np.nan if absent else number(value) for value, absent in pairs)
        return np.fromiter(cells, dtype=np.float64, count=len(self.values))

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        index: dict[Any, int] = {}
        codes = np.full(len(self.values), -1, dtype=np.int64)
        for i, (value, absent) in enumerate(zip(self.values, self._absent.tolist(), strict=True)):
            if not absent:
                codes[i] = index.setdefault(value, len(index))
        return codes, [self._label(value) for value in index]

    def _label(self, value: Any) -> Label:
        """A plain Python scalar of any cell; a time as ISO text."""
        if self.kind == "time":
            return time_label(_moment(value))
        if self.kind == "duration":
            return _seconds(value)
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (Decimal, Fraction)):
            return float(value)
        return str(value) if self.kind == "string" else cast(Label, value)

    def text_size(self) -> tuple[int, int]:
        texts = [value for value in self.values if isinstance(value, str)]
        return sum(map(len, texts)), sum(" " in text for text in texts)

    def example(self) -> Label:
        at = int(np.argmin(self._absent)) if len(self.values) else 0
        if not len(self.values) or self._absent[at]:
            return None
        return self._label(self.values[at])


def is_absent(value: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, pandas' NA or a time that is none.

    >>> is_absent(None), is_absent(float("nan")), is_absent("")
    (True, True, False)
    """
    return kind_of_type(type(value)) == "empty" or _is_nan(value)


def is_unicode(text: str) -> bool:
    """Whether a text has no half of a pair of surrogates.

    >>> is_unicode("é"), is_unicode(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_nan(value: Any) -> bool:
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return isinstance(value, (float, np.floating, Decimal)) and bool(value != value)


def _moment(value: Any) -> Any:
    """A time; of pandas' periods the time when it starts."""
    return value.to_timestamp() if hasattr(value, "to_timestamp") else value


def _seconds(value: Any) -> float:
    """Seconds since 1970 of a time; the length of a duration; the seconds of a time of day."""
    value = _moment(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return float(seconds_of(np.array([value]))[0])
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, dt.time):
        whole = (value.hour * 60 + value.minute) * 60 + value.second
        return whole + value.microsecond / 1e6
    if isinstance(value, dt.datetime):
        return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).timestamp()
    return float((value - dt.date(1970, 1, 1)).days * 86_400)
