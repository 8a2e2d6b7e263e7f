"""A cell means the same in every source: cells are cast to the type that the schema says.

In a column of integers True, 1, 1.0 and "1" are one label. A cast that would lose
something (0.9 to an integer) is refused with its row when a model learns; when it
predicts, such a label is simply one that was never seen.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Indices, Label
from naively.data.cells import Cells, seconds_of, time_label
from naively.data.column import Counts
from naively.data.domain import MISSING, UNSEEN, Domain
from naively.data.odd import RowOf, odd_value
from naively.data.profile import PAIRS
from naively.data.schema import TRUTHS, Column
from naively.data.times import moment
from naively.errors import DataError

__all__ = [
    "cast_label",
    "classes_of_themselves",
    "coded",
    "numbers",
    "of_themselves",
    "refuse_infinite",
    "refuse_other_than_0_and_1",
]

WORDS = {word: word == pair[0] for pair in PAIRS for word in pair}
"""The words for truth values, in any case of letters."""

WANTED = {
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "duration": "a duration",
    "time": "a time",
}
"""What an error says was expected, by the column's type."""

FINITE = "replace it by the largest number that can occur, or leave it missing (NaN)"
"""What to do about an infinite number."""


def _as_integer(label: Label) -> int:
    if isinstance(label, str):
        try:
            return int(label)
        except ValueError:
            label = float(label)
    whole = int(cast(float, label))
    if whole != label:
        raise ValueError("not an integer")
    return whole


def _as_boolean(label: Label) -> bool:
    if isinstance(label, str):
        word = label.strip().lower()
        return WORDS[word] if word in WORDS else _as_boolean(_as_integer(label))
    if label not in (0, 1):
        raise ValueError("not a truth value")
    return bool(label)


def _as_number(label: Label) -> float:
    number = float(cast(float, label))
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _as_duration(label: Label) -> float:
    """Seconds, or a time of day as it is written."""
    if not isinstance(label, str) or ":" not in label:
        return _as_number(label)
    clock = dt.time.fromisoformat(label)
    return (clock.hour * 60 + clock.minute) * 60 + clock.second + clock.microsecond / 1e6


def _as_text(label: Label) -> str:
    whole = isinstance(label, float) and label.is_integer()
    return str(int(cast(float, label))) if whole else str(label)


def _as_time(label: Label) -> str:
    return time_label(moment(str(label)))


_CASTS: dict[str, Callable[[Label], Label]] = {
    "boolean": _as_boolean,
    "integer": _as_integer,
    "number": _as_number,
    "duration": _as_duration,
    "string": _as_text,
    "time": _as_time,
}


def cast_label(label: Label, to: str) -> Label:
    """The label as one of a column of the given type; ValueError where that loses something.

    >>> cast_label("1", "integer"), cast_label(1.0, "boolean"), cast_label(1.0, "string")
    (1, True, '1')
    """
    return _CASTS[to](label) if to in _CASTS else label


class _Lost:
    """A label that cannot be cast: no domain has it."""


def _cast_all(labels: Iterable[Label], to: str) -> list[Label | _Lost]:
    out: list[Label | _Lost] = []
    for label in labels:
        try:
            out.append(cast_label(label, to))
        except (ValueError, TypeError, OverflowError):
            out.append(_Lost())
    return out


SPAN = 256
"""Whole numbers from 0 up to here are codes of themselves."""


def coded(
    cells: Cells,
    column: Column,
    row_of: RowOf,
    domain: Domain | None = None,
    learning: bool = True,
) -> tuple[Indices, Domain]:
    """The cells as codes in a domain; without one, in that of the labels that occur.

    Then the labels stand as they come, and the cells are left as they are where they can be.
    """
    if domain is None and column.type == "integer":
        itself = of_themselves(cells)
        if itself is not None:
            return itself
    codes, labels = cells.coded()
    if cells.kind == "boolean" and column.type == "string":
        labels = [column.truth if label else TRUTHS[column.truth] for label in labels]
    known = _cast_all(labels, column.type)
    lost = next((i for i, label in enumerate(known) if isinstance(label, _Lost)), None)
    if (learning or column.strict) and lost is not None:
        row = row_of(int(np.argmax(codes == lost)))
        raise _no_label(column, row, labels[lost])
    kept = [label for label in known if not isinstance(label, _Lost)]
    if domain is None:
        domain = Domain(tuple(dict.fromkeys(kept)))
        if len(domain) == len(known):
            return codes, domain
    get = domain.index.get
    table = [UNSEEN if isinstance(label, _Lost) else get(label, UNSEEN) for label in known]
    return np.array([*table, MISSING], dtype=np.int32)[codes], domain


def of_themselves(cells: Cells) -> tuple[Indices, Domain] | None:
    """Small whole numbers as codes of themselves: the domain has all up to the largest.

    Bytes are not looked at, and get the domain of all bytes.

    >>> from naively.data.cells import ArrayCells
    >>> of_themselves(ArrayCells(np.array([2, 0])))
    (array([2, 0]), Domain(labels=(0, 1, 2)))
    """
    values = _integers(cells)
    if values is None:
        return None
    if values.dtype == np.uint8:
        return values, _up_to(SPAN)
    low, high = values.min(), values.max()
    if low < MISSING or high >= SPAN:
        return None
    # A cell that holds the code of a missing one must not be taken for it.
    if low == MISSING and np.count_nonzero(values == MISSING) != cells.count_missing():
        return None
    return values, _up_to(int(high) + 1)


