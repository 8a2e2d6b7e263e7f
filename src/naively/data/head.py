"""What a text file begins with: how its bytes are packed, its first line, where it goes wrong.

DuckDB sniffs; here Python looks at the same first bytes, so that what the sniffer takes in
its stride can be told by line and cells.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

from naively.errors import DataError

__all__ = ["MARKS", "Head", "head_of", "is_elsewhere", "is_gzip", "opened"]

SIZE = 1 << 18
"""Bytes that are looked at."""
MARKS = ",;\t|"
"""What may stand between cells."""
BEGINNINGS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""Byte order marks, by which a text says its encoding."""


def is_elsewhere(path: str) -> bool:
    """Whether only DuckDB can open a file: in the web, or packed as Python does not know."""
    return "://" in path or path.endswith(".zst")


def is_gzip(path: str) -> bool:
    """Whether a file is packed, whatever its name says."""
    if is_elsewhere(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


def opened(path: str) -> IO[bytes]:
    """A file here for its plain bytes."""
    return gzip.open(path, "rb") if is_gzip(path) else open(path, "rb")  # type: ignore[return-value]


@dataclass(frozen=True)
class Head:
    r"""The text that a file begins with, without a comment's lines.

    >>> head = Head("a,b\n1,2\n3\n")
    >>> head.names(",", '"'), head.ragged(",")
    (('a', 'b'), (3, 1, 2))
    """

    text: str
    comment: str = ""

    @cached_property
    def lines(self) -> list[str]:
        lines = io.StringIO(self.text, newline="")
        return [one for one in lines if not (self.comment and one.startswith(self.comment))]

    @property
    def blank(self) -> bool:
        """Whether there is nothing but space."""
        return not self.text.strip()

    @property
    def quoted(self) -> bool:
        """Whether there are quotation marks."""
        return '"' in self.text

    def names(self, delimiter: str, quote: str, skip: int = 0) -> tuple[str, ...]:
        """The cells of the first line, as they are written."""
        reader = csv.reader(self.lines[skip:], delimiter=delimiter, quotechar=quote or '"')
        try:
            return tuple(next(reader, ()))
        except csv.Error:
            return ()

    def delimiter(self) -> str:
        """The mark that occurs most often in the first line."""
        first = next((line for line in self.lines if line.strip()), "")
        return max(MARKS, key=first.count)

    def ragged(self, delimiter: str) -> tuple[int, int, int] | None:
        """The first line with more or fewer cells than line 1: its number, and both counts."""
        expected = 0
        for line, row in self._rows(delimiter):
            if not row or line < 0:
                continue
            expected = expected or len(row)
            if len(row) != expected:
                return line, len(row), expected
        return None

    def unclosed(self, delimiter: str) -> int | None:
        r"""The line where a cell begins with a quotation mark that nothing closes rightly.

        >>> Head('a,b\n1,"x\n').unclosed(",")
        2
        """
        return next((-line for line, _ in self._rows(delimiter) if line < 0), None)

    def _rows(self, delimiter: str) -> Iterator[tuple[int, list[str]]]:
        """Rows with the number of their first line; one that cannot be read has it negative."""
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=delimiter, strict=True)
        line = 1
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield -line, []
                return
            if not (self.comment and row and row[0].startswith(self.comment)):
                yield line, row
            line = reader.line_num + 1


def head_of(path: str, options: dict[str, Any], shown: str) -> Head | None:
    """The head of a file, in the encoding that was said; None for what lies elsewhere."""
    if is_elsewhere(path):
        return None
    with opened(path) as file:
        start = file.read(SIZE)
    encoding = options.get("encoding")
    mark = next((e for mark, e in BEGINNINGS.items() if start.startswith(mark)), None)
    if encoding is None and mark is not None:
        from naively.data.options import advice

        found = f"{shown}: text in {mark.upper()}, by its first bytes"
        raise DataError(found, "text in UTF-8", advice("encoding", mark))
    text = start.decode(encoding or "utf-8", errors="replace").removeprefix("\ufeff")
    if len(start) == SIZE:  # the last line may be cut
        text = text[: text.rfind("\n") + 1] or text
    return Head(text, options.get("comment", ""))
