"""The working of a prediction: Bayes' rule with every factor and its counts.

P(c | x) = P(c) · p(x_1 | c) · p(x_2 | c) · ... / P(x)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from naively._typing import Label
from naively.derivation import Derivation, Step
from naively.derivation.formula import Formula, P, Product, Ratio, Sum, Value
from naively.explanation.contributions import Contribution
from naively.probability.event import Compare, Missing

if TYPE_CHECKING:
    from naively.explanation.evidence import Explanation

__all__ = ["derived", "weighed"]


def derived(found: Explanation) -> Derivation:
    """The posterior of the favoured class: the joint of every class, their sum, the division."""
    labels = list(found.posterior)
    joints = [_joint(found, label, g) for g, label in enumerate(labels)]
    mine = joints[labels.index(found.favoured)]
    evidence = Sum(tuple(_number(joint) for joint in joints))
    x = ", ".join(_said(part) for part in found.parts if not part.note)
    names = Ratio(mine.subject, P(x, "", evidence.value))
    put_in = Ratio(_number(mine), evidence)
    steps = (Step(names, "Bayes' rule"), *([Step(put_in)] if evidence.value else []))
    subject = P(_event(found, found.favoured), x, found.posterior[found.favoured])
    left = [part.name for part in found.parts if part.note]
    note = f"no evidence: {', '.join(left)}" if left else ""
    return Derivation(subject, steps, tuple(joints), note)


def weighed(found: Explanation) -> Derivation:
    """The risk of the best action: each cost times the posterior of its truth; then the others."""
    best, *others = (_risk(found, action) for action in found.risks)
    return Derivation(best.subject, best.steps, (derived(found), *others))


def _risk(found: Explanation, action: Label) -> Derivation:
    decision = found.decision
    assert decision is not None
    j = decision.actions.index(action)
    costs = dict(zip(decision.truths, decision.cost[:, j].tolist(), strict=True))
    names = tuple(
        Product((P(f"{label}, {action}", "", cost, of="cost"), P(_event(found, label), "x", p)))
        for (label, cost), p in zip(costs.items(), found.posterior.values(), strict=True)
    )
    numbers = tuple(
        Product((Value(cost), Value(found.posterior[label]))) for label, cost in costs.items()
    )
    value = Sum(numbers).value
    steps = (Step(Sum(names), "expected cost"), Step(Sum(numbers)))
    return Derivation(P(str(action), "x", value, of="risk"), steps)


def _event(found: Explanation, label: Label) -> str:
    return str(Compare(found.target, "=", label))


def _said(part: Contribution) -> str:
    pairs = zip(part.columns, part.values, strict=True)
    return ", ".join(str(Missing(n) if v is None else Compare(n, "=", v)) for n, v in pairs)


def _joint(found: Explanation, label: Label, g: int) -> Derivation:
    """P(c, x) as the product of the prior and one factor for each column."""
    parts = [part for part in found.parts if not part.note]
    prior = math.exp(found.log_prior[label])
    event = _event(found, label)
    names: list[Formula] = [P(event, "", prior)]
    names += [P(_said(part), event, math.exp(min(part.log_likelihood[g], 700.0))) for part in parts]
    numbers: list[Formula] = [_share(found.prior_counts.get(label), prior)]
    numbers += [_factor(part, g) for part in parts]
    x = ", ".join(_said(part) for part in parts)
    value = math.exp(found.log_prior[label] + math.fsum(p.log_likelihood[g] for p in parts))
    steps = (
        Step(Product(tuple(names)), "one factor for each column"),
        Step(Product(tuple(numbers))),
    )
    return Derivation(P(f"{event}, {x}" if x else event, "", value), steps)


def _number(joint: Derivation) -> Value:
    value = joint.value
    assert value is not None
    return Value(float(value))


def _factor(part: Contribution, g: int) -> Formula:
    """A likelihood as it was counted, where it was; else as a number."""
    return _share(part.counts(g), math.exp(min(float(part.log_likelihood[g]), 700.0)))


def _share(counts: tuple[float, float] | None, value: float) -> Formula:
    if counts is None:
        return Value(value)
    n, whole = counts
    return Ratio(Value(_whole(n)), Value(_whole(whole)))


def _whole(x: float) -> int | float:
    return int(x) if x == int(x) else x
