"""Costs as they are stated: a labelled matrix, rows are truths and columns are actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from naively._typing import Label, Matrix
from naively.errors import DataError, UnsupportedType

__all__ = ["labelled"]

Labels = tuple[Label, ...]


def labelled(costs: Any, default: float | None = None) -> tuple[Labels, Labels, Matrix]:
    """Truths, actions and cost[truth, action].

    `costs` is {(truth, action): cost}, {truth: {action: cost}} or a frame whose rows are truths
    and whose columns are actions. `default` is the cost of every pair that is not named.

    >>> labelled({("ill", "send home"): 50, ("well", "treat"): 5}, default=0)[2]
    array([[50.,  0.],
           [ 0.,  5.]])
    """
    if hasattr(costs, "index") and hasattr(costs, "columns") and hasattr(costs, "to_numpy"):
        truths, actions, cells = _of_frame(costs)
    elif isinstance(costs, Mapping):
        truths, actions, cells = _of_mapping(costs)
    else:
        raise UnsupportedType(
            f"costs of type {type(costs).__name__}",
            "labelled costs: {(truth, action): cost}, or a frame of truths by actions",
            "a matrix without labels cannot say which side the truths are on",
        )
    if not truths or not actions:
        raise DataError("costs of nothing", "at least one truth and one action")
    cost = np.array([[_cost(cells, t, a, default) for a in actions] for t in truths])
    return truths, actions, cost


def _of_frame(frame: Any) -> tuple[Labels, Labels, dict[tuple[Label, Label], Any]]:
    truths, actions = tuple(frame.index.tolist()), tuple(frame.columns.tolist())
    for labels, what in ((truths, "rows"), (actions, "columns")):
        if type(getattr(frame, "index" if what == "rows" else what)).__name__ == "RangeIndex":
            fix = f"label its {what}: {'truths' if what == 'rows' else 'actions'}"
            raise DataError(f"a frame of costs whose {what} have no labels", "labels", fix)
        _refuse_twice(labels, what)
    values = frame.to_numpy()
    pairs = {(t, a): values[i, j] for i, t in enumerate(truths) for j, a in enumerate(actions)}
    return truths, actions, pairs


def _refuse_twice(labels: Sequence[Label], what: str) -> None:
    twice = next((label for label in labels if list(labels).count(label) > 1), None)
    if twice is not None:
        raise DataError(f"costs with {twice!r} twice among the {what}", "each label once")


def _of_mapping(costs: Mapping[Any, Any]) -> tuple[Labels, Labels, dict[tuple[Label, Label], Any]]:
    cells: dict[tuple[Label, Label], Any] = {}
    for key, value in costs.items():
        if isinstance(value, Mapping):
            cells |= {(key, action): cost for action, cost in value.items()}
        elif isinstance(key, tuple) and len(key) == 2:
            cells[key] = value
        else:
            raise DataError(f"costs for {key!r}", "a pair (truth, action), or {action: cost}")
    truths = tuple(dict.fromkeys(truth for truth, _ in cells))
    return truths, tuple(dict.fromkeys(action for _, action in cells)), cells


def _cost(
    cells: Mapping[tuple[Label, Label], Any], truth: Label, action: Label, default: float | None
) -> float:
    value = cells.get((truth, action), default)
    if value is None:
        fix = "state it, or a default= for all that are not stated"
        raise DataError(
            f"no cost of the action {action!r} where the truth is {truth!r}", "one", fix
        )
    try:
        cost = float(value)
    except (TypeError, ValueError):
        cost = np.nan
    if not np.isfinite(cost):
        found = f"the cost {value!r} of {action!r} where the truth is {truth!r}"
        raise DataError(found, "a finite number", "a very large one for what must never be")
    return cost
