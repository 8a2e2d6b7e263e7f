"""JSON, a row a line or a list of rows; the types are those of all rows.

DuckDB takes integers beyond 64 bits for doubles, so those are read as they are written; and
where the rows of a column are of several kinds, it gives each as JSON, which is read here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from naively.data.arrow import StreamSource
from naively.data.cells import Cells
from naively.data.complaints import far_away
from naively.data.files import THREADS, complaint, connected, is_complaint, literal, streamed
from naively.data.objects import ObjectCells
from naively.errors import DataError

__all__ = ["JsonSource"]

ISO = "dateformat='iso', timestampformat='iso'"
"""Texts are times only where the year comes first: others may be read in two ways."""


class JsonSource(StreamSource):
    """Files of JSON with the same keys, or some of them."""

    def __init__(self, text: str, paths: list[str], markers: frozenset[str]) -> None:
        self.connection = connected(threads=THREADS)
        self.files = f"{literal(paths)}, union_by_name=true, {ISO}"
        self.text = text
        with self._blaming():
            relation = self.connection.sql(f"FROM read_json({self.files}, sample_size=-1)")
            self.types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        super().__init__(list(self.types), self._read, os.path.basename(text))
        self.spelt = frozenset(name for name, of in self.types.items() if of == "DOUBLE")
        self.markers = markers

    def cells_of(self, name: str, array: Any) -> Cells:
        """As every stream; cells of several kinds as what each of them is."""
        if self.types[name] != "JSON":
            return super().cells_of(name, array)
        return ObjectCells([None if v is None else json.loads(v) for v in array.to_pylist()])

    def _read(self, names: Sequence[str]) -> Iterator[Any]:
        types = {n: "VARCHAR" if n in self.spelt else self.types[n] for n in names}
        cursor = self.connection.cursor()
        with self._blaming():
            yield from streamed(
                cursor.sql(f"FROM read_json({self.files}, columns={literal(types)})")
            )

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if not is_complaint(error):
                raise
            if "://" in self.text:
                raise far_away(self.text, error) from error
            found = f"{self.text}: {complaint(error)}"
            raise DataError(found, "JSON, a row a line, or a list of rows") from error
