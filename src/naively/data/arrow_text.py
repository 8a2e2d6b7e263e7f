"""Delimited text decoded by Arrow: half again as fast as DuckDB, and less patient.

DuckDB says what a file is made of. Where that is plain (numbers, words, quotes) Arrow may
decode it for a first look; at the first cell that it cannot read, the look is given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from naively import kernels
from naively.data.ahead import ahead
from naively.data.arrow import StreamSource, one_after_another
from naively.data.sniffing import Sniffed
from naively.data.watch import Disproved

__all__ = ["plain_text"]

TYPES = {"BIGINT": pa.int64(), "DOUBLE": pa.float64(), "VARCHAR": pa.string()}
"""DuckDB's types that both read alike."""
PLAIN = {"delim", "quote", "escape", "header", "skip", "comment"}
"""What a plain dialect says."""
BLOCK = 1 << 20
"""Bytes that are decoded at a time."""


def plain_text(
    files: Sequence[Sniffed], nulls: Sequence[str], description: str
) -> StreamSource | None:
    """The source of some files, None where one of them is not plain."""
    columns = files[0].columns
    if not all(_is_plain(file) and file.columns == columns for file in files):
        return None
    source: StreamSource

    def opened(names: Sequence[str]) -> Iterator[Any]:
        parts = ((file.shown, _batches(file, names, nulls)) for file in files)
        return one_after_another(parts, source.begun)

    source = StreamSource(list(columns), opened, description)
    source.spelling = True
    return source


def _is_plain(file: Sniffed) -> bool:
    known = set(file.dialect) <= PLAIN and not file.dialect["comment"] and not file.spaced
    return known and len(file.columns) > 1 and set(file.columns.values()) <= set(TYPES)


def _batches(file: Sniffed, names: Sequence[str], nulls: Sequence[str]) -> Iterator[Any]:
    """Record batches of some columns."""
    try:
        yield from ahead(_reader(file, names, nulls))
    except (pa.ArrowInvalid, pa.ArrowKeyError, UnicodeDecodeError) as error:
        raise Disproved from error


def _reader(file: Sniffed, names: Sequence[str], nulls: Sequence[str]) -> Iterator[Any]:
    import pyarrow.csv as csv

    said = file.dialect
    read = csv.ReadOptions(
        use_threads=kernels.threads() > 1,
        block_size=BLOCK,
        skip_rows=said["skip"],
        column_names=None if said["header"] else list(file.columns),
    )
    parse = csv.ParseOptions(
        delimiter=said["delim"],
        quote_char=said["quote"] or False,
        double_quote=said["escape"] == said["quote"],
        escape_char=said["escape"] if said["escape"] not in ("", said["quote"]) else False,
        newlines_in_values=bool(said["quote"]),
    )
    convert = csv.ConvertOptions(
        column_types={name: TYPES[of] for name, of in file.columns.items()},
        null_values=list(nulls),
        strings_can_be_null=True,
        include_columns=list(names),
    )
    yield from csv.open_csv(
        file.path, read_options=read, parse_options=parse, convert_options=convert
    )
