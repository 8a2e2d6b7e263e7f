"""What may be said of a text file beside its path."""

from __future__ import annotations

import codecs
import encodings.aliases
from collections.abc import Mapping
from typing import Any

from naively.errors import ParameterError, nearest

__all__ = ["OPTIONS", "advice", "checked"]

OPTIONS = ("missing", "encoding", "delimiter", "header", "decimal", "comment", "dates")
"""The options of `read` for files of text; the first is one of every source."""
ELSEWHERE = {
    "sep": "delimiter",
    "separator": "delimiter",
    "delim": "delimiter",
    "na_values": "missing",
    "nullstr": "missing",
    "decimal_separator": "decimal",
    "dateformat": "dates",
    "date_format": "dates",
}
"""What other libraries call them."""
DAY = (("%d", "%j", "%x", "%c"), ("%m", "%b", "%B", "%j", "%x", "%c"), ("%Y", "%y", "%x", "%c"))
"""What the format of a date says: the day, the month and the year."""


def advice(name: str, value: object) -> str:
    """What to say, in Python and on the command line.

    >>> print(advice("encoding", "utf-16"))
    say encoding='utf-16' (on the command line: --encoding utf-16)
    """
    values = value if isinstance(value, (list, tuple)) else [value]
    words = " ".join(f"--{name} {_in_shell(one)}" for one in values)
    if isinstance(value, bool):
        words = f"--{name}" if value else f"--no-{name}"
    return f"say {name}={value!r} (on the command line: {words})"


def _in_shell(value: object) -> str:
    text = str(value)
    return text if text.replace("-", "").isalnum() else "'" + text.replace("'", "'\\''") + "'"


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, in DuckDB's words; `dates` is one of ours.

    >>> checked({"delimiter": ";", "decimal": ",", "header": None})
    {'delim': ';', 'decimal_separator': ','}
    """
    for name in options:
        if name not in OPTIONS:
            raise _unknown(name)
    encoding, delimiter = options.get("encoding"), options.get("delimiter")
    header, decimal = options.get("header"), options.get("decimal")
    comment, dates = options.get("comment"), options.get("dates")
    for name, mark in (("delimiter", delimiter), ("comment", comment)):
        if mark is not None and not _is_mark(mark):
            raise ParameterError(f"{name}={mark!r}", "one character", "'\\t' is a tab")
    if header not in (None, True, False):
        raise ParameterError(f"header={header!r}", "True or False")
    if decimal not in (None, ".", ","):
        raise ParameterError(f"decimal={decimal!r}", "'.' or ','")
    if dates is not None and not _is_format(dates):
        raise ParameterError(f"dates={dates!r}", "a format of days", "such as '%d/%m/%Y'")
    _refuse_two_meanings({"delimiter": delimiter, "decimal": decimal, "comment": comment})
    words = {"delim": delimiter, "header": header, "decimal_separator": decimal}
    words |= {"comment": comment, "dates": dates}
    words["encoding"] = None if encoding is None else _codec(encoding)
    return {name: value for name, value in words.items() if value is not None}


def _unknown(name: str) -> ParameterError:
    known = ", ".join(OPTIONS)
    same = ELSEWHERE.get(name)
    fix = nearest(name, OPTIONS) if same is None else f"say {same}="
    return ParameterError(f"read has no option {name!r}", f"one of {known}", fix)


def _is_mark(mark: object) -> bool:
    return isinstance(mark, str) and len(mark) == 1 and mark not in '"\r\n'


def _is_format(dates: object) -> bool:
    return isinstance(dates, str) and all(any(part in dates for part in of) for of in DAY)


def _refuse_two_meanings(marks: Mapping[str, object]) -> None:
    """One character cannot be two things."""
    names: dict[object, str] = {}
    for name, mark in marks.items():
        if mark is not None and mark in names:
            found = f"{names[mark]}={mark!r} and {name}={mark!r}"
            raise ParameterError(found, "two different marks")
        names[mark] = name


def _codec(encoding: object) -> str | None:
    """The name of a codec; None is UTF-8."""
    try:
        name = codecs.lookup(str(encoding)).name
        b"".decode(name)  # refuses codecs that are not of text
    except LookupError:
        fix = nearest(str(encoding), sorted({"cp1252", "latin-1", *encodings.aliases.aliases}))
        found = f"encoding={encoding!r}"
        raise ParameterError(found, "an encoding that Python knows", fix) from None
    if name in ("utf-8", "utf-8-sig"):
        return None
    return "latin-1" if name == "iso8859-1" else name
