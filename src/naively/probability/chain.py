"""The chain rule: a joint probability as a product of conditional ones.

    P(a, b, c | m) = P(a | m) P(b | a, m) P(c | a, b, m)

A factor whose condition has no outcome is undefined. It does no harm where an earlier factor
is 0, since the product is 0 then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from naively.derivation import Derivation, Step
from naively.derivation.exact import Number
from naively.derivation.formula import Formula, P, Product, Ratio, Undefined, Value, divided
from naively.probability.answer import Probability
from naively.probability.event import EVERYTHING, And, Event, both

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["Chain", "chain"]


class Chain(Probability):
    """A probability by the chain rule, with its factors; None is an undefined one.

    >>> from naively.probability import Joint
    >>> coins = Joint.from_rows({"a": ["h", "h", "t"], "b": ["h", "t", "t"]})
    >>> coins.chain("a=h, b=t")
    1/3 = 0.333333
    >>> coins.chain("a=h, b=t").factors
    (2/3 = 0.666667, 1/2 = 0.5)
    """

    factors: tuple[Probability | None, ...]

    @classmethod
    def made(
        cls,
        value: Number,
        work: Callable[[], Derivation],
        factors: tuple[Probability | None, ...],
    ) -> Chain:
        """A chain of these factors."""
        self = cls(value, work)
        self.factors = factors
        return self


def chain(joint: Joint, event: Event, given: Event) -> Chain:
    """The chain rule over the parts of a conjunction, in their order."""
    from naively.probability.joint import impossible

    parts = event.parts if isinstance(event, And) else (event,)
    before = [both(given, *parts[:i]) for i in range(len(parts) + 1)]
    weights = [joint.outcomes.weights([EVERYTHING], both(joint.known, b))[0] for b in before]
    if not weights[0]:
        raise impossible(given)
    pairs = list(zip(weights[1:], weights, strict=False))
    ratios = tuple(_ratio(joint, part, whole) for part, whole in pairs)
    value = Product(ratios).value
    assert value is not None  # an undefined factor follows one that is 0
    names = tuple(
        P(str(part), _given(b), ratio.value)
        for part, b, ratio in zip(parts, before, ratios, strict=False)
    )
    subject = P(str(event), _given(given), value)
    steps = (Step(Product(names), "chain rule"), Step(Product(ratios)))
    factors = tuple(
        None if not whole else joint.P(part, given=b if b != EVERYTHING else None)
        for part, b, (_, whole) in zip(parts, before, pairs, strict=False)
    )
    return Chain.made(value, lambda: Derivation(subject, steps), factors)


def _given(event: Event) -> str:
    return "" if event == EVERYTHING else str(event)


def _ratio(joint: Joint, part: Number, whole: Number) -> Formula:
    """A factor as a ratio of what was counted, not reduced; 0/0 is undefined."""
    if not whole:
        return Undefined()
    if not joint.outcomes.stated:
        return Ratio(Value(part), Value(whole))
    values = (Value(divided(weight, joint.whole), stated=True) for weight in (part, whole))
    return Ratio(*values)
