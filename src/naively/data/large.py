"""Large tables as relations of DuckDB, which aggregates them where they lie, on all threads.

Small ones are read as every door reads them: that takes no longer, and sees more.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from naively import kernels
from naively.data.files import connected, literal, quoted

if TYPE_CHECKING:
    from naively.data.delimited import TextSource

__all__ = ["MANY_BYTES", "MANY_ROWS", "parquet_relation", "text_relation"]

MANY_ROWS = 1_000_000
"""A table of more rows is large,"""
KNOWN = {"delim", "header", "compression"}
"""Options of a file that say no more than its dialect does."""
MANY_BYTES = 64_000_000
"""and so is a file of text of more bytes."""


def parquet_relation(paths: Sequence[str], rows: int) -> Any:
    """Some Parquet files together; None where they are small."""
    if rows <= MANY_ROWS:
        return None
    connection = connected(threads=kernels.threads(), preserve_insertion_order=False)
    return connection.sql(f"SELECT * FROM read_parquet({literal(list(paths))}, union_by_name=true)")


def text_relation(source: TextSource) -> Any:
    """Some files of text together, with the types of their first rows; None where they are small.

    A cell further down that has another type makes the reading fail.
    """
    if sum(os.path.getsize(file.path) for file in source.files) <= MANY_BYTES:
        return None
    if source.dates or not set(source.options) <= KNOWN:
        return None
    connection = connected(threads=kernels.threads(), preserve_insertion_order=False)
    names = ", ".join(map(quoted, source.names))
    parts = [f"SELECT {names} FROM {source.table_of(file, source.common)}" for file in source.files]
    return connection.sql(" UNION ALL ".join(parts))
