"""From slices of a source to batches: each column takes the form that its schema says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naively._typing import AnyArray, Vector
from naively.data import casting
from naively.data.cells import Cells
from naively.data.column import Batch, Codes, Counts, Real
from naively.data.domain import Domain
from naively.data.odd import refuse_odd
from naively.data.schema import Column, Schema
from naively.data.times import WrittenTimes
from naively.errors import DataError, UnknownColumn, nearest

if TYPE_CHECKING:
    from naively.data.source import Slice, Source

__all__ = ["Decoder", "located"]

Located = tuple[Column, str]
"""A column and its name in the source."""


def located(source: Source, schema: Schema, aside: Sequence[str] = ()) -> list[Located]:
    """The columns to decode, by name in a named source, else by position.

    >>> from naively.data.source import read
    >>> source = read([[1.5, 2.5]])
    >>> [where for _, where in located(source, source.schema)]
    ['x0', 'x1']
    """
    if not source.named:
        return _by_position([name for name in source.names if name not in aside], schema)
    names = set(source.names)
    columns = [c for c in schema if c.name not in aside and c.form != "none"]
    for column in columns:
        if column.name not in names:
            found = f"no column {column.name!r} in {source.description}"
            raise UnknownColumn(found, fix=nearest(column.name, source.names))
    return [(column, column.name) for column in columns]


def _by_position(names: Sequence[str], schema: Schema) -> list[Located]:
    if len(names) != len(schema):
        shown = f"{', '.join(schema.names[:6])}{', ...' if len(schema) > 6 else ''}"
        raise DataError(
            f"X has {len(names)} features, but {len(schema)} features are expected as input",
            f"the columns {shown}",
            "give an array with the same columns, or a table with names",
        )
    pairs = zip(schema.columns, names, strict=True)
    return [(column, where) for column, where in pairs if column.form != "none"]


class Decoder:
    """Makes batches of slices, always of the same columns.

    With `domains` labels are coded in those; without, each batch has its own.
    """

    def __init__(
        self,
        columns: Sequence[Located],
        domains: Mapping[str, Domain] | None = None,
        learning: bool = True,
    ) -> None:
        self.domains = domains or {}
        self.learning = learning
        self.last: dict[str, Domain] = {}
        self.labelled = [pair for pair in columns if pair[0].form == "codes"]
        real = [pair for pair in columns if pair[0].form == "real"]
        self.real = _Side(real, learning) if real else None
        self.counted = [_Side(pairs, learning) for pairs in _blocks(columns)]

    def batch(self, part: Slice, target: Codes | None, weight: Vector | None) -> Batch:
        """One slice decoded."""
        blocks: list[Real | Counts] = []
        if self.real is not None:
            blocks.append(self.real.block(part))
        for side in self.counted:
            blocks.append(side.counts(part) or side.block(part))
        return Batch(
            n_rows=part.n_rows,
            codes={column.name: self._codes(part, column, at) for column, at in self.labelled},
            blocks=tuple(blocks),
            target=target,
            weight=weight,
            start=part.start,
            at=part.at,
        )

    def _codes(self, part: Slice, column: Column, where: str) -> Codes:
        cells = _cells(part, column, where)
        known = self.domains.get(column.name)
        codes, domain = casting.coded(cells, column, part.row_of, known, self.learning)
        if known is None:
            last = self.last.setdefault(column.name, domain)
            if last.labels == domain.labels:
                domain = last  # one object, so that later comparisons cost nothing
            self.last[column.name] = domain
        return Codes(codes, domain, open=known is None)


class _Side:
    """Numeric columns that stand side by side in one block."""

    def __init__(self, columns: Sequence[Located], learning: bool) -> None:
        self.columns = columns
        self.learning = learning
        self.names = tuple(column.name for column, _ in columns)
        self.where = tuple(where for _, where in columns)
        self.trusted = all(_reveals_infinity(c.family) for c, _ in columns)
        self.timed = any(c.type == "time" for c, _ in columns)
        self.booleans = [j for j, (c, _) in enumerate(columns) if c.type == "boolean"]

    def counts(self, part: Slice) -> Counts | None:
        found = part.counts(self.where)
        if found is None:
            return None
        casting.refuse_infinite(found.data, self.names, part.row_of, found)
        return Counts(found.indptr, found.indices, found.data, self.names)

    def block(self, part: Slice) -> Real:
        block = None if self.timed else part.matrix(self.where)
        if block is None:
            block = self._gathered(part)
        elif self.learning and self.booleans:
            names = tuple(self.names[j] for j in self.booleans)
            casting.refuse_other_than_0_and_1(block[:, self.booleans], names, part.row_of)
        if not self.trusted:
            casting.refuse_infinite(block, self.names, part.row_of)
        return Real(block, self.names)

    def _gathered(self, part: Slice) -> AnyArray:
        block = np.empty((part.n_rows, len(self.columns)), order="F")
        for j, (column, where) in enumerate(self.columns):
            cells = _cells(part, column, where)
            block[:, j] = casting.numbers(cells, column, part.row_of, self.learning)
        return block


def _cells(part: Slice, column: Column, where: str) -> Cells:
    """The cells of a column; texts that are times in the column's format as ISO texts."""
    cells = part.cells(where)
    refuse_odd(cells, part.row_of, column.name)
    dated = column.format and cells.kind == "string"
    return WrittenTimes(cells, column.format) if dated else cells


def _reveals_infinity(family: object) -> bool:
    """Whether counting or scoring a column tells of an infinite cell: no pass looks for it."""
    return bool(getattr(family, "reveals_infinity", False))


def _blocks(columns: Sequence[Located]) -> list[list[Located]]:
    """Columns of counts by the block in which they stand."""
    blocks: dict[tuple[str, ...], list[Located]] = {}
    for column, where in columns:
        if column.form == "counts":
            blocks.setdefault(column.block or (column.name,), []).append((column, where))
    return list(blocks.values())
