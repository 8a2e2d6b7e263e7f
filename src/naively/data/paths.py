"""Which files a path means, and what format they are in."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from naively.errors import DataError, SourceNotFound, nearest

__all__ = ["FORMATS", "MARKERS", "format_of", "matching"]

MARKERS = ("", "?")
"""The cells of files that are missing."""

FORMATS = {
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
    ".tab": "text",
    ".data": "text",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""The formats by the end of the name, before .gz or .zst."""


def matching(path: str) -> list[str]:
    """The files that a path or a pattern names, in order."""
    if "://" in path or os.path.isfile(path):
        return [path]
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        fix = f"say which of its files: {os.path.join(path, '*.csv')!r}"
        raise DataError(f"{path} is a folder", "a file or a pattern", fix)
    if os.path.exists(path):
        fix = "write what it gives into a file first"
        raise DataError(f"{path} is a pipe or a device", "a file, which can be read twice", fix)
    found = sorted(one for one in glob.glob(path, recursive=True) if os.path.isfile(one))
    if not found:
        raise _not_found(path)
    return found


def _not_found(path: str) -> SourceNotFound:
    folder = os.path.dirname(path) or "."
    shown = path if len(path) <= 200 else path[:197] + "..."
    if not os.path.isdir(folder):
        return SourceNotFound(f"no file {shown!r}: there is no folder {folder[:200]!r}")
    names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    fix = nearest(os.path.basename(path), names) if names else f"{folder!r} is empty"
    return SourceNotFound(f"no file {shown!r}", fix=fix)


def format_of(path: str) -> str:
    """The format of a file by its name.

    >>> format_of("train.csv.gz"), format_of("part-0.parquet")
    ('text', 'parquet')
    """
    name = path.partition("?")[0] if "://" in path else path
    ends = [end.lower() for end in Path(name).suffixes]
    if ends and ends[-1] in (".gz", ".zst"):
        ends.pop()
    if not ends or ends[-1] not in FORMATS:
        known = ", ".join(FORMATS)
        raise DataError(f"{path}: a file of unknown format", f"a name that ends in {known}")
    return FORMATS[ends[-1]]
