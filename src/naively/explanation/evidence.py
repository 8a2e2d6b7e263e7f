"""`explain`: a posterior as prior log odds and one additive term for each column.

log P(a | x) / P(b | x) = log P(a) / P(b) + sum over j of log p(x_j | a) / p(x_j | b)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from naively import bayes
from naively._typing import Label, Vector
from naively.decision.decision import Decision
from naively.derivation import Derivation
from naively.derivation.layout import aligned, as_html
from naively.errors import ImpossibleEvidence, ParameterError, UnknownLabel, nearest
from naively.explanation.contributions import Contribution, contributions
from naively.explanation.importance import importance
from naively.explanation.without import left_out
from naively.explanation.working import derived, weighed
from naively.models.model import Model

__all__ = ["UNITS", "Explanation", "Term", "explain"]

UNITS: Mapping[str, float] = {
    "nats": 1.0,
    "bits": 1 / math.log(2),
    "decibans": 10 / math.log(10),
}
"""How many of a unit a nat is."""
EQUAL = 1e-12
"""Posteriors that differ by less are a tie."""


@dataclass(frozen=True, slots=True)
class Term:
    """What one column says: its weight of evidence for one class against another."""

    column: str
    value: Any
    weight: float
    likelihoods: Mapping[Label, float]
    """p(x | class) of the two classes."""
    counts: Mapping[Label, tuple[float, float]]
    """What a likelihood of labels was counted from: the rows with the label, of so many."""
    note: str = ""
    """Why it is no evidence, where it is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Why one class rather than another: prior log odds plus a term for each column.

    `additive` says whether the terms sum to the log odds; where they do not, each is what is
    lost without its column.
    """

    target: str
    favoured: Label
    against: Label
    prior: float
    terms: tuple[Term, ...]
    log_odds: float
    posterior: Mapping[Label, float]
    unit: str
    tied: bool
    additive: bool
    log_prior: Mapping[Label, float]
    prior_counts: Mapping[Label, tuple[float, float]]
    """What the prior was counted from, where it was."""
    parts: tuple[Contribution, ...]
    decision: Decision | None = None

    @property
    def risks(self) -> Mapping[Label, float]:
        """The expected cost of every action, where a decision is to be taken; the best first."""
        if self.decision is None:
            return {}
        risks = self.decision.risk(self.posterior)
        pairs = zip(self.decision.actions, risks.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: pair[1]))

    @property
    def derivation(self) -> Derivation:
        """The posterior worked out: every factor with its counts, the sum, the division.

        Where a decision is to be taken, the risk of the best action, from that posterior.
        """
        return derived(self) if self.decision is None else weighed(self)

    def _lines(self) -> list[list[str]]:
        pair = (self.favoured, self.against)
        lines = [["column", "value", self.unit, *(f"P(x | {label})" for label in pair)]]
        priors = (
            f"{math.exp(self.log_prior[label]):.4g}" for label in pair if label in self.log_prior
        )
        lines.append(["(prior)", "", f"{self.prior:.4g}", *priors])
        for term in sorted(self.terms, key=lambda term: -abs(term.weight)):
            shown = (
                f"{term.likelihoods[label]:.4g}" for label in pair if label in term.likelihoods
            )
            value = term.note or str(term.value)
            lines.append([term.column, value, f"{term.weight:.4g}", *shown])
        widest = max(map(len, lines))
        return [[*line, *[""] * (widest - len(line))] for line in lines]

    def _head(self) -> str:
        words = f"{self.target}={self.favoured} against {self.against}"
        tie = ", a tie that goes to the first class" if self.tied else ""
        odds = f"log odds {self.log_odds:.4g} {self.unit}"
        sums = (
            "" if self.additive else "\nterms are what is lost without a column; they do not add up"
        )
        p = f"P({self.favoured}) = {self.posterior[self.favoured]:.4g}"
        return f"{words}: {odds}, {p}{tie}{self._act()}{sums}"

    def _act(self) -> str:
        """The best action and what it risks."""
        if self.decision is None:
            return ""
        best, *others = self.risks.items()
        rest = ", ".join(f"{action} {risk:.4g}" for action, risk in others)
        return f"\nbest action {best[0]}, risk {best[1]:.4g}" + (f" ({rest})" if rest else "")

    def __repr__(self) -> str:
        return f"{self._head()}\n{aligned(self._lines(), right=(2, 3, 4))}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._head())}</p>{as_html(self._lines())}"


def explain(
    model: Any,
    row: Any = None,
    *,
    target: Label | None = None,
    against: Label | None = None,
    unit: str = "nats",
    decision: Decision | None = None,
) -> Any:
    """Why a model answers as it does; without a row which columns matter, and how much.

    `target` is the class that is explained, the predicted one unless stated. `against` is the
    other class: the runner-up unless stated, or "rest" for all others together, which is a sum
    of probabilities and so no sum of terms, or "all" for one explanation against each. With a
    `decision` the risks of its actions are shown too.

    >>> from naively.engines.one_pass import train
    >>> golf = {"wind": ["weak", "strong", "weak", "weak"], "play": ["yes", "no", "yes", "no"]}
    >>> found = explain(train(golf, "play"), {"wind": "weak"}, unit="bits")
    >>> round(found.log_odds, 12) == round(found.prior + sum(t.weight for t in found.terms), 12)
    True
    """
    if unit not in UNITS:
        raise ParameterError(f"unit={unit!r}", f"one of {', '.join(UNITS)}", nearest(unit, UNITS))
    if hasattr(model, "decision_"):  # what acts by costs explains its posterior, and its action
        model, decision = model.estimator_, decision or model.decision_
    inside = getattr(model, "model_", None) if not isinstance(model, Model) else model
    if not isinstance(inside, Model):
        return left_out(model, row, target, unit, UNITS[unit])
    if row is None:
        return importance(inside, UNITS[unit], unit)
    parts = contributions(inside, row)
    scores = inside.log_prior + sum((part.log_likelihood for part in parts), np.zeros(()))
    favoured, tied = _favoured(inside, scores, target)
    if against == "all":
        others = [label for label in inside.classes.labels if label != favoured]
        one = (explain(inside, row, target=favoured, against=label, unit=unit) for label in others)
        return dict(zip(others, one, strict=True))
    other = _other(inside, scores, favoured, against)
    found = _explanation(inside, parts, scores, (favoured, other), unit, tied)
    aligned_ = None if decision is None else decision.for_classes(inside.classes.labels)
    return replace(found, decision=aligned_)


def _favoured(model: Model, scores: Vector, target: Label | None) -> tuple[Label, bool]:
    """The class that is explained, and whether another is as probable."""
    if np.isneginf(scores).all():
        raise ImpossibleEvidence(
            "the evidence is impossible under this model: every class has likelihood 0",
            "a row that some class could have",
            "smooth with alpha > 0",
        )
    labels = model.classes.labels
    best = int(scores.argmax())
    near = scores >= scores[best] - EQUAL * max(1.0, abs(float(scores[best])))
    chosen = labels[best] if target is None else _known(model, target)
    mine = model.classes.index[chosen]
    return chosen, bool(near.sum() > 1 and near[mine])


def _known(model: Model, label: Label) -> Label:
    if label not in model.classes.index:
        fix = nearest(str(label), map(str, model.classes.labels))
        raise UnknownLabel(f"no class {label!r} in the model", fix=fix)
    return label


def _other(model: Model, scores: Vector, favoured: Label, against: Label | None) -> Label:
    if against == "rest" and "rest" not in model.classes.index:
        return "rest"
    if against is not None:
        return _known(model, against)
    mine = model.classes.index[favoured]
    others = [c for c in range(len(scores)) if c != mine]
    if not others:
        raise ParameterError("a model of one class", "another to compare it with")
    return model.classes.labels[max(others, key=lambda c: float(scores[c]))]


def _explanation(
    model: Model,
    parts: list[Contribution],
    scores: Vector,
    pair: tuple[Label, Label],
    unit: str,
    tied: bool,
) -> Explanation:
    labels, scale = model.classes.labels, UNITS[unit]
    a = model.classes.index[pair[0]]
    rest = pair[1] not in model.classes.index
    posterior = np.exp(bayes.normalize(scores[None, :])[0][0])
    odds = _against(scores, a, None if rest else model.classes.index[pair[1]])
    prior = _against(model.log_prior, a, None if rest else model.classes.index[pair[1]])
    terms = [_term(part, scores, labels, (a, pair[1]), rest) for part in parts]
    return Explanation(
        target=model.stats.target or "class",
        favoured=pair[0],
        against=pair[1],
        prior=prior * scale,
        terms=tuple(_scaled(term, scale) for term in terms),
        log_odds=odds * scale,
        posterior=dict(zip(labels, posterior.tolist(), strict=True)),
        unit=unit,
        tied=tied,
        additive=not rest,
        log_prior=dict(zip(labels, model.log_prior.tolist(), strict=True)),
        prior_counts=_prior_counts(model),
        parts=tuple(parts),
    )


def _prior_counts(model: Model) -> dict[Label, tuple[float, float]]:
    """The counts whose shares are the prior, plain or smoothed; none where it was stated."""
    for added in (0.0, 1.0):
        n = model.stats.class_count + added
        shares = n / n.sum()
        if model.stats.rows and np.allclose(shares, np.exp(model.log_prior), rtol=1e-12, atol=0):
            whole = float(n.sum())
            return {c: (k, whole) for c, k in zip(model.classes.labels, n.tolist(), strict=True)}
    return {}


def _against(scores: Vector, a: int, b: int | None) -> float:
    """The log odds of one class against another, or against all others together."""
    if b is not None:
        mine, other = float(scores[a]), float(scores[b])
        return 0.0 if mine == other else mine - other
    others = np.delete(scores, a)
    top = float(others.max(initial=-np.inf))
    if not np.isfinite(top):
        return math.inf
    return float(scores[a]) - top - math.log(math.fsum(np.exp(others - top).tolist()))


def _term(
    part: Contribution,
    scores: Vector,
    labels: tuple[Label, ...],
    pair: tuple[int, Label],
    rest: bool,
) -> Term:
    a, other = pair
    log = part.log_likelihood
    if rest:  # what the odds lose where the column is left out
        with np.errstate(invalid="ignore"):
            weight = _against(scores, a, None) - _against(scores - log, a, None)
    else:
        weight = _against(log, a, labels.index(other))
    shown = {labels[a]: a} if rest else {labels[a]: a, other: labels.index(other)}
    likelihoods = {c: math.exp(min(float(log[g]), 700.0)) for c, g in shown.items()}
    counts = {c: part.counts(g) for c, g in shown.items()}
    value = part.values[0] if len(part.values) == 1 else part.values
    known = {c: pair_ for c, pair_ in counts.items() if pair_ is not None}
    return Term(part.name, value, weight, likelihoods, known, part.note)


def _scaled(term: Term, scale: float) -> Term:
    return replace(term, weight=term.weight * scale)
