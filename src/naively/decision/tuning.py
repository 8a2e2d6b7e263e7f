"""Thresholds and costs tuned on held-out rows, where posteriors are not to be trusted as they are.

A posterior that is too sure of itself decides badly under the true costs. What decides best on rows
that were not learned from may be another threshold, or other costs, than those that were stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from naively._typing import Label, Matrix, Vector
from naively.decision.decision import Decision
from naively.decision.posteriors import posteriors
from naively.errors import DataError, ParameterError

__all__ = ["tune_costs", "tune_threshold"]

STEPS = 2.0 ** np.arange(-4, 4.25, 0.25)
"""What the cost of a truth is multiplied by, to see whether that is better."""
ROUNDS = 5


def tune_threshold(
    posterior: Any, truth: Sequence[Any], decision: Decision, *, positive: Any
) -> Decision:
    """The threshold on P(positive) that would have cost least on held-out rows.

    `posterior` and `truth` are of rows that were not learned from; `decision` has the true costs
    of two classes, whose actions are the classes.

    >>> costs = Decision({("ill", "well"): 9, ("well", "ill"): 1}, default=0)
    >>> p = [[.4, .6], [.2, .8], [.1, .9], [.05, .95]]
    >>> tuned = tune_threshold(p, ["ill", "ill", "well", "well"], costs, positive="ill")
    >>> tuned.decide(p).actions.tolist()
    ['ill', 'ill', 'well', 'well']
    """
    if set(decision.truths) != set(decision.actions) or len(decision.truths) != 2:
        raise ParameterError(
            "a threshold for other than two classes", "actions that are the classes"
        )
    if positive not in decision.truths:
        raise ParameterError(f"positive={positive!r}", f"one of {decision.truths}")
    p, _ = posteriors(posterior, decision.truths)
    negative: Any
    (negative,) = (label for label in decision.truths if label != positive)
    mine = p[:, decision.truths.index(positive)]
    cuts = _between(mine)
    costs = [_mean_cost(decision, truth, np.where(mine >= c, positive, negative)) for c in cuts]
    return Decision.threshold(positive, negative, at=float(cuts[int(np.argmin(costs))]))


def _between(p: Vector) -> Vector:
    """A cut between every two neighbours, and one on each side."""
    values = np.unique(p)
    return np.concatenate([[0.0], (values[1:] + values[:-1]) / 2, [1.0]])


def _mean_cost(decision: Decision, truth: Sequence[Label], actions: Any) -> float:
    if len(truth) != len(actions):
        raise DataError(f"{len(truth)} truths and {len(actions)} posteriors", "one for each row")
    return float(decision.cost_of(list(truth), np.asarray(actions).tolist()).mean())


def tune_costs(posterior: Any, truth: Sequence[Any], decision: Decision) -> Decision:
    """The costs by which one should decide so that the true ones come out lowest on held-out rows.

    Each truth's row is multiplied by a factor, which is the same as to move its prior; the factors
    are found one by one. Where nothing is better, the stated costs are given back.

    >>> costs = Decision.minimum_error(["a", "b"])
    >>> tune_costs([[.9, .1], [.6, .4], [.6, .4]], ["a", "b", "b"], costs).decide([.6, .4]).actions
    'b'
    """
    p, _ = posteriors(posterior, decision.truths)
    truth = list(np.asarray(truth).tolist())
    factors = np.ones(len(decision.truths))
    best = _cost_under(decision, p, truth, factors)
    for _ in range(ROUNDS):
        before = best
        for j, step in product(range(len(factors)), STEPS.tolist()):
            tried = factors.copy()
            tried[j] *= step
            cost = _cost_under(decision, p, truth, tried)
            if cost < best - 1e-12:
                best, factors = cost, tried
        if best == before:
            break
    return _times(decision, factors)


def _cost_under(decision: Decision, p: Matrix, truth: Sequence[Any], factors: Vector) -> float:
    return _mean_cost(decision, truth, _times(decision, factors).decide(p).actions)


def _times(decision: Decision, factors: Vector) -> Decision:
    """The decision with each truth's costs multiplied."""
    cost = decision.cost * factors[:, None]
    pairs = ((t, a) for t in range(len(decision.truths)) for a in range(len(decision.actions)))
    return Decision({(decision.truths[t], decision.actions[a]): cost[t, a] for t, a in pairs})
