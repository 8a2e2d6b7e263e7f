"""What a table's columns are, which family counts each of them, and why.

`infer` is the one place where families are chosen from data, and `THRESHOLDS` the one
place where its numbers stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from naively.data.profile import CAP, Profile
from naively.errors import DataError, UnknownColumn, nearest

__all__ = [
    "FORMS",
    "THRESHOLDS",
    "TRUTHS",
    "Column",
    "Names",
    "Schema",
    "Thresholds",
    "free_name",
    "infer",
]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers of the inference rule.

    >>> THRESHOLDS.categories
    20
    """

    categories: int = 20
    """Integers with at most so many distinct values are categories."""
    identifier_share: float = 0.5
    """Text with a larger share of distinct values identifies rows, where there are also"""
    identifier_distinct: int = 50
    """more than so many of them."""
    text_length: float = 20.0
    """Such a column with spaces and a larger mean length is text."""
    poisson_low: float = 0.8
    poisson_high: float = 1.25
    """Counts whose variance over mean lies between are Poisson."""
    glance_rows: int = 1_000
    """How many rows of a table in memory suggest its schema; all of them must bear it out."""
    first_rows: int = 100_000
    """What inference sees of a source that can be read only once."""


THRESHOLDS = Thresholds()

FORMS: Mapping[str, str] = {
    "categorical": "codes",
    "multinomial": "counts",
    "ignore": "none",
}
"""What the doors make of a column for a family; every other family takes real numbers."""

TRUTHS: Mapping[str, str] = {"1": "0", "True": "False", "true": "false", "TRUE": "FALSE"}
"""How True is written among texts, and how False is then; the first that occurs, else the first."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the type of its values, its family and the reason.

    >>> print(Column("Pclass", "integer", "categorical", "codes", "3 distinct integers"))
    Pclass: categorical (3 distinct integers)
    """

    name: str
    type: str
    family: Any
    form: str
    why: str = ""
    distinct: int | None = None
    missing: int = 0
    rows: int = 0
    example: object = None
    minimum: float | None = None
    maximum: float | None = None
    block: tuple[str, ...] | None = None
    format: str = ""
    """How texts that are times are written, where the year does not come first."""
    truth: str = "1"
    """How True is written among texts, one of `TRUTHS`."""

    @property
    def strict(self) -> bool:
        """Whether its family refuses values that training never saw."""
        return getattr(self.family, "unseen", "") == "error"

    def __str__(self) -> str:
        return f"{self.name}: {self.family} ({self.why})"


_FIELDS = tuple(f.name for f in fields(Column))


class Names(tuple[str, ...]):
    """The names of a block: a tuple that is hashed once, since each of its columns holds it.

    >>> Names(["a", "b"]) == ("a", "b")
    True
    """

    def __hash__(self) -> int:
        if "hash" not in self.__dict__:
            self.__dict__["hash"] = super().__hash__()
        return cast(int, self.__dict__["hash"])

    def __reduce__(self) -> tuple[Any, ...]:
        return Names, (tuple(self),)


@dataclass(frozen=True, slots=True, repr=False)
class Schema:
    """The columns of a table in order, and the target where it is one of them.

    >>> age = Column("Age", "number", "gaussian", "real", "numbers", 88, 177, 891, 22.0)
    >>> print(Schema((age,)))
    column  kind    family    why      distinct  missing  example
    Age     number  gaussian  numbers        88      177  22.0
    """

    columns: tuple[Column, ...]
    note: str = ""
    target: Column | None = None
    _index: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def index(self) -> Mapping[str, int]:
        """Name -> position, made on first use."""
        if len(self._index) != len(self.columns):
            self._index.update({column.name: i for i, column in enumerate(self.columns)})
        return self._index

    def __reduce__(self) -> tuple[Any, ...]:
        return Schema, (self.columns, self.note, self.target)

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.index

    def __getitem__(self, name: str) -> Column:
        if name not in self.index:
            fix = "; ".join(filter(None, (nearest(name, self.names), self.note)))
            raise UnknownColumn(f"no column {name!r} in the schema", fix=fix)
        return self.columns[self.index[name]]

    def with_columns(self, changed: Mapping[str, Column]) -> Schema:
        """The schema with some columns replaced by name."""
        for name in changed:
            self[name]
        columns = tuple(changed.get(column.name, column) for column in self.columns)
        return replace(self, columns=columns, _index={})

    def with_target(self, name: str) -> Schema:
        """The schema with one of its columns set apart as the target.

        Answers are given in the words of the table: yes and no, t and f are no truth values there.
        """
        target = self[name]
        if target.type == "boolean" and str(target.example).lower() not in (
            "true",
            "false",
            "1",
            "0",
        ):
            target = replace(target, type="string")
        columns = tuple(column for column in self.columns if column.name != name)
        return replace(self, columns=columns, target=target, _index={})

    def without(self, *names: str) -> Schema:
        """The schema without some columns (a column of weights, say)."""
        columns = tuple(column for column in self.columns if column.name not in names)
        return replace(self, columns=columns, _index={})

    def __str__(self) -> str:
        from naively.data.schema_table import draw

        return draw(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from naively.data.schema_table import draw_html

        return draw_html(self)

    def to_dict(self, family: Callable[[Any], Any] = str) -> dict[str, Any]:
        """The schema for JSON; `family` says how a family is written.

        A block is written whole at its first column; the others name that column.
        """
        first: dict[tuple[str, ...], str] = {}

        def plain(column: Column) -> dict[str, Any]:
            row = {name: getattr(column, name) for name in _FIELDS}
            known = isinstance(column.example, (str, int, float, bool, type(None)))
            row["example"] = column.example if known else str(column.example)
            if column.block is not None:
                known = column.block in first
                row["block"] = [first[column.block]] if known else list(column.block)
                first.setdefault(column.block, column.name)
            return {**row, "family": family(column.family)}

        target = None if self.target is None else plain(self.target)
        return {"columns": [plain(c) for c in self.columns], "note": self.note, "target": target}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], family: Callable[[Any], Any] = str) -> Schema:
        """The schema that `to_dict` wrote; `family` reads a family back."""
        blocks: dict[str, Names] = {}

        def column(row: Mapping[str, Any]) -> Column:
            parts = {name: value for name, value in row.items() if name in _FIELDS}
            block = parts.get("block")
            if block is not None:
                whole = blocks.get(block[0]) if len(block) == 1 else None
                parts["block"] = Names(block) if whole is None else whole
                blocks.setdefault(parts["name"], parts["block"])
            return Column(**{**parts, "family": family(parts["family"])})

        target = None if data.get("target") is None else column(data["target"])
        return cls(tuple(map(column, data["columns"])), data.get("note", ""), target)