def classes_of_themselves(cells: Cells) -> tuple[Indices, Domain] | None:
    """As `of_themselves`, each number looked at and copied in one pass; none may be missing.

    >>> from naively.data.cells import ArrayCells
    >>> classes_of_themselves(ArrayCells(np.array([2, 0], np.uint8)))
    (array([2, 0], dtype=int32), Domain(labels=(0, 1, 2)))
    """
    values = _integers(cells)
    if values is None:
        return None
    native = values.astype(values.dtype.newbyteorder("="), copy=False)
    codes, n = kernels.small_codes(native, SPAN)
    return (codes, _up_to(n)) if n else None


def _integers(cells: Cells) -> AnyArray | None:
    """Cells that are integers as they are stored, `MISSING` where some are."""
    if cells.kind != "integer" or not len(cells):
        return None
    filled = getattr(cells, "filled", None)  # of Arrow, where some are missing
    values = None if filled is None else filled()
    values = cells.numbers() if values is None else values
    return None if values.dtype.kind not in "iu" or values.dtype == np.uint64 else values


@lru_cache(SPAN)
def _up_to(n: int) -> Domain:
    return Domain(tuple(range(n)))


def _no_label(column: Column, row: int, label: Label) -> DataError:
    """The error for a label of another type than its column."""
    if isinstance(label, float) and math.isinf(label):
        return odd_value(column.name, row, label, "a finite number", FINITE)
    fix = "mend the cell, or make the column one of text"
    if column.type == "integer" and isinstance(label, (float, str)):
        fix = f"choose columns={{{column.name!r}: 'gaussian'}} where it is an amount, or {fix}"
    return odd_value(column.name, row, label, WANTED.get(column.type, "a label"), fix)


def numbers(cells: Cells, column: Column, row_of: RowOf, learning: bool = True) -> AnyArray:
    """The cells as numbers, NaN where missing: times as seconds, truth values as 0 and 1."""
    if cells.kind == "string":
        return _parsed(cells, column, row_of, learning)
    if cells.kind == "empty":
        return np.full(len(cells), np.nan)
    if cells.kind == "time" and column.type not in ("time", "empty"):
        at = int(np.argmax(cells.coded()[0] >= 0))
        raise odd_value(column.name, row_of(at), cells.example(), WANTED.get(column.type, "text"))
    if column.type == "time" and cells.kind != "time":
        _refuse_amounts(cells, column, row_of)
    x = cells.numbers()
    if learning and column.type == "boolean" and cells.kind != "boolean":
        refuse_other_than_0_and_1(x[:, None], (column.name,), row_of)
    return x


def _refuse_amounts(cells: Cells, column: Column, row_of: RowOf) -> None:
    """A number is no time: it may count days or seconds, from any year on."""
    there = cells.coded()[0] >= 0
    if there.any():
        row = row_of(int(np.argmax(there)))
        fix = "give a date or a timestamp, such as '2024-12-31'"
        raise odd_value(column.name, row, cells.example(), WANTED["time"], fix)


def _parsed(cells: Cells, column: Column, row_of: RowOf, learning: bool) -> AnyArray:
    """Texts as the numbers that they spell."""
    codes, labels = cells.coded()
    ways = {"boolean": _as_boolean, "time": _epoch, "duration": _as_duration}
    read = ways.get(column.type, _as_number)
    table = np.full(len(labels) + 1, np.nan)
    for i, label in enumerate(labels):
        try:
            table[i] = read(label)
        except (ValueError, TypeError):
            if str(column.family) == "bernoulli" and not (learning or column.strict):
                table[i] = 2.0  # neither of the two words: outside the family's support, unseen
                continue
            row = row_of(int(np.argmax(codes == i)))
            fix = "give the column a family for labels ('categorical'), or mend the cell"
            wanted = WANTED.get(column.type, "a number")
            raise odd_value(column.name, row, label, wanted, fix) from None
    return table[codes]


def _epoch(label: Label) -> float:
    return float(seconds_of(np.array([np.datetime64(moment(str(label)))]))[0])


def refuse_other_than_0_and_1(x: AnyArray, names: tuple[str, ...], row_of: RowOf) -> None:
    """Columns of truth values hold 0, 1 and missing cells."""
    odd = ~((x == 0) | (x == 1) | np.isnan(x))
    if odd.any():
        row, j = (int(i) for i in np.argwhere(odd)[0])
        raise odd_value(names[j], row_of(row), x[row, j].item(), WANTED["boolean"])


def refuse_infinite(
    block: AnyArray, names: tuple[str, ...], row_of: RowOf, counts: Counts | None = None
) -> None:
    """An infinite number is no measurement: it is refused by column and row.

    `counts` says where the cells of a sparse block stand.
    """
    if kernels.any_infinite(block if block.ndim == 2 else block[:, None]):
        first = np.argwhere(np.isinf(block))[0]
        value = block[tuple(first)].item()
        if counts is not None:
            first = (counts.row_of_cell()[first[0]], counts.indices[first[0]])
        raise odd_value(names[first[1]], row_of(int(first[0])), value, "a finite number", FINITE)
