"""Rows that are counted where they lie: each question is one aggregate query of DuckDB.

    SELECT count(*) FILTER (WHERE a), count(*) FROM ... WHERE b

gives all that P(a | b) needs, so a file of a hundred million rows is read once, a few
columns of it, in bounded memory and on all threads. Labels that such an answer does not prove
to be there are looked for by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from naively._typing import Label
from naively.data.casting import WORDS, cast_label
from naively.data.cells import time_label
from naively.data.domain import sorted_labels
from naively.data.files import complaint, is_complaint, quoted
from naively.data.profile import PAIRS
from naively.data.source import Source
from naively.derivation.exact import Number
from naively.errors import TooManyOutcomes, UnknownLabel
from naively.probability.asking import bound
from naively.probability.event import (
    EVERYTHING,
    And,
    Atom,
    Compare,
    Event,
    atoms,
    both,
    columns_of,
    is_ordered,
    values_of,
)
from naively.probability.in_sql import SqlColumn, condition
from naively.probability.rows import Rows
from naively.probability.table import MOST, Table, too_many, unknown
from naively.probability.variable import Variable

__all__ = ["Pushed"]

TYPES = {
    "BOOLEAN": "boolean",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "DECIMAL"), "number"),
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "time"),
    **dict.fromkeys(("VARCHAR", "ENUM"), "string"),
}
"""What DuckDB's types hold; columns of any other are read as naively reads them."""

GLANCE = 500_000
"""Rows that are looked at before all of them are grouped."""
QUERY = "naively_rows"
"""What a query calls the rows."""

T = TypeVar("T")


