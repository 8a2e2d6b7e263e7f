"""Tables of stated probabilities: read as they were written, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naively._typing import Label
from naively.data.schema import Schema
from naively.data.source import Source, read
from naively.derivation.exact import Number, numbers
from naively.errors import DataError, ParameterError, UnknownColumn, nearest
from naively.probability.rows import as_labels
from naively.probability.table import Table

__all__ = ["columns_and_numbers", "outcomes_of"]

Columns = dict[str, list[Label]]


def columns_and_numbers(
    source: Any, p: Any, **options: Any
) -> tuple[Columns, dict[str, str], list[Number], str]:
    """The labels of every column, their types, the stated numbers, and what the source is."""
    if isinstance(p, str):
        given = _given(source, p)
        table = read(source if given is None else _without(source, p), **options)
        name = _column_of(table, p) if given is None else p
        stated = list(table.column(name)) if given is None else given
    else:
        if not hasattr(p, "__iter__"):
            raise ParameterError(f"p={p!r}", "the name of a column, or a number for each outcome")
        table, name, stated = read(source, **options), "", list(p)
    schema = Schema(tuple(as_labels(c) for c in table.schema if c.name != name))
    if not len(schema):
        raise DataError(f"{table.description} without a column beside {p!r}", "outcomes")
    columns: Columns = {column: [] for column in schema.names}
    for batch in table.batches(schema):
        for column, labels in columns.items():
            labels.extend(batch.codes[column].labels())  # type: ignore[arg-type]
    if len(stated) != len(columns[schema.names[0]]):
        found = f"{len(stated)} probabilities for {len(columns[schema.names[0]])} outcomes"
        raise DataError(found, "one for each")
    types = {column.name: column.type for column in table.schema}
    return columns, types, list(numbers(stated, "a probability")), table.description


def _given(source: Any, p: str) -> list[Any] | None:
    """The numbers as Python has them, since fractions would not pass any door."""
    if isinstance(source, Mapping) and p in source:
        return list(source[p])
    if hasattr(source, "iloc") and p in source:
        return list(source[p])
    return None


def _without(source: Any, name: str) -> Any:
    if isinstance(source, Mapping):
        return {column: values for column, values in source.items() if column != name}
    return source.drop(columns=[name])


def _column_of(table: Source, p: str) -> str:
    """The column of probabilities: its name is in the table."""
    if p in table.names:
        return p
    found = f"no column {p!r} of probabilities in {table.description}"
    raise UnknownColumn(found, fix=f"say p=...; {nearest(p, table.names)}")


def outcomes_of(
    columns: Mapping[str, Sequence[Label]],
    types: Mapping[str, str],
    ps: Sequence[Number],
    description: str,
) -> Table:
    """The table of these outcomes; equal ones are added."""
    return Table.of(columns, ps, types=types, stated=True, description=description)
