"""The errors for cells that do not belong: always by column, row and value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from naively.data.cells import Cells
from naively.errors import DataError, NaivelyError, UnsupportedType

__all__ = ["RowOf", "different_kind", "in_file", "odd_value", "refuse_odd", "short"]

RowOf = Callable[[int], int]
"""From a position in a slice to the row's number in its source."""


def odd_value(column: str, row: int, value: object, wanted: str, fix: str = "") -> DataError:
    """The error for one cell.

    >>> print(odd_value("age", 3, "abc", "a number"))
    column 'age', row 3: 'abc'; expected a number
    """
    found = f"column {column!r}, row {row:,}: {short(value)}"
    return DataError(found, wanted, fix).at(row, column)


def refuse_odd(cells: Cells, row_of: RowOf, name: str) -> None:
    """Cells of several kinds in one column, and cells that are no single values."""
    if cells.kind in ("mixed", "nested"):
        at = cells.odd_cell()
        row = row_of(at)
        found = f"column {name!r}, row {row:,}: {short(cells.value(at))}"
        raise _odd_cell(cells, cells.value(at), found).at(row, name)


def _odd_cell(cells: Cells, value: object, found: str) -> NaivelyError:
    of = type(value).__name__
    if isinstance(value, complex):
        return DataError(f"{found}: Complex data not supported", "real numbers")
    if cells.kind == "mixed":
        return DataError(
            f"{found} ({of}) among cells of another kind",
            "one kind of value in a column",
            "make them all text or all numbers",
        )
    if isinstance(value, str):
        return DataError(
            f"{found}: half of a pair of surrogates",
            "text in Unicode",
            "decode it anew from its bytes, or replace the character",
        )
    if getattr(cells, "plain", False):
        text = f"{found}: argument must be a string or a number, not {of!r}"
        return UnsupportedType(text, fix="give each of its parts a column of its own")
    return DataError(
        f"{found} ({of})", "a single value in each cell", "give its parts columns of their own"
    )


def different_kind(cells: Cells, row_of: RowOf, name: str, before: object) -> DataError:
    """A slice holds another kind of cells than those before it."""
    row = row_of(int(np.argmax(cells.coded()[0] >= 0)))
    found = f"column {name!r}, row {row:,}: {short(cells.example())}"
    return DataError(
        f"{found} after cells such as {short(before)}",
        "one kind of value in a column",
        "make them all text or all numbers",
    ).at(row, name)


@contextmanager
def in_file(begun: Mapping[str, int]) -> Iterator[None]:
    """Errors of one row say in which file it stands; `begun` says where each begins.

    >>> with in_file({"p1.csv": 0, "p2.csv": 2}):
    ...     raise odd_value("age", 3, "abc", "a number")
    Traceback (most recent call last):
    naively.errors.DataError: p2.csv, its row 1: column 'age', row 3: 'abc'; expected a number
    """
    try:
        yield
    except NaivelyError as error:
        if len(begun) > 1 and error.row is not None:
            start, path = max((start, path) for path, start in begun.items() if start <= error.row)
            found = f"{path}, its row {error.row - start:,}: {error.found}"
            parts = (found, error.expected, error.fix)
            raise type(error)(*parts).at(error.row, error.column) from error.__cause__
        raise


def short(value: object) -> str:
    """A value as it is shown in an error: no longer than a line can bear.

    >>> short("a" * 100)[-6:], short(10**5000)
    ('aaa...', 'an integer of more than 4,000 digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes no longer ones
        return "an integer of more than 4,000 digits"
    return text if len(text) <= 60 else text[:57] + "..."