class Pushed:
    """The rows of a large source that DuckDB can read by itself."""

    stated = False

    def __init__(self, source: Source, relation: Any, weight: str | None = None) -> None:
        self.source, self.weight = source, weight
        self.description = source.description
        self.weighted = weight is not None
        self.names = tuple(name for name in relation.columns if name != weight)
        if weight is not None and weight not in relation.columns:
            raise unknown(weight, relation.columns, self.description)
        types = zip(relation.columns, map(str, relation.types), strict=True)
        markers = tuple(sorted(source.markers))
        found = {name: _column(name, of, markers) for name, of in types}
        self.columns = {name: column for name, column in found.items() if column is not None}
        self.relation = relation
        self._reading: list[Rows] = []
        """The rows as naively reads them, once they were needed,"""
        self.unread = False
        """and whether they are from now on, since DuckDB cannot read its own."""
        self._variables: dict[str, Variable] = {}
        self._there: set[tuple[str, Label]] = set()
        self._finite: set[str] = set()
        if weight is not None:
            self._answer((), lambda: self._check_weights(quoted(weight)), lambda rows: None)

    @property
    def at_hand(self) -> bool:
        return self.unread and self.instead.at_hand

    @property
    def instead(self) -> Rows:
        """The rows as naively reads them."""
        if not self._reading:
            self._reading.append(Rows(self.source, self.weight))
        return self._reading[0]

    def _check_weights(self, w: str) -> None:
        """Rows of weight 0 are not there; odd weights are for the other way, which says where."""
        odd = f"{w} IS NULL OR {w} < 0 OR NOT isfinite({w}::DOUBLE)"
        ((count, some),) = self._asked(f"count(*) FILTER (WHERE {odd}), max({w})")
        if count or not some:
            raise _Unread("odd weights")
        self.relation = self.relation.filter(f"{w} > 0")

    def variable(self, name: str) -> Variable:
        """The column with all of its labels, which takes a look at all rows."""
        if name not in self.names:
            raise unknown(name, self.names, self.description)
        if name not in self._variables:
            self._variables[name] = self._answer(
                (name,), lambda: self._seen(self.columns[name]), lambda rows: rows.variable(name)
            )
        return self._variables[name]

    def _seen(self, column: SqlColumn) -> Variable:
        self._check_finite((column.name,))
        found = self._asked(f"DISTINCT {column.cell}")
        if len(found) > MOST:
            raise too_many((column.name,), self.description, type=column.type)
        labels = {_label(value, column.type) for (value,) in found} - {None}
        kind = _kind(column, labels)
        if kind == "boolean" and column.type == "string" and len(labels) > 2:
            raise _Unread("truth values in several spellings")
        return Variable(column.name, kind, sorted_labels(labels))

    def _check_finite(self, names: Iterable[str]) -> None:
        """Infinite numbers are for the other way, which says where the first one stands."""
        for name in names:
            column = self.columns.get(name)
            if column is not None and column.floats and name not in self._finite:
                if self._asked("1", f"isinf({quoted(name)})", limit=1):
                    raise _Unread("an infinite number")
                self._finite.add(name)

    def bind_atom(self, atom: Atom) -> Event:
        """The condition with values cast to the column's type; whether they occur is seen later."""
        if atom.column not in self.names:
            raise unknown(atom.column, self.names, self.description, atom.mark)
        return self._answer(
            (atom.column,), lambda: self._bound(atom), lambda rows: rows.bind_atom(atom)
        )

    def _bound(self, atom: Atom) -> Event:
        column, values = self.columns[atom.column], values_of(atom)
        if column.type == "boolean":  # whose labels need not be looked for
            return Variable(column.name, column.type, (False, True)).bind(atom)
        plain = bool(values) and all(self._is_plain(column, value) for value in values)
        if plain or (is_ordered(atom) and column.type != "string"):
            return Variable.trusting(atom, column.type).bind(atom)
        return self.variable(atom.column).bind(atom)

    def _is_plain(self, column: SqlColumn, value: Any) -> bool:
        """Whether a value is a label as it stands; else only the column's own labels can tell."""
        try:
            label = cast_label(value, column.type)
        except (ValueError, TypeError, OverflowError):
            return False
        word = str(label).lower() if column.type == "string" else ""
        if label in column.markers or word in ("true", "false"):
            return False
        return word not in (*WORDS, "0", "1") or self._occurs(column.name, label)

    def _occurs(self, name: str, label: Label) -> bool:
        """Whether some row has the label: the search ends with the first."""
        if (name, label) not in self._there:
            same = condition(Compare(name, "=", label), self.columns)
            if not self._asked("1", same, limit=1):
                return False
            self._there.add((name, label))
        return True

    def table(self, names: Sequence[str], where: Event = EVERYTHING) -> Table:
        return self._answer(
            (*names, *columns_of(where)),
            lambda: self._table(names, where),
            lambda rows: rows.table(names, bound(where, rows)),
        )

    def _table(self, names: Sequence[str], where: Event) -> Table:
        cells = [self.columns[name].cell for name in names]
        self._check_finite(names)
        self._refuse_many(names, cells)
        group = ", ".join(str(i + 1) for i in range(len(names)))
        chosen = ", ".join([*cells, self._weight()])
        found = self._asked(chosen, condition(where, self.columns), group=group)
        if len(found) > MOST:
            raise too_many(names, self.description)
        self._check_labels([(where, sum(_number(row[-1]) for row in found))])
        return self._made(names, found)

    def _refuse_many(self, names: Sequence[str], cells: Sequence[str]) -> None:
        """Look at the first rows: a group for each of millions of values would take all memory."""
        first = f"(SELECT {', '.join(cells) or '1'} FROM {QUERY} LIMIT {GLANCE})"
        if len(self._fetched(f"SELECT DISTINCT * FROM {first} LIMIT {MOST + 1}")) > MOST:
            raise too_many(names, self.description)

    def _made(self, names: Sequence[str], found: list[tuple[Any, ...]]) -> Table:
        """A table of rows of cells and weights."""
        columns = [self.columns[name] for name in names]
        labels = {
            column.name: [_label(row[j], column.type) for row in found]
            for j, column in enumerate(columns)
        }
        weights = [_number(row[-1]) for row in found]
        types = {c.name: _kind(c, set(labels[c.name]) - {None}) for c in columns}
        return Table.of(
            labels, weights, types=types, description=self.description, weighted=self.weighted
        )

    def sample(self, names: Sequence[str], where: Event, n: int) -> Table:
        return self._answer(
            (*names, *columns_of(where)),
            lambda: self._made(names, self._drawn(names, where, n)),
            lambda rows: rows.sample(names, bound(where, rows), n),
        )

    def _drawn(self, names: Sequence[str], where: Event, n: int) -> list[tuple[Any, ...]]:
        """Some rows of those that the condition leaves, and their weights."""
        weight = "1" if self.weight is None else quoted(self.weight)
        chosen = ", ".join([*(self.columns[name].cell for name in names), weight])
        inside = f"SELECT {chosen} FROM {QUERY} WHERE {condition(where, self.columns)}"
        sample = f"USING SAMPLE reservoir({n} ROWS) REPEATABLE (0)"
        return self._fetched(f"SELECT * FROM ({inside}) {sample}")

    def weights(self, events: Sequence[Event], where: Event = EVERYTHING) -> list[Number]:
        return self._answer(
            columns_of(*events, where),
            lambda: self._weights(events, where),
            lambda rows: rows.weights([bound(e, rows) for e in events], bound(where, rows)),
        )

    def _weights(self, events: Sequence[Event], where: Event) -> list[Number]:
        self._check_finite(columns_of(*events, where))
        chosen = [self._weight(condition(event, self.columns)) for event in events]
        (found,) = self._asked(", ".join(chosen), condition(where, self.columns))
        weights = [_number(number) for number in found]
        self._check_labels(zip([both(e, where) for e in events], weights, strict=True))
        return weights

    def _weight(self, where: str = "true") -> str:
        number = "count(*)" if self.weight is None else f"sum({quoted(self.weight)})"
        return number if where == "true" else f"{number} FILTER (WHERE {where})"

    def _check_labels(self, found: Iterable[tuple[Event, Number]]) -> None:
        """Refuse labels that no row has; a conjunction that occurs proves its own."""
        for event, weight in found:
            parts = event.parts if isinstance(event, And) else (event,)
            for part in parts:
                proven = weight > 0 and isinstance(part, Compare)
                for atom in () if proven else atoms(part):
                    for label in values_of(atom):
                        if not self._occurs(atom.column, label):
                            self._refuse(atom, label)

    def _refuse(self, atom: Atom, label: Label) -> None:
        """The error for a label that no row has, with the nearest where these can be known."""
        mark = f"\n{atom.mark}" if atom.mark else ""
        try:
            self.variable(atom.column).label(label, mark)
        except TooManyOutcomes:
            found = f"column {atom.column!r} has no value {label!r}"
            fix = f"ask for a range with < and >{mark}"
            raise UnknownLabel(found, fix=fix) from None

    def _answer(self, used: Iterable[str], ours: Callable[[], T], theirs: Callable[[Rows], T]) -> T:
        """DuckDB's answer, or that of the rows as naively reads them.

        These know no column by what DuckDB alone knows of it: what was bound is bound anew.
        """
        if not self.unread and all(name in self.columns for name in used):
            try:
                return ours()
            except _Unread:
                self.unread = True
        return theirs(self.instead)

    def _asked(
        self, chosen: str, where: str = "true", *, group: str = "", limit: int = MOST + 1
    ) -> list[tuple[Any, ...]]:
        """What is chosen of the rows where a condition holds."""
        rest = f" WHERE {where}" if where != "true" else ""
        rest += f" GROUP BY {group}" if group else ""
        return self._fetched(f"SELECT {chosen} FROM {QUERY}{rest} LIMIT {limit}")

    def _fetched(self, query: str) -> list[tuple[Any, ...]]:
        try:
            return list(self.relation.query(QUERY, query).fetchall())
        except Exception as error:
            if not is_complaint(error):
                raise
            raise _Unread(f"{self.description}: {complaint(error)}") from error


class _Unread(Exception):
    """DuckDB cannot read what it was told to."""


def _column(name: str, of: str, markers: tuple[str, ...]) -> SqlColumn | None:
    kind = TYPES.get(of.partition("(")[0])
    if kind is None:
        return None
    texts = markers if of == "VARCHAR" else ()
    return SqlColumn(name, kind, floats=of in ("FLOAT", "DOUBLE"), markers=texts)


def _kind(column: SqlColumn, labels: set[Label]) -> str:
    """The type that the values have: text is one of truth values where it spells them."""
    if column.type == "string" and labels:
        words = {str(label).lower() for label in labels}
        return "boolean" if any(words <= set(pair) for pair in PAIRS) else "string"
    return column.type


def _label(value: Any, kind: str) -> Label:
    if value is None:
        return None
    if kind == "time":
        return time_label(value)
    label: Label = float(value) if kind == "number" else value
    return label


def _number(value: Any) -> Number:
    """A sum of weights: exact, where it is whole or decimal."""
    if isinstance(value, Decimal):
        value = Fraction(value)
    if isinstance(value, float) and value.is_integer() and value < 2**53:
        return int(value)
    return 0 if value is None else value
