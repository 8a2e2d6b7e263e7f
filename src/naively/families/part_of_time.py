"""Time part: the hour, weekday, day, month or quarter of a time, as a category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from naively.data.coding import PARTS, Coding, TimePart
from naively.families.base import Family, Part, check_amounts, require
from naively.families.categorical import Categorical

__all__ = ["PartOfTime"]


@dataclass(frozen=True, slots=True)
class PartOfTime(Family):
    """One part of a date or timestamp; every value it can have is declared.

    A time with a zone is read in UTC, as everywhere in naively: convert it first where the
    local hour is meant.

    >>> PartOfTime("weekday").parts()[0][1]
    TimePart(part='weekday')
    """

    part: str = "weekday"
    alpha: float = 1.0
    name: ClassVar[str] = "part_of_time"
    of_type: ClassVar[str | None] = "time"
    generative: ClassVar[bool] = False
    derived: ClassVar[tuple[str, type[Coding]] | None] = ("categorical", TimePart)

    def validate(self) -> None:
        require(self.part in PARTS, f"part={self.part!r}", f"one of {', '.join(PARTS)}")
        check_amounts(alpha=self.alpha)

    def parts(self) -> tuple[Part, ...]:
        return ((Categorical(alpha=self.alpha, labels=PARTS[self.part][0]), TimePart(self.part)),)

    def __str__(self) -> str:
        return f"categorical ({self.part})"
