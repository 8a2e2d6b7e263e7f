"""The working of a conditional probability: its definition, the cells summed, the numbers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from naively.derivation import Derivation, Step
from naively.derivation.exact import Number
from naively.derivation.formula import Formula, P, Ratio, Sum, Undefined, Value, divided
from naively.probability.answer import Probability
from naively.probability.event import EVERYTHING, Event, both, columns_of
from naively.probability.table import Table

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["answer", "ratio", "share"]

CELLS = 12
"""Cells of a sum that are shown one by one."""
FEW = 4_096
"""Cells that are looked at to find out."""


def answer(joint: Joint, event: Event, given: Event, part: Number, whole: Number) -> Probability:
    """P(event | given) from the weights of both together, and of what is given."""
    value = divided(part, whole)
    if isinstance(value, float):
        value = min(value, 1.0)  # sums of floats are rounded, each in its own way
    counts = () if joint.outcomes.stated else (part, whole)
    return Probability(value, lambda: ratio(joint, event, given, part, whole), *counts)


def ratio(joint: Joint, event: Event, given: Event, part: Number, whole: Number) -> Derivation:
    """P(a | b) = P(a, b) / P(b), from the weights of (a, b) and of b."""
    value = divided(part, whole)
    if joint.outcomes.stated:
        return _stated(joint, event, given, value)
    subject = P(str(event), str(given) if given != EVERYTHING else "", value)
    below = str(given) if given != EVERYTHING else "all"
    top, bottom = P(str(both(event, given)), "", part, of="N"), P(below, "", whole, of="N")
    what = "weights of rows" if joint.outcomes.weighted else "rows counted"
    steps = (Step(Ratio(top, bottom), what), Step(share(joint, part, whole)))
    return Derivation(subject, steps, note=_known(joint))


def share(joint: Joint, part: Number, whole: Number) -> Formula:
    """A part of a whole in numbers, not reduced, since 2/2 says more than 1; 0/0 is undefined."""
    if not whole:
        return Undefined()
    if not joint.outcomes.stated:
        return Ratio(Value(part), Value(whole))
    top, bottom = (Value(divided(w, joint.whole), stated=True) for w in (part, whole))
    return top if whole == joint.whole else Ratio(top, bottom)


def _known(joint: Joint) -> str:
    return f"among the rows with {joint.known}" if joint.known != EVERYTHING else ""


def _stated(joint: Joint, event: Event, given: Event, value: Number) -> Derivation:
    """Cells are summed, and one sum is divided by the other."""
    if given == EVERYTHING:
        return _sum(joint, event)
    top, bottom = _sum(joint, both(event, given)), _sum(joint, given)
    definition = Step(Ratio(top.subject, bottom.subject), "definition of a conditional probability")
    numbers = Step(Ratio(_value(top), _value(bottom)))
    parts = tuple(part for part in (top, bottom) if len(_terms(part)) > 1)
    subject = P(str(event), str(given), value)
    return Derivation(subject, (definition, numbers), parts, note=_known(joint))


def _value(part: Derivation) -> Value:
    value = part.value
    assert value is not None
    return Value(value, stated=True)


def _terms(part: Derivation) -> tuple[Formula, ...]:
    found = part.steps[0].formula
    return found.terms if isinstance(found, Sum) else ()


def _sum(joint: Joint, event: Event) -> Derivation:
    """The probability of an event as the sum of its cells: all others are summed out."""
    rows = list(_cells(joint, event).rows())
    cells = tuple(Value(divided(weight, joint.whole), stated=True) for _, weight in rows)
    total = Sum(cells)
    result = Value(divided(sum(weight for _, weight in rows), joint.whole), stated=True)
    steps = (Step(total, "sum of its cells"), Step(result)) if len(cells) > 1 else (Step(result),)
    return Derivation(P(str(event), "", result.value), steps, note=_known(joint))


def _cells(joint: Joint, event: Event) -> Table:
    """The cells of an event over all variables; over its own where those would be too many."""
    where, own = both(joint.known, event), columns_of(event) or joint.names[:1]
    sizes = (len(joint.outcomes.variable(name).labels) for name in joint.names)
    if prod(sizes) > FEW:
        return joint.outcomes.table(own, where)
    cells = joint.outcomes.table(joint.names, where)
    return cells if len(cells.codes) <= CELLS else joint.outcomes.table(own, where)
