"""Where the values of a feature can lie: the line that regions and integrals are on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from naively._typing import Vector
from naively.data.coding import Bins, steps
from naively.errors import ParameterError
from naively.factors.opaque import Opaque
from naively.families.registry import counting
from naively.models.model import Model
from naively.models.scoring import Scored

__all__ = ["Line", "line_of"]

DRAWS = 4_000
"""Rows that say where a model's values lie."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A feature's values: between which ends, whether whole, and where those of each class lie."""

    name: str
    low: float
    high: float
    whole: bool
    drawn: tuple[Vector, ...]

    def inside(self, x: Vector) -> Vector:
        """The places that lie between the ends."""
        return x[(x > self.low) & (x < self.high)]

    @property
    def edges(self) -> Vector:
        """Cuts that are fine where some class has its values, and wider further out."""
        powers: Vector = np.asarray(2.0 ** np.arange(-3, 41))
        cuts: list[Vector] = []
        for values in self.drawn:
            middle, width = float(np.median(values)), _width(values)
            cuts += [middle - width * powers, np.array([middle]), middle + width * powers]
        every = np.unique(np.concatenate(cuts))
        ends = [end for end in (self.low, self.high) if np.isfinite(end)]
        return np.unique(np.concatenate([self.inside(every), ends]))


def _width(values: Vector) -> float:
    low, high = np.quantile(values, [0.25, 0.75])
    return float(high - low) or float(np.ptp(values)) or max(1e-300, abs(float(values[0]))) * 1e-9


def line_of(model: Model, name: str) -> Line:
    """The line of one numeric feature.

    >>> from naively.families import Exponential
    >>> waits = Model.from_distributions(
    ...     {"a": .5, "b": .5}, {"a": Exponential(lam=1), "b": Exponential(lam=3)})
    >>> line_of(waits, "x").low, line_of(waits, "x").whole
    (0.0, False)
    """
    column = model.schema[name]
    if column.form != "real" or column.type in ("time", "string"):
        raise ParameterError(f"the feature {name!r} of {column.type or 'no'} values", "numbers")
    bounds = [bound for part in model.parts if name in part.term.columns for bound in _bounds(part)]
    rows = model.with_prior("uniform").sample(DRAWS, random_state=0)
    target = next(key for key in rows if key not in model.schema)
    values, labels = np.asarray(rows[name], dtype=np.float64), np.asarray(rows[target])
    drawn = tuple(values[labels == label] for label in model.classes.labels)
    return Line(
        name,
        float(max((low for low, _, _ in bounds), default=-np.inf)),
        float(min((high for _, high, _ in bounds), default=np.inf)),
        any(whole for _, _, whole in bounds),
        tuple(v[np.isfinite(v)] for v in drawn if np.isfinite(v).any()),
    )


def _bounds(part: Scored) -> Iterator[tuple[float, float, bool]]:
    """What the family, its codings and its densities say of their values."""
    factor = part.factor
    if isinstance(factor, Opaque):
        ends = [density.support() for density in factor.densities]
        kinds = {hasattr(density.dist, "logpmf") for density in factor.densities}
        if len(kinds) > 1:
            raise ParameterError("densities beside probabilities of whole numbers", "one kind")
        low, high = min(float(a) for a, _ in ends), max(float(b) for _, b in ends)
        yield low, high, kinds.pop()
        return
    for step in steps(part.term.coding):
        if isinstance(step, Bins):
            yield step.edges[0], step.edges[-1], False
        if step.support is not None:
            yield step.support.low, step.support.high, step.support.whole
    support = counting(part.term.kind).support
    if support is not None and part.term.coding is None:
        yield support.low, support.high, support.whole
