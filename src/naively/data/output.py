"""Answers as files: CSV, Parquet or JSON lines by extension, written whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from naively.errors import NaivelyError, NotWritten, ParameterError, SourceNotFound

__all__ = ["WRITERS", "beside", "check_place", "write_rows"]

Rows = Iterable[Mapping[str, Any]]
"""Parts of a table: columns by name, each a list or an array; masked cells are empty."""


def write_rows(parts: Rows, path: Path | None) -> None:
    """Write the parts of a table one after another; without a path as CSV to stdout.

    >>> write_rows([{"prediction": ["no"], "p_yes": [0.25]}], None)
    "prediction","p_yes"
    "no",0.25
    """
    if path is None:
        _write_csv(parts, _stdout())
        return
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        endings = ", ".join(WRITERS)
        raise ParameterError(f"output to {path.name!r}", f"a name that ends in {endings}")
    with beside(path) as file:
        writer(parts, file)


@contextmanager
def beside(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name when all of it is written and on the disk."""
    place = Path(os.path.realpath(path))  # what a link points at changes, and the link stays
    check_place(place)
    with _blaming(path):
        handle, name = _new_file(place.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, place)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(name)
            raise


def check_place(path: Path) -> None:
    """Refuse what cannot become a file, before any work is done for it."""
    with _blaming(path):
        taken, at_home = path.exists() and not path.is_file(), path.parent.is_dir()
    if taken:
        raise NotWritten(f"{str(path)!r} is a folder or a device", "the name of a file")
    if not at_home:
        raise SourceNotFound(f"no folder {str(path.parent)!r} to write {path.name!r} into")


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """No room and no right to write, said with the name that the user gave."""
    try:
        yield
    except NaivelyError:
        raise
    except OSError as error:
        why = error.strerror or error
        found = f"{str(path)!r} cannot be written ({why})"
        raise NotWritten(found, "a folder with room, and the right to write there") from error


def _new_file(folder: Path) -> tuple[int, str]:
    """A file that is not there yet, with the rights that the system gives to new ones."""
    name = os.path.join(folder, f".naively-{secrets.token_hex(8)}")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(name, flags, 0o666), name


class _Encoded:
    """A text stream that takes bytes (what stdout is under a test runner)."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def write(self, data: bytes) -> int:
        return self.stream.write(data.decode())

    def flush(self) -> None:
        self.stream.flush()


def _stdout() -> Any:
    if sys.stdout is None:  # closed by the shell: `naively predict ... >&-`
        raise NotWritten("standard output is closed", "somebody who reads", "name a file by -o")
    sys.stdout.flush()
    return getattr(sys.stdout, "buffer", None) or _Encoded(sys.stdout)


def _write_csv(parts: Rows, file: Any) -> None:
    import pyarrow as pa
    from pyarrow import csv

    for i, part in enumerate(parts):
        sink = pa.BufferOutputStream()
        csv.write_csv(pa.table(dict(part)), sink, csv.WriteOptions(include_header=i == 0))
        file.write(sink.getvalue().to_pybytes())
    file.flush()


def _write_parquet(parts: Rows, file: Any) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    tables = (pa.table(dict(part)) for part in parts)
    first = next(tables)
    with parquet.ParquetWriter(file, first.schema) as writer:
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def _write_json_lines(parts: Rows, file: Any) -> None:
    for part in parts:
        columns = [v if isinstance(v, list) else v.tolist() for v in part.values()]
        for row in zip(*columns, strict=True):
            file.write(json.dumps(dict(zip(part, row, strict=True))).encode() + b"\n")


WRITERS = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".jsonl": _write_json_lines,
    ".ndjson": _write_json_lines,
}
"""Who writes a file, by its extension."""
