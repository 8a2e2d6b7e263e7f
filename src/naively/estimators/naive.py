"""`NaiveBayes`: the model with scikit-learn's face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from naively._typing import AnyArray, Matrix, Vector
from naively.data.agreement import all_agreeing
from naively.data.domain import Domain, sorted_labels
from naively.data.schema import Schema
from naively.data.source import Source
from naively.engines import local
from naively.engines.one_pass import learn_table
from naively.errors import ForgetError, ParameterError, UnsupportedType
from naively.estimators import attributes
from naively.estimators.in_place import InPlace
from naively.estimators.inputs import (
    answer_source,
    check_fitted,
    learn_source,
    score_sides,
    weights_of,
)
from naively.families.choice import chosen
from naively.models.model import Model
from naively.models.prior import log_prior
from naively.models.recovered import schema_of
from naively.models.stats import Stats

__all__ = ["NaiveBayes"]


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes for a table as it is: each column has a distribution of its own.

        log P(c | x) = log P(c) + sum over j of log p(x_j | c) - log P(x)

    Parameters
    ----------
    columns : None, str, family, mapping or Schema
        Which family counts which column. None decides from the values (`schema_` says
        what and why), one name or family is for all columns, a mapping names columns (or
        tuples of columns that go together), and "ignore" leaves a column out.
    alpha : float
        Pseudo-count of categories and counts, in families that come by name.
    strength : float
        Imagined rows like the whole column: the prior of numeric families that come by name.
    prior : "counted", "smoothed", "uniform", mapping or array
        The class prior.
    unseen : "ignore", "reserve" or "error"
        What a label that training never saw is: no evidence, a bucket of its own, refused.
    missing : "ignore" or "value"
        Whether a missing cell is left out or is evidence of its own.
    impossible : "raise" or "prior"
        What becomes of a row that no class could have (only without smoothing).

    Attributes
    ----------
    classes_, schema_, stats_, model_, n_features_in_, feature_names_in_, class_count_,
    class_log_prior_; theta_ and var_ of Gaussian columns, feature_log_prob_ of counted ones.

    Examples
    --------
    >>> golf = {"outlook": ["sunny", "sunny", "rainy", "rainy"], "play": ["no", "no", "yes", "no"]}
    >>> model = NaiveBayes().fit(golf, "play")
    >>> model.predict({"outlook": "rainy"}).tolist()
    ['no']
    >>> model.predict_proba({"outlook": "rainy"}).round(3)
    array([[0.643, 0.357]])
    """

    _stats: Stats
    _growing: InPlace | None
    _design: tuple[Schema, Any, Any]
    _model: Model | None
    _scorer: Any

    def __init__(
        self,
        columns: Any = None,
        *,
        alpha: float = 1.0,
        strength: float = 1.0,
        prior: Any = "counted",
        unseen: Literal["ignore", "reserve", "error"] = "ignore",
        missing: Literal["ignore", "value"] = "ignore",
        impossible: Literal["raise", "prior"] = "raise",
    ) -> None:
        self.columns = columns
        self.alpha = alpha
        self.strength = strength
        self.prior = prior
        self.unseen = unseen
        self.missing = missing
        self.impossible = impossible

    # Learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table; y is an array, or the name of a column of X."""
        sample_weight = weights_of(sample_weight)
        source, target = learn_source(self, X, y, sample_weight, first=True)
        schema, stats = learn_table(source, target, sample_weight, self.columns, **self._defaults())
        self.declared_: Domain | None = None
        return self._become(Model(schema, stats, self.prior, self.impossible))

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn more rows: the same numbers as one `fit` on all of them at a fixed schema.

        The first call decides the schema; `classes` declares the only classes there are.
        """
        first = "_stats" not in self.__dict__
        if not first and classes is None and sample_weight is None and self._grown_by(X, y):
            return self
        sample_weight = weights_of(sample_weight)
        source, target = learn_source(self, X, y, sample_weight, first=first)
        declared = self._declare(classes, first)
        schema = self._inferred(source, target, sample_weight) if first else self.schema_
        if first and self.columns is None and not source.floats:
            _refuse_single_row(schema)
        stats = local.learn(source, schema, target, sample_weight, declared)
        if not first:
            stats = (self.stats_ + stats).pruned(declared)
            log_prior(self.prior, stats.classes, stats.class_count)  # refused before it is learned
        schema = local.told(schema, stats)
        model = Model(schema, stats, self.prior, self.impossible) if first else None
        self.declared_ = declared
        return self._grow(schema, stats) if model is None else self._become(model)

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows that were learned before, by subtraction."""
        check_fitted(self)
        sample_weight = weights_of(sample_weight)
        source, target = learn_source(self, X, y, sample_weight, first=False)
        gone = local.learn(source, self.schema_, target, sample_weight)
        left = (self.stats_ - gone).pruned(self.declared_)
        if not left.class_count.any():
            raise ForgetError("nothing would be left to know", "at least one remaining row")
        return self._become(Model(self.schema_, left, self.prior, self.impossible))

    @classmethod
    def from_stats(cls, stats: Stats, columns: Any = None, **params: Any) -> NaiveBayes:
        """A fitted estimator from statistics alone: merged, loaded or taken from elsewhere.

        Priors are chosen anew, and so is what several families share a statistic for: give
        `columns=` for complement (else multinomial) and a tied covariance (else full).
        """
        if not isinstance(stats, Stats):
            raise UnsupportedType(f"from_stats of a {type(stats).__name__}", "a Stats")
        new = cls(columns, **params)
        defaults = new._defaults()
        counted = schema_of(stats.structure, stats.columns, **defaults)
        schema = chosen(counted, _for_counted(columns, stats), **defaults)
        new.n_features_in_ = len(schema)
        if stats.named:
            new.feature_names_in_ = np.array(schema.names, dtype=object)
        new.declared_ = None
        return new._become(Model(schema, stats, new.prior, new.impossible))

    def restore(
        self, model: Model, n_features: int, names: list[str] | None, declared: Domain | None
    ) -> None:
        """Become what a file held (see `naively.load`)."""
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.declared_ = declared
        self._become(model)

    # Answering

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of each row; ties go to the first in `classes_`."""
        scorer = self._scorer_of(X)
        if scorer is not None:
            best = scorer.best(X)
            if best >= 0:
                return self._labels[best : best + 1].copy()
        return self._answering().predict(answer_source(self, X))

    def predict_proba(self, X: Any) -> Matrix:
        """P(c | x), columns in the order of `classes_`."""
        scorer = self._scorer_of(X)
        if scorer is not None:
            posterior: Matrix | None = scorer.posterior(X)
            if posterior is not None:
                return posterior
        return self._answering().posterior(answer_source(self, X))

    def predict_log_proba(self, X: Any) -> Matrix:
        """log P(c | x)."""
        return self._answering().log_posterior(answer_source(self, X))

    def predict_joint_log_proba(self, X: Any) -> Matrix:
        """log P(c, x), with every normalizing constant.

        Far out, differences between classes may be lost beside log P(x) itself: `predict` and
        `predict_proba` still tell them apart.
        """
        return self._answering().log_joint(answer_source(self, X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy; y is an array, or the name of a column of X."""
        truth, weight = score_sides(X, y, sample_weight, self._answering().classes)
        answers = self.model_.classes.encode(self.predict(X).tolist())
        return float(np.average(answers == truth, weights=weight))

    # What was learned

    @property
    def schema_(self) -> Schema:
        """What each column is, which family counts it, and why."""
        return self._design[0] if "_stats" in self.__dict__ else self.model_.schema

    @property
    def stats_(self) -> Stats:
        """What was counted: all that is known of the rows."""
        if "_stats" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        if self._growing is not None:
            self._stats = self._growing.stats()
        return self._stats

    @property
    def classes_(self) -> AnyArray:
        """The labels of the target in their order."""
        return self.model_.classes.array()

    @property
    def class_count_(self) -> Vector:
        """The weight of the rows of each class."""
        return self.model_.stats.class_count

    @property
    def class_log_prior_(self) -> Vector:
        """log P(c)."""
        return self.model_.log_prior

    @property
    def theta_(self) -> Matrix:
        """Means of the Gaussian columns, classes by columns."""
        return attributes.gaussian(self.model_)[0]

    @property
    def var_(self) -> AnyArray:
        """Variances of the Gaussian columns, classes by columns."""
        return attributes.gaussian(self.model_)[1]

    @property
    def feature_log_prob_(self) -> Any:
        """log theta of the counted columns."""
        return attributes.log_probabilities(self.model_)

    @property
    def model_(self) -> Model:
        """The model: made of the statistics when it is first asked for."""
        stats = self.stats_
        model = self._model
        if model is None:
            schema, prior, impossible = self._design
            self._model = model = Model(schema, stats, prior, impossible)
        return model

    # Inside

    def _answering(self) -> Model:
        check_fitted(self)
        return self.model_

    def _defaults(self) -> dict[str, Any]:
        names = ("alpha", "strength", "unseen", "missing")
        return {name: getattr(self, name) for name in names}

    def _inferred(self, source: Source, target: Any, weight: Any) -> Schema:
        return local.schema_of(source, target, weight, self.columns, **self._defaults())

    def _declare(self, classes: Any, first: bool) -> Domain | None:
        """The declared classes, which do not change between calls."""
        before = None if first else self.declared_
        if classes is None:
            return before
        labels = np.unique(np.asarray(classes)).tolist()
        known = labels if before is None else all_agreeing(labels, before)
        stated = Domain(sorted_labels(known))
        if not len(stated):
            raise ParameterError("classes=[]", "at least one class", "leave classes= out")
        if not first and (before is None or stated.labels != before.labels):
            raise ParameterError(
                f"classes={list(stated.labels)} on a later call", "the classes of the first call"
            )
        return stated

    def _become(self, model: Model) -> Self:
        """What was learned as a whole: the model is there at once, and its errors with it."""
        self._grow(model.schema, model.stats)
        self._model = model
        return self

    def _grow(self, schema: Schema, stats: Stats) -> Self:
        """More statistics: the model waits until it is asked for."""
        self._stats = stats
        self._growing = None
        self._design = (schema, self.prior, self.impossible)
        self._model = None
        self._scorer = None
        named = hasattr(self, "feature_names_in_")
        self._row_shape = None if named else (1, self.n_features_in_)
        return self

    def _scorer_of(self, X: Any) -> Any:
        """The compiled scorer where X is one plain row, before any table is made of it."""
        kind = type(X)
        if kind is np.ndarray:
            if X.shape != self.__dict__.get("_row_shape") or X.dtype != np.float64:
                return None
        elif kind is not dict or "_stats" not in self.__dict__:
            return None
        if self._scorer is None:
            self._labels = self.classes_
            self._scorer = self.model_.row_scorer or False
        return self._scorer or None

    def _grown_by(self, X: Any, y: Any) -> bool:
        """Whether the rows could be learned in place, before any table is made of them."""
        if type(X) is not np.ndarray or self._row_shape is None:
            return False
        if self.prior is not self._design[1]:  # another one, to be held against the classes
            return False
        if self._growing is None:
            self._growing = InPlace.of(self._stats, self.schema_)
        if self._growing is None or not self._growing.learn(X, y):
            return False
        self._design = (self.schema_, self.prior, self.impossible)
        self._model = self._scorer = None
        return True

    def __getstate__(self) -> dict[str, Any]:
        if "_stats" in self.__dict__:
            self._stats, self._growing = self.stats_, None
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_scorer": None} if "_scorer" in state else state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


def _for_counted(columns: Any, stats: Stats) -> Any:
    """The choice of families; one for all is for all columns that were counted."""
    if columns is None or isinstance(columns, (Mapping, Schema)):
        return columns
    return {tuple(name for name, _ in stats.structure.types): columns}


def _refuse_single_row(schema: Schema) -> None:
    """One row says nothing of what a column is."""
    if max(column.rows for column in schema) <= 1:
        raise ParameterError(
            "a single row to decide the families of the columns from",
            "a larger first batch",
            "or state the families by columns= (a Schema, or a family by name)",
        )
