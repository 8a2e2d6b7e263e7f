"""A table of distinct outcomes with their weights: a joint distribution that is at hand.

    P(a) = w(a) / w,   w(a) = sum of the weights of the outcomes in a

The weights are counts of rows, or stated probabilities over a common denominator: integers
then, so that every sum is exact. Where a stated number is only an approximation they are floats.

>>> smoke = Table.of({"fire": [True, True, False], "smoke": [True, False, True]}, [2, 1, 1])
>>> print(smoke.table(("fire",)))
fire   weight
false  1
true   3
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from naively._typing import AnyArray, Indices, Label
from naively.data.domain import MISSING, Domain, sorted_labels
from naively.derivation.exact import Number
from naively.derivation.layout import aligned
from naively.errors import TooManyOutcomes, UnknownColumn, nearest
from naively.probability.event import EVERYTHING, Atom, Event, mask
from naively.probability.variable import Variable
from naively.probability.wording import quoted

__all__ = ["MOST", "Outcomes", "Table", "combined", "integers", "too_many", "total", "unknown"]

MOST = 65_536
"""Distinct outcomes that are kept at most."""


class Outcomes(Protocol):
    """Weighted outcomes, wherever they are: at hand, in a file, in a database, in factors."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def stated(self) -> bool:
        """Whether the weights are probabilities that somebody stated, rather than counted rows."""
        ...

    @property
    def weighted(self) -> bool:
        """Whether the rows had weights that somebody gave."""
        ...

    @property
    def at_hand(self) -> bool:
        """Whether to look at single outcomes costs nothing."""
        ...

    @property
    def description(self) -> str: ...
    def variable(self, name: str) -> Variable:
        """A column with its labels; `TooManyOutcomes` where these are not kept."""
        ...

    def bind_atom(self, atom: Atom) -> Event:
        """The condition with labels for values; unknown labels are refused."""
        ...

    def table(self, names: Sequence[str], where: Event = EVERYTHING) -> Table:
        """The distinct outcomes of some columns; at most `MOST`."""
        ...

    def weights(self, events: Sequence[Event], where: Event = EVERYTHING) -> list[Number]:
        """The weight of each event, among the outcomes where another holds."""
        ...

    def sample(self, names: Sequence[str], where: Event, n: int) -> Table:
        """About n rows drawn at random; all outcomes where they are at hand."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Distinct outcomes, one a row: the codes of their labels, and a weight."""

    variables: tuple[Variable, ...]
    codes: Indices
    """Rows by variables; -1 where a cell is missing."""
    weight: AnyArray
    """Integers (of any size), or floats."""
    stated: bool = False
    description: str = "a table"
    weighted: bool = False

    @property
    def at_hand(self) -> bool:
        return True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.variables)

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Sequence[Label]],
        weights: Sequence[Number],
        *,
        types: Mapping[str, str] | None = None,
        **about: Any,
    ) -> Table:
        """A table of labels by column; the types are stated, or as the labels have them."""
        stated = types or {}
        variables = [_variable(name, cells, stated.get(name)) for name, cells in columns.items()]
        at = [dict(zip(v.labels, range(len(v.labels)), strict=True)) for v in variables]
        codes = [
            [index.get(label, MISSING) for label in labels]
            for index, labels in zip(at, columns.values(), strict=True)
        ]
        shape = (len(variables), len(weights))
        matrix = np.array(codes, dtype=np.int32).reshape(shape).T
        return cls(tuple(variables), matrix, integers(weights), **about).table(tuple(columns))

    def variable(self, name: str) -> Variable:
        for variable in self.variables:
            if variable.name == name:
                return variable
        raise unknown(name, self.names, self.description)

    def cells(self, name: str) -> tuple[tuple[Label, ...], Indices]:
        """The labels of a column and the codes of its cells."""
        j = self.names.index(name)
        return self.variables[j].labels, self.codes[:, j]

    def where(self, event: Event) -> Table:
        """The outcomes in a bound event."""
        if event == EVERYTHING:
            return self
        keep = mask(event, self.cells, len(self.codes))
        return self._like(self.variables, self.codes[keep], self.weight[keep])

    def _like(self, variables: tuple[Variable, ...], codes: Indices, weight: AnyArray) -> Table:
        return Table(variables, codes, weight, self.stated, self.description, self.weighted)

    def bind_atom(self, atom: Atom) -> Event:
        return self.variable(atom.column).bind(atom)

    def table(self, names: Sequence[str], where: Event = EVERYTHING) -> Table:
        kept = self.where(where)
        variables = tuple(self.variable(name) for name in names)
        at = [self.names.index(name) for name in names]
        keys, group = combined(kept.codes[:, at])
        weight = np.zeros(len(keys), dtype=kept.weight.dtype)
        np.add.at(weight, group, kept.weight)
        return self._like(variables, keys, weight)

    def weights(self, events: Sequence[Event], where: Event = EVERYTHING) -> list[Number]:
        kept = self.where(where)
        return [total(kept.where(event).weight) for event in events]

    def sample(self, names: Sequence[str], where: Event, n: int) -> Table:
        return self.table(names, where)

    def rows(self) -> Iterator[tuple[tuple[Label, ...], Number]]:
        """Every outcome as its labels (None: missing) and its weight."""
        looked_up = [(*variable.labels, None) for variable in self.variables]
        for codes, weight in zip(self.codes.tolist(), self.weight.tolist(), strict=True):
            yield tuple(labels[c] for labels, c in zip(looked_up, codes, strict=True)), weight

    def __str__(self) -> str:
        lines = [(*map(quoted, self.names), "weight")]
        lines += [(*map(_word, labels), f"{weight:g}") for labels, weight in self.rows()]
        return aligned(lines)


