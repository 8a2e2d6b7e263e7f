"""How much every column says about the class, under the model itself.

    I(C; X_j)    = E log p(x_j | c) / p(x_j)         in nats, bits or decibans

It is worked out over rows that the model draws: what a column would tell, were it alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from naively import bayes
from naively._typing import Matrix
from naively.derivation.layout import aligned, as_html
from naively.errors import ParameterError
from naively.explanation.contributions import parts_by_column
from naively.models.admission import admitted
from naively.models.model import Model
from naively.models.scoring import batches_of

__all__ = ["Importance", "importance"]

DRAWS = 20_000
"""Rows that are drawn."""


class Importance(Mapping[str, float]):
    """The information of every column about the class, the largest first."""

    def __init__(self, shared: Mapping[str, float], unit: str) -> None:
        self._shared = dict(sorted(shared.items(), key=lambda item: -item[1]))
        self.unit = unit

    def __getitem__(self, name: str) -> float:
        return self._shared[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shared)

    def __len__(self) -> int:
        return len(self._shared)

    def _lines(self) -> list[list[str]]:
        rows = [[name, f"{value:.4g}"] for name, value in self._shared.items()]
        return [["column", f"{self.unit} about the class"], *rows]

    def __repr__(self) -> str:
        return aligned(self._lines())

    def _repr_html_(self) -> str:
        return as_html(self._lines())


def importance(model: Model, scale: float, unit: str) -> Importance:
    """The mutual information of every column with the class, from rows that the model draws.

    >>> from naively.engines.one_pass import train
    >>> table = {"a": ["x"] * 50 + ["y"] * 50, "b": ["u", "v"] * 50, "c": ["0"] * 50 + ["1"] * 50}
    >>> found = importance(train(table, "c"), 1 / np.log(2), "bits")
    >>> list(found), bool(found["b"] < 0.01 < found["a"])
    (['a', 'b'], True)
    """
    for part in model.parts:
        if not part.family.generative:
            found = f"the importance of columns under the {part.family.name} family"
            raise ParameterError(found, "families that can be drawn from")
    rows: dict[str, Any] = model.sample(DRAWS, random_state=0)
    target = model.stats.target or next(n for n in rows if n not in model.schema)
    truth = model.classes.encode(rows.pop(target))
    (batch,) = list(batches_of(model.schema, rows))
    shared: dict[str, float] = {}
    for part in parts_by_column(model):
        scores: Matrix = np.zeros((batch.n_rows, len(model.classes)))
        part.factor.score(admitted(part.term, batch, learning=False).block, scores)
        log_posterior, _ = bayes.normalize(scores + model.log_prior)
        told = log_posterior[np.arange(len(truth)), truth] - model.log_prior[truth]
        name = ", ".join(part.term.columns)
        shared[name] = shared.get(name, 0.0) + max(0.0, float(told.mean())) * scale
    return Importance(shared, unit)
