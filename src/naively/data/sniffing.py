"""What a text file is made of: its dialect, its columns and their likely types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naively.data.complaints import unclosed
from naively.data.files import literal
from naively.data.head import MARKS, Head, head_of, is_gzip
from naively.errors import DataError

__all__ = ["Sniffed", "sniffed"]

NUMBERS = ("BIGINT", "DOUBLE")
TIMES = ("TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ")
"""What a text column may be sniffed as: never boolean, since t/f and yes/no are labels too."""
UNKNOWN = {"TIMESTAMPTZ"}
"""What DuckDB before 1.4 cannot sniff."""
KEPT = ("encoding", "decimal_separator", "compression")
"""Options that are told to the reader as they were to the sniffer."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """One file: its dialect in DuckDB's words, and its columns with their types."""

    path: str
    dialect: dict[str, Any]
    columns: dict[str, str]
    spaced: bool
    """Whether a space follows every delimiter."""
    shown: str
    """The path that the user gave, where we read a copy."""

    def stored(self, mode: str) -> str:
        """DuckDB's type for a way of reading a column.

        A day is read as a moment, since a cast to a day would drop the hour without a word.
        """
        if mode == "DATE" and not {"dateformat", "timestampformat"} & set(self.dialect):
            return "TIMESTAMP"
        return {"WHOLE": "DOUBLE", "SPELT": "VARCHAR"}.get(mode, mode)


def sniffed(
    connection: Any,
    path: str,
    shown: str,
    nulls: list[str],
    options: dict[str, Any],
    sample: int,
) -> Sniffed:
    """What DuckDB finds in so many of the first rows, or in all (-1).

    Nothing is a comment unless the user says so, and days whose year does not come first are
    left to `data/clues.py`, which looks at all of their cells.
    """
    head = head_of(path, options, shown)
    if head is not None and head.blank:
        raise DataError(f"{shown}: Found array with 0 sample(s)", "names and at least one row")
    given = {"comment": "", **options, "nullstr": nulls, "sample_size": sample}
    if is_gzip(path) and not path.endswith(".gz"):
        given["compression"] = "gzip"
    found = _found(connection, path, given, (*NUMBERS, *TIMES))
    if not _plain(found["Quote"]) and (head is None or head.quoted):
        found = _with_quotes(connection, path, shown, given, head, found)
    if any(of and not of.startswith("%Y") for of in (found[DAYS], found[MOMENTS])):
        given |= {"delim": found["Delimiter"], "header": bool(found["HasHeader"])}
        found = _found(connection, path, given, NUMBERS)
    columns = {column["name"]: column["type"] for column in found["Columns"]}
    names = _names(head, found)
    _check(shown, found, columns, names, head)
    kept = {name: value for name, value in given.items() if name in KEPT}
    spaced = len(names) > 1 and all(name.startswith(" ") for name in names[1:])
    return Sniffed(path, {**_dialect(found, given), **kept}, columns, spaced, shown)


DAYS, MOMENTS = "DateFormat", "TimestampFormat"


def _found(
    connection: Any, path: str, given: dict[str, Any], types: tuple[str, ...]
) -> dict[str, Any]:
    """The sniffer's answer."""
    words = "".join(f", {name}={literal(value)}" for name, value in given.items())
    query = f"FROM sniff_csv({literal(path)}{words}, auto_type_candidates="
    try:
        relation = connection.sql(f"{query}{literal((*types, 'VARCHAR'))})")
    except Exception as error:
        if "Auto Type Candidate" not in str(error):
            raise
        known = [of for of in (*types, "VARCHAR") if of not in UNKNOWN]
        relation = connection.sql(f"{query}{literal(known)})")
    return dict(zip(relation.columns, relation.fetchall()[0], strict=True))


def _with_quotes(
    connection: Any,
    path: str,
    shown: str,
    given: dict[str, Any],
    head: Head | None,
    found: dict[str, Any],
) -> dict[str, Any]:
    """The sniffer's answer where quotation marks are marks: it drops them if one is not closed."""
    marks = {"delim": found["Delimiter"], "quote": '"', "escape": '"'}
    try:
        return _found(connection, path, given | marks, (*NUMBERS, *TIMES))
    except Exception:
        delimiter = given.get("delim") or (head.delimiter() if head else found["Delimiter"])
        line = None if head is None else head.unclosed(delimiter)
        if line is None:
            raise
        raise unclosed(shown, line) from None


def _names(head: Head | None, found: dict[str, Any]) -> tuple[str, ...]:
    """The cells of the first line; none of what lies elsewhere."""
    if head is None:
        return ()
    return head.names(found["Delimiter"] or ",", _plain(found["Quote"]), int(found["SkipRows"]))


def _check(
    path: str,
    found: dict[str, Any],
    columns: dict[str, str],
    names: tuple[str, ...],
    head: Head | None,
) -> None:
    """What the sniffer takes in its stride and we do not: rows dropped, names doubled."""
    dropped = found["SkipRows"] and not found["HasHeader"]
    merged = len(columns) == 1 and any(mark in next(iter(columns)) for mark in MARKS)
    if dropped or merged:
        raise _ragged(path, head, found["Delimiter"] if dropped else None)
    if found["HasHeader"]:
        names = tuple(map(str.strip, names))
        doubles = [name for name in names if name and names.count(name) > 1]
        if doubles:
            name = doubles[0]
            raise DataError(f"{path}: two columns are named {name!r}", "one name for each")


def _ragged(path: str, head: Head | None, delimiter: str | None) -> DataError:
    """Rows of unequal length, by the first line that differs."""
    odd = None if head is None else head.ragged(delimiter or head.delimiter())
    fix = "mend it, or say delimiter="
    if odd is None:
        return DataError(f"{path}: rows of unequal length", "as many cells as names", fix)
    line, count, expected = odd
    return DataError(
        f"{path}, line {line}: {count:,} cells", f"{expected:,}, as in the first line", fix
    )


def _plain(value: str | None) -> str:
    """A mark as the sniffer says it."""
    return "" if value in (None, "(empty)", "\0") else str(value)


def _dialect(found: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The options of DuckDB's reader for what its sniffer found."""
    quote = _plain(found["Quote"]) or '"'  # none yet: there may be some further down
    dialect: dict[str, Any] = {
        "delim": found["Delimiter"],
        "quote": quote,
        "escape": _plain(found["Escape"]) or quote,
        "header": bool(found["HasHeader"]),
        "skip": int(found["SkipRows"]),
        "comment": given["comment"],
    }
    for name, key in (("dateformat", DAYS), ("timestampformat", MOMENTS)):
        if found.get(key):
            dialect[name] = found[key]
    return dialect
