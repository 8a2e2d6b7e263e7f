"""Delimited text: dialect and types are sniffed once, each pass streams through DuckDB.

A type that was sniffed from the first rows may fail further down. While the schema is
being inferred the types are then sniffed again, from all rows; afterwards each column is
read as what the schema says, and a cell that is not is named.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from naively.data.arrow import StreamSource
from naively.data.files import (
    THREADS,
    complaint,
    connected,
    is_complaint,
    literal,
    quoted,
    streamed,
)
from naively.data.odd import odd_value
from naively.data.paths import FirstLine, first_line
from naively.data.profile import Profile
from naively.data.schema import Schema
from naively.errors import DataError

__all__ = ["TextSource"]

TYPES = ("BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR")
"""What a text column may be sniffed as: never boolean, since t/f and yes/no are labels too."""
OLD_TYPES = tuple(name for name in TYPES if name != "TIMESTAMPTZ")
"""Those that DuckDB before 1.4 can sniff."""
BUFFER = 8_000_000
"""Bytes of a file that are parsed at a time."""

CAST_HERE = ("boolean", "integer", "number", "string")
"""Labels of these types are read as text, since a file may spell them in another way."""
NO_DIGITS = ("inf", "infinity", "nan")
"""Numbers that are written in letters."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """One file: its dialect in DuckDB's words, and its columns with their types."""

    path: str
    dialect: dict[str, Any]
    columns: dict[str, str]
    spaced: bool
    """Whether a space follows every delimiter."""


class _Retry(Exception):
    """The types that were sniffed from the first rows do not hold further down."""


class TextSource(StreamSource):
    """Files of delimited text with the same columns."""

    def __init__(
        self, text: str, paths: list[str], markers: frozenset[str], options: dict[str, Any]
    ) -> None:
        self.options = options
        self.nulls = sorted({*markers, *(" " + one for one in markers if one)})
        self.connection = connected(threads=THREADS, memory_limit="1GB")
        self.types: dict[str, str] = {}
        """Types that overrule the sniffed ones."""
        self.guessing = False
        self.files = [self._sniffed(path) for path in paths]
        names = list(self.files[0].columns)
        for file in self.files:
            if set(file.columns) != set(names):
                odd = sorted(set(file.columns) ^ set(names))
                raise DataError(f"{file.path}: columns {odd} are not in every file", "the same")
        super().__init__(names, self._read, os.path.basename(text))

    def _sniffed(self, path: str, sample: int = 20_480) -> Sniffed:
        given = {"nullstr": self.nulls, "sample_size": sample, **self.options}
        options = "".join(f", {k}={literal(v)}" for k, v in given.items())
        query = f"FROM sniff_csv({literal(path)}{options}, auto_type_candidates="
        try:
            try:
                relation = self.connection.sql(f"{query}{literal(TYPES)})")
            except Exception as error:
                if "Auto Type Candidate" not in str(error):
                    raise
                relation = self.connection.sql(f"{query}{literal(OLD_TYPES)})")
            found = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
        except Exception as error:
            raise self._refusal(path, error) from error
        line = first_line(path, found, self.options.get("encoding"))
        columns = {column["name"]: column["type"] for column in found["Columns"]}
        _check(path, found, columns, line)
        encoding = {k: v for k, v in self.options.items() if k == "encoding"}
        spaced = line is not None and line.spaced
        return Sniffed(path, {**_dialect(found, line), **encoding}, columns, spaced)

    def for_schema(self, schema: Schema) -> TextSource:
        """The same files, their cells read as the schema's types rather than the sniffer's."""
        chosen = copy.copy(self)
        chosen.types = dict(self.types)
        for column in schema:
            exact = self._schema is not None and column.type == "integer"
            labels = column.form == "codes" and not exact and column.type in CAST_HERE
            if labels or column.type in ("boolean", "string"):
                chosen.types[column.name] = "VARCHAR"
            elif column.form != "codes" and column.type in ("integer", "number"):
                chosen.types[column.name] = "DOUBLE"
        chosen.open = chosen._read
        return chosen

    def profiles(
        self, weight: str | object | None = None, skip: Sequence[str] = ()
    ) -> dict[str, Profile]:
        """As every source, with types that hold for all rows."""

        def once() -> dict[str, Profile]:
            return super(TextSource, self).profiles(weight, skip)

        found = self._patiently(once)
        odd = [name for name, profile in found.items() if _spells_numbers(profile)]
        if odd:
            self.types.update(dict.fromkeys(odd, "DOUBLE"))
            found = once()
        return found

    def column(self, name: str) -> Any:
        """As every source, with a type that holds for all rows."""
        return self._patiently(lambda: super(TextSource, self).column(name))

    def _patiently(self, read: Callable[[], T]) -> T:
        """What a pass gives; where the sniffed types fail, after another look at all rows."""
        self._settle()
        self.guessing = True
        try:
            return read()
        except _Retry:
            self.files = [self._sniffed(file.path, -1) for file in self.files]
            self.guessing = False
            self._settle()
            return read()
        finally:
            self.guessing = False

    def _settle(self) -> None:
        """A column has one type in all files: text where they differ in more than width."""
        for name in self.names if len(self.files) > 1 else ():
            found = {file.columns[name] for file in self.files if self._has_values(file, name)}
            if len(found) > 1:
                self.types[name] = "DOUBLE" if found == {"BIGINT", "DOUBLE"} else "VARCHAR"

    def _has_values(self, file: Sniffed, name: str) -> bool:
        """Whether a column is not text for want of any value."""
        if file.columns[name] != "VARCHAR":
            return True
        query = f"SELECT count({quoted(name)}) FROM {self._table(file, file.columns)}"
        cursor = self.connection.cursor()
        try:
            return bool(cursor.sql(query).fetchall()[0][0])
        except Exception as error:
            raise self._refusal(file.path, error) from error

    def _table(self, file: Sniffed, types: dict[str, str]) -> str:
        parts = {"auto_detect": False, "nullstr": self.nulls, "buffer_size": BUFFER}
        options = {**parts, "columns": types, **file.dialect}
        given = ", ".join(f"{name}={literal(value)}" for name, value in options.items())
        return f"read_csv({literal(file.path)}, {given})"

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        for file in self.files:
            types = {n: self.types.get(n, of) for n, of in file.columns.items()}
            yield from self._stream(file, names, types)

    def _stream(self, file: Sniffed, names: Sequence[str], types: dict[str, str]) -> Iterator[Any]:
        types = {n: of if n in names else "VARCHAR" for n, of in types.items()}
        chosen = ", ".join(
            f"trim({quoted(n)}) AS {quoted(n)}"
            if file.spaced and types[n] == "VARCHAR"
            else quoted(n)
            for n in names
        )
        query = f"SELECT {chosen} FROM {self._table(file, types)}"
        cursor = self.connection.cursor()
        try:
            yield from streamed(cursor.sql(query))
        except Exception as error:
            if not is_complaint(error) and not isinstance(error, OSError):
                raise
            if "Could not convert" not in str(error):
                raise self._refusal(file.path, error) from error
            if self.guessing:
                raise _Retry from error
            raise self._odd_cell(file, error, types) from error

    def _odd_cell(self, file: Sniffed, error: Exception, types: dict[str, str]) -> DataError:
        """The cell that is no number, by column, row and value."""
        found = re.search(r'column "(.*?)"\. Could not convert string "(.*?)" to', str(error), re.S)
        if found is None:
            return self._refusal(file.path, error)
        name, value = found[1], found[2]
        plain, row = replace(file, spaced=False), 0
        for before in self.files[: self.files.index(file)]:
            for batch in self._stream(before, [name], dict.fromkeys(types, "VARCHAR")):
                row += batch.num_rows
        for batch in self._stream(plain, [name], dict.fromkeys(types, "VARCHAR")):
            cells = batch.column(0).to_pylist()
            if value in cells:
                row += cells.index(value)
                break
            row += len(cells)
        wanted = "a number" if types[name] in ("BIGINT", "DOUBLE") else "a time"
        fix = f"mend the cell, or say that it is missing: read(path, missing=['', '?', {value!r}])"
        return odd_value(name, row, value, wanted, fix)

    def _refusal(self, path: str, error: Exception) -> DataError:
        """DuckDB's complaint in our words."""
        text = str(error)
        if "utf-8" in text.lower() or "unicode" in text:
            fix = 'naively.read(path, encoding="latin-1")'
            return DataError(f"{path}: bytes that are not UTF-8", "text in UTF-8", fix)
        counts = re.search(r"Columns: (\d+) Found: (\d+)", text)
        line = re.search(r"Line: (\d+)", text)
        where = f"{path}, line {line[1]}" if line else path
        if counts:
            return DataError(f"{where}: {counts[2]} cells", f"{counts[1]}, as in the other rows")
        return DataError(f"{where}: {complaint(error)}", "a table as text", "say delimiter=")


