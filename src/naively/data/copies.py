"""Copies of texts that DuckDB cannot read as they are: of another encoding, of mixed lines."""

from __future__ import annotations

import codecs
import io
import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, Any

from naively.data.head import is_elsewhere, opened
from naively.errors import DataError, ParameterError

__all__ = ["Copy"]

CHUNK = 1 << 20


class Copy:
    """A temporary file with the same text in UTF-8, gone with the object.

    With `lines` the encoding stays, and all lines end alike, also those within a cell.
    """

    def __init__(self, path: str, encoding: str, lines: bool = False) -> None:
        if is_elsewhere(path):
            found = f"{path}: in {encoding}, or with lines that end in several ways"
            expected = "UTF-8 or latin-1 there, and one kind of line end"
            raise ParameterError(found, expected, "copy it into a file first")
        handle, self.name = tempfile.mkstemp(prefix="naively-", suffix=".csv")
        weakref.finalize(self, os.unlink, self.name)
        with os.fdopen(handle, "wb") as copy, opened(path) as file:
            plain = codecs.getincrementaldecoder(encoding)()
            decoder = io.IncrementalNewlineDecoder(plain, translate=True) if lines else plain
            text = _decoded(file, decoder, f"{path}: bytes that are not {encoding}")
            copy.writelines(part.encode(encoding if lines else "utf-8") for part in text)


def _decoded(file: IO[bytes], decoder: Any, odd: str) -> Iterator[str]:
    done, chunk = 0, b"start"
    while chunk:
        chunk = file.read(CHUNK)
        try:
            yield decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            at = done + error.start
            raise DataError(f"{odd}, near byte {at:,}", "", "say another encoding=") from error
        done += len(chunk)
