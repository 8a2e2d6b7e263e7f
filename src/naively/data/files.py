"""Files and SQL: DuckDB sniffs and streams text, Arrow streams Parquet, rows keep their order.

Only here, in the data layer, DuckDB is known. Files are read in bounded pieces, as often
as they are asked for; nothing is kept of them but what the sniffer found.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from naively.data.arrow import StreamSource
from naively.data.paths import MARKERS, first_line, format_of, matching
from naively.data.profile import Profile
from naively.data.schema import Schema
from naively.data.source import Source
from naively.errors import DataError, MissingDependency, ParameterError

__all__ = ["TextSource", "file_source", "relation_source", "sql_source"]

TYPES = ("BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR")
"""What a text column may be sniffed as: never boolean, since t/f and yes/no are labels too."""
THREADS = 1
"""A second one reads text 1.6 times as fast, and holds 120 MB more."""
BUFFER = 8_000_000
"""Bytes of a text file that are parsed at a time."""
BATCH = 65_536


def file_source(
    path: str | os.PathLike[str],
    missing: Sequence[str] | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
) -> Source:
    """The source of a path, a pattern of paths, or a query ("duckdb:SELECT ...")."""
    text = os.fspath(path)
    if text.startswith("duckdb:"):
        return sql_source(text.removeprefix("duckdb:"))
    paths = matching(text)
    markers = frozenset(MARKERS if missing is None else missing)
    kinds = {format_of(one) for one in paths}
    if len(kinds) > 1:
        raise DataError(f"{text}: files of the formats {sorted(kinds)}", "one format")
    kind = kinds.pop()
    if kind == "parquet":
        from naively.data.parquet import parquet_source

        return parquet_source(text, paths, markers)
    given = {"encoding": encoding, "delim": delimiter, "header": header}
    options = {name: value for name, value in given.items() if value is not None}
    if kind == "json":
        if options:
            raise ParameterError(f"options {sorted(options)} for {text}", "no options for JSON")
        return _json_source(text, paths, markers)
    return TextSource(text, paths, markers, options)


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise MissingDependency("files are read through DuckDB", fix="pip install duckdb") from error
    return duckdb


def _connection(**config: Any) -> Any:
    settings = {"preserve_insertion_order": True, **config}
    return _duckdb().connect(":memory:", config=settings)


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _value(value: object) -> str:
    """A literal of SQL."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, frozenset)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(k)}: {_value(v)}" for k, v in value.items()) + "}"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"


def _streamed(relation: Any) -> Iterator[Any]:
    """The record batches of a relation; the reader is closed even when the reading stops early."""
    fetch = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    reader = fetch(BATCH)
    try:
        yield from reader
    finally:
        reader.close()


def relation_source(relation: Any) -> Source:
    """The source of a DuckDB relation, run anew for every pass."""
    if not hasattr(relation, "columns") or not hasattr(relation, "project"):
        kind = type(relation).__name__
        raise DataError(f"a DuckDB {kind}", "a relation", "give con.sql('SELECT ...')")

    def opened(names: Sequence[str]) -> Iterator[Any]:
        return _streamed(relation.project(", ".join(map(_name, names))))

    return StreamSource(list(relation.columns), opened, "a DuckDB relation")


def sql_source(query: str) -> Source:
    """The source of a query in SQL, on files and Python frames in sight."""
    duckdb = _duckdb()
    connection = _connection()
    try:
        relation = connection.sql(query)
    except duckdb.Error as error:
        raise DataError(f"the query fails: {_first_lines(error)}", "a query of DuckDB") from error
    if relation is None:
        raise DataError(f"the query {query[:60]!r} returns no rows", "a SELECT")
    source = relation_source(relation)
    source.description = "a query"
    source.kept = connection
    return source


def _json_source(text: str, paths: list[str], markers: frozenset[str]) -> Source:
    duckdb = _duckdb()
    connection = _connection(threads=THREADS)
    table = f"read_json({_value(paths)}, union_by_name=true, sample_size={{}})"
    try:
        names = connection.sql(f"FROM {table.format(20480)}").columns
    except duckdb.Error as error:
        raise DataError(f"{text}: {_first_lines(error)}", "JSON, a row a line") from error

    def opened(names: Sequence[str]) -> Iterator[Any]:
        chosen = ", ".join(map(_name, names))
        try:
            yield from _streamed(connection.cursor().sql(f"SELECT {chosen} FROM {table.format(-1)}"))
        except duckdb.Error as error:
            raise DataError(f"{text}: {_first_lines(error)}", "JSON, a row a line") from error

    source = StreamSource(names, opened, os.path.basename(text))
    source.markers = markers
    return source


