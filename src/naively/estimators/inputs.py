"""What scikit-learn's callers hand over, checked by its own rules, as sources and targets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names, _get_feature_names

from naively._typing import AnyArray, Indices
from naively.data.column import Codes
from naively.data.domain import Domain
from naively.data.objects import is_absent, kind_of_type
from naively.data.schema import Schema
from naively.data.source import Source, read
from naively.data.strips import array_of_cells
from naively.errors import DataError, NaivelyError, ParameterError, UnsupportedType

__all__ = [
    "NotFitted",
    "answer_source",
    "check_fitted",
    "learn_source",
    "score_sides",
    "target_of",
    "weights_of",
]


LEARNED = ("stats_", "joint_")
"""What an estimator has once it has learned, one or the other."""
SINGLE = (str, bytes, bool, int, float, Decimal, np.generic, dt.date, type(None))
"""The types of labels in lists; others are left to scikit-learn."""


class NotFitted(NaivelyError, NotFittedError):  # type: ignore[misc]
    """An estimator that is asked before it has learned."""


def check_fitted(estimator: Any) -> None:
    """Refuse to answer before `fit`."""
    if not any(hasattr(estimator, name) for name in LEARNED):
        name = type(estimator).__name__
        raise NotFitted(f"this {name} instance is not fitted yet", "a call of fit first")


def learn_source(estimator: Any, X: Any, y: Any, weight: Any, *, first: bool) -> tuple[Source, Any]:
    """The source and target of a call that learns; the first one decides the features."""
    source, target = read(X), target_of(X, y)
    source.classes = None if first else estimator.stats_.classes
    if not first:
        return _matched(estimator, X, source), target
    _is_frame(X)  # refuses names that scikit-learn would refuse
    aside = [name for name in (target, weight) if isinstance(name, str)]
    names = [name for name in source.names if name not in aside]
    estimator.n_features_in_ = len(names)
    if source.named:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    return source, target


def answer_source(estimator: Any, X: Any) -> Source:
    """The source of a call that answers, with the features of the call that learned."""
    check_fitted(estimator)
    return _matched(estimator, X, read(X))


def _matched(estimator: Any, X: Any, source: Source) -> Source:
    """A source whose columns are the learned ones, by name or by position.

    Names go by name, in any order and with any others beside them; only frames with just
    the learned columns are held to scikit-learn's own rules, which ask for the order.
    """
    known = getattr(estimator, "feature_names_in_", None)
    if source.named and known is not None:
        used = {column.name for column in estimator.schema_ if column.family is not None}
        others = set(source.names) ^ set(known)
        if _is_frame(X) and not (others and used <= set(source.names)):
            _check_names(estimator, X)
        return source
    if isinstance(X, np.ndarray) or _is_frame(X):
        _check_names(estimator, X)  # warns where one side has no names
    if source.named and set(estimator.schema_.names) <= set(source.names):
        return source
    n, expected = len(source.names), estimator.n_features_in_
    if n != expected:
        name = type(estimator).__name__
        raise DataError(
            f"X has {n} features, but {name} is expecting {expected} features as input",
            "the columns that were learned",
        )
    if source.named and _is_frame(X):
        source.named = False  # learned without names: the columns go by position
    return source


def _is_frame(X: Any) -> bool:
    """Whether scikit-learn knows the names of its columns."""
    if not (hasattr(X, "shape") and hasattr(X, "columns")):  # a lazy frame works for its columns
        return False
    try:
        return _get_feature_names(X) is not None
    except TypeError as refusal:  # scikit-learn's words, as one of our errors
        fix = "rename them: frame.columns = frame.columns.astype(str)"
        raise UnsupportedType(str(refusal), "names of one type", fix) from None


def _check_names(estimator: Any, X: Any) -> None:
    """scikit-learn's own rules on the names of features, its refusals as errors of ours."""
    try:
        _check_feature_names(estimator, X, reset=False)
    except ValueError as refusal:
        fix = "give the columns in their order, X[model.feature_names_in_], or a dict of columns"
        raise DataError(str(refusal).strip(), "the columns that were learned", fix) from None


