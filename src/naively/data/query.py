"""Queries in SQL and DuckDB's relations, run anew for every pass."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from naively.data.arrow import StreamSource
from naively.data.files import complaint, connected, is_complaint, quoted, streamed
from naively.data.large import MANY_ROWS
from naively.data.source import Source
from naively.errors import DataError, ParameterError

__all__ = ["query_source", "relation_source"]


def relation_source(relation: Any) -> Source:
    """The source of a DuckDB relation."""
    try:
        names = list(relation.columns)
        _ = relation.project
    except AttributeError:
        kind = type(relation).__name__
        raise DataError(f"a DuckDB {kind}", "a relation", "give con.sql('SELECT ...')") from None
    except Exception as error:
        raise _broken(error) from error

    def opened(wanted: Sequence[str]) -> Iterator[Any]:
        try:
            yield from streamed(relation.project(", ".join(map(quoted, wanted))))
        except Exception as error:
            if not is_complaint(error):
                raise
            raise _broken(error) from error

    def large() -> Any:
        ((rows,),) = relation.aggregate("count(*)").fetchall()
        return relation if rows > MANY_ROWS else None

    source = StreamSource(names, opened, "a DuckDB relation")
    source.related = large
    return source


def _broken(error: Exception) -> DataError:
    closed = "closed" in str(error)
    fix = "keep its connection open while it is read" if closed else "mend the query"
    return DataError(f"a DuckDB relation that cannot be read: {complaint(error)}", "", fix)


def query_source(query: str, missing: Sequence[str] | None) -> Source:
    """The source of a SELECT, on files and on the frames that its caller can see."""
    connection = connected(python_enable_replacements=False)
    try:
        _refuse_other_than_select(connection, query)
        _register(connection, connection.get_table_names(query), _caller())
        relation = connection.sql(query)
    except Exception as error:
        if not is_complaint(error):
            raise
        raise DataError(f"the query fails: {complaint(error)}", "a query of DuckDB") from error
    source = relation_source(relation)
    source.description = "a query"
    source.kept = connection
    source.markers = frozenset(missing or ())
    return source


def _refuse_other_than_select(connection: Any, query: str) -> None:
    """A source is read as often as need be: it may look, and never do."""
    kinds = [statement.type.name for statement in connection.extract_statements(query)]
    if kinds != ["SELECT"]:
        shown = query if len(query) <= 60 else query[:57] + "..."
        of = ", ".join(kinds) or "nothing"
        fix = "run the others with duckdb itself, and give its table or relation"
        raise ParameterError(f"the query {shown!r} ({of})", "one SELECT", fix)


def _caller() -> Any:
    """The innermost frame outside this library."""
    frame: Any = sys._getframe(1)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def _is_ours(frame: Any) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "naively"


def _register(connection: Any, names: set[str], frame: Any) -> None:
    """The tables that the query names and that the caller sees, and nobody behind the caller."""
    if frame is None:
        return
    scopes: tuple[Mapping[str, Any], ...] = (frame.f_locals, frame.f_globals)
    for name in names:
        value = next((scope[name] for scope in scopes if name in scope), None)
        if _is_table(value):
            connection.register(name, value)


def _is_table(value: Any) -> bool:
    """Whether DuckDB can look into it."""
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "iloc")
