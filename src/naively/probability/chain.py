"""The chain rule: a joint probability as a product of conditional ones.

    P(a, b, c | m) = P(a | m) P(b | a, m) P(c | a, b, m)

A factor whose condition has no outcome is undefined. It does no harm where an earlier factor
is 0, since the product is 0 then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from naively.derivation import Derivation, Step
from naively.derivation.exact import Number
from naively.derivation.formula import Formula, P, Product
from naively.probability.answer import Probability
from naively.probability.event import EVERYTHING, And, Event, both
from naively.probability.working import answer, share

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
        ratios: tuple[Formula, ...],
        factors: tuple[Probability | None, ...],
        subject: P,
        names: tuple[P, ...],
    ) -> Chain:
        """The product of some factors, with their names."""
        value = Product(ratios).value
        assert value is not None  # an undefined factor follows one that is 0
        known = [replace(n, value=r.value) for n, r in zip(names, ratios, strict=True)]
        steps = (Step(Product(tuple(known)), "chain rule"), Step(Product(ratios)))
        derivation = Derivation(replace(subject, value=value), steps)
        self = cls(value, lambda: derivation)
        self.factors = factors
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.number, self.derivation, self.factors)


def _restored(
    value: Number, derivation: Derivation, factors: tuple[Probability | None, ...]
) -> Chain:
    chain_ = Chain(value, lambda: derivation)
    chain_.factors = factors
    return chain_


def chain(joint: Joint, event: Event, given: Event) -> Chain:
    """The chain rule over the parts of a conjunction, in their order."""
    from naively.probability.joint import impossible

    parts = event.parts if isinstance(event, And) else (event,)
    so_far = [both(*parts[:i]) for i in range(len(parts) + 1)]
    weights = joint.outcomes.weights(so_far, both(joint.known, given))
    if not weights[0]:
        raise impossible(given)
    before = [both(given, known) for known in so_far]
    links = list(zip(parts, before, weights[1:], weights, strict=False))
    return Chain.made(
        tuple(share(joint, part, whole) for _, _, part, whole in links),
        tuple(
            answer(joint, one, known, part, whole) if whole else None
            for one, known, part, whole in links
        ),
        P(str(event), _given(given), None),
        tuple(P(str(one), _given(known), None) for one, known, _, _ in links),
    )


def _given(event: Event) -> str:
    return "" if event == EVERYTHING else str(event)
