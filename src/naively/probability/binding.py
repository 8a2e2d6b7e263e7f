"""Events bound to a table: names become its columns, values its labels.

What the table does not have is refused here, with the place in the question where it stands.
"""

from __future__ import annotations

from naively.probability.event import And, Atom, Event, Not, Or, both, col, event_of
from naively.probability.table import Outcomes, unknown

__all__ = ["bound"]


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
    assert isinstance(event, And)
    return both(*(bound(part, outcomes) for part in event.parts))
