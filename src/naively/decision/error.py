"""The Bayes error: what even the best decision gets wrong; with costs the least mean cost.

    error = 1 - integral of max over c of P(c) p(x | c)
    risk  = integral of min over actions of  sum over c of cost[c, action] P(c) p(x | c)

Discrete features make it a sum, which is exact; one feature of numbers an integral over its
decision regions; anything else is drawn, and has an interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from naively._typing import Label, Vector
from naively.decision.decision import Decision
from naively.decision.integral import integral
from naively.decision.regions import costs_of, model_of, stretches
from naively.decision.support import Line, line_of
from naively.derivation.exact import exact
from naively.errors import ParameterError
from naively.factors import Table
from naively.models.model import Model
from naively.probability.joint import Joint

__all__ = ["BayesError", "bayes_error"]

ROUNDING = 1e-12
"""Of densities and sums, as a share."""
TOLERANCE = 1e-12
"""Of the integrals, absolutely."""
CELLS = 200_000
"""Cells of a table that are summed one by one."""
DRAWS = 200_000
"""Rows that are drawn where there is no sum and no integral."""


class BayesError(float):
    """A mean cost, with its interval and how it was worked out: "sum", "integral" or "draws"."""

    interval: tuple[float, float]
    method: str
    exact: Any

    @classmethod
    def of(cls, value: Any, method: str, slack: float = 0.0) -> BayesError:
        """A value that is right up to some slack."""
        self = cls(value)
        slack += ROUNDING * abs(float(value))
        self.method = method
        self.interval = (float(value) - slack, float(value) + slack)
        self.exact = None if isinstance(value, float) else value
        return self


def bayes_error(
    model: Any,
    decision: Decision | None = None,
    *,
    target: str | None = None,
    random_state: int | None = 0,
) -> BayesError:
    """The least mean cost under a model, or of guessing the `target` of a `Joint`.

    Without a decision every error costs 1.

    >>> from naively.families import Gaussian
    >>> two = Model.from_distributions(prior={"a": .5, "b": .5}, likelihood={
    ...     "a": Gaussian(mean=0, std=1), "b": Gaussian(mean=2, std=1)})
    >>> error = bayes_error(two)
    >>> round(error, 12), error.method             # the tail of a Gaussian beyond 1
    (0.158655253931, 'integral')
    """
    if isinstance(model, Joint):
        return _of_joint(model, decision, target)
    model = model_of(model)
    decision = costs_of(model, decision)
    labels = _labels(model)
    if labels is not None and math.prod(map(len, labels.values())) <= CELLS:
        return _summed(model, decision, labels)
    names = [column.name for column in model.schema if column.family is not None]
    if len(names) == 1 and model.schema[names[0]].form == "real":
        line = line_of(model, names[0])
        return (_counted if line.whole else _integrated)(model, decision, line)
    return _by_draws(model, decision, random_state)


def _of_joint(joint: Joint, decision: Decision | None, target: str | None) -> BayesError:
    """An exact sum over the cells of all other variables."""
    if target is None or target not in joint.names:
        raise ParameterError(f"target={target!r}", f"one of {', '.join(joint.names)}")
    truths = tuple(joint.distribution(target))
    costs = Decision.minimum_error(truths) if decision is None else decision.for_classes(truths)
    rest = tuple(name for name in joint.names if name != target)
    cells: dict[Any, dict[Any, Any]] = {}
    for (truth, *cell), weight in joint.outcomes.table((target, *rest), joint.known).rows():
        cells.setdefault(tuple(cell), {})[truth] = weight
    whole = joint.whole
    total: Any = 0
    for weights in cells.values():
        total += min(_cost(costs, weights, action) for action in range(len(costs.actions)))
    value = total / whole if isinstance(total, float) else Fraction(total) / whole
    return BayesError.of(value, "sum")


def _cost(costs: Decision, weights: dict[Any, Any], action: int) -> Any:
    """The cost of an action in a cell, exact where costs and weights are."""
    pairs = [(costs.cost[costs.truths.index(truth), action], w) for truth, w in weights.items()]
    stated = [exact(float(cost)) for cost, _ in pairs]
    if any(cost is None for cost in stated) or any(isinstance(w, float) for _, w in pairs):
        return math.fsum(float(cost) * float(w) for cost, w in pairs)
    return sum(cost * w for cost, (_, w) in zip(stated, pairs, strict=True))


def _labels(model: Model) -> dict[str, tuple[Label, ...]] | None:
    """The labels of every feature, where all of them are labels."""
    labels: dict[str, tuple[Label, ...]] = {}
    for part in model.parts:
        if not isinstance(part.factor, Table) or part.term.coding is not None:
            return None
        pairs = zip(part.term.columns, part.factor.domains, strict=True)
        labels |= {name: domain.labels for name, domain in pairs}
    return labels


def _summed(
    model: Model, decision: Decision, labels: Mapping[str, tuple[Label, ...]]
) -> BayesError:
    """Every combination of labels."""
    rows = zip(*product(*labels.values()), strict=True)
    p = np.exp(model.log_joint(dict(zip(labels, map(list, rows), strict=True))))
    left = max(0.0, 1 - math.fsum(p.sum(axis=1).tolist()))  # of labels that were never seen
    cost = math.fsum((p @ decision.cost).min(axis=1).tolist())
    return BayesError.of(cost, "sum", left * float(np.abs(decision.cost).max()))


def _integrated(model: Model, decision: Decision, line: Line) -> BayesError:
    """The cost of each region's action, integrated over the region."""
    parts, slack, edges = [], 0.0, line.edges
    for low, high, action in stretches(model, decision, line):
        inside = edges[(edges > low) & (edges < high)]
        ends = [end for end in (low, high) if np.isfinite(end)]

        def cost(x: Vector, action: int = action) -> Vector:
            weighed: Vector = np.exp(model.log_joint({line.name: x})) @ decision.cost[:, action]
            return weighed

        cuts = np.unique(np.concatenate([inside, ends]))
        part, rest = integral(cost, cuts, TOLERANCE)
        parts.append(part)
        slack += rest
    return BayesError.of(math.fsum(parts), "integral", slack)


def _counted(model: Model, decision: Decision, line: Line) -> BayesError:
    """Whole numbers one by one, until hardly any probability is left."""
    drawn = np.concatenate(line.drawn)
    width = float(np.ptp(drawn)) + 10
    low = max(line.low, float(drawn.min()) - width)
    high = float(drawn.max()) + width
    while True:
        x = np.arange(low, min(line.high, high) + 1)
        p = np.exp(model.log_joint({line.name: x}))
        left = max(0.0, 1 - math.fsum(p.sum(axis=1).tolist()))
        if left < TOLERANCE or len(x) > CELLS or high >= line.high:
            break
        high += 2 * (high - low)
    cost = math.fsum((p @ decision.cost).min(axis=1).tolist())
    return BayesError.of(cost, "sum", left * float(np.abs(decision.cost).max()))


def _by_draws(model: Model, decision: Decision, seed: int | None) -> BayesError:
    """The mean of the least risk over rows that the model draws, within 3 standard errors."""
    rows = model.sample(DRAWS, random_state=seed)
    names = [column.name for column in model.schema if column.family is not None]
    risks: Vector = (model.posterior({n: rows[n] for n in names}) @ decision.cost).min(axis=1)
    slack = 3 * float(risks.std()) / math.sqrt(DRAWS)
    return BayesError.of(float(risks.mean()), "draws", slack)
