"""A cell means the same in every source: cells are cast to the type that the schema says.

In a column of integers True, 1, 1.0 and "1" are one label. A cast that would lose
something (0.9 to an integer) is refused with its row when a model learns; when it
predicts, such a label is simply one that was never seen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

import numpy as np

from naively._typing import AnyArray, Indices, Label
from naively.data.cells import Cells, seconds_of
from naively.data.domain import MISSING, UNSEEN, Domain, sorted_labels
from naively.data.schema import Column
from naively.errors import DataError

__all__ = ["cast_label", "coded", "numbers", "odd_value", "refuse_infinite"]

WORDS: dict[str, bool] = {"t": True, "true": True, "yes": True, "1": True}
WORDS |= {"f": False, "false": False, "no": False, "0": False}


def _as_integer(label: Label) -> int:
    if isinstance(label, str):
        try:
            return int(label)
        except ValueError:
            label = float(label)
    whole = int(label)  # type: ignore[arg-type]
    if whole != label:
        raise ValueError("not an integer")
    return whole


def _as_boolean(label: Label) -> bool:
    if isinstance(label, str):
        word = label.strip().lower()
        if word not in WORDS:
            return _as_boolean(_as_integer(label))
        return WORDS[word]
    if label not in (0, 1):
        raise ValueError("not a truth value")
    return bool(label)


def _as_number(label: Label) -> float:
    return float(label)  # type: ignore[arg-type]


def _as_text(label: Label) -> str:
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


_CASTS: dict[str, Callable[[Label], Label]] = {
    "boolean": _as_boolean,
    "integer": _as_integer,
    "number": _as_number,
    "duration": _as_number,
    "string": _as_text,
    "time": _as_text,
}

_WANTED = {
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "duration": "a duration",
    "time": "a time",
}


def cast_label(label: Label, to: str) -> Label:
    """The label as one of a column of the given type; ValueError where that loses something.

    >>> cast_label("1", "integer"), cast_label(1.0, "boolean"), cast_label(1.0, "string")
    (1, True, '1')
    """
    return _CASTS[to](label) if to in _CASTS else label


def odd_value(column: str, row: int, value: object, wanted: str, fix: str = "") -> DataError:
    """The error for one cell, by column, row and value."""
    return DataError(f"column {column!r}, row {row:,}: {value!r}", wanted, fix)


class _Lost:
    """A label that cannot be cast: no domain has it."""


def _cast_all(labels: Iterable[Label], to: str) -> list[Label | type[_Lost]]:
    cast = _CASTS.get(to)
    out: list[Label | type[_Lost]] = []
    for label in labels:
        try:
            out.append(label if cast is None else cast(label))
        except (ValueError, TypeError, OverflowError):
            out.append(_Lost)
    return out


def coded(
    cells: Cells,
    column: Column,
    row_of: Callable[[int], int],
    domain: Domain | None = None,
    learning: bool = True,
) -> tuple[Indices, Domain]:
    """The cells as codes in a domain; without one, in that of the labels that occur."""
    codes, labels = cells.coded()
    cast = _cast_all(labels, column.type)
    if learning and _Lost in cast:
        at = cast.index(_Lost)
        row = row_of(int(np.argmax(codes == at)))
        wanted = _WANTED.get(column.type, "a label")
        fix = "declare the column 'categorical' with its labels as text, or mend the cell"
        raise odd_value(column.name, row, labels[at], wanted, fix)
    if domain is None:
        domain = Domain(sorted_labels({label for label in cast if label is not _Lost}))  # type: ignore[arg-type]
    get = domain.index.get
    table = [UNSEEN if label is _Lost else get(label, UNSEEN) for label in cast]  # type: ignore[arg-type]
    return np.array([*table, MISSING], dtype=np.int32)[codes], domain


def numbers(
    cells: Cells, column: Column, row_of: Callable[[int], int], learning: bool = True
) -> AnyArray:
    """The cells as numbers, NaN where missing: times as seconds, truth values as 0 and 1."""
    if cells.kind == "string":
        return _parsed(cells, column, row_of, learning)
    if cells.kind == "empty":
        return np.full(len(cells), np.nan)
    if (cells.kind == "time") != (column.type == "time") and column.type in ("time", "number"):
        if cells.kind == "time":
            raise odd_value(column.name, row_of(0), cells.example(), _WANTED[column.type])
    x = cells.numbers()
    if column.type == "boolean" and learning and cells.kind != "boolean":
        odd = ~((x == 0) | (x == 1) | np.isnan(x))
        if odd.any():
            at = int(np.argmax(odd))
            raise odd_value(column.name, row_of(at), x[at].item(), _WANTED["boolean"])
    return x


def _parsed(
    cells: Cells, column: Column, row_of: Callable[[int], int], learning: bool
) -> AnyArray:
    """Texts as the numbers that they spell."""
    codes, labels = cells.coded()
    read = {"boolean": _truth, "time": _epoch}.get(column.type, _as_number)
    table = np.full(len(labels) + 1, np.nan)
    for i, label in enumerate(labels):
        try:
            table[i] = read(label)
        except (ValueError, TypeError):
            if column.type == "boolean" and not learning:
                continue
            row = row_of(int(np.argmax(codes == i)))
            wanted = _WANTED.get(column.type, "a number")
            fix = "give the column a family for labels ('categorical') or mend the cell"
            raise odd_value(column.name, row, label, wanted, fix) from None
    return table[codes]


def _truth(label: Label) -> float:
    return float(_as_boolean(label))


def _epoch(label: Label) -> float:
    moment = dt.datetime.fromisoformat(str(label))
    if moment.tzinfo:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return float(seconds_of(np.array([np.datetime64(moment)]))[0])


def refuse_infinite(block: AnyArray, names: tuple[str, ...], row_of: Callable[[int], int]) -> None:
    """An infinite number is no measurement: it is refused by column and row."""
    with np.errstate(all="ignore"):
        if np.isfinite(block.sum(dtype=np.float64)):
            return
    infinite = np.isinf(block)
    if infinite.any():
        row, j = (int(i) for i in np.argwhere(infinite)[0])
        fix = "replace it by the largest number that can occur, or leave it missing (NaN)"
        raise odd_value(names[j], row_of(row), block[row, j].item(), "a finite number", fix)
