"""`col`: events written in Python.

>>> print((col("age") < 30) & ~(col("vote") == "yes"))
age<30, vote≠yes
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naively.errors import ParameterError
from naively.probability.event import Compare, Event, Holds, Missing, Not, OneOf, both

__all__ = ["col", "event_of"]


@dataclass(frozen=True, slots=True, eq=False)
class col:
    """A column, to be compared: `col("age") < 30`, `col("city").isin(["Bonn", "Ulm"])`."""

    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.name))  # frames may call columns 0, 1, ...

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, value: object) -> Event:  # type: ignore[override]
        return Compare(self.name, "=", value)

    def __ne__(self, value: object) -> Event:  # type: ignore[override]
        return Compare(self.name, "!=", value)

    def __lt__(self, value: object) -> Event:
        return Compare(self.name, "<", value)

    def __le__(self, value: object) -> Event:
        return Compare(self.name, "<=", value)

    def __gt__(self, value: object) -> Event:
        return Compare(self.name, ">", value)

    def __ge__(self, value: object) -> Event:
        return Compare(self.name, ">=", value)

    def __invert__(self) -> Event:
        return Not(Holds(self.name))

    def __and__(self, other: Event | col) -> Event:
        return both(Holds(self.name), event_of(other))

    def __or__(self, other: Event | col) -> Event:
        return Holds(self.name) | event_of(other)

    def __bool__(self) -> bool:
        return bool(Holds(self.name))  # which is refused

    def isin(self, values: Any) -> Event:
        """Whether the cell is one of the values."""
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            fix = f"isin([{values!r}])"
            raise ParameterError(f"isin({values!r})", "a list of values", fix)
        return OneOf(self.name, tuple(values))

    def is_missing(self) -> Event:
        """Whether the cell is not there."""
        return Missing(self.name)


def event_of(x: Event | col) -> Event:
    """An event; a column alone is one of truth values that is true."""
    return Holds(x.name) if isinstance(x, col) else x
