"""Belief in hypotheses, revised by evidence: Bayes' rule, once for each piece.

    P(h | e) = P(e | h) P(h) / sum over hypotheses of P(e | h') P(h')

>>> coins = Belief({"fair": .5, "biased": .5})
>>> coins.observe("HHTHT", {"fair": {"H": .5, "T": .5}, "biased": {"H": .75, "T": .25}})
hypothesis  belief
fair        32/59 = 0.542373
biased      27/59 = 0.457627
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from naively import bayes
from naively.derivation import Derivation, Step
from naively.derivation.exact import Number, check_sum, number, numbers, shown
from naively.derivation.formula import P, Product, Ratio, Sum, Value, divided
from naively.derivation.layout import aligned, as_html
from naively.errors import DataError, ImpossibleEvidence, UnknownLabel, nearest
from naively.probability.answer import Probability
from naively.probability.frequencies import told

__all__ = ["Belief", "Observation"]

LONGEST = 4_096
"""Bits of a fraction beyond which a belief goes on in logs: a long path would never end."""

Hypothesis = Hashable


@dataclass(frozen=True, slots=True)
class Observation:
    """One piece of evidence on the path of a belief, and the posterior after it."""

    evidence: str
    likelihood: Mapping[Hypothesis, Number]
    posterior: Mapping[Hypothesis, Number]

    def __repr__(self) -> str:
        beliefs = ", ".join(f"{h}: {shown(p)}" for h, p in self.posterior.items())
        return f"{self.evidence} -> {beliefs}"


class Belief:
    """How much each of some hypotheses is believed; every update gives a new belief.

    Numbers that were stated exactly stay exact, so .1 is a tenth and answers are fractions.

    >>> disease = Belief({"ill": .0001, "well": .9999})
    >>> disease.update({"ill": .99, "well": .01}).posterior["ill"]
    1/102 = 0.00980392
    """

    def __init__(self, prior: Mapping[Any, Any], *, normalize: bool = False) -> None:
        if not isinstance(prior, Mapping) or not prior:
            raise DataError(f"a prior of type {type(prior).__name__}", "a mapping of hypotheses")
        ps = numbers(prior.values(), "the prior")
        total = check_sum(ps, "the probabilities of the prior", normalize=normalize)
        exactly_one = isinstance(total, Fraction) or normalize
        shares = [divided(p, total) if exactly_one or total != 1 else p for p in ps]
        self._prior = dict(zip(prior, shares, strict=True))
        self._history: tuple[Observation, ...] = ()
        self._log = None if isinstance(shares[0], Fraction) else _log(shares)

    # Evidence

    def update(self, likelihood: Mapping[Any, Any], evidence: str = "evidence") -> Belief:
        """The belief after a piece of evidence: its likelihood under each hypothesis."""
        self._check_hypotheses(likelihood)
        values = [number(likelihood[h], f"P({evidence} | {h})") for h in self._prior]
        return self._revised([(evidence, values)])

    def observe(self, sequence: Iterable[Any], tables: Mapping[Any, Mapping[Any, Any]]) -> Belief:
        """The belief after outcomes one by one; each hypothesis says how probable each one is.

        >>> tables = {"fair": {"H": .5, "T": .5}, "two heads": {"H": 1, "T": 0}}
        >>> Belief({"fair": .5, "two heads": .5}).observe("HH", tables).history
        (H -> fair: 1/3, two heads: 2/3, H -> fair: 1/5, two heads: 4/5)
        """
        self._check_hypotheses(tables)
        stated = {h: _distribution(h, tables[h]) for h in self._prior}
        pieces = [
            (str(outcome), [_of(stated[h], outcome, h) for h in self._prior])
            for outcome in sequence
        ]
        return self._revised(pieces)

    def _revised(self, pieces: Sequence[tuple[str, list[Any]]]) -> Belief:
        """The belief after pieces of evidence: their names, and their likelihoods in order."""
        path, now, log = list(self._history), list(self._now.values()), self._log
        for evidence, values in pieces:
            now, log = self._posterior(now, log, values)
            after = dict(zip(self._prior, now, strict=True))
            path.append(Observation(evidence, dict(zip(self._prior, values, strict=True)), after))
        revised = object.__new__(type(self))
        revised._prior, revised._log, revised._history = self._prior, log, tuple(path)
        return revised

    @staticmethod
    def _posterior(before: list[Any], log: Any, values: list[Any]) -> tuple[list[Any], Any]:
        """Bayes' rule: in fractions while these are short, else in logs."""
        if log is None and all(isinstance(v, Fraction) for v in values):
            weights = [p * v for p, v in zip(before, values, strict=True)]
            total = sum(weights)
            if not total:
                raise _impossible()
            posterior = [w / total for w in weights]
            if max(p.denominator.bit_length() for p in posterior) <= LONGEST:
                return posterior, None
        log = (_log(before) if log is None else log) + _log(values)
        if not np.isfinite(log).any():
            raise _impossible()
        log, _ = bayes.normalize(log[None, :])
        return np.exp(log[0]).tolist(), log[0]

    # What is believed

    @property
    def prior(self) -> Mapping[Any, Probability]:
        """The belief before any evidence."""
        return {h: Probability(p, lambda h=h, p=p: _stated(h, p)) for h, p in self._prior.items()}  # type: ignore[misc]

    @property
    def posterior(self) -> Mapping[Any, Probability]:
        """The belief after all evidence."""
        return {h: Probability(p, lambda h=h: self._working(h)) for h, p in self._now.items()}  # type: ignore[misc]

    @property
    def history(self) -> tuple[Observation, ...]:
        """Every piece of evidence in order, and the posterior after it."""
        return self._history

    @property
    def most_probable(self) -> Any:
        """The hypothesis that is believed most, the first of equal ones."""
        return max(self._now, key=lambda h: self._now[h])

    def odds(self, a: Any, b: Any) -> Number:
        """How many times as much one hypothesis is believed as another.

            P(a | e) / P(b | e) = P(a) / P(b) · P(e | a) / P(e | b)

        >>> Belief({"ill": .25, "well": .75}).update({"ill": .9, "well": .1}).odds("ill", "well")
        Fraction(3, 1)
        """
        self._check_hypotheses({a: 0, b: 0}, all_=False)
        if self._log is not None:
            at = list(self._prior)
            difference = float(self._log[at.index(a)] - self._log[at.index(b)])
            return math.exp(difference) if difference < 709 else math.inf
        top, bottom = self._now[a], self._now[b]
        if not top and not bottom:
            raise ImpossibleEvidence(
                f"the odds of {a!r} to {b!r}, both impossible", "one that can be"
            )
        return divided(top, bottom) if bottom else math.inf

    def natural_frequencies(self, of: int = 1_000_000, who: str = "people") -> str:
        """The last piece of evidence in numbers of people, which is easier to see.

        >>> ill = Belief({"ill": .0001, "well": .9999})
        >>> print(ill.update({"ill": .99, "well": .01}, "positive").natural_frequencies())
        of 1,000,000 people
            100 are ill: 99 with positive, 1 without
            999,900 are well: 9,999 with positive, 989,901 without
        of the 10,098 with positive 99 are ill (0.98 %), 9,999 are well (99 %)
        """
        if not self._history:
            raise DataError("a belief without evidence", "an update first")
        if not of > 0:
            raise DataError(f"of={of!r}", "a number of people above 0")
        return told(self._before, self._history[-1], of, who)

    @property
    def derivation(self) -> Derivation:
        """The last application of Bayes' rule, for the first hypothesis.

        Each probability in `posterior` has its own.
        """
        return self._working(next(iter(self._prior)))

    # Inside

    @property
    def _now(self) -> Mapping[Any, Number]:
        return self._history[-1].posterior if self._history else self._prior

    @property
    def _before(self) -> Mapping[Any, Number]:
        """The belief before the last piece of evidence."""
        return self._history[-2].posterior if len(self._history) > 1 else self._prior

    def _working(self, hypothesis: Any) -> Derivation:
        if not self._history:
            return _stated(hypothesis, self._prior[hypothesis])
        last = self._history[-1]
        before = self._before
        value, name, e = last.posterior[hypothesis], str(hypothesis), last.evidence
        pairs = {
            h: Product((Value(last.likelihood[h], stated=True), Value(before[h], stated=True)))
            for h in before
        }
        total = Sum(tuple(pairs.values()))
        prior = P(name, "", before[hypothesis])
        top = Product((P(e, name, last.likelihood[hypothesis]), prior))
        steps = (
            Step(Ratio(top, P(e, "", total.value)), "Bayes' rule"),
            Step(Ratio(pairs[hypothesis], total)),
        )
        return Derivation(P(name, e, value), steps)

    def _check_hypotheses(self, given: Mapping[Any, Any], *, all_: bool = True) -> None:
        for h in given:
            if h not in self._prior:
                fix = nearest(str(h), map(str, self._prior))
                raise UnknownLabel(f"no hypothesis {h!r}", "those of the prior", fix)
        for h in self._prior if all_ else ():
            if h not in given:
                raise DataError(f"nothing for the hypothesis {h!r}", "a likelihood for each")

    def _lines(self) -> list[tuple[str, str]]:
        rows = [(str(h), repr(p)) for h, p in self.posterior.items()]
        return [("hypothesis", "belief"), *rows]

    def __repr__(self) -> str:
        return aligned(self._lines())

    def _repr_html_(self) -> str:
        return as_html(self._lines())


