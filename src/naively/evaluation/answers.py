"""The answers to rows beside their truths: all that a score is computed from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from naively._typing import AnyArray, Indices, Label, Matrix, Vector
from naively.data.agreement import agreeing
from naively.data.domain import Domain, sorted_labels
from naively.errors import DataError, ParameterError
from naively.evaluation.replies import Replies

__all__ = ["Answers", "answers_of", "decided"]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """By row: the truth, log P(c | x), the predicted class (-1 for none) and the action."""

    classes: Domain
    truth: Indices
    log_posterior: Matrix
    prediction: Indices
    weight: Vector
    row: Indices
    """The number of the row: several answers may be to one row."""
    fold: Indices
    actions: tuple[Label, ...]
    action: Indices
    cost: Matrix | None = None
    """What an action costs, classes by actions."""

    @property
    def posterior(self) -> Matrix:
        """P(c | x)."""
        p: Matrix = np.exp(self.log_posterior)
        return p

    @property
    def may_refuse(self) -> bool:
        """Whether some of the actions name a class, and others none."""
        named = [action in self.classes.index for action in self.actions]
        return any(named) and not all(named)

    def rows(self, at: AnyArray) -> Answers:
        """Some of the answers, perhaps several times."""
        names = ("truth", "log_posterior", "prediction", "weight", "row", "fold", "action")
        return replace(self, **{name: getattr(self, name)[at] for name in names})

    def each_row_once(self) -> Answers:
        """The answers to one row share its weight."""
        times = np.bincount(self.row)[self.row]
        return replace(self, weight=self.weight / times)


def answers_of(
    replies: Sequence[Replies],
    classes: Domain,
    truth: Indices,
    weight: Vector,
    row: Sequence[Indices],
) -> Answers:
    """The replies of one model, or of one a fold, in the words of the classes.

    A class that a model does not know has probability 0; what it predicts and is no class
    is an action of its own.
    """
    at = np.concatenate(row)
    fold = np.repeat(np.arange(len(row)), [len(rows) for rows in row])
    said = [label for one in replies for label in _in_words(one.predicted, classes)]
    others = sorted_labels(set(said) - classes.index.keys())
    actions = (*classes.labels, *others)
    action = Domain(actions).encode(said)
    return Answers(
        classes,
        truth[at],
        np.concatenate([_aligned(one, classes) for one in replies]),
        np.where(action < len(classes), action, -1),
        weight[at],
        at,
        fold,
        actions,
        action,
    )


def _aligned(replies: Replies, classes: Domain) -> Matrix:
    out = np.full((len(replies.log_posterior), len(classes)), -np.inf)
    out[:, classes.encode(_in_words(replies.classes, classes))] = replies.log_posterior
    return out


def _in_words(labels: Iterable[Label], classes: Domain) -> list[Label]:
    """Labels in the words of the classes; those that can be none of them as they are."""
    known: dict[Label, Label] = {}
    type = classes.type
    labels = list(labels)
    for label in set(labels):
        try:
            known[label] = agreeing(label, classes, type) if type else label
        except (ValueError, TypeError, OverflowError):
            known[label] = label
    return [known[label] for label in labels]


def decided(answers: Answers, decision: Any) -> Answers:
    """The answers with the actions of a decision, whose truths must be the classes.

    Predictions are the actions too, unless none of them names a class.
    """
    classes = answers.classes
    order = classes.encode(_in_words(_plain(decision.truths), classes))
    if sorted(order.tolist()) != list(range(len(classes))):
        raise ParameterError(
            f"a decision on the truths {', '.join(map(repr, _plain(decision.truths)))}",
            f"the classes {', '.join(map(repr, classes.labels))}",
            "give the cost matrix one row for each class",
        )
    own = _plain(decision.actions)
    actions = tuple(_in_words(own, classes))
    action = _positions(decision.decide(answers.posterior[:, order])[0], own)
    cost = np.asarray(decision.cost, dtype=np.float64)[np.argsort(order)]
    new = replace(answers, actions=actions, action=action, cost=cost)
    codes = classes.encode(actions)
    named = np.maximum(codes, -1)[action]
    return replace(new, prediction=named) if (codes >= 0).any() else new


def _plain(labels: Any) -> list[Label]:
    return [label.item() if isinstance(label, np.generic) else label for label in labels]


def _positions(said: Any, actions: list[Label]) -> Indices:
    found = Domain(tuple(actions)).encode(_plain(said))
    if (found < 0).any():
        odd = _plain(said)[int(np.argmax(found < 0))]
        raise DataError(f"the decision {odd!r}", f"one of {', '.join(map(repr, actions))}")
    return found
