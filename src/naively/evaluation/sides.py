"""What stands beside the answers: the truths and the weights of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, cast

import numpy as np

from naively._typing import AnyArray, Indices, Label, Vector
from naively.data.column import Codes
from naively.data.domain import Domain
from naively.data.schema import Schema
from naively.data.source import read
from naively.errors import DataError

__all__ = ["Sides", "sides_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The truths of the rows as positions in the classes, and their weights above 0."""

    classes: Domain
    truth: Indices
    weight: Vector
    kept: Indices
    """The rows that are there: those of weight 0 are not."""
    n_rows: int
    weighted: bool
    aside: tuple[str, ...]
    """The columns of the table that are no features: the target and the weight, by name."""

    @property
    def labels(self) -> AnyArray:
        """The truths as labels."""
        found: AnyArray = self.classes.array()[self.truth]
        return found

    def refuse_others(self, n_rows: int) -> None:
        """There must be as many rows in the table."""
        if n_rows != self.n_rows:
            found = f"{self.n_rows:,} truths beside {n_rows:,} rows"
            raise DataError(found, "one truth for every row")


def sides_of(X: Any, y: Any, weight: Any = None, known: Sequence[Label] = ()) -> Sides:
    """Truths and weights, each an array or the name of a column of X.

    Labels take the words of those that are `known`; others are classes beside them.

    >>> sides = sides_of({"x": [1, 2, 3], "y": ["b", "a", "c"]}, "y", [1, 0, 2], ("a", "b"))
    >>> sides.classes.labels, sides.labels.tolist(), sides.kept.tolist()
    (('a', 'b', 'c'), ['b', 'c'], [0, 2])
    """
    from naively.estimators.inputs import target_of  # late: it knows scikit-learn

    target = target_of(X, y, "evaluate")
    aside = [name for name in (target, weight) if isinstance(name, str)]
    columns = {name: read(X).column(name) for name in aside}
    beside = {"y": columns[target] if isinstance(target, str) else target}
    w = columns[weight] if isinstance(weight, str) else weight
    source, domain = read(beside), Domain(tuple(known))
    source.classes = domain if known else None
    batches = list(source.batches(Schema(()), target="y", weight=w))
    found = [cast(Codes, batch.target) for batch in batches]
    classes = reduce(Domain.union, (codes.domain for codes in found), domain)
    truth = np.concatenate([codes.recoded(classes).codes for codes in found])
    n_rows = len(beside["y"])
    kept = np.arange(n_rows) if w is None else np.flatnonzero(np.asarray(w, dtype=np.float64))
    if not len(kept):
        raise DataError("the weight of every row is zero", "at least one above 0")
    weights = [np.ones(b.n_rows) if b.weight is None else b.weight for b in batches]
    return Sides(classes, truth, np.concatenate(weights), kept, n_rows, w is not None, tuple(aside))
