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
from itertools import pairwise, product
from typing import Any

import numpy as np

from naively._typing import Label, Vector
from naively.decision.decision import Decision
from naively.decision.line import places, segments
from naively.decision.regions import costs_of, drawn_values, model_of, risks_along
from naively.derivation.exact import exact
from naively.errors import ParameterError
from naively.factors import Table
from naively.models.model import Model
from naively.probability.joint import Joint

__all__ = ["BayesError", "bayes_error"]

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
    if len(names) == 1 and not _is_whole(model, names[0]):
        return _integrated(model, decision, names[0])
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
    return BayesError.of(math.fsum((p @ decision.cost).min(axis=1).tolist()), "sum")


def _integrated(model: Model, decision: Decision, name: str) -> BayesError:
    """The cost of each region's action, integrated over the region."""
    from scipy.integrate import quad

    drawn = drawn_values(model, name)
    spread = np.quantile(drawn, np.linspace(0, 1, 65))

    def cost(x: float, action: int) -> float:
        p = np.exp(model.log_joint({name: [x]}))[0]
        return float(p @ decision.cost[:, action])

    parts, slack = [], 0.0
    for low, high, action in segments(risks_along(model, decision, name), places(drawn)):
        inside = spread[(spread > low) & (spread < high)]
        edges = np.unique([low, *inside, high])
        for a, b in pairwise(edges.tolist()):
            part, rest = quad(cost, a, b, (action,), epsabs=TOLERANCE, epsrel=TOLERANCE, limit=200)
            parts.append(part)
            slack += rest
    return BayesError.of(math.fsum(parts), "integral", slack)


def _by_draws(model: Model, decision: Decision, seed: int | None) -> BayesError:
    """The mean of the least risk over rows that the model draws, within 3 standard errors."""
    rows = model.sample(DRAWS, random_state=seed)
    names = [column.name for column in model.schema if column.family is not None]
    risks: Vector = (model.posterior({n: rows[n] for n in names}) @ decision.cost).min(axis=1)
    slack = 3 * float(risks.std()) / math.sqrt(DRAWS)
    return BayesError.of(float(risks.mean()), "draws", slack)


def _is_whole(model: Model, name: str) -> bool:
    """Whether the feature has whole numbers only: there is nothing to integrate."""
    support = next(part.family.support for part in model.parts if name in part.term.columns)
    return bool(support is not None and support.whole)
