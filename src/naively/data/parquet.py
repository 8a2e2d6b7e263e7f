"""Parquet: one file after another, a bounded piece at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from naively.data.arrow import StreamSource
from naively.data.source import ROWS, Source
from naively.errors import DataError

__all__ = ["parquet_source"]

BUFFER = 1 << 20
"""Bytes of a column that are read at a time, so that memory does not grow with row groups."""


def parquet_source(text: str, paths: list[str], markers: frozenset[str]) -> Source:
    """The source of some Parquet files of the same columns."""
    schemas = [_opened(path).schema_arrow for path in paths]
    names = schemas[0].names
    for path, schema in zip(paths, schemas, strict=True):
        if set(schema.names) != set(names):
            odd = sorted(set(schema.names) ^ set(names))
            raise DataError(f"{path}: columns {odd} are not in every file", "the same columns")

    def opened(wanted: Sequence[str]) -> Iterator[Any]:
        for path, schema in zip(paths, schemas, strict=True):
            yield from _batches(path, schema, wanted)

    rows = sum(_opened(path).metadata.num_rows for path in paths)
    source = StreamSource(names, opened, os.path.basename(text), rows)
    source.markers = markers
    return source


def _opened(path: str, texts: Sequence[str] = ()) -> Any:
    try:
        return pq.ParquetFile(
            path, read_dictionary=list(texts), pre_buffer=False, buffer_size=BUFFER
        )
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}", "a Parquet file") from error


def _batches(path: str, schema: Any, wanted: Sequence[str]) -> Iterator[Any]:
    """Record batches with texts as dictionaries, as they are stored."""
    kinds = (pa.string(), pa.large_string())
    texts = [field.name for field in schema if field.name in wanted and field.type in kinds]
    file = _opened(path, texts)
    try:
        yield from file.iter_batches(ROWS, columns=list(wanted), use_threads=False)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}", "a Parquet file") from error
    finally:
        file.close()