def _impossible() -> ImpossibleEvidence:
    return ImpossibleEvidence(
        "the evidence has probability 0 under every hypothesis that is still believed",
        "a likelihood above 0 for one of them",
    )


def _log(values: list[Any]) -> Any:
    with np.errstate(divide="ignore"):
        return np.log(np.array([float(v) for v in values]))


def _distribution(hypothesis: Any, table: Mapping[Any, Any]) -> Mapping[Any, Number]:
    """The probabilities of outcomes under a hypothesis: at most 1 together."""
    ps = [number(p, f"P({outcome} | {hypothesis})") for outcome, p in table.items()]
    total = sum(ps)
    if total > 1 + 1e-9:
        found = f"probabilities under {hypothesis!r} that sum to {float(total):g}"
        raise DataError(found, "at most 1")
    return dict(zip(table, ps, strict=True))


def _of(table: Mapping[Any, Number], outcome: Any, hypothesis: Any) -> Number:
    if outcome not in table:
        raise UnknownLabel(
            f"the outcome {outcome!r}, of which {hypothesis!r} says nothing",
            "outcomes that every hypothesis has",
            nearest(str(outcome), map(str, table)),
        )
    return table[outcome]


def _stated(hypothesis: Any, p: Number) -> Derivation:
    return Derivation(P(str(hypothesis), "", p), (Step(Value(p, stated=True), "prior"),))
