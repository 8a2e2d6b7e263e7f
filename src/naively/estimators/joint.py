"""`JointBayes`: the classifier without any assumption of independence.

    P(c | x) = n(c, x) / n(x)

It counts whole rows. That is Bayes' rule on the full joint distribution, exact, and of use as
long as rows come again: with every column there are more cells to see, and soon most are empty.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import Any, Literal, Self, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from naively._typing import AnyArray, Flags, Indices, Label, Matrix
from naively.data.coding import Bins
from naively.data.column import Batch, Codes
from naively.data.domain import Domain
from naively.data.schema import Schema, free_name
from naively.data.source import Source
from naively.derivation.exact import counted
from naively.engines import local
from naively.errors import (
    DataError,
    ImpossibleEvidence,
    NaivelyWarning,
    ParameterError,
    UnsupportedType,
)
from naively.estimators.inputs import (
    answer_source,
    check_fitted,
    learn_source,
    score_sides,
    weights_of,
)
from naively.families.histogram import Histogram
from naively.models.structure import Structure, Term, design
from naively.probability.joint import Joint
from naively.probability.table import Table, combined

__all__ = ["JointBayes"]

SHOWN = 5
"""Rows that an error names."""
MOST_CELLS = 2_000_000
"""Combinations of values that are kept."""

Key = tuple[Label, ...]


class JointBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Bayes' rule on the full joint distribution: every combination of values is counted.

    Columns of numbers are cut into `bins` of equal frequency first. A missing cell is a value
    of its own. A combination that training never saw has no answer: it is refused, or given
    the class prior (`impossible="prior"`).

    Parameters
    ----------
    columns : None, str, family or mapping
        Families for some columns, as in `NaiveBayes`: "categorical", a `Histogram`, "ignore".
    bins : int
        The bins of a column of numbers.
    impossible : "raise" or "prior"
        What becomes of a row whose combination of values was never seen.

    Attributes
    ----------
    classes_, schema_, joint_ (the distribution, which can be asked), n_cells_,
    n_possible_cells_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> golf = {"outlook": ["sunny", "sunny", "rainy", "rainy"], "play": ["no", "no", "yes", "no"]}
    >>> model = JointBayes().fit(golf, "play")
    >>> model.predict_proba({"outlook": "rainy"})
    array([[0.5, 0.5]])
    >>> model.joint_.P("play=no | outlook=rainy")
    1/2 = 0.5
    """

    def __init__(
        self,
        columns: Any = None,
        *,
        bins: int = 10,
        impossible: Literal["raise", "prior"] = "raise",
    ) -> None:
        self.columns = columns
        self.bins = bins
        self.impossible = impossible

    # Learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the rows of a table; y is an array, or the name of a column of X."""
        if self.impossible not in ("raise", "prior"):
            raise ParameterError(f"impossible={self.impossible!r}", "'raise' or 'prior'")
        weight = weights_of(sample_weight)
        source, target = learn_source(self, X, y, weight, first=True)
        _refuse_sparse(source)
        self.schema_: Schema = local.schema_of(
            source, target, weight, self._choices(source, target, weight)
        )
        self._structure = _counted_only(design(self.schema_)[0])
        taken = {name for term in self._structure.terms for name in term.columns}
        self._target = target if isinstance(target, str) else free_name("class", taken)
        self._become(self._counts(source, target, weight))
        return self

    def _choices(self, source: Source, target: Any, weight: Any) -> Mapping[Any, Any]:
        """Categories for what is counted as labels, and bins for numbers."""
        chosen = self.columns if isinstance(self.columns, Mapping) else {}
        named = set(chain(*(key if isinstance(key, tuple) else (key,) for key in chosen)))
        aside = {name for name in (target, weight) if isinstance(name, str)}
        if self.columns is not None and not chosen:
            return {name: self.columns for name in source.names if name not in aside}
        bins = Histogram(bins=self.bins, cut="frequency")
        families = {
            column.name: "categorical" if column.type in ("boolean", "string") else bins
            for column in source.inferred(weight)
            if column.family not in ("ignore", "categorical") and column.name not in named | aside
        }
        return {**families, **chosen}

    def _counts(self, source: Source, target: Any, weight: Any) -> dict[Key, float]:
        """The weight of every combination of values and class."""
        found: dict[Key, float] = {}
        for batch in source.batches(self.schema_, target=target, weight=weight):
            codes, labels = self._coded(batch, cast(Codes, batch.target))
            keys, group = combined(codes)
            sums = np.bincount(group, batch.weight, minlength=len(keys))
            for key, n in zip(_labelled(keys, labels), sums.tolist(), strict=True):
                found[key] = found.get(key, 0.0) + n
            _refuse_many(len(found))
        return found

    def _coded(self, batch: Batch, *more: Codes) -> tuple[Indices, list[tuple[Label, ...]]]:
        """The codes of a batch, rows by columns, and the labels that they stand for."""
        columns = [*(column for term in self._structure.terms for column in _codes(term, batch))]
        columns += [(column.codes, column.domain.labels) for column in more]
        return np.stack([codes for codes, _ in columns], axis=1), [names for _, names in columns]

    def _become(self, counts: Mapping[Key, float]) -> None:
        names = [name for term in self._structure.terms for name in term.columns]
        columns = zip(*counts, strict=True)
        weights = [int(n) if n == int(n) else n for n in counts.values()]
        types = {c.name: "string" if c.type == "number" else c.type for c in self.schema_}
        table = Table.of(
            dict(zip([*names, self._target], columns, strict=True)),
            weights,
            types={n: types[n] for n in names if not self._is_cut(n)},
            description="what was learned",
        )
        self.joint_ = Joint(table, table.names)
        self._classes = Domain(table.variable(self._target).labels)
        self._cells = _by_cell(table, self._classes)

    def _is_cut(self, name: str) -> bool:
        return any(name in term.columns and term.coding for term in self._structure.terms)

    # Answering

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of each row; ties go to the first in `classes_`."""
        best: AnyArray = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return best

    def predict_proba(self, X: Any) -> Matrix:
        """P(c | x), columns in the order of `classes_`."""
        parts = list(self._found(X))
        seen = np.concatenate([flags for flags, _ in parts])
        if not seen.all():
            self._say_unseen(seen)
        return np.concatenate([posterior for _, posterior in parts])

    def predict_log_proba(self, X: Any) -> Matrix:
        """log P(c | x)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy; y is an array, or the name of a column of X."""
        check_fitted(self)
        truth, weight = score_sides(X, y, sample_weight, self._classes)
        answers = self._classes.encode(self.predict(X).tolist())
        return float(np.average(answers == truth, weights=weight))

    def empty_share(self, X: Any) -> float:
        """The share of rows whose combination of values was never seen: the curse in a number.

        >>> model = JointBayes().fit({"a": ["x", "y"], "b": ["x", "y"], "c": ["-", "+"]}, "c")
        >>> model.empty_share({"a": ["x", "x"], "b": ["x", "y"]})
        0.5
        """
        seen = np.concatenate([flags for flags, _ in self._found(X)])
        return float(1 - seen.mean())

    def _found(self, X: Any) -> Iterator[tuple[Flags, Matrix]]:
        """Per batch which rows were seen before, and their posteriors (the prior for others)."""
        check_fitted(self)
        source = answer_source(self, X)
        _refuse_sparse(source)
        prior = sum(self._cells.values()) / self.joint_.whole
        for batch in source.batches(self.schema_, learning=False):
            codes, labels = self._coded(batch)
            keys, group = combined(codes)
            cells = [self._cells.get(key) for key in _labelled(keys, labels)]
            rows = [prior if cell is None else cell / cell.sum() for cell in cells]
            seen = np.array([cell is not None for cell in cells])
            yield seen[group], np.stack(rows)[group]

    def _say_unseen(self, seen: Flags) -> None:
        count, first = int((~seen).sum()), np.flatnonzero(~seen)[:SHOWN].tolist()
        shown = ", ".join(map(str, first)) + (", ..." if count > SHOWN else "")
        found = (
            f"{count:,} of {len(seen):,} rows ({count / len(seen):.0%}) have a combination of "
            f"values that training never saw (first {shown}); it saw {self.n_cells_:,} of "
            f"{counted(self.n_possible_cells_)} possible ones"
        )
        if self.impossible == "raise":
            fix = "answer with the class prior by impossible='prior', or use NaiveBayes"
            raise ImpossibleEvidence(found, "rows that were seen before, or fewer columns", fix)
        warnings.warn(f"{found}: they are given the class prior", NaivelyWarning, stacklevel=3)

    # What was learned

    @property
    def classes_(self) -> AnyArray:
        """The labels of the target in their order."""
        check_fitted(self)
        return self._classes.array()

    @property
    def n_cells_(self) -> int:
        """How many combinations of values were seen."""
        return len(self._cells)

    @property
    def n_possible_cells_(self) -> int:
        """How many combinations there could be."""
        seen = zip(*self._cells, strict=True)
        sizes = [len(set(labels)) for labels in seen]  # a missing cell is a value too
        return math.prod(sizes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _refuse_many(cells: int) -> None:
    if cells > MOST_CELLS:
        raise DataError(
            f"more than {MOST_CELLS:,} combinations of values: hardly any will come again",
            "columns that have few combinations together",
            "leave columns out, cut numbers into fewer bins, or use NaiveBayes",
        )


def _refuse_sparse(source: Source) -> None:
    if source.sparse:
        found = "sparse input: a sparse matrix is not supported by JointBayes"
        raise UnsupportedType(found, "few columns, as an array or a table")


def _counted_only(structure: Structure) -> Structure:
    """Refuse families that are no table of values."""
    for term in structure.terms:
        if term.kind != "categorical":
            raise ParameterError(
                f"the {term.kind} family for {', '.join(term.columns[:3])}",
                "families that count values: 'categorical' or a Histogram",
            )
    return structure


def _codes(term: Term, batch: Batch) -> Iterator[tuple[Indices, tuple[Label, ...]]]:
    """The codes of a term's columns and their labels; bins are labelled by their intervals."""
    block = batch.columns(term.columns)
    coded = cast("tuple[Codes, ...]", block if term.coding is None else term.coding.encode(block))
    for column in coded:
        labels = column.domain.labels
        yield column.codes, _intervals(term.coding) if isinstance(term.coding, Bins) else labels


def _intervals(bins: Bins) -> tuple[Label, ...]:
    edges = bins.edges
    return tuple(f"{low:g} to {high:g}" for low, high in pairwise(edges))


def _labelled(keys: Indices, labels: list[tuple[Label, ...]]) -> Iterator[Key]:
    """Rows of codes as rows of labels, None where a cell is missing."""
    known = [(*names, None) for names in labels]
    for key in keys.tolist():
        yield tuple(names[max(code, -1)] for names, code in zip(known, key, strict=True))


def _by_cell(table: Table, classes: Domain) -> dict[Key, Any]:
    """For every combination of values the weights of the classes."""
    cells: dict[Key, Any] = {}
    for (*key, label), weight in table.rows():
        counts = cells.setdefault(tuple(key), np.zeros(len(classes)))
        counts[classes.code(label)] += weight
    return cells
