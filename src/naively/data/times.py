"""Moments as they are written: the year first, or in the format that a column is known to have.

The year comes first in "2024-12-31", so nobody can take its day for its month. Any other way
needs a format, which is part of the schema: a text means one moment in every source.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from naively._typing import AnyArray, Indices, Label
from naively.data.cells import Cells, MarkedCells, time_label

__all__ = ["YEAR_FIRST", "WrittenTimes", "moment", "possible_formats"]

YEAR_FIRST = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f")
"""What needs no format."""
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(\D.*)?")
_DATE = re.compile(
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?:([ T])(\d{1,2}):\d\d(:\d\d(\.\d+)?)?)?"
)


def moment(text: str, format: str = "") -> dt.datetime:
    """The moment that a text says; ValueError where it says none.

    >>> moment("2020-12-01 10:30"), moment("01/12/2020", "%d/%m/%Y")
    (datetime.datetime(2020, 12, 1, 10, 30), datetime.datetime(2020, 12, 1, 0, 0))
    """
    text = text.strip()
    if format:
        try:
            return dt.datetime.strptime(text, format)
        except ValueError:
            pass
    found = _ISO.fullmatch(text)
    if found is not None:
        year, month, day, rest = found.groups(default="")
        text = f"{year}-{month:>02}-{day:>02}{rest}"
    when = dt.datetime.fromisoformat(text)
    return when.astimezone(dt.UTC).replace(tzinfo=None) if when.tzinfo else when


def possible_formats(text: str) -> frozenset[str]:
    """The formats in which a text can be read as a moment.

    >>> sorted(possible_formats("01/12/2020")), sorted(possible_formats("31.12.2020"))
    (['%d/%m/%Y', '%m/%d/%Y'], ['%d.%m.%Y'])
    """
    if _ISO.fullmatch(text):
        return frozenset(YEAR_FIRST[:1])
    found = _DATE.fullmatch(text)
    if found is None or len(found[1]) == 3:
        return frozenset()
    first, mark, second = int(found[1]), found[2], int(found[3])
    year = "%Y" if len(found[4]) == 4 else "%y"
    clock = "" if found[5] is None else f"{found[5]}%H:%M"
    clock += "" if found[7] is None else ":%S" if found[8] is None else ":%S.%f"
    orders = []
    if 1 <= first <= 31 and 1 <= second <= 12:
        orders.append(("%d", "%m", year))
    if 1 <= first <= 12 and 1 <= second <= 31 and mark != ".":  # nobody writes 12.31.2020
        orders.append(("%m", "%d", year))
    if year == "%y" and 1 <= second <= 12 and len(found[1]) != 1:
        orders.append(("%y" if len(found[1]) == 2 else "%Y", "%m", "%d"))
    return frozenset(mark.join(order) + clock for order in orders)


class WrittenTimes(MarkedCells):
    """Texts that are moments in a format, as the ISO texts of the same moments.

    >>> from naively.data.objects import ObjectCells
    >>> WrittenTimes(ObjectCells(["01/12/2020", "?"]), "%d/%m/%Y").coded()
    (array([0, 1]), ['2020-12-01', '?'])
    """

    def __init__(self, cells: Cells, format: str) -> None:
        super().__init__(cells, frozenset())
        self.format = format

    def take(self, keep: AnyArray) -> WrittenTimes:
        return WrittenTimes(self.cells.take(keep), self.format)

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        codes, labels = self.cells.coded()
        return codes, [self._iso(str(label)) for label in labels]

    def _iso(self, text: str) -> str:
        """What is no moment stays as it is, for an error to show."""
        try:
            return time_label(moment(text, self.format))
        except ValueError:
            return text
