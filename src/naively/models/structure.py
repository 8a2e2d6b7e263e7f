"""Structure: what is counted, decided before the fold.

It is the identity of statistics: `Stats` add only where their structures are equal. It
holds no priors, so these may change without reading the data again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from naively._typing import Indices
from naively.data.coding import Coding, IsMissing
from naively.data.schema import Column, Schema
from naively.errors import DataError, StructureMismatch
from naively.families.base import Family, Part
from naively.families.bernoulli import Bernoulli
from naively.families.registry import counting

__all__ = ["Place", "Structure", "Term", "design"]

LARGEST = 2**31
"""More bytes than a term's statistic may have."""


@dataclass(frozen=True, slots=True)
class Term:
    """A block of columns that is counted in one way, after an optional coding.

    >>> print(Term("gaussian", ("age", "fare")))
    gaussian(age, fare)
    """

    kind: str
    columns: tuple[str, ...]
    coding: Coding | None = None

    def size(self, n_groups: int, n_values: int = 0) -> int:
        """The bytes of its statistic, for so many groups and labels (or kept values).

        >>> Term("gaussian.joint", ("a", "b")).size(n_groups=3)
        168
        """
        return 8 * n_groups * counting(self.kind).cells(len(self.columns), n_values)

    def check_size(self, n_groups: int, n_values: int = 0) -> None:
        """Refuse what would not find room, before it is counted."""
        size = self.size(n_groups, n_values)
        if size > LARGEST:
            values = f", {n_values:,} values" if n_values else ""
            raise DataError(
                f"the statistic of {self} would take {size / 1e9:,.1f} GB "
                f"({n_groups:,} classes, {len(self.columns):,} columns{values})",
                f"at most {LARGEST / 1e9:,.1f} GB",
                counting(self.kind).leaner,
            )

    def __str__(self) -> str:
        shown = ", ".join(self.columns[:5]) + (", ..." if len(self.columns) > 5 else "")
        return f"{self.kind}({shown})" + (f" after {self.coding}" if self.coding else "")


@dataclass(frozen=True, slots=True)
class Structure:
    """The terms, and the name and type of every column that they use."""

    terms: tuple[Term, ...]
    types: tuple[tuple[str, str], ...]

    def check_same(self, other: Structure) -> None:
        """Statistics of different structures do not add."""
        if self is other or self == other:
            return
        pairs = [
            (str(a), str(b))
            for mine, theirs in ((self.terms, other.terms), (self.types, other.types))
            for a, b in zip((*mine, None), (*theirs, None), strict=False)
            if a != b
        ]
        mine, theirs = pairs[0] if pairs else (str(self.terms), str(other.terms))
        raise StructureMismatch(
            f"statistics of different structures: {mine} against {theirs}",
            "the same columns, types and families on both sides",
            "learn both with the same columns= or Schema",
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Some columns of a term, and the family (with its prior) that makes their factor."""

    term: int
    within: tuple[int, ...]
    family: Family

    @property
    def at(self) -> Indices:
        """The columns' positions within the term."""
        return np.asarray(self.within, dtype=np.int64)


Key = tuple[str, Coding | None, tuple[str, ...] | None]
Member = tuple[str, Family]


def design(schema: Schema) -> tuple[Structure, tuple[Place, ...]]:
    """The structure that a schema asks for, and where each family's prior applies.

    Columns of one kind and coding stand in one term, so that they are counted and scored
    by one call; those that share a prior share a factor.

    >>> from naively.data.source import read
    >>> from naively.families.choice import chosen
    >>> schema = chosen(read({"a": [1.5, 2.5], "b": ["x", "y"], "c": [0.5, 0.25]}).schema)
    >>> [str(term) for term in design(schema)[0].terms]
    ['gaussian(a, c)', 'categorical(b)']
    """
    members: dict[Key, list[Member]] = {}
    used = [column for column in schema if column.family is not None]
    for column in used:
        for family, coding in _parts(cast(Family, column.family)):
            block = None if family.separable else _block_of(column)
            members.setdefault((family.kind, coding, block), []).append((column.name, family))
    terms = tuple(
        Term(kind, tuple(name for name, _ in inside), coding)
        for (kind, coding, _), inside in members.items()
    )
    places = [p for i, inside in enumerate(members.values()) for p in _places(i, inside)]
    return Structure(terms, tuple((c.name, c.type) for c in used)), tuple(places)


def _parts(family: Family) -> tuple[Part, ...]:
    """The family's terms, and beside numbers their missingness where that is evidence."""
    if family.missing == "value" and family.form == "real":
        return ((Bernoulli(family.missing_alpha), IsMissing()), *family.parts())
    return family.parts()


def _block_of(column: Column) -> tuple[str, ...]:
    return column.block or (column.name,)


def _places(term: int, inside: list[Member]) -> list[Place]:
    """One place for each prior within a term."""
    by_family: dict[Family, list[int]] = {}
    for i, (_, family) in enumerate(inside):
        by_family.setdefault(family, []).append(i)
    return [Place(term, tuple(at), family) for family, at in by_family.items()]
