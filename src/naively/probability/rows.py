"""Rows of a source, counted when they are asked about.

A table of few distinct rows is counted once and kept. Of any other only the columns of a
question are read again, batch by batch, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Any, cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Label, Vector
from naively.data.column import Batch, Codes, Real
from naively.data.domain import Domain, sorted_labels
from naively.data.schema import Column, Schema
from naively.data.source import Source
from naively.derivation.exact import Number
from naively.errors import DataError, TooManyOutcomes, UnknownLabel
from naively.probability.event import (
    EVERYTHING,
    Atom,
    Compare,
    Event,
    Missing,
    atoms,
    columns_of,
    is_ordered,
    mask,
    values_of,
)
from naively.probability.table import MOST, Table, combined, integers, too_many, total, unknown
from naively.probability.variable import Variable

__all__ = ["Rows", "as_labels"]

TRUTHS = ("true", "false", "1", "0")
"""Truth values that are not words of the table."""


class Rows:
    """The outcomes of a source: its rows, perhaps with weights."""

    stated = False

    def __init__(self, source: Source, weight: Any = None) -> None:
        self.source = source
        self.weight = weight
        self.weighted = weight is not None
        self.schema = Schema(tuple(map(as_labels, source.inferred(weight))))
        self.names = self.schema.names
        self.description = source.description
        self.types = {column.name: column.type for column in source.inferred(weight)}
        self._variables: dict[str, Variable] = {}
        self.kept = self._kept()

    @property
    def at_hand(self) -> bool:
        return self.kept is not None

    def _kept(self) -> Table | None:
        """The whole as a table, where it is small."""
        try:
            return self._counted(self.names, EVERYTHING)
        except TooManyOutcomes as error:
            if not self.source.reiterable:
                fix = "give a table that can be read again, or fewer columns"
                raise DataError(error.found, error.expected, fix) from None
            return None

    def variable(self, name: str) -> Variable:
        if self.kept is not None:
            return self.kept.variable(name)
        if name not in self.names:
            raise unknown(name, self.names, self.description)
        if name not in self._variables:
            self._variables[name] = self._seen(name)
        return self._variables[name]

    def _seen(self, name: str) -> Variable:
        labels: set[Label] = set()
        for batch in self._batches((name,)):
            labels.update(_occurring(batch.codes[name]))
            if len(labels) > MOST:
                raise too_many((name,), self.description, type=self.types[name])
        return Variable(name, self.types[name], sorted_labels(labels))

    def bind_atom(self, atom: Atom) -> Event:
        if self.kept is None and is_ordered(atom) and atom.column in self.names:
            return Variable(atom.column, self.types[atom.column], ()).bind(atom)
        try:
            return self.variable(atom.column).bind(atom)
        except TooManyOutcomes:
            return self._searched(atom)

    def _searched(self, atom: Atom) -> Event:
        """The condition on a column of too many labels to keep: its own are looked for."""
        found = Variable.trusting(atom, self.types[atom.column]).bind(atom)
        for label in values_of(found):
            if not self.weights([Compare(atom.column, "=", label)])[0]:
                fix = "ask for a range with < and >"
                found_ = f"column {atom.column!r} has no value {label!r}"
                raise UnknownLabel(found_, fix=f"{fix}\n{atom.mark}".strip())
        return found

    def table(self, names: Sequence[str], where: Event = EVERYTHING) -> Table:
        if self.kept is not None:
            return self.kept.table(names, where)
        return self._counted(names, where)

    def weights(self, events: Sequence[Event], where: Event = EVERYTHING) -> list[Number]:
        if self.kept is not None:
            return self.kept.weights(events, where)
        sums: list[list[Number]] = [[] for _ in events]
        numeric = self._compared((*events, where))
        for batch in self._batches(columns_of(*events, where), numeric):
            weight, cells = _weight(batch), _cells(batch)
            numbers = {name: cast(Real, batch.columns((name,))).values[:, 0] for name in numeric}
            there = mask(where, cells, batch.n_rows, numbers)
            for event, parts in zip(events, sums, strict=True):
                held = mask(event, cells, batch.n_rows, numbers)
                parts.append(total(weight[there & held]))
        return [total(integers(parts)) for parts in sums]

    def _compared(self, events: Sequence[Event]) -> set[str]:
        """The columns of numbers that are only asked for more or less: they need no labels."""
        conditions = [atom for event in events for atom in atoms(event)]
        labelled = {
            a.column for a in conditions if not is_ordered(a) and not isinstance(a, Missing)
        }
        return {a.column for a in conditions if _is_exact(self.schema[a.column])} - labelled

    def sample(self, names: Sequence[str], where: Event, n: int) -> Table:
        if self.kept is not None:
            return self.kept.table(names, where)
        (whole,) = self.weights([EVERYTHING])
        rng = np.random.default_rng(0)
        share = min(1.0, n / max(1.0, float(whole)))
        return self._counted(names, where, lambda size: rng.random(size) < share)

    def _batches(self, names: Sequence[str], numeric: Set[str] = frozenset()) -> Iterator[Batch]:
        """The rows with some of the columns; at least one, by which rows are counted."""
        found = [self.schema[name] for name in names or self.names[:1]]
        wanted = [replace(c, form="real") if c.name in numeric else c for c in found]
        named = self.source.named or len(wanted) == len(self.schema)
        schema = Schema(tuple(wanted)) if named else self._without_others(wanted)
        return self.source.batches(schema, weight=self.weight)

    def _without_others(self, wanted: Sequence[Column]) -> Schema:
        """Columns without names are found by their position: the others are left out."""
        known = {column.name: column for column in wanted}
        columns = (known.get(c.name, replace(c, form="none")) for c in self.schema)
        return Schema(tuple(columns))

    def _counted(
        self,
        names: Sequence[str],
        where: Event,
        drawn: Callable[[int], Flags] | None = None,
    ) -> Table:
        """The distinct outcomes, batch by batch; perhaps only of rows that are drawn."""
        found: dict[tuple[Label, ...], Number] = {}
        domains: dict[str, Domain] = {}
        inexact: dict[tuple[Label, ...], list[float]] = {}
        for batch in self._batches(tuple(dict.fromkeys((*names, *columns_of(where))))):
            batch = batch if drawn is None else batch.rows(drawn(batch.n_rows))
            for name in names:
                seen = Domain(sorted_labels(_occurring(batch.codes[name])))
                domains[name] = domains.get(name, seen).union(seen)
            for key, weight in _distinct(batch, names, where):
                if isinstance(weight, float):
                    inexact.setdefault(key, []).append(weight)
                else:
                    found[key] = found.get(key, 0) + weight
            if len(found) + len(inexact) > MOST:
                raise too_many(names, self.description)
        for key, parts in inexact.items():
            found[key] = total(np.array([*parts, found.get(key, 0)], dtype=np.float64))
        return self._table(names, found, domains)

    def _table(
        self,
        names: Sequence[str],
        found: dict[tuple[Label, ...], Number],
        domains: dict[str, Domain],
    ) -> Table:
        variables = [
            Variable(name, self.types[name], domains[name].labels if name in domains else ())
            for name in names
        ]
        codes = [
            [-1 if label is None else domains[name].code(label) for label in column]
            for name, column in zip(names, zip(*found, strict=True), strict=True)
        ]
        matrix = np.array(codes, dtype=np.int32).reshape(len(names), len(found)).T
        weight = integers(list(found.values()))
        whole = Table(tuple(variables), matrix, weight, False, self.description, self.weighted)
        return whole.table(names)


def _is_exact(column: Column) -> bool:
    """Whether the column's numbers are the same as doubles."""
    ends = [abs(end) for end in (column.minimum, column.maximum) if end is not None]
    return column.type in ("integer", "number") and max(ends, default=0.0) < 2**53


