"""Bound events as conditions in SQL, which are true or false and never unknown.

A missing cell is NULL, NaN, or a text that stands for one. It is none of the values asked
for, so what SQL would call unknown is false, and its contrary true.

>>> from naively.probability.column import col
>>> columns = {"vote": SqlColumn("vote", "string"), "age": SqlColumn("age", "integer")}
>>> print(condition((col("vote") == "yes") & ~(col("age") < 30), columns))
("vote" = 'yes' AND coalesce(NOT ("age" < 30), true))
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from naively.data.files import literal, quoted
from naively.probability.event import And, Atom, Compare, Event, Not, OneOf, Or

__all__ = ["SqlColumn", "condition"]


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """A column of a database: its name, the type of its values, and what stands for missing."""

    name: str
    type: str
    floats: bool = False
    markers: tuple[str, ...] = ()

    @property
    def missing(self) -> str:
        """The condition that a cell is missing."""
        name = quoted(self.name)
        parts = [f"{name} IS NULL"]
        parts += [f"NOT isfinite({name})"] if self.floats else []
        parts += [f"{name} IN ({', '.join(map(literal, self.markers))})"] if self.markers else []
        return parts[0] if len(parts) == 1 else f"coalesce({' OR '.join(parts)}, true)"

    @property
    def cell(self) -> str:
        """The cell, NULL where it is missing in any way."""
        plain = quoted(self.name)
        odd = self.floats or self.markers
        return f"CASE WHEN NOT {self.missing} THEN {plain} END" if odd else plain

    def value(self, value: Any) -> str:
        """A value to compare with."""
        if self.type == "time":
            return f"TIMESTAMP {literal(value)}"
        if isinstance(value, float):
            return f"{value!r}::DOUBLE" if math.isfinite(value) else f"'{value}'::DOUBLE"
        return literal(value)


def condition(event: Event, columns: Mapping[str, SqlColumn], *, wanted: bool = True) -> str:
    """The event in SQL, or what is outside of it."""
    if isinstance(event, Not):
        return condition(event.part, columns, wanted=not wanted)
    if isinstance(event, (And, Or)):
        if not event.parts:
            return "true" if isinstance(event, And) is wanted else "false"
        word = " AND " if isinstance(event, And) is wanted else " OR "
        return f"({word.join(condition(p, columns, wanted=wanted) for p in event.parts)})"
    assert isinstance(event, Atom)
    return _atom(event, columns[event.column], wanted)


def _atom(atom: Atom, column: SqlColumn, wanted: bool) -> str:
    name = quoted(column.name)
    if isinstance(atom, Compare) and atom.op == "=":
        return f"{name} {'=' if wanted else 'IS DISTINCT FROM'} {column.value(atom.value)}"
    if isinstance(atom, Compare):
        held = f"{name} {atom.op} {column.value(atom.value)}"
        if column.floats and atom.op in (">", ">="):  # NaN is above all numbers there,
            held = f"(isfinite({name}) AND {held})"  # and DuckDB drops NOT isnan beside >
        return held if wanted else f"coalesce(NOT ({held}), true)"
    if isinstance(atom, OneOf):
        held = f"{name} IN ({', '.join(map(column.value, atom.values))})"
        return held if wanted else f"coalesce(NOT ({held}), true)"
    return column.missing if wanted else f"NOT ({column.missing})"
