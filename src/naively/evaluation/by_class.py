"""How each class fares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naively._typing import Indices, Label, Matrix, Vector
from naively.derivation.layout import aligned, as_html
from naively.evaluation.ranking import auc

__all__ = ["ByClass", "by_class"]

COLUMNS = ("n", "precision", "recall", "f1", "auc")


@dataclass(frozen=True, slots=True, eq=False)
class ByClass:
    """A row per class: its weight, precision, recall, F1 and AUC against the rest.

    What is 0 / 0 is NaN and shown as a dash: the precision of a class that was never said.
    """

    labels: tuple[Label, ...]
    n: Vector
    precision: Vector
    recall: Vector
    f1: Vector
    auc: Vector

    def to_dict(self) -> dict[Label, dict[str, float]]:
        """{class: {"n": ..., "precision": ..., ...}}."""
        columns = {name: getattr(self, name).tolist() for name in COLUMNS}
        return {
            label: {name: column[c] for name, column in columns.items()}
            for c, label in enumerate(self.labels)
        }

    def lines(self) -> list[tuple[str, ...]]:
        """The table as words."""
        head = ("class", "n", "precision", "recall", "F1", "AUC")
        return [head, *map(self._line, range(len(self.labels)))]

    def _line(self, c: int) -> tuple[str, ...]:
        values = (getattr(self, name)[c] for name in COLUMNS[1:])
        shown = ("-" if np.isnan(value) else f"{value:.4f}" for value in values)
        return (str(self.labels[c]), f"{self.n[c]:,.10g}", *shown)

    def __repr__(self) -> str:
        return aligned(self.lines())

    def _repr_html_(self) -> str:
        return as_html(self.lines())


def by_class(
    labels: tuple[Label, ...],
    truth: Indices,
    prediction: Indices,
    posterior: Matrix,
    weight: Vector | None = None,
) -> ByClass:
    """Precision, recall, F1 and AUC of every class; -1 is a prediction that is no class.

        precision = n(said c, is c) / n(said c)      recall = n(said c, is c) / n(is c)
        F1 = 2 n(said c, is c) / (n(said c) + n(is c))

    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    >>> by_class(("no", "yes"), np.array([0, 1, 1]), np.array([0, 0, 1]), p)
    class  n  precision  recall  F1      AUC
    no     1  0.5000     1.0000  0.6667  1.0000
    yes    2  1.0000     0.5000  0.6667  1.0000
    """
    w, k = np.ones(len(truth)) if weight is None else weight, len(labels)
    said, right = prediction >= 0, prediction == truth
    n: Vector = np.bincount(truth, w, k).astype(np.float64)
    named = np.bincount(prediction[said], w[said], k)
    hits = np.bincount(truth[right], w[right], k)
    with np.errstate(invalid="ignore"):
        rates = hits / named, hits / n, 2 * hits / (named + n)
    areas = np.array([auc(truth == c, posterior[:, c], w) for c in range(k)])
    return ByClass(labels, n, *rates, areas)
