"""What was true against what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from naively._typing import Indices, Label, Matrix, Vector
from naively.derivation.layout import aligned, as_html

__all__ = ["Confusion", "confusion"]


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    r"""Rows are truths, columns are actions; both are labelled.

    >>> Confusion(("no", "yes"), ("no", "yes", "unsure"), np.array([[5.0, 0, 1], [1, 2, 0]]))
    truth \ said  no  yes  unsure
    no            5   0    1
    yes           1   2    0
    """

    truths: tuple[Label, ...]
    actions: tuple[Label, ...]
    weight: Matrix

    def __getitem__(self, cell: tuple[Any, Any]) -> float:
        """The weight of the rows of a truth that met an action."""
        truth, action = cell
        return float(self.weight[self.truths.index(truth), self.actions.index(action)])

    def to_dict(self) -> dict[Label, dict[Label, float]]:
        """{truth: {action: weight}}."""
        rows = zip(self.truths, self.weight.tolist(), strict=True)
        return {truth: dict(zip(self.actions, row, strict=True)) for truth, row in rows}

    def lines(self) -> list[tuple[str, ...]]:
        """The table as words."""
        rows = zip(self.truths, self.weight, strict=True)
        cells = [(str(truth), *(f"{w:,.10g}" for w in row)) for truth, row in rows]
        return [("truth \\ said", *map(str, self.actions)), *cells]

    def __repr__(self) -> str:
        return aligned(self.lines())

    def _repr_html_(self) -> str:
        return as_html(self.lines())


def confusion(
    truth: Indices, action: Indices, shape: tuple[int, int], weight: Vector | None = None
) -> Matrix:
    """The weight of every pair of truth and action.

        n_ta = sum of the weights of the rows with truth t and action a

    >>> confusion(np.array([0, 1, 1]), np.array([0, 0, 1]), (2, 2))
    array([[1., 0.],
           [1., 1.]])
    """
    flat = np.bincount(truth * shape[1] + action, weight, shape[0] * shape[1])
    return flat.astype(np.float64).reshape(shape)
