"""The door: whatever holds a table becomes a `Source`, and a source yields `Batch`es.

>>> source = read({"outlook": ["sunny", "rainy"], "play": ["no", "yes"]})
>>> batch, = source.batches(source.schema, target="play")
>>> batch.codes["outlook"].labels(), batch.target.labels()
(['sunny', 'rainy'], ['no', 'yes'])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from naively._typing import AnyArray, Indices, Vector
from naively.data.beside import Beside, beside
from naively.data.cells import Cells, joined_kind
from naively.data.column import Batch, Counts
from naively.data.decoder import Decoder, located
from naively.data.domain import Domain
from naively.data.odd import different_kind, in_file, refuse_odd
from naively.data.profile import Profile, profile_cells
from naively.data.schema import Schema, infer
from naively.errors import DataError, ParameterError, UnknownColumn, nearest

__all__ = ["CELLS", "ROWS", "Slice", "Source", "finish", "read", "rows_of", "weighed", "with_slice"]

ROWS = 65_536
"""Rows of a batch, fewer where the table is wide:"""
CELLS = 4_194_304
"""a batch has about so many cells at most."""
LONG = 8 * ROWS
"""Rows of a batch that takes no room."""


class Slice(Protocol):
    """Some rows of a source, undecoded."""

    @property
    def start(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def at(self) -> Indices | None:
        """The numbers of the rows in the source, where some were left out."""
        ...

    def row_of(self, position: int) -> int:
        """The number of a row in the source, by its position in the slice."""
        ...

    def cells(self, name: str) -> Cells: ...
    def take(self, keep: AnyArray) -> Slice: ...
    def matrix(self, names: tuple[str, ...]) -> AnyArray | None:
        """The columns as one array of floats, where they lie so."""
        ...

    def counts(self, names: tuple[str, ...]) -> Counts | None:
        """The columns as sparse counts, where they lie so."""
        ...


class Source:
    """A table that can be read in batches; `read` makes one of anything.

    A concrete source says its `names` and yields its `slices`; what becomes of the cells
    is decided here, once.
    """

    names: tuple[str, ...] = ()
    description: str = "a table"
    reiterable: bool = True
    named: bool = True
    """Whether the columns have names of their own, by which they are found."""
    n_rows: int | None = None
    lies_in_memory: bool = False
    """Whether slices of it cost nothing."""
    counted_in_place: bool = False
    """Whether its cells are used as they lie, so that a batch takes no room."""
    floats: bool = False
    """Whether it is an array of floats: all of them Gaussian by scikit-learn's habit."""
    spelling: bool = False
    """Whether its texts may be numbers that it took for words."""
    sparse: bool = False
    classes: Domain | None = None
    """The classes that are known already, whose type the target's labels take."""
    said_missing: Sequence[str] | None = None
    """The markers of missing cells in delimited text, where options may say others."""
    markers: frozenset[str] = frozenset()
    """Texts that stand for a missing cell."""
    begun: Mapping[str, int] = MappingProxyType({})
    """The row with which each file begins, where there are some."""
    kept: object = None
    """What must live as long as the source does (a connection)."""
    _schema: Schema | None = None

    def slices(self, names: Sequence[str], rows: int) -> Iterator[Slice]:
        """The rows in order, in slices that hold at least the named columns."""
        raise NotImplementedError

    def first_slices(self, names: Sequence[str], rows: int) -> Iterator[Slice]:
        """The rows that inference sees: all, where a source can be read again."""
        return self.slices(names, rows)

    def for_schema(self, schema: Schema) -> Source:
        """The source to decode by a schema; one that must guess types takes them from it."""
        return self

    def settled(self) -> Source:
        """The source with types that hold for all rows; one that guesses looks at them first."""
        return self

    def quick(self) -> Source | None:
        """The source as it is read when all goes well; None where one look is not enough."""
        return self if self.reiterable and self._schema is None else None

    @property
    def relation(self) -> Any:
        """The table as a relation of DuckDB, where it is large and DuckDB reads it by itself."""
        return None

    @property
    def schema(self) -> Schema:
        """The inferred schema, kept."""
        if self._schema is None:
            self._schema = self.inferred()
        return self._schema

    def inferred(self, weight: str | object | None = None, *, habit: bool = False) -> Schema:
        """What the values say of the columns; rows of weight 0 are not seen.

        `habit` says that the families are known already, and the values are only shown.
        """
        if weight is None and self._schema is not None:
            return self._schema
        profiles = self.profiles(weight)
        schema = infer(profiles, arrays=self.floats, counts=self.sparse, markers=self.said_missing)
        if not any(column.rows for column in schema):
            raise DataError("the weight of every row is zero", "at least one above 0")
        return schema

    def profiles(self, weight: str | object | None = None) -> dict[str, Profile]:
        """What one pass learns of every column; rows of weight 0 are not seen."""
        aside = (weight,) if isinstance(weight, str) else ()
        _refuse_unknown(self, aside)
        names = tuple(name for name in self.names if name not in aside)
        profiles = {name: Profile() for name in names}
        weights = beside(self, weight, "sample_weight")
        seen = 0
        for part in self.first_slices((*names, *aside), ROWS):
            seen += part.n_rows
            with in_file(self.begun):
                kept, _ = weighed(part, weights)
                for name in names:
                    profiles[name] = with_slice(profiles[name], kept, name)
        finish(self, seen, weights if self.reiterable else None)
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
        inferring: bool = False,
        rows: int | None = None,
    ) -> Iterator[Batch]:
        """The table in batches, decoded as the schema says.

        `target` and `weight` are a column's name or values beside the table. Without
        `domains` the codes of each batch have a domain of their own. When not `learning`,
        labels that no domain has are unseen, and the target may be missing. When `inferring`,
        only the rows come that inference sees, and a reader is not spent.
        """
        aside = tuple(name for name in (target, weight) if isinstance(name, str))
        _refuse_unknown(self, aside)
        columns = located(self, schema, aside)
        targets = beside(self, target, "y")
        if targets is not None:
            targets.agree(self, schema)
        weights = beside(self, weight, "sample_weight")
        decoder = Decoder(columns, domains, learning)
        wanted = (*(where for _, where in columns), *aside)
        seen = 0
        typed = self.for_schema(schema.without(*aside))
        slices = typed.first_slices if inferring else typed.slices
        for part in slices(wanted, rows or rows_of(self, [c for c, _ in columns])):
            seen += part.n_rows
            if part.n_rows:
                with in_file(self.begun):
                    kept, w = weighed(part, weights)
                    y = None if targets is None else targets.codes(part, kept, classes, learning)
                    batch = decoder.batch(kept, y, w)
                yield batch
        if not inferring or self.reiterable:
            finish(self, seen, targets, weights)

    def column(self, name: str) -> Any:
        """All values of one column: an array of numbers, or a list with None for missing."""
        _refuse_unknown(self, (name,))
        parts: list[Cells] = []
        for part in self.slices((name,), ROWS):
            parts.append(part.cells(name))
            refuse_odd(parts[-1], part.row_of, name)
        if parts and all(_is_numeric(cells) for cells in parts):
            joined = np.concatenate([cells.numbers() for cells in parts])
            if joined.dtype.kind != "f" or any(cells.kind == "number" for cells in parts):
                return joined
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
    matrices. `missing` are the texts that stand for a missing cell: "" and "?" in files,
    none elsewhere. Files of text also take what cannot be seen in them:

    delimiter   what stands between cells, where it is not found: ";", ":", ...
    header      True or False: whether the first line has the names
    decimal     the decimal mark, "." or ","
    encoding    "latin-1", "cp1252", "utf-16", ... where it is not UTF-8
    comment     what begins a comment, as "#"; nothing does unless it is said
    dates       how days are written where the year does not come first: "%d/%m/%Y"

    >>> read([[1.5, 2.0], [0.5, 1.0]]).names
    ('x0', 'x1')
    """
    from naively.data.dispatch import door

    if isinstance(missing, str):
        raise ParameterError(f"missing={missing!r}", "a list of texts", f"missing=[{missing!r}]")
    if not isinstance(x, Source):
        return door(x, missing, options)
    if missing is not None or options:
        raise ParameterError("options for a Source", "options where it is made")
    return x


def rows_of(source: Source, columns: Sequence[object]) -> int:
    """How many rows of these columns make a batch; sparse counts take no room of their own."""
    if source.counted_in_place:
        return LONG
    if source.sparse:
        columns = [column for column in columns if getattr(column, "form", "") != "counts"]
    return max(1, min(ROWS, CELLS // max(len(columns), 1)))


def _refuse_unknown(source: Source, names: Sequence[str]) -> None:
    for name in names:
        if name not in source.names:
            found = f"no column {name!r} in {source.description}"
            raise UnknownColumn(found, fix=nearest(name, source.names))


def _is_numeric(cells: Cells) -> bool:
    """Whether an array of numbers says all that the cells do."""
    if cells.kind == "number":
        return True
    return cells.kind in ("integer", "boolean") and not cells.count_missing()


def with_slice(profile: Profile, part: Slice, name: str) -> Profile:
    """The profile with one slice more; cells of another kind are an error."""
    cells = part.cells(name)
    refuse_odd(cells, part.row_of, name)
    new = profile_cells(cells, many=profile.distinct is None)
    if joined_kind(profile.kind, new.kind) == "mixed":
        raise different_kind(cells, part.row_of, name, profile.example)
    return profile + new


def weighed(part: Slice, weights: Beside | None) -> tuple[Slice, Vector | None]:
    """The slice without its rows of weight 0, and the weights that remain."""
    if weights is None:
        return part, None
    w = weights.numbers(part)
    keep = w > 0
    return (part, w) if keep.all() else (part.take(keep), w[keep])


def finish(source: Source, seen: int, *given: Beside | None) -> None:
    """After the last slice: there were rows, and as many as values beside them."""
    if not seen:
        found = f"{source.description}: Found array with 0 sample(s)"
        raise DataError(found, "a table with at least one row")
    for one in given:
        if one is not None:
            one.check_length(seen)
