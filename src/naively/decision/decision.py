"""`Decision`: one labelled matrix of costs, and what follows from it for a posterior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from naively._typing import Label, Matrix, Vector
from naively.data.domain import Domain
from naively.decision.costs import labelled
from naively.decision.decided import Decided, chosen, single
from naively.decision.posteriors import posteriors
from naively.derivation.layout import aligned, as_html
from naively.errors import DataError, ParameterError, UnknownLabel, nearest

__all__ = ["Decision"]


class Decision:
    """cost[truth, action], both labelled: rows are truths, columns are actions.

    Actions need not be classes. `costs` is {(truth, action): cost}, {truth: {action: cost}}
    or a frame of truths by actions; `default` is the cost of the pairs that are not named.

    >>> smoke = Decision({("fire", "ignore"): 1000, ("none", "alarm"): 1}, default=0)
    >>> smoke
           ignore  alarm
    fire   1000    0
    none   0       1
    >>> actions, risks = smoke.decide([[.01, .99], [.0001, .9999]])
    >>> actions.tolist(), risks.round(4).tolist()
    (['alarm', 'ignore'], [0.99, 0.1])
    """

    truths: tuple[Label, ...]
    """The order of the rows, and of the columns of a posterior."""
    actions: tuple[Label, ...]
    cost: Matrix

    def __init__(self, costs: Any, default: float | None = None) -> None:
        self.truths, self.actions, self.cost = labelled(costs, default)
        self.cost.flags.writeable = False

    @classmethod
    def minimum_error(
        cls, classes: Sequence[Label], *, unsure: float | None = None, action: Label = "unsure"
    ) -> Decision:
        """Every error costs 1: the most probable class is best. `unsure` is the cost of refusing.

        >>> Decision.minimum_error(["a", "b"], unsure=.2).decide([[.9, .1], [.6, .4]]).actions
        array(['a', 'unsure'], dtype='<U6')
        """
        labels = list(np.asarray(classes).tolist()) if hasattr(classes, "dtype") else list(classes)
        if unsure is not None and action in labels:
            raise ParameterError(f"action={action!r}, which is a class", "another name for it")
        costs = {(truth, one): float(truth != one) for truth in labels for one in labels}
        if unsure is not None:
            costs |= {(truth, action): unsure for truth in labels}
        return cls(costs)

    @classmethod
    def threshold(cls, positive: Label, negative: Label, at: float) -> Decision:
        """Say `positive` from this probability on: a missed one costs 1 - at, a false one at.

        >>> Decision.threshold("spam", "ham", at=.9).decide({"spam": .8, "ham": .2}).actions
        'ham'
        """
        if not isinstance(at, (int, float)) or not 0 <= at <= 1:
            raise ParameterError(f"a threshold at {at!r}", "a probability, between 0 and 1")
        missed, false = {positive: 0, negative: 1 - at}, {positive: at, negative: 0}
        return cls({positive: missed, negative: false})

    def decide(self, posterior: Any) -> Decided:
        """The action of least risk for each posterior, and that risk; the first of equal ones.

        A posterior is {truth: probability}, or a row of an array in the order of `truths`, or of
        a frame whose columns are truths. `ties` of what is returned says where another action
        would have been as good.
        """
        p, one = posteriors(posterior, self.truths)
        actions, risks, ties = chosen(p @ self.cost, Domain(self.actions).array())
        if one:
            return single(actions, risks, ties)
        decided = Decided(actions, risks)
        decided.ties = ties
        return decided

    def risk(self, posterior: Any, action: Label | None = None) -> Any:
        """The expected cost of every action (columns in the order of `actions`), or of one."""
        p, one = posteriors(posterior, self.truths)
        risks = p @ self.cost
        if action is not None:
            risks = risks[:, self._at(action, self.actions, "action")]
        return risks[0] if one else risks

    def cost_of(self, truths: Sequence[Label], actions: Sequence[Label]) -> Vector:
        """What it cost to act so where the truth was that.

        >>> smoke = Decision({("fire", "ignore"): 1000, ("none", "alarm"): 1}, default=0)
        >>> smoke.cost_of(["fire", "none"], ["alarm", "alarm"])
        array([0., 1.])
        """
        rows = [self._at(truth, self.truths, "truth") for truth in truths]
        columns = [self._at(action, self.actions, "action") for action in actions]
        if len(rows) != len(columns):
            raise DataError(f"{len(rows)} truths and {len(columns)} actions", "as many of each")
        costs: Vector = self.cost[rows, columns]
        return costs

    def for_classes(self, classes: Sequence[Label]) -> Decision:
        """The same costs with the rows in the order of a model's classes, which must be theirs."""
        wanted = tuple(np.asarray(classes).tolist() if hasattr(classes, "dtype") else classes)
        odd = [
            label
            for label in (*wanted, *self.truths)
            if (label in wanted) != (label in self.truths)
        ]
        if odd:
            found = f"costs of the truths {_shown(self.truths)} for the classes {_shown(wanted)}"
            fix = f"{odd[0]!r} is on one side only; a row of costs for each class"
            raise DataError(found, "the same labels", fix)
        rows = [self.truths.index(label) for label in wanted]
        pairs = ((t, a) for t in range(len(wanted)) for a in range(len(self.actions)))
        costs = {(wanted[t], self.actions[a]): self.cost[rows[t], a] for t, a in pairs}
        return Decision(costs)

    @staticmethod
    def _at(label: Any, labels: tuple[Label, ...], what: str) -> int:
        if label not in labels:
            fix = nearest(str(label), map(str, labels))
            raise UnknownLabel(f"no {what} {label!r} among the costs", fix=fix)
        return labels.index(label)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decision):
            return NotImplemented
        same = (self.truths, self.actions) == (other.truths, other.actions)
        return same and bool(np.array_equal(self.cost, other.cost))

    def __hash__(self) -> int:
        return hash((self.truths, self.actions, self.cost.tobytes()))

    def _lines(self) -> list[list[str]]:
        lines = [["", *map(str, self.actions)]]
        for truth, costs in zip(self.truths, self.cost.tolist(), strict=True):
            lines.append([str(truth), *(f"{cost:g}" for cost in costs)])
        return lines

    def __repr__(self) -> str:
        return aligned(self._lines())

    def _repr_html_(self) -> str:
        return as_html(self._lines())


def _shown(labels: Sequence[Label]) -> str:
    return ", ".join(map(repr, labels[:5])) + (", ..." if len(labels) > 5 else "")
