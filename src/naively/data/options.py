"""What may be said of a text file beside its path, and how its bytes become UTF-8."""

from __future__ import annotations

import codecs
import encodings.aliases
import gzip
import tempfile
from collections.abc import Mapping
from typing import Any

from naively.errors import DataError, ParameterError, nearest

__all__ = ["OPTIONS", "checked", "utf8_copy"]

OPTIONS = ("missing", "encoding", "delimiter", "header", "decimal")
"""The options of `read` for files of text; the first is one of every source."""
ELSEWHERE = {
    "sep": "delimiter",
    "separator": "delimiter",
    "delim": "delimiter",
    "na_values": "missing",
    "nullstr": "missing",
    "decimal_separator": "decimal",
}
"""What other libraries call them."""
CHUNK = 1 << 20


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, in DuckDB's words.

    >>> checked({"delimiter": ";", "decimal": ",", "header": None})
    {'delim': ';', 'decimal_separator': ','}
    """
    for name in options:
        if name not in OPTIONS:
            raise _unknown(name)
    encoding, delimiter = options.get("encoding"), options.get("delimiter")
    header, decimal = options.get("header"), options.get("decimal")
    if delimiter is not None and not _is_mark(delimiter):
        raise ParameterError(f"delimiter={delimiter!r}", "one character", "'\\t' is a tab")
    if header not in (None, True, False):
        raise ParameterError(f"header={header!r}", "True or False")
    if decimal not in (None, ".", ","):
        raise ParameterError(f"decimal={decimal!r}", "'.' or ','")
    if decimal == "," == delimiter:
        raise ParameterError("delimiter=',' and decimal=','", "two different marks")
    words = {"delim": delimiter, "header": header, "decimal_separator": decimal}
    words["encoding"] = None if encoding is None else _codec(encoding)
    return {name: value for name, value in words.items() if value is not None}


def _unknown(name: str) -> ParameterError:
    known = ", ".join(OPTIONS)
    same = ELSEWHERE.get(name)
    fix = nearest(name, OPTIONS) if same is None else f"say {same}="
    return ParameterError(f"read has no option {name!r}", f"one of {known}", fix)


def _is_mark(delimiter: object) -> bool:
    return isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n'


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


def utf8_copy(path: str, encoding: str) -> Any:
    """A temporary file that holds the text in UTF-8; it is gone with the object."""
    if "://" in path or path.endswith(".zst"):
        found = f"{path} in {encoding}"
        raise ParameterError(found, "UTF-8 or latin-1 there", "decode it into a file first")
    opened = gzip.open if path.endswith(".gz") else open
    decoder = codecs.getincrementaldecoder(encoding)()
    copy = tempfile.NamedTemporaryFile(suffix=".csv")  # noqa: SIM115
    done = 0
    with opened(path, "rb") as file:
        while True:
            chunk = file.read(CHUNK)
            try:
                copy.write(decoder.decode(chunk, final=not chunk).encode())
            except UnicodeError as error:
                at = done + getattr(error, "start", 0)
                raise _undecodable(path, encoding, at) from error
            if not chunk:
                break
            done += len(chunk)
    copy.flush()
    return copy


def _undecodable(path: str, encoding: str, at: int) -> DataError:
    found = f"{path}: bytes near {at:,} that are not {encoding}"
    return DataError(found, f"text in {encoding}", "say another encoding=")
