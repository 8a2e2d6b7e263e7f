"""Delimited text: dialect and types are sniffed once, each pass streams through DuckDB.

A type that was sniffed from the first rows may fail further down. While the schema is
being inferred the types are then sniffed again, from all rows; afterwards each column is
read as what the schema says, and a cell that is not is named.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from naively.data.arrow import StreamSource, one_after_another
from naively.data.arrow_cells import ArrowCells
from naively.data.cells import Cells
from naively.data.clues import clue_of
from naively.data.complaints import has_mixed_lines, odd_text, refusal
from naively.data.copies import Copy
from naively.data.files import (
    THREADS,
    connected,
    is_complaint,
    literal,
    quoted,
    streamed,
)
from naively.data.modes import (
    MOMENTS,
    NUMBERS,
    is_large,
    is_written,
    may_be_dates,
    mode_for,
    mode_seen,
)
from naively.data.odd import odd_value
from naively.data.options import advice
from naively.data.profile import Profile, names_recur, spells_numbers
from naively.data.schema import Schema
from naively.data.sniffing import Sniffed, sniffed
from naively.data.source import Source
from naively.data.spelt import SpeltCells, whole
from naively.data.times import YEAR_FIRST
from naively.errors import DataError

__all__ = ["TextSource"]

FIRST = 4_096
"""Rows that are sniffed."""
BUFFER = 8_000_000
"""Bytes of a file that are parsed at a time."""

T = TypeVar("T")


class _Retry(Exception):
    """The types that were sniffed from the first rows do not hold further down."""


class TextSource(StreamSource):
    """Files of delimited text with the same columns."""

    def __init__(
        self, text: str, paths: list[str], markers: frozenset[str], options: dict[str, Any]
    ) -> None:
        self.dates = options.get("dates", "")
        self.options = {name: value for name, value in options.items() if name != "dates"}
        self.formats: dict[str, str] = {}
        """How times are written in columns that are read by a format."""
        self.said_missing: list[str] = sorted(markers)
        self.copies: dict[str, Copy] = {}
        self.even: set[str] = set()
        """The files that are read from copies whose lines all end alike."""
        self.nulls = sorted({*markers, *(" " + one for one in markers if one)})
        self.connection = connected(threads=THREADS, memory_limit="1GB")
        self.modes: dict[str, str] = {}
        """How columns are read of which more is known than their first rows."""
        self.guessing = False
        self.doubtful = False
        """Whether the names occur again in their columns, as the cells of a row would."""
        self.files = [self._sniffed(path, shown) for path, shown in self._readable(paths)]
        names = list(self.files[0].columns)
        for file in self.files:
            if set(file.columns) != set(names):
                odd = sorted(set(file.columns) ^ set(names))
                raise DataError(f"{file.shown}: columns {odd} are not in every file", "the same")
        self.common = self._settled()
        super().__init__(names, self._read, os.path.basename(text) + self._headless())

    def _headless(self) -> str:
        """What to say where names may be missed: no header was found."""
        if "header" in self.options or all(file.dialect["header"] for file in self.files):
            return ""
        return f" (no header was found; {advice('header', True)} if its first line is one)"

    def _readable(self, paths: list[str]) -> list[tuple[str, str]]:
        """The paths of texts that DuckDB can decode, and those that the user knows."""
        encoding = self.options.get("encoding")
        if encoding in (None, "latin-1"):
            return [(path, path) for path in paths]
        self.copies = {path: Copy(path, encoding) for path in paths}
        self.options = {k: v for k, v in self.options.items() if k != "encoding"}
        return [(copy.name, path) for path, copy in self.copies.items()]

    def _sniffed(self, path: str, shown: str, sample: int = FIRST) -> Sniffed:
        try:
            return sniffed(self.connection, path, shown, self.nulls, self.options, sample)
        except DataError:
            raise
        except Exception as error:
            if has_mixed_lines(error) and shown not in self.even:
                return self._sniffed(self._evened(path, shown), shown, sample)
            raise refusal(shown, error) from error

    def _evened(self, path: str, shown: str) -> str:
        """The path of a copy whose lines all end alike."""
        encoding = self.options.get("encoding", "utf-8")
        self.copies[shown] = Copy(path, encoding, lines=True)
        self.even.add(shown)
        return self.copies[shown].name

    def for_schema(self, schema: Schema) -> TextSource:
        """The same files, their cells read as the schema's types rather than the sniffer's."""
        chosen = copy.copy(self)
        chosen.modes, chosen.formats = dict(self.modes), {}
        for column in schema:
            mode = mode_for(column, self.modes.get(column.name))
            if mode is not None:
                chosen.modes[column.name] = mode
            if column.format and self.common.get(column.name) not in MOMENTS:
                chosen.modes[column.name] = "VARCHAR"
                chosen.formats[column.name] = column.format
        chosen.open = chosen._read
        return chosen

    def quick(self) -> Source | None:
        """The same files decoded by Arrow, where they are plain; its types are guesses."""
        from naively.data.arrow_text import plain_text

        special = self.options or self.dates or self._note()
        if special or self._schema is not None or self.common != self.files[0].columns:
            return None
        source = plain_text(self.files, self.nulls, self.description)
        if source is not None:
            source.said_missing = self.said_missing
            source.kept = self
        return source

    @property
    def relation(self) -> Any:
        from naively.data.large import text_relation

        return None if any(file.spaced for file in self.files) else text_relation(self)

    def inferred(self, weight: str | object | None = None, *, habit: bool = False) -> Schema:
        """As every source; the note says what was taken for granted of the first lines."""
        schema = super().inferred(weight, habit=habit)
        return replace(schema, note=self._note())

    def _note(self) -> str:
        """What was taken for granted of the first lines."""
        skipped = max(file.dialect["skip"] for file in self.files)
        notes = [f"lines skipped before the names: {skipped}"] if skipped else []
        if self._headless():
            notes.append("no header was found: say header=True if the first line is one")
        elif "header" not in self.options and self.doubtful:
            notes.append("the first line was taken for names: say header=False if it is a row")
        return "; ".join(notes)

    def settled(self) -> TextSource:
        """The same files, with types that hold for all rows."""
        self.schema  # noqa: B018
        return self

    def profiles(self, weight: str | object | None = None) -> dict[str, Profile]:
        """As every source, with types that hold for all rows."""

        def once() -> dict[str, Profile]:
            return super(TextSource, self).profiles(weight)

        found = self._patiently(once)
        odd = [name for name, profile in found.items() if spells_numbers(profile)]
        if odd:
            self.modes.update(dict.fromkeys(odd, "DOUBLE"))
            found = once()
        numeric = {n: p for n, p in found.items() if p.kind in ("integer", "number")}
        self.modes.update({name: mode_seen(profile) for name, profile in numeric.items()})
        self.doubtful = names_recur(found)
        again = [name for name, profile in numeric.items() if mode_seen(profile) == "SPELT"]
        again += self._dated(found)
        return {**found, **self._again(again, weight)} if again else found

    def _dated(self, profiles: Mapping[str, Profile]) -> list[str]:
        """The columns of times in a format: the one that was said, or the only one that fits."""
        names = []
        for name, profile in profiles.items():
            format = self.dates if is_written(profile, self.dates) else profile.clue.format
            if format:
                year_first = format == YEAR_FIRST[0]
                self.modes[name] = "TIMESTAMP" if year_first else "VARCHAR"
                self.formats |= {} if year_first else {name: format}
                names.append(name)
        return names

    def _again(self, names: list[str], weight: Any) -> dict[str, Profile]:
        """The profiles of a few columns once more: exact integers, times in their format."""
        few = copy.copy(self)
        few.names = (*names, *([weight] if isinstance(weight, str) else []))
        few.open = few._read
        found = super(TextSource, few).profiles(weight)
        for name, format in self.formats.items():
            if name in found:
                found[name].format = format
        return found

    def column(self, name: str) -> Any:
        """As every source, with a type that holds for all rows."""
        values = self._patiently(lambda: super(TextSource, self).column(name))
        if isinstance(values, np.ndarray) and is_large(values):
            self.modes[name] = "SPELT"
            return super().column(name)
        if isinstance(values, list) and self._schema is None and may_be_dates(values):
            self.schema  # noqa: B018
            return super().column(name)
        return values

    def _patiently(self, read: Callable[[], T]) -> T:
        """What a pass gives; where the sniffed types fail, after another look at all rows."""
        self.guessing = True
        try:
            return read()
        except _Retry:
            self.files = [self._sniffed(file.path, file.shown, -1) for file in self.files]
            self.common = self._settled()
            self.guessing = False
            return read()
        finally:
            self.guessing = False

    def _settled(self) -> dict[str, str]:
        """A column has one type in all files: text where they differ in more than width."""
        common = dict(self.files[0].columns)
        for name, of in common.items() if len(self.files) > 1 else ():
            found = {file.columns[name] for file in self.files}
            if len(found) > 1:
                found = {file.columns[name] for file in self.files if self._has_values(file, name)}
                numbers = found and found <= set(NUMBERS)
                of = "DOUBLE" if numbers and len(found) > 1 else "VARCHAR"
                common[name] = found.pop() if len(found) == 1 else of
        return common

    def _has_values(self, file: Sniffed, name: str) -> bool:
        """Whether a column is not text for want of any value."""
        if file.columns[name] != "VARCHAR":
            return True
        query = f"SELECT count({quoted(name)}) FROM {self.table_of(file, file.columns)}"
        cursor = self.connection.cursor()
        try:
            return bool(cursor.sql(query).fetchall()[0][0])
        except Exception as error:
            raise refusal(file.shown, error) from error

    def _mode_of(self, name: str) -> str:
        """How a column is read: as it is written, where only its first rows are known."""
        mode = self.modes.get(name, self.common[name])
        if name in self.modes or mode not in NUMBERS:
            return mode
        known = self.guessing or self._schema is not None
        return {"BIGINT": "WHOLE"}.get(mode, mode) if known else "SPELT"

    def cells_of(self, name: str, array: Any) -> Cells:
        """As every stream, with numbers from the texts that spell them."""
        mode = self._mode_of(name)
        if mode == "SPELT":
            return SpeltCells(array)
        return ArrowCells(whole(array) if mode == "WHOLE" else array)

    def table_of(self, file: Sniffed, types: dict[str, str]) -> str:
        """A file in SQL."""
        parts = {"auto_detect": False, "nullstr": self.nulls, "buffer_size": BUFFER}
        options = {**parts, "columns": types, **file.dialect}
        given = ", ".join(f"{name}={literal(value)}" for name, value in options.items())
        return f"read_csv({literal(file.path)}, {given})"

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        modes = {name: self._mode_of(name) for name in self.names}
        parts = ((file.shown, self._stream(file, names, modes)) for file in self.files)
        return one_after_another(parts, self.begun)

    def _stream(self, file: Sniffed, names: Sequence[str], modes: dict[str, str]) -> Iterator[Any]:
        types = {n: file.stored(modes[n]) if n in names else "VARCHAR" for n in file.columns}
        chosen = ", ".join(f"{self._text(file, n, types[n])} AS {quoted(n)}" for n in names)
        query = f"SELECT {chosen} FROM {self.table_of(file, types)}"
        cursor = self.connection.cursor()
        done = 0
        try:
            for batch in streamed(cursor.sql(query)):
                done += batch.num_rows
                yield batch
            return
        except Exception as error:
            if not is_complaint(error) and not isinstance(error, OSError):
                raise
            if not has_mixed_lines(error) or file.shown in self.even:
                raise self._odd_file(file, error, types) from error
        even = replace(file, path=self._evened(file.path, file.shown))
        self.files[self.files.index(file)] = even
        yield from _after(done, self._stream(even, names, modes))

    def _odd_file(self, file: Sniffed, error: Exception, types: dict[str, str]) -> Exception:
        """The error for a pass that fails; while types are guessed a reason to look again."""
        if odd_text(error) is None:
            return refusal(file.shown, error)
        return _Retry() if self.guessing else self._odd_cell(file, error, types)

    def _text(self, file: Sniffed, name: str, of: str) -> str:
        """A column in SQL; of texts without the space that follows a delimiter."""
        if of != "VARCHAR":
            return quoted(name)
        if name in self.formats:
            return f"strptime({quoted(name)}, {literal([self.formats[name], *YEAR_FIRST])})"
        text = f"trim({quoted(name)})" if file.spaced else quoted(name)
        comma = self.options.get("decimal_separator") == "," and self.common[name] in NUMBERS
        return f"replace({text}, ',', '.')" if comma else text

    def _odd_cell(self, file: Sniffed, error: Exception, types: dict[str, str]) -> DataError:
        """The cell that is no number or no time, by column, row and value."""
        told, value = cast(tuple[str | None, str], odd_text(error))
        plain = copy.copy(self)
        plain.formats = {}
        name, row = told or "", None
        for name in [told] if told else self.formats:
            row = plain._row_of(file, name, value)
            if row is not None:
                break
        written = f" written as {self.formats[name]}" if name in self.formats else ""
        wanted = "a number" if types[name] == "DOUBLE" else f"a time{written}"
        fix = f"{advice('missing', [*self.said_missing, value])} where it stands for a missing one"
        if clue_of([value], [1]).numbers["a decimal comma"]:
            fix = advice("decimal", ",")
        fix = f"mend the cell, or {fix}"
        return odd_value(name, row or 0, value, wanted, fix)

    def _row_of(self, file: Sniffed, name: str, text: str) -> int | None:
        """The row of a file where a cell is first so written, counted from the first file on."""
        plain, row = replace(file, spaced=False), 0
        texts = dict.fromkeys(self.common, "VARCHAR")
        for before in self.files[: self.files.index(file)]:
            row += sum(batch.num_rows for batch in self._stream(before, [name], texts))
        for batch in self._stream(plain, [name], texts):
            cells: list[str] = batch.column(0).to_pylist()
            if text in cells:
                return row + cells.index(text)
            row += len(cells)
        return None


def _after(n: int, batches: Iterator[Any]) -> Iterator[Any]:
    """The batches without the first rows, which were read already."""
    for batch in batches:
        if n < batch.num_rows:
            yield batch.slice(n)
        n = max(0, n - batch.num_rows)
