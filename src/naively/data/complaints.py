"""What DuckDB says of a text file that it cannot read, in our words."""

from __future__ import annotations

import re

from naively.data.files import complaint
from naively.data.options import advice
from naively.errors import DataError

__all__ = ["far_away", "has_mixed_lines", "odd_text", "refusal", "unclosed"]

UNREADABLE = "state machine reached an invalid state"
"""How it calls lines that end in several ways."""


def has_mixed_lines(error: Exception) -> bool:
    """Whether lines that end in LF stand among others that end in CR LF.

    The sniffer only says that it finds nothing.
    """
    return UNREADABLE in str(error) or "automatically detect" in str(error)


def odd_text(error: Exception) -> tuple[str | None, str] | None:
    """The column, where it is said, and the text that cannot be converted."""
    text = str(error)
    found = re.search(r'column "(.*?)"\. Could not convert string "(.*?)" to', text, re.S)
    if found is not None:
        return found[1], found[2]
    found = re.search(r'Could not parse string "(.*?)" according to format', text, re.S)
    return None if found is None else (None, found[1])


def unclosed(path: str, line: object) -> DataError:
    """A quotation mark that begins a cell and does not end it."""
    return DataError(
        f"{path}, line {line}: a quotation mark that is not closed at the end of its cell",
        'cells such as "a, b"',
        'close it, or double it where it belongs to the text: "a ""b"" c"',
    )


def far_away(path: str, error: Exception) -> DataError:
    """A file elsewhere that cannot be had."""
    why = complaint(error, 1)
    if "httpfs" in str(error):
        why = "DuckDB reads it by its extension httpfs, which is not installed here"
    fix = "copy it here, or run duckdb.sql('INSTALL httpfs') where there is a network"
    return DataError(f"{path}: {why}", "a file that can be reached", fix)


def refusal(path: str, error: Exception) -> DataError:
    """The error for a file."""
    text = str(error)
    if "://" in path:
        return far_away(path, error)
    if "utf-8" in text.lower() or "unicode" in text:
        fix = advice("encoding", "latin-1")
        return DataError(f"{path}: bytes that are not UTF-8", "text in UTF-8", fix)
    counts = re.search(r"Columns: (\d+) Found: (\d+)", text)
    line = re.search(r"Line: (\d+)", text)
    where = f"{path}, line {line[1]}" if line else path
    if counts:
        return DataError(f"{where}: {counts[2]} cells", f"{counts[1]}, as in the other rows")
    if "unterminated quote" in text and line:
        return unclosed(path, line[1])
    fix = "say delimiter= (on the command line: --delimiter)"
    return DataError(f"{where}: {complaint(error)}", "a table as text", fix)
