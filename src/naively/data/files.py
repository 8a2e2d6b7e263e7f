"""Files and SQL: DuckDB sniffs and streams text, Arrow streams Parquet, rows keep their order.

Only here, in the data layer, DuckDB is known. Files are read in bounded pieces, as often
as they are asked for; nothing is kept of them but what the sniffer found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from naively.data.options import checked
from naively.data.paths import MARKERS, format_of, matching
from naively.data.source import ROWS, Source
from naively.errors import DataError, MissingDependency, ParameterError

__all__ = [
    "complaint",
    "connected",
    "file_source",
    "is_complaint",
    "literal",
    "quoted",
    "streamed",
]

THREADS = 1
"""A second one reads text 1.6 times as fast, and holds 120 MB more."""


def file_source(
    path: str | os.PathLike[str],
    missing: Sequence[str] | None = None,
    given: Mapping[str, Any] | None = None,
) -> Source:
    """The source of a path, a pattern of paths, or a query ("duckdb:SELECT ...")."""
    text = os.fspath(path)
    options = checked(given or {})
    if text.startswith("duckdb:"):
        _refuse_options(options, "a query")
        from naively.data.query import query_source

        return query_source(text.removeprefix("duckdb:"), missing)
    paths = matching(text)
    markers = frozenset(MARKERS if missing is None else missing)
    kinds = sorted({format_of(one) for one in paths})
    if len(kinds) > 1:
        raise DataError(f"{text}: files of the formats {', '.join(kinds)}", "one format")
    if kinds[0] == "text":
        from naively.data.delimited import TextSource

        return TextSource(text, paths, markers, options)
    _refuse_options(options, text)
    if kinds[0] == "json":
        from naively.data.json_rows import JsonSource

        return JsonSource(text, paths, markers)
    if text.startswith(("http://", "https://")):
        raise DataError(f"{text}: Parquet in the web", "a file here or in s3://", "copy it here")
    from naively.data.parquet import parquet_source

    return parquet_source(text, paths, markers)


def _refuse_options(options: dict[str, Any], what: str) -> None:
    if options:
        words = {"delim": "delimiter", "decimal_separator": "decimal"}
        named = ", ".join(words.get(name, name) for name in options)
        raise ParameterError(f"{named} for {what}", "options of delimited text only there")


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        fix = "pip install duckdb"
        raise MissingDependency("files and queries are read through DuckDB", fix=fix) from error
    return duckdb


def connected(**config: Any) -> Any:
    """A connection to a database in memory, whose results keep the order of rows."""
    settings = {"preserve_insertion_order": True, **config}
    return _duckdb().connect(":memory:", config=settings)


def quoted(name: str) -> str:
    """A name in SQL.

    >>> quoted("home.dest")
    '"home.dest"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """A value in SQL.

    >>> literal({"a": ["it's", 2, True]})
    "{'a': ['it''s', 2, true]}"
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, (bool, int)):
        return str(value).lower()
    return "'" + str(value).replace("'", "''") + "'"


def streamed(relation: Any) -> Iterator[Any]:
    """The record batches of a relation; its result is closed even when the reading stops early."""
    fetch = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    reader = fetch(ROWS)
    try:
        yield from reader
    finally:
        reader.close()


def is_complaint(error: Exception) -> bool:
    """Whether DuckDB says that it cannot do what was asked."""
    return isinstance(error, _duckdb().Error) or "duckdb" in type(error).__module__


def complaint(error: Exception, n: int = 3) -> str:
    """The first lines of an error's message, as one."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:n])
