"""What a question refers to: names become columns of a table, values become labels.

What the table does not have is refused here, with the place in the question where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from naively.derivation.exact import Number
from naively.errors import ParameterError
from naively.probability.column import col, event_of
from naively.probability.event import (
    EVERYTHING,
    And,
    Atom,
    Event,
    Missing,
    Not,
    Or,
    atoms,
    both,
    columns_of,
)
from naively.probability.grammar import Question, event, question
from naively.probability.table import Outcomes, Table, unknown

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["asked", "bound", "check_names", "event_in", "names_in", "rows_without", "table_of"]


def bound(event: Event | col, outcomes: Outcomes) -> Event:
    """The event in terms of the outcomes' own columns and labels.

    >>> from naively.probability.event import Holds
    >>> from naively.probability.table import Table
    >>> coins = Table.of({"coin": ["fair", "biased"], "heads": [True, False]}, [1, 1])
    >>> print(bound(~Holds("heads"), coins))
    ¬heads
    """
    event = event_of(event)
    if isinstance(event, Atom):
        if event.column not in outcomes.names:
            raise unknown(event.column, outcomes.names, outcomes.description, event.mark)
        return outcomes.bind_atom(event)
    if isinstance(event, Not):
        part = bound(event.part, outcomes)
        return ~part
    if isinstance(event, Or):
        return Or(tuple(bound(part, outcomes) for part in event.parts))
    if not isinstance(event, And):
        what = f"an event of type {type(event).__name__}"
        raise ParameterError(what, "text such as 'vote=yes', or col('vote') == 'yes'")
    return both(*(bound(part, outcomes) for part in event.parts))


def asked(question_: Any, given: Any) -> Question:
    """A question from text or events, its condition behind a bar or apart."""
    if not isinstance(question_, str):
        return Question(question_, EVERYTHING if given is None else given)
    read = question(question_)
    if given is None:
        return read
    if read.given != EVERYTHING:
        raise ParameterError(f"{question_!r} beside given={given!r}", "a condition in one place")
    return Question(read.event, given, read.asked)


def event_in(joint: Joint, given: Any) -> Event:
    """An event of a distribution's variables, from text or from `col`; None is the certain one."""
    if given is None:
        return EVERYTHING
    found = event(given) if isinstance(given, str) else given
    if not isinstance(found, (Event, col)):
        what = f"an event of type {type(found).__name__}"
        raise ParameterError(what, "text such as 'vote=yes', or col('vote') == 'yes'")
    found = event_of(found)
    marks = {atom.column: atom.mark for atom in atoms(found)}
    check_names(joint, columns_of(found), marks)
    return bound(found, joint.outcomes)


def rows_without(joint: Joint, question_: str) -> dict[str, Number]:
    """How many rows have no cell in a column that a question compares; where that is at hand.

    Such rows have none of the values asked for, which is easily forgotten.
    """
    if not joint.outcomes.at_hand:
        return {}
    read = question(question_)
    found = list(atoms(read.event)) + list(atoms(read.given))
    told = {atom.column for atom in found if isinstance(atom, Missing)}
    names = [name for name in dict.fromkeys(a.column for a in found) if name not in told]
    gone = joint.outcomes.weights([Missing(name) for name in names], joint.known)
    return {name: n for name, n in zip(names, gone, strict=True) if n}


def check_names(joint: Joint, names: Sequence[str], marks: Any = None) -> None:
    """Refuse what is no variable of the distribution, or was summed out of it."""
    for name in names:
        if name not in joint.names:
            mark = (marks or {}).get(name, "")
            raise unknown(name, joint.names, joint.outcomes.description, mark)


def names_in(joint: Joint, names: Sequence[Any]) -> tuple[str, ...]:
    """Some variables of a distribution, one by one or as a list."""
    flat: list[str] = []
    for name in names:
        several = isinstance(name, (list, tuple))
        flat.extend(map(str, name) if several else [str(name)])
    if not flat:
        raise ParameterError("no variable", "at least one")
    check_names(joint, flat)
    return tuple(dict.fromkeys(flat))


def table_of(joint: Joint, *names: str) -> Table:
    """The distinct outcomes of some variables (of all, without names) and their weights."""
    check_names(joint, names)
    return joint.outcomes.table(names or joint.names, joint.known)
