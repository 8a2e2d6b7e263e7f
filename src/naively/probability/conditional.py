"""Conditional distributions: P(x | given), a distribution for each value of what is given.

    P(given, x) = P(given) P(x | given)

>>> prior = Joint.from_table({"ill": [True, False], "p": [.0001, .9999]}, p="p")
>>> test = {"ill": [True, True, False, False], "test": ["+", "-", "+", "-"]}
>>> likelihood = Conditional.from_table({**test, "p": [.99, .01, .01, .99]}, p="p", given="ill")
>>> (prior * likelihood).P("ill | test='+'")
1/102 = 0.00980392
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naively._typing import Label
from naively.derivation.exact import Number, check_sum
from naively.derivation.formula import divided
from naively.errors import DataError, UnknownColumn, UnknownLabel, nearest
from naively.probability.asking import table_of
from naively.probability.joint import Joint
from naively.probability.stated import columns_and_numbers
from naively.probability.table import Table
from naively.probability.variable import Variable

__all__ = ["Conditional", "joined"]

Key = tuple[Label, ...]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Conditional:
    """P(names | given), for each value of `given` the outcomes and their probabilities."""

    given: tuple[str, ...]
    names: tuple[str, ...]
    types: Mapping[str, str]
    rows: Mapping[Key, Sequence[tuple[Key, Number]]]

    @classmethod
    def from_table(
        cls,
        source: Any,
        p: Any = "probability",
        *,
        given: str | Sequence[str],
        normalize: bool = False,
        **options: Any,
    ) -> Conditional:
        """Stated conditional probabilities; `given` names the columns behind the bar."""
        behind = (given,) if isinstance(given, str) else tuple(given)
        columns, types, ps, description = columns_and_numbers(source, p, **options)
        for name in behind:
            if name not in columns:
                found = f"given names {name!r}, which {description} does not have"
                raise UnknownColumn(found, fix=nearest(name, columns))
        names = tuple(name for name in columns if name not in behind)
        if not names or not behind:
            raise DataError(f"{description} with one side of the bar empty", "columns on both")
        keys = list(zip(*(columns[name] for name in behind), strict=True))
        cells = list(zip(*(columns[name] for name in names), strict=True))
        rows: dict[Key, list[tuple[Key, Number]]] = {}
        for key, cell, number in zip(keys, cells, ps, strict=True):
            rows.setdefault(key, []).append((cell, number))
        return cls(behind, names, types, {k: _checked(k, r, normalize) for k, r in rows.items()})

    def variables(self) -> tuple[Variable, ...]:
        """What is given: variables with their labels."""
        return Table.of(self._columns(), [1] * len(self.rows), types=self.types).variables

    def of(
        self, wanted: Mapping[str, Label], known: Sequence[Variable]
    ) -> Sequence[tuple[Key, Number]]:
        """The outcomes given these labels of another table, in whatever spelling."""
        try:
            key = tuple(None if wanted[v.name] is None else v.label(wanted[v.name]) for v in known)
            return self.rows[key]
        except (UnknownLabel, KeyError):
            shown = ", ".join(f"{name}={wanted[name]}" for name in self.given)
            found = f"no probabilities given {shown}, which the prior has"
            raise DataError(found, "a distribution for each of its outcomes") from None

    def _columns(self) -> dict[str, list[Label]]:
        return {name: [key[j] for key in self.rows] for j, name in enumerate(self.given)}

    def __repr__(self) -> str:
        return f"<Conditional P({', '.join(self.names)} | {', '.join(self.given)})>"


def _checked(key: Key, rows: list[tuple[Key, Number]], normalize: bool) -> list[tuple[Key, Number]]:
    """The rows of one condition, whose probabilities sum to 1."""
    what = f"the probabilities given {', '.join(map(str, key))}"
    total = check_sum([number for _, number in rows], what, normalize=normalize)
    return [(cell, divided(number, total)) for cell, number in rows]


def joined(prior: Joint, likelihood: Conditional) -> Table:
    """The joint distribution of a prior and a likelihood."""
    twice = set(prior.names) & set(likelihood.names)
    if twice:
        raise DataError(f"column {min(twice)!r} on both sides", "a likelihood of new columns")
    for name in likelihood.given:
        if name not in prior.names:
            fix = nearest(name, prior.names)
            raise UnknownColumn(f"the prior has no column {name!r}, which is given", fix=fix)
    table, whole, known = table_of(prior), prior.whole, likelihood.variables()
    outcomes = [
        ((*labels, *cell), divided(weight, whole) * number)
        for labels, weight in table.rows()
        if weight
        for cell, number in likelihood.of(dict(zip(table.names, labels, strict=True)), known)
    ]
    names = (*table.names, *likelihood.names)
    columns = dict(zip(names, zip(*(cells for cells, _ in outcomes), strict=True), strict=True))
    types = {**likelihood.types, **{v.name: v.type for v in table.variables}}
    return Table.of(columns, [p for _, p in outcomes], types=types, stated=True)