def free_name(name: str, taken: Container[str]) -> str:
    """The name, or one like it that no column has.

    >>> free_name("class", {"class", "age"})
    'class_'
    """
    while name in taken:
        name += "_"
    return name


def infer(
    profiles: Mapping[str, Profile],
    *,
    arrays: bool = False,
    counts: bool = False,
    markers: Sequence[str] | None = None,
) -> Schema:
    """A family for every column, from the values that it has.

    `arrays` is scikit-learn's habit: numbers are Gaussian, however few there are.
    `counts` is that of sparse matrices: non-negative numbers are one block of counts.
    `markers` are those of missing cells in a file, whose texts may be read in another way.

    >>> infer({"x": Profile(n=3, missing=3)})["x"].why
    'no values'
    """
    if not profiles:
        raise DataError("a table without columns", "at least one column")
    block = Names(profiles) if counts and _are_counts(profiles) else None
    columns = []
    for name, profile in profiles.items():
        family, why = _family(profile, arrays or counts)
        if block is not None:
            family, why = "multinomial", "counts of a sparse table"
        clue = profile.clue.says(markers) if profile.type == "string" else ""
        columns.append(_column(name, profile, family, "; ".join(filter(None, (why, clue))), block))
    return Schema(tuple(columns))


def _are_counts(profiles: Mapping[str, Profile]) -> bool:
    return all(profile.minimum is None or profile.minimum >= 0 for profile in profiles.values())


def _column(
    name: str, profile: Profile, family: str, why: str, block: tuple[str, ...] | None
) -> Column:
    return Column(
        name=name,
        type=profile.type,
        family=family,
        form=FORMS.get(family, "real"),
        why=why,
        distinct=profile.distinct,
        missing=profile.missing,
        rows=profile.n,
        example=profile.example,
        minimum=_finite(profile.minimum),
        maximum=_finite(profile.maximum),
        block=block,
        format=profile.format,
        truth=_truth(profile),
    )


def _truth(profile: Profile) -> str:
    """How truth values are written in a column of texts."""
    texts = profile.values if isinstance(profile.values, frozenset) else frozenset()
    return next((yes for yes, no in TRUTHS.items() if {yes, no} & texts), "1")


def _finite(number: float | None) -> float | None:
    """Integers beyond all doubles have no extremes that could be kept."""
    return None if number is None or math.isinf(number) else number


def _family(profile: Profile, arrays: bool) -> tuple[str, str]:
    """The family of a column and the reason for it."""
    kind = profile.type
    if kind == "empty":
        return "ignore", "no values"
    if kind == "boolean":
        return "bernoulli", "true or false"
    if kind in ("time", "duration"):
        written = f", written as {profile.format}" if profile.format else ""
        return "gaussian", f"{kind}s, in seconds{written}"
    if kind == "string" or profile.declared:
        return _family_of_labels(profile)
    if arrays and profile.kind == "number":
        return "gaussian", "an array of floats"
    if kind == "number":
        return "gaussian", "numbers"
    return _family_of_integers(profile)


def _family_of_labels(profile: Profile) -> tuple[str, str]:
    distinct, present = profile.distinct, profile.present
    shown = f"more than {CAP:,}" if distinct is None else f"{distinct:,} of {present:,}"
    many = distinct is None or (
        distinct > THRESHOLDS.identifier_distinct
        and distinct > THRESHOLDS.identifier_share * present
    )
    if not many:
        kind = "categories that occur" if profile.declared else "texts"
        return "categorical", f"{distinct} distinct {kind}"
    spaces = profile.spaced > present / 2
    if spaces and profile.characters > THRESHOLDS.text_length * present:
        return "ignore", f"text-like: {shown} distinct, with spaces: left out"
    return "ignore", f"identifier-like: {shown} distinct: left out"


def _family_of_integers(profile: Profile) -> tuple[str, str]:
    distinct = profile.distinct
    if distinct is not None and distinct <= THRESHOLDS.categories:
        return "categorical", f"{distinct} distinct integers (at most {THRESHOLDS.categories})"
    shown = "many" if distinct is None else f"{distinct:,}"
    if profile.minimum is not None and profile.minimum >= 0 and profile.mean > 0:
        ratio = profile.variance / profile.mean
        if THRESHOLDS.poisson_low <= ratio <= THRESHOLDS.poisson_high:
            return "poisson", f"counts: variance / mean = {ratio:.2f}"
    return "gaussian", f"{shown} distinct integers"
