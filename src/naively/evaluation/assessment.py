"""`evaluate`: how good the answers of a classifier are."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from naively.evaluation.answers import Answers, answers_of, decided
from naively.evaluation.by_class import by_class
from naively.evaluation.calibration import reliability
from naively.evaluation.confusion import Confusion, confusion
from naively.evaluation.folds import Folds, left_out, splits
from naively.evaluation.intervals import intervals
from naively.evaluation.replies import Odd, Replies, is_ours, replies_of
from naively.evaluation.report import Evaluation
from naively.evaluation.rows import held, length, refuse_single_use, taken, without
from naively.evaluation.scores import scores_of
from naively.evaluation.sides import Sides, sides_of

__all__ = ["crossed", "evaluate", "features"]


def evaluate(
    model: Any,
    X: Any,
    y: Any = None,
    decision: Any = None,
    *,
    sample_weight: Any = None,
    cv: Any = None,
    bootstrap: int = 0,
    random_state: Any = 0,
) -> Evaluation:
    """How good a classifier's answers are: right, sure, calibrated, cheap.

    Every score is a weighted mean over rows; `naively.evaluation` has each as a function with
    its formula. Nothing is clipped: a truth of probability 0 makes the log loss infinite, and
    the rows are counted. The calibration error is that of the most probable class in 10 bins of
    equal frequency. The AUC of several classes is that of each against the rest, averaged. The
    base rate is what one would lose who knew the shares of the classes and nothing else.

    Parameters
    ----------
    model : a fitted classifier with `predict_proba`, or a `Model`
        With `cv` it is copied and learned anew; then it need not be fitted.
    X, y
        Rows as the model takes them; y an array, or the name of a column of X.
    decision : Decision, optional
        Takes the actions, and says what they cost. An action that is no class refuses the row.
    sample_weight : array or name of a column
        A weight of w counts as w rows, one of 0 as none.
    cv : int, splitter or iterable of (train, test)
        Folds that are answered by models that never saw them (a number: stratified, shuffled
        once). Scores are those of all these answers together; each fold's own stand beside
        them. A row answered several times counts as one.
    bootstrap : int
        Draws of rows for 95 % intervals: 1,000 is a good number, 0 for none.
    random_state : int or None
        What shuffles the folds and draws the rows: the same each time unless it is None.

    Examples
    --------
    >>> from naively import NaiveBayes
    >>> golf = {"outlook": ["sunny", "sunny", "rainy", "rainy"], "play": ["no", "no", "yes", "no"]}
    >>> seen = evaluate(NaiveBayes().fit(golf, "play"), golf, "play")
    >>> seen.accuracy, round(seen.log_loss, 4), seen.confusion["yes", "no"]
    (0.75, 0.4528, 1.0)
    """
    if cv is not None:
        rows, sides = features(X, y, sample_weight)
        folds = splits(sides, cv, 1, random_state)
        return crossed(model, rows, sides, folds, decision, bootstrap, random_state)
    answers, replies = _answered(model, X, y, sample_weight)
    return _evaluation(model, answers, [replies], decision, bootstrap, random_state)


def _answered(model: Any, X: Any, y: Any, weight: Any) -> tuple[Answers, Replies]:
    """The answers of a fitted model."""
    if is_ours(model):
        refuse_single_use(X)
    sides = sides_of(X, y, weight, _classes(model))
    rows = X if is_ours(model) or not sides.aside else without(held(X), sides.aside)
    thinned = len(sides.kept) < sides.n_rows
    replies = replies_of(model, _kept(held(rows), sides) if thinned else rows)
    if not thinned:
        sides.refuse_others(len(replies.log_posterior))
    everyone = [np.arange(len(sides.truth))]
    return answers_of([replies], sides.classes, sides.truth, sides.weight, everyone), replies


def crossed(
    model: Any,
    X: Any,
    sides: Sides,
    folds: Folds,
    decision: Any = None,
    bootstrap: int = 0,
    random_state: Any = 0,
) -> Evaluation:
    """The evaluation of the answers to rows that were left out."""
    replies = left_out(model, X, sides, folds)
    asked = [test for _, test in folds]
    answers = answers_of(replies, sides.classes, sides.truth, sides.weight, asked)
    return _evaluation(model, answers, replies, decision, bootstrap, random_state, len(folds))


def features(X: Any, y: Any, weight: Any) -> tuple[Any, Sides]:
    """The features of rows that can be taken one by one, and what stands beside them."""
    X = held(X)
    sides = sides_of(X, y, weight)
    return _kept(without(X, sides.aside), sides), sides


def _kept(X: Any, sides: Sides) -> Any:
    """The rows that have a weight above 0."""
    sides.refuse_others(length(X))
    return X if len(sides.kept) == sides.n_rows else taken(X, sides.kept)


def _classes(model: Any) -> tuple[Any, ...]:
    """The classes of a fitted model, in whose words truths are said."""
    inner = getattr(model, "classes", None)
    if inner is not None and hasattr(inner, "labels"):
        return tuple(inner.labels)
    if not hasattr(model, "classes_"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
    return tuple(np.asarray(getattr(model, "classes_", ())).tolist())


def _evaluation(
    model: Any,
    answers: Answers,
    replies: list[Replies],
    decision: Any,
    bootstrap: int,
    random_state: Any,
    n_folds: int = 0,
) -> Evaluation:
    if decision is not None:
        answers = decided(answers, decision)
    by_fold = [scores_of(answers.rows(answers.fold == k)).scores for k in range(n_folds)]
    once = answers.each_row_once()
    truth, p, w = once.truth, once.posterior, once.weight
    shape = (len(once.classes), len(once.actions))
    odd = _odd(replies)
    return Evaluation(
        **asdict(scores_of(once)),
        name=type(model).__name__,
        rows=int(np.count_nonzero(np.bincount(once.row))),
        answers=len(once.row),
        confusion=Confusion(
            once.classes.labels, once.actions, confusion(truth, once.action, shape, w)
        ),
        by_class=by_class(once.classes.labels, truth, once.prediction, p, w),
        reliability=reliability(truth, p, w),
        ruled_out=int(np.isneginf(once.log_posterior[np.arange(len(truth)), truth]).sum()),
        intervals=intervals(once, bootstrap, random_state),
        folds={s: np.array([fold[s] for fold in by_fold]) for s in (by_fold or [{}])[0]},
        unseen=None if odd is None else odd.unseen,
        missing=None if odd is None else odd.missing,
        impossible=None if odd is None else odd.impossible,
    )


def _odd(replies: list[Replies]) -> Odd | None:
    """The odd cells of all replies, where they were counted."""
    known = [one.odd for one in replies if one.odd is not None]
    return sum(known, Odd()) if len(known) == len(replies) else None
