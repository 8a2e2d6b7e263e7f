"""Events: sets of outcomes, described by conditions on the columns of a table.

    college=no, vote=yes        both
    age < 30 or not employed    either
    city in {Bonn, Ulm}         one of

`naively.probability.grammar` reads them from text, `naively.probability.col` writes them in
Python. A missing cell has no value: it is none of those asked for, so `vote != no` and
`not vote=no` hold for it, `vote=no` and `age < 30` do not. `vote is missing` asks for it.

>>> print(And((Compare("age", "<", 30), Not(Compare("vote", "=", "yes")))))
age<30, vote≠yes
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from naively._typing import Flags, Indices, Label, Vector
from naively.errors import ParameterError
from naively.probability.wording import named, quoted

__all__ = [
    "EVERYTHING",
    "And",
    "Atom",
    "Compare",
    "Event",
    "Holds",
    "Missing",
    "Not",
    "OneOf",
    "Or",
    "atoms",
    "both",
    "cell_of",
    "columns_of",
    "is_ordered",
    "mask",
    "values_of",
]

SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
"""The comparisons, and how they are shown."""


class Event:
    """A set of outcomes; `&`, `|` and `~` make others of it."""

    __slots__ = ()

    def __and__(self, other: Event) -> Event:
        return both(self, other)

    def __or__(self, other: Event) -> Event:
        return Or((*_parts(self, Or), *_parts(other, Or)))

    def __invert__(self) -> Event:
        return self.part if isinstance(self, Not) else Not(self)

    def __bool__(self) -> bool:
        raise ParameterError(
            f"the truth of an event ({self})", "&, | and ~ instead of and, or and not"
        )


@dataclass(frozen=True, slots=True)
class Atom(Event):
    """A condition on one column; `mark` shows where in a question it stands."""

    column: str
    mark: str = field(default="", compare=False, repr=False, kw_only=True)

    def holds(self, label: Label) -> bool:
        """Whether a cell with this label (None: without one) is in the event."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Holds(Atom):
    """A column of truth values that is true: `headache`."""

    def __str__(self) -> str:
        return named(self.column)


@dataclass(frozen=True, slots=True)
class Compare(Atom):
    """A comparison with a value: `age < 30`; bound to a table, the value is one of its labels."""

    op: str
    value: Any
    bare: bool = field(default=False, compare=False)
    """Whether the column is one of truth values that is named alone."""

    def __hash__(self) -> int:
        return hash((self.column, self.op, str(self.value)))

    def holds(self, label: Label) -> bool:
        if self.op == "!=":
            return bool(label != self.value)
        if label is None:
            return False
        if self.op == "=":
            return bool(label == self.value)
        return ORDERS[self.op](label, self.value)

    def __str__(self) -> str:
        if self.bare:
            return named(self.column) if self.op == "=" else f"¬{named(self.column)}"
        return f"{named(self.column)}{SIGNS[self.op]}{quoted(self.value)}"


ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True, slots=True)
class OneOf(Atom):
    """One of several values: `city in {Bonn, Ulm}`."""

    values: tuple[Any, ...]

    def __hash__(self) -> int:
        return hash((self.column, tuple(map(str, self.values))))

    def holds(self, label: Label) -> bool:
        return label is not None and label in self.values

    def __str__(self) -> str:
        return f"{named(self.column)}∈{{{', '.join(map(quoted, self.values))}}}"


@dataclass(frozen=True, slots=True)
class Missing(Atom):
    """A cell that is not there: `age is missing`."""

    def holds(self, label: Label) -> bool:
        return label is None

    def __str__(self) -> str:
        return f"{named(self.column)} is missing"


@dataclass(frozen=True, slots=True)
class Not(Event):
    """All outcomes but those."""

    part: Event

    def __str__(self) -> str:
        part = self.part
        if isinstance(part, Compare) and not part.bare and part.op in ORDERS:
            return f"not {part}"
        if isinstance(part, Compare):
            op = {"=": "!=", "!=": "="}[part.op]
            return str(Compare(part.column, op, part.value, part.bare))
        if isinstance(part, Missing):
            return f"{named(part.column)} is not missing"
        return f"¬{part}" if isinstance(part, Holds) else f"not {_inner(part)}"


