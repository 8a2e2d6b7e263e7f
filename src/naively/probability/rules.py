"""Bayes' rule and total probability: on a joint distribution, and on stated numbers.

P(a | b) = P(b | a) P(a) / P(b)
P(b)     = sum over the parts of a partition of P(b | part) P(part)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from naively.derivation import Derivation, Step
from naively.derivation.exact import Number, exact, probability
from naively.derivation.formula import (
    Formula,
    P,
    Product,
    Ratio,
    Sum,
    Value,
    divided,
)
from naively.errors import DataError, ImpossibleCondition, ParameterError
from naively.probability.answer import Probability
from naively.probability.asking import event_in
from naively.probability.event import Compare, Event, Missing, both, cell_of
from naively.probability.working import share

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["bayes", "bayes_rule", "total_probability"]


def bayes(joint: Joint, event: Any, given: Any) -> Probability:
    """P(a | b) by Bayes' rule: likelihood times prior by evidence.

    >>> from naively.probability import Joint
    >>> test = Joint.from_rows({"ill": [1, 1, 0, 0], "hot": [1, 1, 1, 0]})
    >>> print(bayes(test, "ill", given="hot").derivation)
    P(ill | hot)
      = P(hot | ill) · P(ill) / P(hot)    Bayes' rule
          P(hot)
            = P(hot | ill) · P(ill) + P(hot | ¬ill) · P(¬ill)    total probability
            = 2/2 · 2/4 + 1/2 · 2/4
            = 3/4
            = 0.75
      = (2/2 · 2/4) / (3/4)
      = 2/3
      = 0.666667
    """
    a, b = event_in(joint, event), event_in(joint, given)
    answer = joint.P(a, given=b)
    partition = [a, ~a] if not isinstance(a, Compare) or a.bare else _others(joint, a)
    links = _links(joint, b, partition)
    evidence = _total(str(b), links, stated=joint.outcomes.stated)
    return _posterior(str(b), links[0], evidence, answer)


def _others(joint: Joint, event: Compare) -> list[Event]:
    """The event and the other values of its variable."""
    labels = joint.outcomes.variable(event.column).labels
    values: list[Event] = [Compare(event.column, "=", label) for label in labels]
    gone = Missing(event.column)
    if joint.outcomes.weights([gone], joint.known)[0]:
        values.append(gone)
    return sorted(values, key=lambda value: value != event)


def total_probability(joint: Joint, event: Any, over: Any) -> Probability:
    """P(b) as a sum over the values of a variable, or of several.

    >>> from naively.probability import Joint
    >>> rain = Joint.from_rows({"day": ["mon", "mon", "tue"], "rain": ["yes", "no", "yes"]})
    >>> print(total_probability(rain, "rain=yes", over="day").derivation)
    P(rain=yes)
      = P(rain=yes | day=mon) · P(day=mon) + P(rain=yes | day=tue) · P(day=tue)    total probability
      = 1/2 · 2/3 + 1/1 · 1/3
      = 2/3
      = 0.666667
    """
    b = event_in(joint, event)
    names = joint.marginal(over).names
    rows = joint.outcomes.table(names, joint.known).rows()
    cells = [cell_of(names, labels) for labels, weight in rows if weight]
    derivation = _total(str(b), _links(joint, b, cells), stated=joint.outcomes.stated)
    return Probability(_number(derivation.value), lambda: derivation)


Link = tuple[str, Formula, Formula]
"""A part of a partition, P(event | part) and P(part)."""


def _links(joint: Joint, event: Event, partition: list[Event]) -> list[Link]:
    """Likelihood and prior of every part, from two looks at the outcomes."""
    inside = joint.outcomes.weights(partition, both(joint.known, event))
    sizes = joint.outcomes.weights(partition, joint.known)
    return [
        (str(part), share(joint, w, size), share(joint, size, joint.whole))
        for part, w, size in zip(partition, inside, sizes, strict=True)
    ]


def _total(event: str, links: list[Link], *, stated: bool) -> Derivation:
    """Total probability; parts of probability 0 add nothing, and are left out."""
    there = [(part, a, b) for part, a, b in links if b.value]
    names = Sum(
        tuple(Product((P(event, part, a.value), P(part, "", b.value))) for part, a, b in there)
    )
    numbers = Sum(tuple(Product((a, b)) for _, a, b in there))
    steps = [Step(names, "total probability"), Step(numbers)]
    if stated:
        steps.append(Step(Value(_number(numbers.value), stated=True)))
    return Derivation(P(event, "", numbers.value), tuple(steps))


def _posterior(
    event: str, link: Link, evidence: Derivation, answer: Probability, *, told: bool = True
) -> Probability:
    """Bayes' rule for one part of a partition; `told` shows where the evidence comes from."""
    part, likelihood, prior = link
    pairs = [(P(event, part, likelihood.value), likelihood), (P(part, "", prior.value), prior)]
    if not prior.value:  # the likelihood is undefined then, and does no harm behind a 0
        pairs.reverse()
    names, numbers = (Product(tuple(side)) for side in zip(*pairs, strict=True))
    bottom = Value(_number(evidence.value), stated=not told or answer.of is None)
    steps = (Step(Ratio(names, evidence.subject), "Bayes' rule"), Step(Ratio(numbers, bottom)))
    parts = (evidence,) if told else ()
    derivation = Derivation(P(part, event, answer.number), steps, parts)
    return Probability(answer.number, lambda: derivation, answer.n, answer.of)


