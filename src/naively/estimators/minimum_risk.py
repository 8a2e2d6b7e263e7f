"""`MinimumRisk`: any classifier, acting by costs instead of by the most probable class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from naively._typing import AnyArray, Matrix
from naively.data.domain import Domain
from naively.data.source import read
from naively.decision.decision import Decision
from naively.errors import ParameterError

__all__ = ["MinimumRisk"]


def _passes_on(estimator: MinimumRisk) -> bool:
    return hasattr(estimator.estimator, "predict_log_proba")


class MinimumRisk(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The action of least expected cost, from the posteriors of any classifier.

    Parameters
    ----------
    estimator : classifier
        Anything of scikit-learn's kind with `predict_proba`; None is a `NaiveBayes`.
    costs : Decision, mapping or frame
        cost[truth, action], labelled (see `Decision`); None is the same cost for every error.
    default : float
        The cost of pairs that `costs` does not name.

    Attributes
    ----------
    estimator_, classes_ (of the truth), decision_ (rows in class order)

    Examples
    --------
    >>> table = {"beeps": [0, 1, 1, 0, 1, 0, 0, 0], "fire": ["no"] * 6 + ["yes", "no"]}
    >>> costs = {("yes", "stay"): 1000, ("no", "leave"): 1}
    >>> alarm = MinimumRisk(costs=costs, default=0).fit(table, "fire")
    >>> alarm.predict({"beeps": [0, 1]}).tolist()
    ['leave', 'leave']
    """

    def __init__(
        self, estimator: Any = None, *, costs: Any = None, default: float | None = None
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.default = default

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit a clone of the classifier; what it is given beside X and y goes to it."""
        self.estimator_ = self._new().fit(X, y, **params)
        if not hasattr(self.estimator_, "predict_proba"):
            found = f"{type(self.estimator).__name__}, which has no predict_proba"
            raise ParameterError(found, "a classifier that gives probabilities")
        self.decision_ = self._decision().for_classes(self.estimator_.classes_)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _new(self) -> Any:
        from naively.estimators.naive import NaiveBayes

        return NaiveBayes() if self.estimator is None else clone(self.estimator)

    def _decision(self) -> Decision:
        if self.costs is None:
            return Decision.minimum_error(self.estimator_.classes_)
        if isinstance(self.costs, Decision):
            return self.costs
        return Decision(self.costs, self.default)

    def predict(self, X: Any) -> AnyArray:
        """The action of least risk for each row; the first of equal ones."""
        check_is_fitted(self, "estimator_")
        actions: AnyArray = self.decision_.decide(self.predict_proba(X)).actions
        return actions

    def predict_proba(self, X: Any) -> Matrix:
        """P(c | x) of the classifier, columns in the order of `classes_`."""
        check_is_fitted(self, "estimator_")
        posterior: Matrix = self.estimator_.predict_proba(X)
        return posterior

    @available_if(_passes_on)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """log P(c | x) of the classifier."""
        check_is_fitted(self, "estimator_")
        log_posterior: Matrix = self.estimator_.predict_log_proba(X)
        return log_posterior

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Less the mean cost, so that more is better; without costs the accuracy."""
        if self.costs is not None:
            return -self.mean_cost(X, y, sample_weight)
        return float(super().score(X, _truths(X, y), sample_weight))

    def risk(self, X: Any) -> Matrix:
        """The expected cost of every action, columns in the order of `decision_.actions`."""
        check_is_fitted(self, "estimator_")
        risks: Matrix = self.decision_.risk(self.predict_proba(X))
        return risks

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """What the actions cost on average; y is an array, or the name of a column of X."""
        actions = self.predict(X).tolist()
        costs = self.decision_.cost_of(_truths(X, y).tolist(), actions)
        return float(np.average(costs, weights=sample_weight))

    @property
    def classes_(self) -> AnyArray:
        """The labels of the truth in their order."""
        check_is_fitted(self, "estimator_")
        classes: AnyArray = self.estimator_.classes_
        return classes

    @property
    def actions_(self) -> AnyArray:
        """What may be done."""
        check_is_fitted(self, "estimator_")
        return Domain(self.decision_.actions).array()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._new())
        tags.input_tags = inner.input_tags
        tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        return tags


def _truths(X: Any, y: Any) -> AnyArray:
    """The true classes: an array, or a column of the table."""
    return np.asarray(read(X).column(y) if isinstance(y, str) else y)