def _spells_numbers(profile: Profile) -> bool:
    """Whether a column is text only because of an inf or a nan among its integers."""
    if not isinstance(profile.values, frozenset) or profile.kind != "string":
        return False
    if not any(value.strip("+- ").lower() in NO_DIGITS for value in profile.values):
        return False
    try:
        return bool([float(value) for value in profile.values])
    except ValueError:
        return False


def _check(
    path: str, found: dict[str, Any], columns: dict[str, str], line: FirstLine | None
) -> None:
    """What the sniffer takes in its stride and we do not: rows dropped, names doubled."""
    ragged = "as many cells in each row as there are names in the header"
    if found["SkipRows"] and not found["HasHeader"]:
        raise DataError(f"{path}: rows of unequal length", ragged, "mend it, or say delimiter=")
    if len(columns) == 1 and any(mark in next(iter(columns)) for mark in ",;\t|"):
        raise DataError(f"{path}: a header {next(iter(columns))!r} above other rows", ragged)
    if found["HasHeader"] and line is not None:
        doubles = [name for name in line.names if name and line.names.count(name) > 1]
        if doubles:
            name = doubles[0]
            raise DataError(f"{path}: two columns are named {name!r}", "one name for each")


def _dialect(found: dict[str, Any], line: FirstLine | None) -> dict[str, Any]:
    """The options of DuckDB's reader for what its sniffer found."""

    def plain(value: str | None) -> str:
        return "" if value in (None, "(empty)", "\0") else str(value)

    quote = plain(found["Quote"])
    if not quote and (line is None or not line.quotes):
        quote = '"'  # none yet: there may be some further down
    dialect: dict[str, Any] = {
        "delim": found["Delimiter"],
        "quote": quote,
        "escape": plain(found["Escape"]) or quote,
        "header": bool(found["HasHeader"]),
        "skip": int(found["SkipRows"]),
        "comment": plain(found["Comment"]),
    }
    for name, key in (("dateformat", "DateFormat"), ("timestampformat", "TimestampFormat")):
        if found.get(key):
            dialect[name] = found[key]
    if "strict_mode=false" in (found.get("Prompt") or ""):
        dialect["strict_mode"] = False
    return dialect