def as_labels(column: Column) -> Column:
    """The column as labels, in the words of the table: yes and no, t and f stay what they are."""
    worded = column.type == "boolean" and str(column.example).lower() not in TRUTHS
    return replace(column, form="codes", family=None, type="string" if worded else column.type)


def _cells(batch: Batch) -> Any:
    def cells(name: str) -> tuple[tuple[Label, ...], Indices]:
        column = batch.codes[name]
        return column.domain.labels, column.codes

    return cells


def _occurring(column: Codes) -> list[Label]:
    """The labels that some row has: a batch's own domain may hold others."""
    labels = column.domain.labels
    seen = kernels.occurring(column.codes, len(labels))
    return [label for label, occurs in zip(labels, seen.tolist(), strict=True) if occurs]


def _weight(batch: Batch) -> AnyArray:
    """One for each row, or the weights: as integers where all of them are."""
    if batch.weight is None:
        return np.ones(batch.n_rows, dtype=np.int64)
    weight: Vector = batch.weight
    whole = bool((weight == np.floor(weight)).all() and weight.sum() < 2**53)
    return weight.astype(np.int64) if whole else weight


def _distinct(
    batch: Batch, names: Sequence[str], where: Event
) -> Iterator[tuple[tuple[Label, ...], Number]]:
    """The distinct outcomes of a batch and their weights."""
    columns = [batch.codes[name] for name in names]
    weight = _weight(batch)
    codes = np.zeros((batch.n_rows, 0), dtype=np.int32)
    if columns:
        codes = np.stack([column.codes for column in columns], axis=1)
    if where != EVERYTHING:
        keep = mask(where, _cells(batch), batch.n_rows)
        codes, weight = codes[keep], weight[keep]
    keys, group = combined(codes)
    sums = np.zeros(len(keys), dtype=weight.dtype)
    np.add.at(sums, group, weight)
    looked_up = [(*column.domain.labels, None) for column in columns]
    for key, w in zip(keys.tolist(), sums.tolist(), strict=True):
        yield tuple(labels[c] for labels, c in zip(looked_up, key, strict=True)), w
