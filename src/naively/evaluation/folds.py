"""Rows left out, fold by fold, and answers of models that never saw them."""

from __future__ import annotations

from typing import Any

import numpy as np

from naively._typing import Indices
from naively.errors import ParameterError, UnsupportedType
from naively.evaluation.replies import Replies, is_ours, replies_of
from naively.evaluation.rows import taken
from naively.evaluation.sides import Sides
from naively.models.model import Model

__all__ = ["Folds", "learned", "left_out", "splits"]

Folds = list[tuple[Indices, Indices]]
"""The rows that are learned and those that are asked, in every fold."""


def splits(sides: Sides, cv: Any, repeats: int = 1, random_state: Any = 0) -> Folds:
    """The folds: stratified for a number, else those of a splitter or of an iterable.

    >>> from naively.evaluation.sides import sides_of
    >>> sides = sides_of({"y": [0, 1, 0, 1]}, "y")
    >>> [test.tolist() for _, test in splits(sides, 2)]
    [[1, 2], [0, 3]]
    """
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        return _stratified(sides.truth, int(cv), repeats, random_state)
    if repeats != 1:
        raise ParameterError(f"repeats={repeats!r} of a splitter", "repeats of a number of folds")
    if hasattr(cv, "split"):
        return list(cv.split(np.zeros((len(sides.truth), 1)), sides.truth))
    position = np.full(sides.n_rows, -1)  # rows of weight 0 are not there
    position[sides.kept] = np.arange(len(sides.kept))
    found = [(position[np.asarray(train)], position[np.asarray(test)]) for train, test in cv]
    return [(train[train >= 0], test[test >= 0]) for train, test in found]


def _stratified(truth: Indices, k: int, repeats: int, random_state: Any) -> Folds:
    from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

    rows = np.zeros((len(truth), 1))
    try:
        if repeats == 1:
            folds = StratifiedKFold(k, shuffle=True, random_state=random_state)
        else:
            folds = RepeatedStratifiedKFold(
                n_splits=k, n_repeats=repeats, random_state=random_state
            )
        return list(folds.split(rows, truth))
    except ValueError as refusal:  # scikit-learn's words, as an error of ours
        most = int(np.bincount(truth).max())
        found = f"cv={k}, repeats={repeats}: {refusal}"
        raise ParameterError(found, f"2 to {most:,} folds, each repeated once or more") from None


def left_out(model: Any, X: Any, sides: Sides, folds: Folds) -> list[Replies]:
    """For every fold what a new model, learned from the other rows, says of its rows."""
    labels = sides.labels
    found = []
    for train, test in folds:
        weight = sides.weight[train] if sides.weighted else None
        fold = learned(model, taken(X, train), labels[train], weight)
        found.append(replies_of(fold, taken(X, test)))
    return found


def learned(model: Any, X: Any, y: Any, weight: Any) -> Any:
    """A copy of an estimator that learned these rows; the prior answers impossible ones."""
    from sklearn.base import clone
    from sklearn.utils.validation import has_fit_parameter

    name = type(model).__name__
    if isinstance(model, Model) or not hasattr(model, "fit"):
        fix = "give the estimator that made it, as NaiveBayes()"
        raise UnsupportedType(f"a {name}, which cannot learn anew", "an estimator for cv=", fix)
    new = clone(model)
    if is_ours(new) and "impossible" in new.get_params():
        new.set_params(impossible="prior")
    if weight is None:
        return new.fit(X, y)
    if not has_fit_parameter(new, "sample_weight"):
        found = f"sample_weight for {name}, whose fit takes none"
        raise ParameterError(found, "an estimator that takes weights", "fit it, and leave cv= out")
    return new.fit(X, y, sample_weight=weight)