def _word(label: Label) -> str:
    return "(missing)" if label is None else quoted(label)


def _variable(name: str, cells: Sequence[Label], of: str | None) -> Variable:
    """A variable whose type is stated, or told by its labels."""
    domain = Domain(sorted_labels({label for label in cells if label is not None}))
    return Variable(name, domain.type if of is None else of, domain.labels)


def unknown(name: str, names: Sequence[str], description: str, mark: str = "") -> UnknownColumn:
    """The error for a column that is not there; a mark shows where a question names it."""
    fix = nearest(name, names) + (f"\n{mark}" if mark else "")
    return UnknownColumn(f"no column {name!r} in {description}", fix=fix)


def integers(weights: Sequence[Number]) -> AnyArray:
    """Weights as integers over a common denominator; as they are where one is a float."""
    if any(isinstance(w, (float, np.floating)) for w in weights):
        return np.array(weights, dtype=np.float64)
    fractions = [Fraction(w) for w in weights]
    common = math.lcm(*(f.denominator for f in fractions)) if fractions else 1
    whole = [int(f * common) for f in fractions]
    return np.array(whole, dtype=np.int64 if sum(whole) < 2**62 else object)


def total(weight: AnyArray) -> Number:
    """The sum of weights: exact for integers, rounded once for floats."""
    if weight.dtype.kind == "f":
        return math.fsum(weight.tolist())
    return int(weight.sum()) if len(weight) else 0


def combined(codes: Indices) -> tuple[Indices, Indices]:
    """The distinct rows of a matrix of codes, in order, and which of them each row is.

    >>> combined(np.array([[1, 0], [0, 0], [1, 0]]))
    (array([[0, 0],
           [1, 0]], dtype=int32), array([1, 0, 1]))
    """
    if not codes.shape[1]:
        return codes[:1].astype(np.int32), np.zeros(len(codes), dtype=np.int64)
    sizes = codes.max(axis=0, initial=-1).astype(np.int64) + 2  # from -1 on
    if math.prod(sizes.tolist()) >= 2**62:
        keys, group = np.unique(codes, axis=0, return_inverse=True)
        return keys.astype(np.int32), group.reshape(-1)
    flat = np.zeros(len(codes), dtype=np.int64)
    for j, size in enumerate(sizes.tolist()):
        flat = flat * size + (codes[:, j] + 1)
    _, first, group = np.unique(flat, return_index=True, return_inverse=True)
    return codes[first].astype(np.int32), group


def too_many(
    names: Sequence[str], description: str, n: str = f"more than {MOST:,}", type: str = ""
) -> TooManyOutcomes:
    """The error for a table of some columns that would not find room."""
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    error = TooManyOutcomes(
        f"{n} distinct outcomes of {shown} in {description}",
        f"at most {MOST:,} where they are looked at one by one",
        "ask about fewer columns, or about ranges of them",
    )
    error.type = type
    return error
