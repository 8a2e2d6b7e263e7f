"""Parquet: one file after another, a bounded piece at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from naively.data.ahead import ahead
from naively.data.arrow import StreamSource, one_after_another
from naively.data.arrow_cells import kind_of
from naively.data.cells import joined_kind
from naively.data.large import parquet_relation
from naively.data.source import ROWS, Source
from naively.errors import DataError

__all__ = ["parquet_source"]

BUFFER = 1 << 20
"""Bytes of a column that are read at a time, so that memory does not grow with row groups."""


def parquet_source(text: str, paths: list[str], markers: frozenset[str]) -> Source:
    """The source of some Parquet files of the same columns."""
    schemas = {path: _opened(path).schema_arrow for path in paths}
    names = schemas[paths[0]].names
    for path, schema in schemas.items():
        if set(schema.names) != set(names):
            odd = sorted(set(schema.names) ^ set(names))
            raise DataError(f"{path}: columns {odd} are not in every file", "the same columns")
    common = {name: _common(name, schemas) for name in names}

    def opened(wanted: Sequence[str]) -> Iterator[Any]:
        types = {name: common[name] for name in wanted}
        parts = ((path, ahead(_batches(path, schema, types))) for path, schema in schemas.items())
        return one_after_another(parts, source.begun)

    rows = sum(_opened(path).metadata.num_rows for path in paths)
    source = StreamSource(names, opened, os.path.basename(text), rows)
    source.markers = markers
    source.related = lambda: parquet_relation(paths, rows)
    return source


def _common(name: str, schemas: Mapping[str, Any]) -> Any:
    """The type that numbers of several files share; None where each keeps its own."""
    kind, before = "empty", ""
    for path, schema in schemas.items():
        of = schema.field(name).type
        kind = joined_kind(kind, kind_of(of))
        if kind == "mixed":
            found = f"{path}: column {name!r} holds {of}, {before}"
            raise DataError(found, "one kind of value in all files", "convert it in one of them")
        before = before or (f"and {of} in {path}" if kind != "empty" else "")
    types = {schema.field(name).type for schema in schemas.values()}
    if len(types) == 1 or kind not in ("integer", "number"):
        return None
    large = any(of == pa.uint64() or pa.types.is_decimal(of) for of in types)
    whole = pa.decimal128(38, 0) if large else pa.int64()
    return whole if kind == "integer" else pa.float64()


def _opened(path: str, texts: Sequence[str] = ()) -> Any:
    try:
        return pq.ParquetFile(
            path, read_dictionary=list(texts), pre_buffer=False, buffer_size=BUFFER
        )
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}", "a Parquet file") from error


def _batches(path: str, schema: Any, types: Mapping[str, Any]) -> Iterator[Any]:
    """Record batches with texts as dictionaries, as they are stored."""
    kinds = (pa.string(), pa.large_string())
    texts = [field.name for field in schema if field.name in types and field.type in kinds]
    file = _opened(path, texts)
    try:
        for batch in file.iter_batches(ROWS, columns=list(types), use_threads=False):
            yield _cast(batch, types)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}", "a Parquet file") from error
    finally:
        file.close()


def _cast(batch: Any, types: Mapping[str, Any]) -> Any:
    """A batch with the types that all files share."""
    for j, name in enumerate(batch.schema.names):
        of = types[name]
        if of is not None and batch.column(j).type != of:
            batch = batch.set_column(j, name, batch.column(j).cast(of, safe=False))
    return batch
