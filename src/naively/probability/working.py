"""The working of a conditional probability: its definition, the cells summed, the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from naively.derivation import Derivation, Step
from naively.derivation.exact import Number
from naively.derivation.formula import Formula, P, Ratio, Sum, Value, divided
from naively.probability.event import EVERYTHING, Event, both, columns_of

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["counted", "ratio"]

CELLS = 12
"""Cells of a sum that are shown one by one."""


def ratio(joint: Joint, event: Event, given: Event, part: Number, whole: Number) -> Derivation:
    """P(a | b) = P(a, b) / P(b), from the weights of (a, b) and of b."""
    value = divided(part, whole)
    if joint.outcomes.stated:
        return _stated(joint, event, given, value)
    subject = P(str(event), str(given) if given != EVERYTHING else "", value)
    below = str(given) if given != EVERYTHING else "all"
    counts = Ratio(
        P(str(both(event, given)), "", part, of="N"),
        P(below, "", whole, of="N"),
    )
    steps = (Step(counts, _what(joint)), Step(Ratio(Value(part), Value(whole))))
    return Derivation(subject, steps, note=_known(joint))


def counted(part: Number, whole: Number) -> Formula:
    """A ratio of weights, not reduced: 2/2 says more than 1."""
    return Ratio(Value(part), Value(whole))


def _what(joint: Joint) -> str:
    return "rows counted" if isinstance(joint.whole, int) else "weights of rows"


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
    names = joint.names
    rows = list(joint.outcomes.table(names, both(joint.known, event)).rows())
    if len(rows) > CELLS and columns_of(event):
        names = columns_of(event)
        rows = list(joint.outcomes.table(names, both(joint.known, event)).rows())
    whole = joint.whole
    cells = tuple(Value(divided(weight, whole), stated=True) for _, weight in rows)
    total = Sum(cells)
    subject = P(str(event), "", total.value)
    result = Value(divided(sum(weight for _, weight in rows), whole), stated=True)
    steps = (Step(total, "sum of its cells"), Step(result)) if len(cells) > 1 else (Step(result),)
    return Derivation(subject, steps, note=_known(joint))
