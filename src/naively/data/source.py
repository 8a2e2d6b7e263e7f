"""The door: whatever holds a table becomes a `Source`, and a source yields `Batch`es.

>>> source = read({"outlook": ["sunny", "rainy"], "play": ["no", "yes"]})
>>> batch, = source.batches(source.schema, target="play")
>>> batch.codes["outlook"].labels(), batch.target.labels()
(['sunny', 'rainy'], ['no', 'yes'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from naively._typing import AnyArray, Vector
from naively.data import casting
from naively.data.beside import Beside, beside
from naively.data.cells import Cells
from naively.data.column import Batch, Codes, Counts, Real
from naively.data.domain import Domain
from naively.data.profile import Profile, joined_kind, profile_cells
from naively.data.schema import THRESHOLDS, Column, Schema, infer
from naively.errors import DataError, UnknownColumn, nearest

__all__ = ["Slice", "Source", "read"]

ROWS = 65_536
"""Rows of a batch, fewer where the table is wide:"""
CELLS = 4_194_304
"""a batch has about so many cells at most."""


class Slice(Protocol):
    """Some rows of a source, undecoded."""

    @property
    def start(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    def row_of(self, position: int) -> int: ...
    def cells(self, name: str) -> Cells: ...
    def take(self, keep: AnyArray) -> Slice: ...
    def matrix(self, names: tuple[str, ...]) -> AnyArray | None: ...
    def counts(self, names: tuple[str, ...]) -> Counts | None: ...


class Source:
    """A table that can be read in batches; `read` makes one of anything.

    A concrete source says its `names` and yields its `slices`; what becomes of the cells
    is decided here, once.
    """

    names: tuple[str, ...] = ()
    description: str = "a table"
    reiterable: bool = True
    named: bool = True
    n_rows: int | None = None
    floats: bool = False
    sparse: bool = False
    markers: frozenset[str] = frozenset()
    kept: object = None
    """What must live as long as the source does (a connection)."""
    _schema: Schema | None = None

    def slices(self, names: Sequence[str], rows: int) -> Iterator[Slice]:
        """The rows in order, in slices that hold at least the named columns."""
        raise NotImplementedError

    def for_schema(self, schema: Schema) -> Source:
        """The source to decode by a schema; one that must guess types takes them from it."""
        return self

    def first_slices(self, names: Sequence[str], rows: int) -> Iterator[Slice]:
        """The rows that inference sees: all, where a source can be read again."""
        return self.slices(names, rows)

    @property
    def schema(self) -> Schema:
        """The inferred schema, kept."""
        if self._schema is None:
            self._schema = infer(self.profiles(), arrays=self.floats, counts=self.sparse)
        return self._schema

    def profiles(
        self, weight: str | object | None = None, skip: Sequence[str] = ()
    ) -> dict[str, Profile]:
        """What one pass learns of every column; rows of weight 0 are not seen."""
        skip = (*skip, weight) if isinstance(weight, str) else tuple(skip)
        names = tuple(name for name in self.names if name not in skip)
        profiles = {name: Profile() for name in names}
        weights = beside(self, weight, "sample_weight")
        wanted = (*names, weight) if isinstance(weight, str) else names
        seen = 0
        for part in self.first_slices(wanted, _rows_of(len(names))):
            seen += part.n_rows
            kept, _ = _weighed(part, weights)
            for name in names:
                profiles[name] = _profiled(profiles[name], kept, name)
        _finish(self, seen, weights if self.reiterable else None)
        return profiles

    def batches(
        self,
        schema: Schema,
        *,
        target: str | object | None = None,
        weight: str | object | None = None,
        domains: Mapping[str, Domain] | None = None,
        classes: Domain | None = None,
        learning: bool = True,
        rows: int | None = None,
    ) -> Iterator[Batch]:
        """The table in batches, decoded as the schema says.

        `target` and `weight` are a column's name or values beside the table. Without
        `domains` the codes of each batch have a domain of their own.
        """
        aside = tuple(name for name in (target, weight) if isinstance(name, str))
        columns = _located(self, schema, aside)
        targets = beside(self, target, "y")
        weights = beside(self, weight, "sample_weight")
        decode = _Decoder(columns, domains, learning)
        wanted = (*(where for _, where in columns), *aside)
        seen = 0
        typed = self.for_schema(schema.without(*aside))
        for part in typed.slices(wanted, rows or _rows_of(len(columns))):
            if not part.n_rows:
                continue
            seen += part.n_rows
            kept, w = _weighed(part, weights)
            y = None if targets is None else targets.codes(part, kept, classes, learning)
            yield decode.batch(kept, y, w)
        _finish(self, seen, targets, weights)

    def column(self, name: str) -> Any:
        """All values of one column: an array of numbers, or a list with None for missing."""
        if name not in self.names:
            raise UnknownColumn(f"no column {name!r} in {self.description}", fix=nearest(name, self.names))
        parts = [part.cells(name) for part in self.slices((name,), ROWS)]
        if all(cells.kind in ("integer", "number", "boolean") for cells in parts):
            if not any(cells.count_missing() and cells.kind != "number" for cells in parts):
                return np.concatenate([cells.numbers() for cells in parts])
        out: list[Any] = []
        for cells in parts:
            codes, labels = cells.coded()
            table = [*labels, None]
            out.extend(table[code] for code in codes.tolist())
        return out

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from naively.data.arrow import stream_of

        return stream_of(self, requested_schema)

    def __repr__(self) -> str:
        return f"<Source {self.description}>"


def read(x: Any, *, missing: Sequence[str] | None = None, **options: Any) -> Source:
    """A source of whatever holds a table.

    Frames (pandas, Polars, Arrow and all that speaks its stream protocol), a DuckDB
    relation, a dict of columns (or of one row's scalars), a path or a pattern of CSV, TSV,
    Parquet or JSON lines, a query ("duckdb:SELECT ..."), arrays, nested lists and sparse
    matrices. `missing` are the texts that stand for a missing cell: "" and "?" in files.

    >>> read([[1.5, 2.0], [0.5, 1.0]]).names
    ('x0', 'x1')
    """
    from naively.data.dispatch import door

    return x if isinstance(x, Source) else door(x, missing, options)


def _rows_of(n_columns: int) -> int:
    """Rows of a batch for so many columns."""
    return max(1, min(ROWS, CELLS // max(n_columns, 1)))


def _profiled(profile: Profile, part: Slice, name: str) -> Profile:
    """The profile with one slice more; cells of another kind are an error."""
    cells = part.cells(name)
    if cells.kind in ("mixed", "nested"):
        raise _odd_cell(cells, part, name)
    new = profile_cells(cells, many=profile.distinct is None)
    if joined_kind(profile.kind, new.kind) == "mixed":
        found = f"column {name!r}, row {part.row_of(_first(cells)):,}: {new.example!r}"
        raise DataError(
            f"{found} after cells such as {profile.example!r}",
            "one kind of value in a column",
            "make them all text or all numbers",
        )
    return profile + new


def _first(cells: Cells) -> int:
    codes, _ = cells.coded()
    return int(np.argmax(codes >= 0))


def _odd_cell(cells: Any, part: Slice, name: str) -> Exception:
    from naively.data.dispatch import odd_cell

    return odd_cell(cells, part.row_of, name)


def _weighed(part: Slice, weights: Beside | None) -> tuple[Slice, Vector | None]:
    """The slice without its rows of weight 0, and the weights that remain."""
    if weights is None:
        return part, None
    w = weights.numbers(part)
    keep = w > 0
    return (part, w) if keep.all() else (part.take(keep), w[keep])


def _finish(source: Source, seen: int, *given: Beside | None) -> None:
    """After the last slice: there were rows, and as many as values beside them."""
    if not seen:
        raise DataError(
            f"{source.description}: Found array with 0 sample(s)", "a table with at least one row"
        )
    for one in given:
        if one is not None:
            one.check_length(seen)


def _located(source: Source, schema: Schema, aside: tuple[str, ...]) -> list[tuple[Column, str]]:
    """The columns to decode, each with its name in the source."""
    for name in aside:
        if name not in source.names:
            raise UnknownColumn(f"no column {name!r} in {source.description}", fix=nearest(name, source.names))
    if not source.named:
        return _by_position(source, schema)
    columns = [column for column in schema if column.name not in aside and column.form != "none"]
    names = set(source.names)
    for column in columns:
        if column.name not in names:
            found = f"no column {column.name!r} in {source.description}"
            raise UnknownColumn(found, fix=nearest(column.name, source.names))
    return [(column, column.name) for column in columns]


def _by_position(source: Source, schema: Schema) -> list[tuple[Column, str]]:
    if len(source.names) != len(schema):
        raise DataError(
            f"X has {len(source.names)} features, but {len(schema)} features are expected as input",
            f"the columns {', '.join(schema.names[:6])}{', ...' if len(schema) > 6 else ''}",
            "give an array with the same columns, or a table with names",
        )
    pairs = zip(schema.columns, source.names, strict=True)
    return [(column, where) for column, where in pairs if column.form != "none"]


class _Decoder:
    """Makes batches of slices for one set of columns."""

    def __init__(
        self,
        columns: Sequence[tuple[Column, str]],
        domains: Mapping[str, Domain] | None,
        learning: bool,
    ) -> None:
        self.domains = domains
        self.learning = learning
        self.last: dict[str, Domain] = {}
        self.labelled = [pair for pair in columns if pair[0].form == "codes"]
        self.real = [pair for pair in columns if pair[0].form == "real"]
        self.counted = _blocks([pair for pair in columns if pair[0].form == "counts"])

    def batch(self, part: Slice, target: Codes | None, weight: Vector | None) -> Batch:
        """One slice decoded."""
        blocks: list[Real | Counts] = []
        if self.real:
            blocks.append(self._real(part, self.real))
        for pairs in self.counted:
            names = tuple(column.name for column, _ in pairs)
            counts = part.counts(tuple(where for _, where in pairs))
            if counts is None:
                blocks.append(self._real(part, pairs))
            else:
                blocks.append(Counts(counts.indptr, counts.indices, counts.data, names))
        return Batch(
            n_rows=part.n_rows,
            codes={column.name: self._codes(part, column, where) for column, where in self.labelled},
            blocks=tuple(blocks),
            target=target,
            weight=weight,
            start=part.start,
        )

    def _codes(self, part: Slice, column: Column, where: str) -> Codes:
        cells = part.cells(where)
        _refuse_odd(cells, part, column.name)
        known = None if self.domains is None else self.domains.get(column.name)
        codes, domain = casting.coded(cells, column, part.row_of, known, self.learning)
        last = self.last.get(column.name)
        if last is not None and last.labels == domain.labels:
            domain = last
        self.last[column.name] = domain
        return Codes(codes, domain, open=known is None)

    def _real(self, part: Slice, pairs: Sequence[tuple[Column, str]]) -> Real:
        names = tuple(column.name for column, _ in pairs)
        block = part.matrix(tuple(where for _, where in pairs))
        if block is None:
            block = np.empty((part.n_rows, len(pairs)), order="F")
            for j, (column, where) in enumerate(pairs):
                cells = part.cells(where)
                _refuse_odd(cells, part, column.name)
                block[:, j] = casting.numbers(cells, column, part.row_of, self.learning)
        casting.refuse_infinite(block, names, part.row_of)
        return Real(block, names)


def _refuse_odd(cells: Cells, part: Slice, name: str) -> None:
    if cells.kind in ("mixed", "nested"):
        raise _odd_cell(cells, part, name)


def _blocks(pairs: Sequence[tuple[Column, str]]) -> list[list[tuple[Column, str]]]:
    """Columns of counts by the block in which they stand."""
    blocks: dict[tuple[str, ...], list[tuple[Column, str]]] = {}
    for column, where in pairs:
        blocks.setdefault(column.block or (column.name,), []).append((column, where))
    return list(blocks.values())