def weights_of(weight: Any) -> Any:
    """Weights as the name of a column or an array."""
    return weight if weight is None or isinstance(weight, str) else np.asarray(weight)


def target_of(X: Any, y: Any, caller: str = "fit") -> Any:
    """The target as the name of a column or a checked array."""
    if y is None:
        raise ParameterError(
            f"{caller} requires y to be passed, but the target y is None",
            "an array of labels, or the name of the column that holds them",
        )
    name = y if isinstance(y, str) else _name_of(y, X)
    if name is not None:
        return name
    try:
        return _checked_target(column_or_1d(_array_of(y), warn=True))
    except NaivelyError:
        raise
    except ValueError as refusal:  # scikit-learn's words, as errors of ours
        raise DataError(str(refusal), "one label for each row") from None
    except TypeError as refusal:
        raise UnsupportedType(str(refusal), "an array of one label for each row") from None


def _name_of(y: Any, X: Any) -> str | None:
    """The name of a column that is called by no text, as the 1 of a frame without names."""
    single = isinstance(y, (int, float, bytes, np.generic))
    if not single and not isinstance(y, tuple):
        return None
    columns = list(X if isinstance(X, Mapping) else getattr(X, "columns", ()))
    if y in columns:
        return read(X).names[columns.index(y)]
    if single:
        names = ", ".join(map(repr, columns[:10])) or "no names"
        found = f"y={y!r}, where the columns of X are {names}"
        raise DataError(found, "an array of labels, or the name of a column")
    return None


def _array_of(y: Any) -> Any:
    """Labels of any make as something that scikit-learn can look at."""
    if isinstance(y, (list, tuple)) and all(isinstance(v, SINGLE) for v in y):
        return array_of_cells(list(y))
    if type(y).__module__.partition(".")[0] == "pyarrow":
        y = np.asarray(y)
    elif not isinstance(y, np.ndarray) and hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if isinstance(y, np.ndarray) and y.dtype.kind in "TS":
        y = y.astype(object)
    return y


def _checked_target(y: AnyArray) -> AnyArray:
    if not len(y):
        raise DataError("y has 0 entries: Found array with 0 sample(s)", "at least one row")
    if y.dtype.kind in "fc":
        assert_all_finite(y, input_name="y")
    if y.dtype.kind == "O":
        y = _labels_of(y)
    times = y.dtype.kind == "O" and kind_of_type(type(y[0])) == "time"  # labels as ISO texts
    if y.dtype.kind not in "biuU" and not times:  # nothing but classes needs no look at all rows
        check_classification_targets(y)
    return y


def _labels_of(y: AnyArray) -> AnyArray:
    """Labels that are Python objects: none is missing, and all have a common order."""
    labels = y.tolist()
    gone = [is_absent(label) for label in labels]
    if any(gone):
        found = f"y, row {gone.index(True):,}: Input y contains NaN or another missing value"
        raise DataError(found, "a label for every row", "drop the rows without a label")
    if all(isinstance(label, bytes) for label in labels):
        return np.char.decode(y.astype(bytes), "utf-8")
    texts = np.array([isinstance(label, str) for label in labels], dtype=bool)
    if texts.any() and not texts.all():
        found = f"y has labels {y[texts][0]!r} and {y[~texts][0]!r}"
        raise DataError(found, "labels of one kind", "make them all text or all numbers")
    if all(kind_of_type(type(label)) == "number" for label in labels):
        return y.astype(np.float64)
    return y


def score_sides(X: Any, y: Any, weight: Any, classes: Domain) -> tuple[Indices, Any]:
    """The true classes by position and the weights of rows to be scored."""
    target = target_of(X, y, "score")
    name = target if isinstance(target, str) else "y"
    sides = read(X) if isinstance(target, str) else read({"y": target})
    rows = sides.batches(Schema(()), target=name, classes=classes, learning=False)
    truth = np.concatenate([cast(Codes, batch.target).codes for batch in rows])
    if (truth < 0).all():
        raise DataError(
            f"none of the labels in {name!r} is a class of the model",
            f"labels such as {', '.join(map(repr, classes.labels[:5]))}",
        )
    weight = read(X).column(weight) if isinstance(weight, str) else weights_of(weight)
    return truth, weight
