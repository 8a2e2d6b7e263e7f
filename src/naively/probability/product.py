"""Independent parts of one distribution: their product, which is never written out whole.

    P(a, b) = P(a) P(b)

A question costs what its own columns cost: of forty independent coins each has two outcomes,
and not all of them 2^40.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from naively.derivation.exact import Number
from naively.errors import DataError
from naively.probability.event import EVERYTHING, And, Atom, Event, columns_of
from naively.probability.table import MOST, Outcomes, Table, too_many, unknown
from naively.probability.variable import Variable

__all__ = ["Product", "independent"]


@dataclass(frozen=True, slots=True)
class Product:
    """Outcomes of independent parts, no column in two of them."""

    parts: tuple[Outcomes, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.names)

    @property
    def stated(self) -> bool:
        return any(part.stated for part in self.parts)

    @property
    def weighted(self) -> bool:
        return any(part.weighted for part in self.parts)

    @property
    def at_hand(self) -> bool:
        return all(part.at_hand for part in self.parts)

    @property
    def description(self) -> str:
        return f"a product of {len(self.parts)} independent parts"

    def variable(self, name: str) -> Variable:
        return self._part_of(name).variable(name)

    def sample(self, names: Sequence[str], where: Event, n: int) -> Table:
        return self.table(names, where)

    def _part_of(self, name: str) -> Outcomes:
        for part in self.parts:
            if name in part.names:
                return part
        raise unknown(name, self.names, self.description)

    def bind_atom(self, atom: Atom) -> Event:
        return self._part_of(atom.column).bind_atom(atom)

    def table(self, names: Sequence[str], where: Event = EVERYTHING) -> Table:
        used = tuple(dict.fromkeys((*names, *columns_of(where))))
        crossed = _crossed([_of(part, used) for part in self.parts])
        return crossed.table(names, where)

    def weights(self, events: Sequence[Event], where: Event = EVERYTHING) -> list[Number]:
        return [self._weight(event, where) for event in events]

    def _weight(self, event: Event, where: Event) -> Number:
        """A product over groups of parts that no condition connects."""
        weight: Number = 1
        rest = set(range(len(self.parts)))
        for group, conditions in self._groups((event, where)):
            rest -= group
            used = columns_of(*conditions)
            tables = [_of(self.parts[i], used) for i in sorted(group)]
            weight = weight * _crossed(tables).weights([And(tuple(conditions))])[0]
        for i in rest:
            weight = weight * self.parts[i].weights([EVERYTHING])[0]
        return weight

    def _groups(self, events: Sequence[Event]) -> list[tuple[set[int], list[Event]]]:
        """The conditions that must hold together, by the parts that they speak of."""
        groups: list[tuple[set[int], list[Event]]] = []
        for condition in _conditions(events):
            mine = {i for i, p in enumerate(self.parts) if set(p.names) & {*columns_of(condition)}}
            touched = [group for group in groups if group[0] & mine]
            groups = [group for group in groups if not group[0] & mine]
            joined = mine.union(*(group[0] for group in touched))
            groups.append((joined, [*(c for g in touched for c in g[1]), condition]))
        return groups


def _conditions(events: Sequence[Event]) -> list[Event]:
    parts: list[Event] = []
    for event in events:
        parts.extend(_conditions(event.parts) if isinstance(event, And) else [event])
    return parts


def _of(part: Outcomes, used: Sequence[str]) -> Table:
    """A part's own columns of those that are used."""
    return part.table([name for name in part.names if name in used])


def _crossed(tables: Sequence[Table]) -> Table:
    """Every outcome of one with every outcome of the others."""
    size = math.prod(len(table.codes) for table in tables)
    if size > MOST:
        names = [name for table in tables for name in table.names]
        raise too_many(names, "a product of independent parts", f"{size:,}")
    return reduce(_cross, tables)


def _cross(a: Table, b: Table) -> Table:
    left, right = np.repeat(a.codes, len(b.codes), axis=0), np.tile(b.codes, (len(a.codes), 1))
    codes = np.hstack([left, right])
    floats = "f" in (a.weight.dtype.kind, b.weight.dtype.kind)
    kind = np.float64 if floats else object  # products of counts may be larger than any word
    weight = np.outer(a.weight.astype(kind), b.weight.astype(kind)).ravel()
    return Table((*a.variables, *b.variables), codes, weight, a.stated or b.stated, a.description)


def independent(parts: Sequence[Outcomes]) -> Outcomes:
    """The product of independent parts; one column cannot be in two."""
    flat = [one for part in parts for one in (part.parts if isinstance(part, Product) else (part,))]
    names = [name for part in flat for name in part.names]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"column {twice!r} in both factors", "factors of different columns")
    return flat[0] if len(flat) == 1 else Product(tuple(flat))
