"""Decision regions: where each action is the best, and where the boundaries are.

>>> from naively.families import Gaussian
>>> letters = Model.from_distributions(prior={"a": .75, "b": .25}, likelihood={
...     "a": Gaussian(mean=15, std=4), "b": Gaussian(mean=25, std=4)})
>>> [(round(low, 6), round(high, 6), label) for low, high, label in decision_regions(letters)]
[(-inf, 21.75778, 'a'), (21.75778, inf, 'b')]
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naively._typing import AnyArray, Label, Matrix, Vector
from naively.decision.decision import Decision
from naively.decision.line import Risks, Segment, places, runs, segments
from naively.decision.support import Line, line_of
from naively.errors import ParameterError, UnseenWarning
from naively.models.model import Model

__all__ = [
    "Grid",
    "Region",
    "boundaries",
    "costs_of",
    "decision_regions",
    "model_of",
    "risks_along",
    "stretches",
]

Region = tuple[float, float, Label]
"""A stretch of the line, from low to high, and the action that is best there."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The best action on a grid over two features: rows go with y, columns with x."""

    names: tuple[str, str]
    x: Vector
    y: Vector
    actions: AnyArray
    risks: Matrix


def decision_regions(
    model: Any,
    decision: Decision | None = None,
    *,
    features: Sequence[str] | None = None,
    bounds: Sequence[tuple[float, float]] | None = None,
    grid: int = 200,
) -> Any:
    """The regions of a model of one feature, as (low, high, action); of two features a `Grid`.

    Without a decision every error costs 1. All boundaries are found, to the last digits that the
    model's own arithmetic has; of whole numbers (low, high) are the first and the last, of a grid
    there is only what its points say.
    """
    model = model_of(model)
    decision = costs_of(model, decision)
    names = tuple(features or [column.name for column in model.schema if column.family is not None])
    if len(names) == 1:
        found = stretches(model, decision, line_of(model, names[0]))
        return [(low, high, decision.actions[k]) for low, high, k in found]
    if len(names) == 2:
        return _grid(model, decision, names, bounds, grid)
    raise ParameterError(f"the regions of {len(names)} features", "a model of one or two features")


def boundaries(model: Any, decision: Decision | None = None) -> list[float]:
    """The places where the best action of a model of one feature changes.

    >>> from naively.families import Gaussian
    >>> wide = Model.from_distributions(prior={"a": .5, "b": .5}, likelihood={
    ...     "a": Gaussian(mean=0, std=1), "b": Gaussian(mean=0, std=2)})
    >>> [round(x, 6) for x in boundaries(wide)]
    [-1.359556, 1.359556]
    """
    return [low for low, _, _ in decision_regions(model, decision)[1:]]


def model_of(model: Any) -> Model:
    """A model, or that of a fitted estimator."""
    model = getattr(model, "estimator_", model)
    inside = getattr(model, "model_", model)
    if not isinstance(inside, Model):
        found = f"a {type(model).__name__}"
        raise ParameterError(found, "a Model, or an estimator of naively", "declare one")
    return inside


def costs_of(model: Model, decision: Decision | None) -> Decision:
    """The decision with its rows in class order; without one every error costs 1."""
    labels = model.classes.labels
    return Decision.minimum_error(labels) if decision is None else decision.for_classes(labels)


def risks_along(model: Model, decision: Decision, name: str) -> Risks:
    """The risk of every action by the value of a feature."""

    def risks(x: Vector) -> Matrix:
        with warnings.catch_warnings():  # places that cannot be are no news here
            warnings.simplefilter("ignore", UnseenWarning)
            found: Matrix = model.posterior({name: x}) @ decision.cost
        return found

    return risks


def stretches(model: Model, decision: Decision, line: Line) -> list[Segment]:
    """The stretches of one action each along a line; of whole numbers those that were drawn."""
    risks = risks_along(model, decision, line.name)
    drawn = np.concatenate(line.drawn)
    if line.whole:
        low, high = max(line.low, drawn.min()), min(line.high, drawn.max())
        return runs(risks, np.arange(low, high + 1))
    at = line.inside(np.concatenate([places(drawn), line.edges]))
    return segments(risks, at, line.low, line.high)


def _grid(
    model: Model,
    decision: Decision,
    names: tuple[str, ...],
    bounds: Sequence[tuple[float, float]] | None,
    n: int,
) -> Grid:
    if bounds is None:
        drawn = [np.concatenate(line_of(model, name).drawn) for name in names]
        bounds = [(float(v.min()), float(v.max())) for v in drawn]
    x, y = (np.linspace(low, high, n) for low, high in bounds)
    across, up = np.meshgrid(x, y)
    posterior = model.posterior({names[0]: across.ravel(), names[1]: up.ravel()})
    actions, risks = decision.decide(posterior)
    shape = across.shape
    return Grid((names[0], names[1]), x, y, actions.reshape(shape), risks.reshape(shape))
