"""What a text file is made of: its dialect, its columns and their likely types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naively.data.files import literal
from naively.data.paths import FirstLine, first_line
from naively.errors import DataError

__all__ = ["Sniffed", "sniffed"]

TYPES = ("BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR")
"""What a text column may be sniffed as: never boolean, since t/f and yes/no are labels too."""
OLD_TYPES = tuple(name for name in TYPES if name != "TIMESTAMPTZ")
"""Those that DuckDB before 1.4 can sniff."""
KEPT = ("encoding", "decimal_separator")
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
    """What DuckDB finds in so many of the first rows, or in all (-1)."""
    given = {"nullstr": nulls, "sample_size": sample, **options}
    words = "".join(f", {k}={literal(v)}" for k, v in given.items())
    query = f"FROM sniff_csv({literal(path)}{words}, auto_type_candidates="
    try:
        relation = connection.sql(f"{query}{literal(TYPES)})")
    except Exception as error:
        if "Auto Type Candidate" not in str(error):
            raise
        relation = connection.sql(f"{query}{literal(OLD_TYPES)})")
    found = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
    line = first_line(path, found, options.get("encoding"))
    columns = {column["name"]: column["type"] for column in found["Columns"]}
    _check(shown, found, columns, line)
    kept = {name: value for name, value in options.items() if name in KEPT}
    spaced = line is not None and line.spaced
    return Sniffed(path, {**_dialect(found, line), **kept}, columns, spaced, shown)


def _check(
    path: str, found: dict[str, Any], columns: dict[str, str], line: FirstLine | None
) -> None:
    """What the sniffer takes in its stride and we do not: rows dropped, names doubled."""
    ragged = "as many cells in each row as there are names in the header"
    if found["SkipRows"] and not found["HasHeader"]:
        raise DataError(f"{path}: rows of unequal length", ragged, "mend it, or say delimiter=")
    if len(columns) == 1 and any(mark in next(iter(columns)) for mark in ",;\t|"):
        raise DataError(f"{path}: a header {next(iter(columns))!r} above other rows", ragged)
    if found["HasHeader"] and line is not None:
        doubles = [name for name in line.names if name and line.names.count(name) > 1]
        if doubles:
            name = doubles[0]
            raise DataError(f"{path}: two columns are named {name!r}", "one name for each")


def _dialect(found: dict[str, Any], line: FirstLine | None) -> dict[str, Any]:
    """The options of DuckDB's reader for what its sniffer found."""

    def plain(value: str | None) -> str:
        return "" if value in (None, "(empty)", "\0") else str(value)

    quote = plain(found["Quote"])
    if not quote and (line is None or not line.quotes):
        quote = '"'  # none yet: there may be some further down
    dialect: dict[str, Any] = {
        "delim": found["Delimiter"],
        "quote": quote,
        "escape": plain(found["Escape"]) or quote,
        "header": bool(found["HasHeader"]),
        "skip": int(found["SkipRows"]),
        "comment": plain(found["Comment"]),
    }
    for name, key in (("dateformat", "DateFormat"), ("timestampformat", "TimestampFormat")):
        if found.get(key):
            dialect[name] = found[key]
    if "strict_mode=false" in (found.get("Prompt") or ""):
        dialect["strict_mode"] = False
    return dialect