def _first_lines(error: Exception, n: int = 3) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:n])


class _Retry(Exception):
    """The types that were sniffed from the first rows do not hold further down."""


class TextSource(StreamSource):
    """Delimited text: dialect and types are sniffed once, each pass streams through DuckDB."""

    def __init__(
        self,
        text: str,
        paths: list[str],
        markers: frozenset[str],
        options: dict[str, Any],
    ) -> None:
        self.paths = paths
        self.options = options
        self.nulls = sorted({*markers, *(" " + one for one in markers if one)})
        self.connection = _connection(threads=THREADS, memory_limit="1GB")
        self.types: dict[str, str] = {}
        self.known = False
        self.tables = [self._sniffed(path) for path in paths]
        names = list(self.tables[0][1])
        for path, (_, columns, _) in zip(paths, self.tables, strict=True):
            if set(columns) != set(names):
                odd = sorted(set(columns) ^ set(names))
                raise DataError(f"{path}: columns {odd} are not in every file", "the same columns")
        super().__init__(names, self._read, os.path.basename(text))

    def _sniffed(self, path: str, sample: int | None = None) -> tuple[dict[str, Any], dict[str, str], bool]:
        """Dialect, columns with their types, and whether cells begin with a space."""
        options: dict[str, Any] = dict(self.options)
        if sample is not None:
            options["sample_size"] = sample
        given = "".join(f", {name}={_value(value)}" for name, value in options.items())
        types = f"nullstr={_value(self.nulls)}, auto_type_candidates={_value(TYPES)}"
        query = f"FROM sniff_csv({_value(path)}, {types}{given})"
        try:
            relation = self.connection.sql(query)
            found = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
        except _duckdb().Error as error:
            raise self._refusal(path, error) from error
        return self._checked(path, found)

    def _checked(
        self, path: str, found: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, str], bool]:
        columns = {one["name"]: one["type"] for one in found["Columns"]}
        line = first_line(path, found, self.options.get("encoding"))
        if found["SkipRows"] and not found["HasHeader"]:
            found = {**found, "SkipRows": found["SkipRows"]}
            raise DataError(
                f"{path}: rows of unequal length (the first differ from row {found['SkipRows']})",
                "as many cells in each row as the header has names",
                "mend the file, or say delimiter=",
            )
        if len(columns) == 1 and any(mark in next(iter(columns)) for mark in ",;\t|"):
            raise DataError(
                f"{path}: a header of several names above rows of another length: "
                f"{next(iter(columns))!r}",
                "as many cells in each row as the header has names",
            )
        if found["HasHeader"] and line is not None:
            doubles = {name for name in line.names if name and line.names.count(name) > 1}
            if doubles:
                name = sorted(doubles)[0]
                raise DataError(f"{path}: two columns are named {name!r}", "one name for each")
        return _dialect(found, line), columns, bool(line and line.spaced)

    def for_schema(self, schema: Schema) -> TextSource:
        """The same file, its cells read as the schema's types rather than the sniffer's."""
        chosen = copy.copy(self)
        chosen.types = {}
        for column in schema:
            if column.form == "codes" and not (self.known and column.type == "integer"):
                chosen.types[column.name] = "VARCHAR"
            elif column.type in ("boolean", "string"):
                chosen.types[column.name] = "VARCHAR"
            elif column.type in ("integer", "number"):
                chosen.types[column.name] = "DOUBLE"
        chosen.open = chosen._read
        return chosen

    def profiles(
        self, weight: str | object | None = None, skip: Sequence[str] = ()
    ) -> dict[str, Profile]:
        """As every source; where the sniffed types fail, they are sniffed from all rows."""
        try:
            found = super().profiles(weight, skip)
        except _Retry:
            self.tables = [self._sniffed(path, -1) for path in self.paths]
            self._join_types()
            self.known = True
            found = super().profiles(weight, skip)
        self.known = True
        return found

    def _join_types(self) -> None:
        """A column has one type in all files: text where they differ in more than width."""
        for name in self.names:
            found = {columns[name] for _, columns, _ in self.tables}
            if len(found) > 1:
                self.types[name] = "DOUBLE" if found == {"BIGINT", "DOUBLE"} else "VARCHAR"

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        for path, (dialect, columns, spaced) in zip(self.paths, self.tables, strict=True):
            types = {n: self.types.get(n, of) if n in names else "VARCHAR" for n, of in columns.items()}
            yield from self._stream(path, names, dialect, types, spaced)

    def _stream(
        self,
        path: str,
        names: Sequence[str],
        dialect: dict[str, Any],
        types: dict[str, str],
        spaced: bool,
    ) -> Iterator[Any]:
        parts = {"auto_detect": False, "nullstr": self.nulls, "columns": types, **dialect}
        given = ", ".join(f"{name}={_value(value)}" for name, value in parts.items())
        plain = [
            f"trim({_name(n)}) AS {_name(n)}" if spaced and types[n] == "VARCHAR" else _name(n)
            for n in names
        ]
        query = f"SELECT {', '.join(plain)} FROM read_csv({_value(path)}, {given})"
        try:
            yield from _streamed(self.connection.cursor().sql(query))
        except Exception as error:
            if "onversion" not in type(error).__name__ + str(error)[:40]:
                raise self._refusal(path, error) from error
            if not self.known and not self.types:
                raise _Retry from error
            raise self._odd_cell(path, error, dialect, types) from error

    def _odd_cell(
        self, path: str, error: Exception, dialect: dict[str, Any], types: dict[str, str]
    ) -> DataError:
        """The cell that is no number, by column, row and value."""
        match = re.search(r'column "(.*)"\. Could not convert string "(.*)" to', str(error), re.S)
        if match is None:
            return self._refusal(path, error)
        name, value = match[1], match[2]
        row = 0
        for batch in self._stream(path, [name], dialect, dict.fromkeys(types, "VARCHAR"), False):
            cells = batch.column(0).to_pylist()
            if value in cells:
                row += cells.index(value)
                break
            row += len(cells)
        return DataError(
            f"{path}, column {name!r}, row {row:,}: {value!r}",
            "a time" if types[name] not in ("BIGINT", "DOUBLE") else "a number",
            f"mend the cell, or read it as missing: naively.read(path, missing=['', '?', {value!r}])",
        )

    def _refusal(self, path: str, error: Exception) -> DataError:
        """DuckDB's complaint in our words."""
        text = str(error)
        if "utf-8" in text or "unicode" in text:
            fix = 'naively.read(path, encoding="latin-1")'
            return DataError(f"{path}: bytes that are not UTF-8", "text in UTF-8", fix)
        if "Expected Number of Columns" in text:
            line = re.search(r"Line: (\d+)", text)
            counts = re.search(r"Columns: (\d+) Found: (\d+)", text)
            wanted, got = counts.groups() if counts else ("?", "?")
            where = f", line {line[1]}" if line else ""
            return DataError(f"{path}{where}: {got} cells", f"{wanted}, as in the other rows")
        return DataError(f"{path}: {_first_lines(error)}", "a table as text", "say delimiter=")


def _dialect(found: dict[str, Any], line: Any) -> dict[str, Any]:
    """The options of DuckDB's reader for what its sniffer found."""

    def plain(value: str | None) -> str:
        return "" if value in (None, "(empty)") else str(value)

    quote = plain(found["Quote"])
    if not quote and (line is None or not line.quotes):
        quote = '"'
    dialect: dict[str, Any] = {
        "delim": found["Delimiter"],
        "quote": quote,
        "escape": plain(found["Escape"]) or quote,
        "header": bool(found["HasHeader"]),
        "skip": int(found["SkipRows"]),
        "comment": plain(found["Comment"]),
        "buffer_size": BUFFER,
    }
    for name, key in (("dateformat", "DateFormat"), ("timestampformat", "TimestampFormat")):
        if found.get(key):
            dialect[name] = found[key]
    if "strict_mode=false" in (found.get("Prompt") or ""):
        dialect["strict_mode"] = False
    if line is not None and line.encoding:
        dialect["encoding"] = line.encoding
    return dialect
