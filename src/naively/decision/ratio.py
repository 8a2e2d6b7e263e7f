"""The likelihood-ratio form of a decision between two actions for two classes.

Act as for the first where

    p(x | 1) / p(x | 2)  >  (cost[2, 1] - cost[2, 2]) / (cost[1, 2] - cost[1, 1]) · P(2) / P(1)

cost[j, i] being what action i costs where the truth is j. Zero-one costs leave P(2) / P(1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naively.decision.decision import Decision
from naively.derivation import Derivation, Step
from naively.derivation.exact import Number, exact, numbers
from naively.derivation.formula import Difference, P, Product, Ratio, Value, Words, divided
from naively.errors import DataError, ParameterError

__all__ = ["LikelihoodRatio", "likelihood_ratio"]


class LikelihoodRatio(float):
    """The threshold on p(x | 1) / p(x | 2) from which on the first action is better."""

    derivation: Derivation
    action: Any
    other: Any

    def __repr__(self) -> str:
        return f"{float(self):.6g}"


def likelihood_ratio(decision: Decision, prior: Mapping[Any, Any]) -> LikelihoodRatio:
    """How large p(x | first) / p(x | second) must be for the first action to be the better one.

    The first action is the one that costs less where the first truth holds.

    >>> smoke = Decision({("fire", "ignore"): 1000, ("none", "alarm"): 1}, default=0)
    >>> ratio = likelihood_ratio(smoke, {"fire": .0001, "none": .9999})
    >>> ratio, ratio.action
    (9.999, 'alarm')
    """
    if len(decision.truths) != 2 or len(decision.actions) != 2:
        found = f"{len(decision.truths)} truths and {len(decision.actions)} actions"
        raise ParameterError(found, "two of each: the ratio compares two")
    p1, p2 = _prior(decision, prior)
    costs = [[_stated(c) for c in row] for row in decision.cost.tolist()]
    first = 0 if costs[0][0] <= costs[0][1] else 1
    own, other = (costs[0][first], costs[0][1 - first]), (costs[1][first], costs[1][1 - first])
    gain, loss = own[1] - own[0], other[0] - other[1]
    if gain <= 0 or loss <= 0 or not p1:
        raise DataError(
            f"an action that is never worse than {decision.actions[1 - first]!r}"
            if gain > 0
            else "two actions that cost the same",
            "costs under which each action is the better one for one of the truths",
        )
    ratio = LikelihoodRatio(divided(loss, gain) * divided(p2, p1))
    ratio.action, ratio.other = decision.actions[first], decision.actions[1 - first]
    ratio.derivation = _derived(decision, (gain, loss), (p1, p2), first)
    return ratio


def _prior(decision: Decision, prior: Mapping[Any, Any]) -> list[Any]:
    if set(prior) != set(decision.truths):
        found = f"a prior of {', '.join(map(repr, prior))}"
        raise DataError(found, f"one of {', '.join(map(repr, decision.truths))}")
    return list(numbers([prior[truth] for truth in decision.truths], "the prior"))


def _stated(cost: float) -> Number:
    found = exact(cost)
    return cost if found is None else found


def _derived(
    decision: Decision, differences: tuple[Number, Number], prior: tuple[Any, Any], first: int
) -> Derivation:
    """The threshold with its formula, and the costs and priors put in."""
    (gain, loss), (p1, p2) = differences, prior
    one, two = map(str, decision.truths)
    act = str(decision.actions[first])
    costs = decision.cost

    def named(j: int, i: int) -> P:
        words = f"{decision.truths[j]}, {decision.actions[i]}"
        return P(words, "", _stated(float(costs[j, i])), of="cost")

    fewer = Difference(named(1, first), named(1, 1 - first))
    more = Difference(named(0, 1 - first), named(0, first))
    words = Product((Ratio(fewer, more), Ratio(P(two, "", p2), P(one, "", p1))))
    put_in = Product((Ratio(Value(loss), Value(gain)), Ratio(_shown(p2), _shown(p1))))
    value = divided(loss, gain) * divided(p2, p1)
    subject = Words(f"p(x | {one}) / p(x | {two}), from which on {act} is better", value)
    steps = (Step(words, "both risks are equal there"), Step(put_in))
    return Derivation(subject, steps)


def _shown(p: Number) -> Value:
    return Value(p, stated=True)
