"""What texts look like: numbers or dates but for some cells, which the schema's reason says.

Nothing is guessed by it but the format of dates, where only one fits all cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from naively.data.times import YEAR_FIRST, possible_formats

__all__ = ["Clue", "clue_of"]

_DIGITS = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_GROUPS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
FORMS: Mapping[str, re.Pattern[str]] = {
    "": re.compile(rf"[+-]?(?:{_DIGITS}|nan|inf|infinity)", re.I),
    "thousands separators": re.compile(rf"[+-]?{_GROUPS}"),
    "a decimal comma": re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+"),
    "%": re.compile(rf"[+-]?(?:{_DIGITS}|{_GROUPS}|\d+,\d+) ?%"),
    "a currency": re.compile(
        rf"[+-]?[$€£¥] ?(?:{_GROUPS}|{_DIGITS})|(?:{_GROUPS}|{_DIGITS}) ?[$€£¥]"
    ),
}
"""How numbers may be written, by what stands beside their digits."""
LOOK = 100
"""So many texts decide whether all are looked at."""
SHOWN = 3
"""So many other texts are kept as examples."""


@dataclass(frozen=True)
class Clue:
    """How many cells look like numbers or dates, and examples of those that do not.

    >>> clue = clue_of(["1", "2.5", "NA"], [5, 4, 1])
    >>> print(clue.says())
    9 of 10 cells are numbers; the others are such as 'NA': turn them into numbers
    """

    cells: int = 0
    numbers: Counter[str] = field(default_factory=Counter)
    dates: int = 0
    formats: frozenset[str] | None = None
    """The formats that fit all dates so far."""
    others: tuple[str, ...] = ()

    def __add__(self, other: Clue) -> Clue:
        both = [formats for formats in (self.formats, other.formats) if formats is not None]
        return Clue(
            self.cells + other.cells,
            self.numbers + other.numbers,
            self.dates + other.dates,
            frozenset.intersection(*both) if both else None,
            tuple(dict.fromkeys((*self.others, *other.others)))[:SHOWN],
        )

    @property
    def format(self) -> str:
        """The one format of a column of dates, else nothing."""
        one = self.formats if self.dates == self.cells and self.formats else ()
        return next(iter(one)) if len(one) == 1 else ""

    def says(self, markers: Sequence[str] | None = None) -> str:
        """What was found and what to do; `markers` are those of a file, which takes options."""
        n = max(self.numbers.total(), self.dates)
        if 2 * n < self.cells or not self.cells:
            return ""
        share = f"all {n:,}" if n == self.cells else f"{n:,} of {self.cells:,}"
        others = ", ".join(map(repr, self.others))
        odd = f"; the others are such as {others}" if others else ""
        what = "dates" if self._dated else _written(self.numbers)
        return f"{share} cells are {what}{odd}: {self._fix(markers)}"

    @property
    def _dated(self) -> bool:
        return self.dates > self.numbers.total()

    def _fix(self, markers: Sequence[str] | None) -> str:
        """What to do, by options where there are some."""
        if markers is None:
            return f"turn them into {'dates' if self._dated else 'numbers'}"
        fixes = [f"missing={[*markers, *self.others]!r}"] if self.others else []
        if self._dated and not self.formats:
            return "write them all in one way"
        if self._dated and self.formats != frozenset(YEAR_FIRST[:1]):
            fixes.append(" or ".join(f"dates={one!r}" for one in sorted(self.formats or ())))
        elif self.numbers["a decimal comma"]:
            fixes.append("decimal=','")
        elif any(self.numbers[form] for form in FORMS if form):
            return "write them with digits and a point alone"
        return f"say {', '.join(fixes)}" if fixes else "turn them into numbers"


def _written(numbers: Counter[str]) -> str:
    """Numbers, and what stands beside their digits.

    >>> _written(Counter({"": 2, "%": 3}))
    'numbers, some with %'
    """
    beside = ", ".join(form for form, n in numbers.items() if form and n)
    some = ", some" if numbers[""] else ""
    return f"numbers{some} with {beside}" if beside else "numbers"


def clue_of(texts: Sequence[str], counts: Sequence[int] | Any) -> Clue:
    """The clue of distinct texts and how often each of them occurs.

    >>> clue_of(["31/12/2020", "01/02/2020"], [1, 1]).format
    '%d/%m/%Y'
    """
    sample = texts[:LOOK]
    if 2 * sum(map(_is_likely, sample)) < len(sample):
        return Clue(int(sum(counts)), others=tuple(texts[:SHOWN]))
    numbers: Counter[str] = Counter()
    dates, formats = 0, None
    others: list[str] = []
    for text, n in zip(texts, counts, strict=True):
        form = _form(text)
        if form is not None:
            numbers[form] += int(n)
        elif days := possible_formats(text):
            dates += int(n)
            formats = days if formats is None else formats & days
        elif len(others) < SHOWN:
            others.append(text)
    return Clue(int(sum(counts)), numbers, dates, formats, tuple(others))


def _is_likely(text: str) -> bool:
    return _form(text) is not None or bool(possible_formats(text))


def _form(text: str) -> str | None:
    """What stands beside the digits of a number; None of what is none."""
    return next((form for form, pattern in FORMS.items() if pattern.fullmatch(text)), None)