@dataclass(frozen=True, slots=True)
class And(Event):
    """Outcomes in every part; in no part at all: every outcome."""

    parts: tuple[Event, ...]

    def __str__(self) -> str:
        return ", ".join(map(_inner, self.parts))


@dataclass(frozen=True, slots=True)
class Or(Event):
    """Outcomes in at least one part."""

    parts: tuple[Event, ...]

    def __str__(self) -> str:
        return " or ".join(map(_inner, self.parts))


EVERYTHING = And(())
"""The certain event."""


def is_ordered(atom: Atom) -> bool:
    """Whether a condition asks for more or less, and not for values."""
    return isinstance(atom, Compare) and atom.op in ORDERS


def values_of(event: Event) -> tuple[Any, ...]:
    """The values that the conditions of an event name, those of < and > left out."""
    values: list[Any] = []
    for atom in atoms(event):
        if isinstance(atom, Compare) and not is_ordered(atom):
            values.append(atom.value)
        values += atom.values if isinstance(atom, OneOf) else ()
    return tuple(values)


def both(*events: Event) -> Event:
    """The outcomes that are in all of them.

    >>> print(both(Compare("a", "=", 1), EVERYTHING))
    a=1
    """
    parts = tuple(part for event in events for part in _parts(event, And))
    return parts[0] if len(parts) == 1 else And(parts)


def _parts(event: Event, kind: type[And] | type[Or]) -> tuple[Event, ...]:
    return event.parts if isinstance(event, kind) else (event,)


def _inner(event: Event) -> str:
    return f"({event})" if isinstance(event, (And, Or)) else str(event)


def cell_of(names: Sequence[str], labels: Sequence[Label]) -> Event:
    """The event that some columns have these labels.

    >>> print(cell_of(("a", "b"), ("x", None)))
    a=x, b is missing
    """
    return both(
        *(
            Missing(name) if label is None else Compare(name, "=", label)
            for name, label in zip(names, labels, strict=True)
        )
    )


def atoms(event: Event) -> Iterator[Atom]:
    """The conditions on single columns that it is made of."""
    if isinstance(event, Atom):
        yield event
    elif isinstance(event, Not):
        yield from atoms(event.part)
    elif isinstance(event, (And, Or)):
        for part in event.parts:
            yield from atoms(part)


def columns_of(*events: Event) -> tuple[str, ...]:
    """The columns that the events speak of, in the order of their mention."""
    return tuple(dict.fromkeys(atom.column for event in events for atom in atoms(event)))


NO_NUMBERS: Mapping[str, Vector] = MappingProxyType({})
Cells = Callable[[str], tuple[tuple[Label, ...], Indices]]
"""From a column's name to its labels and the codes of its cells, -1 for missing."""


def mask(event: Event, cells: Cells, n: int, numbers: Mapping[str, Vector] = NO_NUMBERS) -> Flags:
    """Which of n rows are in a bound event; some columns may be there as numbers instead."""
    if isinstance(event, Atom) and event.column in numbers:
        return _compared(event, numbers[event.column])
    if isinstance(event, Atom):
        labels, codes = cells(event.column)
        truth = [event.holds(label) for label in labels]
        held: Flags = np.array([*truth, event.holds(None)], dtype=bool)[codes]
        return held
    if isinstance(event, Not):
        return ~mask(event.part, cells, n, numbers)
    if isinstance(event, And):
        found = np.ones(n, dtype=bool)
        for part in event.parts:
            found &= mask(part, cells, n, numbers)
        return found
    found = np.zeros(n, dtype=bool)
    for part in event.parts if isinstance(event, Or) else ():
        found |= mask(part, cells, n, numbers)
    return found


def _compared(atom: Atom, x: Vector) -> Flags:
    """A condition of more or less on numbers; a missing one is neither."""
    if isinstance(atom, Missing):
        return np.isnan(x)
    assert isinstance(atom, Compare)
    with np.errstate(invalid="ignore"):
        return np.asarray(ORDERS[atom.op](x, float(atom.value)))