def _number(value: Number | None) -> Number:
    assert value is not None
    return value


def bayes_rule(
    *, prior: Any, likelihood: Any, evidence: Any = None, false_alarm: Any = None
) -> Probability:
    """P(A | B) from P(A), P(B | A) and either P(B) or P(B | not A).

    >>> bayes_rule(prior=.0001, likelihood=.99, false_alarm=.01)
    1/102 = 0.00980392
    >>> bayes_rule(prior=.0001, likelihood=.99, evidence=.00001)
    Traceback (most recent call last):
    naively.errors.DataError: evidence = 1e-05 is less than likelihood * prior = 9.9e-05; ...
    """
    if (evidence is None) == (false_alarm is None):
        raise ParameterError(
            "both evidence and false_alarm" if evidence is not None else "neither of the two",
            "either evidence=P(B) or false_alarm=P(B | not A)",
        )
    stated = {"prior": prior, "likelihood": likelihood, "evidence": evidence}
    stated |= {"false_alarm": false_alarm}
    numbers = {k: probability(v, k) for k, v in stated.items() if v is not None}
    if any(isinstance(number, float) for number in numbers.values()):
        numbers = {name: float(number) for name, number in numbers.items()}
    return _by_rule(numbers)


def _by_rule(n: dict[str, Fraction | float]) -> Probability:
    link = ("A", Value(n["likelihood"], stated=True), Value(n["prior"], stated=True))
    joint = n["likelihood"] * n["prior"]
    if "evidence" in n:
        _check_evidence(n, joint)
        known = Derivation(P("B", "", n["evidence"]), (Step(Value(n["evidence"], stated=True)),))
    else:
        alarm, rest = Value(n["false_alarm"], stated=True), Value(1 - n["prior"], stated=True)
        known = _total("B", [link, ("¬A", alarm, rest)], stated=True)
    evidence = _number(known.value)
    if not evidence:
        raise ImpossibleCondition("evidence of probability 0", "P(B) above 0")
    answer = Probability(divided(joint, evidence), lambda: known)
    return _posterior("B", link, known, answer, told="evidence" not in n)


def _check_evidence(n: dict[str, Fraction | float], joint: Fraction | float) -> None:
    """A stated P(B) must leave a probability for P(B | not A)."""
    evidence, prior = n["evidence"], n["prior"]
    slack = 0 if exact(evidence) is not None and exact(joint) is not None else 1e-12
    said = f"evidence = {float(evidence):.6g}"
    if joint > evidence + slack:
        found = f"{said} is less than likelihood * prior = {float(joint):.6g}"
        raise DataError(found, "P(B) >= P(B | A) P(A): the numbers contradict each other")
    if evidence - joint > 1 - prior + slack:
        found = f"{said} leaves {float(evidence - joint):.6g} for P(B, not A)"
        most = f"at most P(not A) = {float(1 - prior):.6g}: the numbers contradict each other"
        raise DataError(found, most)
