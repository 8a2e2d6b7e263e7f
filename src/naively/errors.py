"""Every error that naively raises on purpose.

Each is a `NaivelyError` and a built-in, so both `except NaivelyError` and
`except ValueError` catch it::

    NaivelyError
    +-- DataError           ValueError         a cell, column or table that cannot be used
    |   +-- ImpossibleEvidence                 rows with probability 0 under every class
    |   +-- DamagedFile                        a file whose bytes cannot be unpacked
    |   +-- ImpossibleCondition                a condition of probability 0
    |   +-- TooManyOutcomes                    a table of outcomes that has no room
    +-- ParameterError      ValueError         an option that is unknown or does not apply
    |   +-- QueryError                         a question that cannot be read
    +-- UnsupportedType     TypeError          an object or a type of column no door takes
    +-- UnknownColumn       LookupError        a column that is named but not there
    +-- UnknownLabel        KeyError           a value that a column does not have
    +-- StructureMismatch   ValueError         statistics that do not belong together
    +-- ForgetError         ValueError         rows that cannot be unlearned
    +-- ModelFileError      ValueError         a model file that is damaged or not one
    +-- SourceNotFound      FileNotFoundError  a file that is not there
    +-- NotWritten          OSError            a file that cannot be written
    +-- MissingDependency   ImportError        an optional package that is not installed

A message has three parts: what was found, what was expected, what to do.

>>> print(DataError("column 'age', row 3: 'abc'", "a number", "declare it 'categorical'"))
column 'age', row 3: 'abc'; expected a number; declare it 'categorical'
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Self

__all__ = [
    "DamagedFile",
    "DataError",
    "ForgetError",
    "ImpossibleCondition",
    "ImpossibleEvidence",
    "MissingDependency",
    "ModelFileError",
    "NaivelyError",
    "NaivelyWarning",
    "NotWritten",
    "ParameterError",
    "QueryError",
    "SourceNotFound",
    "StructureMismatch",
    "TooManyOutcomes",
    "UnknownColumn",
    "UnknownLabel",
    "UnseenWarning",
    "UnsupportedType",
    "nearest",
]


class NaivelyError(Exception):
    """The root of the tree: what was found, what was expected, what to do."""

    def __init__(self, found: str, expected: str = "", fix: str = "") -> None:
        BaseException.__init__(self, found, expected, fix)  # OSError reads an errno into three
        self.found = found
        self.expected = expected
        self.fix = fix
        self.column: str | None = None
        self.row: int | None = None

    def at(self, row: int, column: str | None = None) -> Self:
        """The same error, which knows its row and perhaps its column.

        >>> DataError("column 'age', row 3: 'abc'").at(3, "age").row
        3
        """
        self.row, self.column = row, column
        return self

    def __str__(self) -> str:
        expected = f"expected {self.expected}" if self.expected else ""
        return "; ".join(part for part in (self.found, expected, self.fix) if part)


class DataError(NaivelyError, ValueError):
    """A cell, a column or a table that cannot be used."""


class DamagedFile(DataError):
    """A file whose bytes cannot be unpacked."""


class ImpossibleEvidence(DataError):
    """Rows that have probability 0 under every class."""


class ImpossibleCondition(DataError):
    """A condition of probability 0: nothing is conditional on it."""


class TooManyOutcomes(DataError):
    """A table of distinct outcomes that would not find room."""

    type: str = ""
    """The type of the column, where it is one that has so many values."""


class ParameterError(NaivelyError, ValueError):
    """An option that is unknown or does not apply."""


class QueryError(ParameterError):
    """A question that cannot be read; it is shown with a mark where reading stopped.

    >>> print(QueryError("the end of the question", "a value").within("P(vote=", 7))
    the end of the question; expected a value
      P(vote=
             ^
    """

    text = ""
    position = 0

    def within(self, text: str, position: int) -> Self:
        """The same error, which knows the question and where in it reading stopped."""
        self.text, self.position = text, position
        return self

    def __str__(self) -> str:
        said = super().__str__()
        return f"{said}\n{self.marked(self.text, self.position)}" if self.text else said

    @staticmethod
    def marked(text: str, at: int) -> str:
        """A text, and below it a mark; of a long one the surroundings."""
        start = max(0, at - 60)
        near = text[start : at + 40]
        flat = "".join(" " if mark.isspace() or not mark.isprintable() else mark for mark in near)
        return f"  {flat}\n  {' ' * (at - start)}^"


class UnsupportedType(NaivelyError, TypeError):
    """An object or a type of column that no door takes."""


class UnknownColumn(NaivelyError, LookupError):
    """A column that is named but is not in the table."""


class UnknownLabel(NaivelyError, KeyError):
    """A value that is asked for and that its column does not have."""


class StructureMismatch(NaivelyError, ValueError):
    """Statistics that were collected under different structures."""


class ForgetError(NaivelyError, ValueError):
    """Rows that cannot be unlearned: they were never learned, or precision ran out."""


class ModelFileError(NaivelyError, ValueError):
    """A model file that is damaged, hostile, too new, or not one at all."""


class SourceNotFound(NaivelyError, FileNotFoundError):
    """A file that is not there."""


class NotWritten(NaivelyError, OSError):
    """A file that cannot be written: no room, no right, no place for it."""


class MissingDependency(NaivelyError, ImportError):
    """An optional package that is not installed."""


class NaivelyWarning(UserWarning):
    """The root of naively's warnings."""


class UnseenWarning(NaivelyWarning):
    """Cells whose values were not there in training: they count as no evidence."""


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint that offers the most similar of the names, or lists the first of them.

    >>> nearest("Agee", ["Age", "Fare"])
    "did you mean 'Age'?"
    """
    names = list(names)
    folded = {one.casefold(): one for one in reversed(names)}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    shown = ", ".join(repr(n) for n in names[:10])
    return f"there are: {shown}{', ...' if len(names) > 10 else ''}"
