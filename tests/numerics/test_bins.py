"""Numerical truth 17: bins are part of the structure, learned inside the training fold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import naively
from naively.errors import StructureMismatch
from naively.families import Histogram


def edges(model):
    return model.schema_[model.schema_.names[0]].family.edges


@pytest.mark.parametrize("cut", ["width", "frequency"])
def test_17_the_edges_of_a_fold_come_from_its_training_part(rng, cut):
    x = np.sort(rng.exponential(size=(90, 1)), axis=0)
    y = (np.arange(90) % 2).astype(int)
    folds = KFold(3)
    model = make_pipeline(FunctionTransformer(), naively.NaiveBayes(Histogram(bins=4, cut=cut)))
    fitted = cross_validate(model, x, y, cv=folds, return_estimator=True)["estimator"]
    cuts = [edges(pipeline[-1]) for pipeline in fitted]
    for (train, _), got in zip(folds.split(x), cuts, strict=True):
        part = x[train, 0]
        spaced = np.linspace(part.min(), part.max(), 5)
        expected = spaced if cut == "width" else np.quantile(part, np.linspace(0, 1, 5))
        assert got == pytest.approx(expected)
    assert len(set(cuts)) == 3  # the last fold's largest values were not seen by its bins
    assert cuts[2][-1] < x.max()


def test_17_a_test_row_changes_no_edge(rng):
    x = rng.normal(size=(50, 1))
    model = naively.NaiveBayes("histogram").fit(x, np.arange(50) % 2)
    before = edges(model)
    model.predict_proba(np.array([[1e6], [-1e6]]))
    assert edges(model) == before


def test_17_equal_quantiles_merge():
    x = {"x": np.array([0.0] * 80 + [1.0, 2.0, 3.0, 4.0, 5.0] * 4)}
    y = np.arange(100) % 2
    model = naively.NaiveBayes({"x": Histogram(bins=10, cut="frequency")}).fit(x, y)
    got = edges(model)
    assert list(got) == sorted(set(got))
    assert len(got) < 11
    posterior = model.predict_proba(x)
    assert np.isfinite(posterior).all()


def test_17_a_column_of_one_value_has_one_bin_that_holds_it():
    for value in (0.0, -3.0, 1e12):
        x = {"x": np.full(6, value), "z": [1.5, 2.0, 3.0, 9.0, 8.0, 7.5]}
        model = naively.NaiveBayes({"x": "histogram"}).fit(x, [0, 0, 0, 1, 1, 1])
        low, high = model.schema_["x"].family.edges
        assert low < value < high


def test_17_statistics_in_different_bins_do_not_add(rng):
    x = rng.normal(size=(40, 1))
    y = np.arange(40) % 2
    a, b = (naively.NaiveBayes("histogram").fit(part, y).stats_ for part in (x, x * 2))
    with pytest.raises(StructureMismatch):
        a + b


def test_17_later_batches_are_counted_in_the_bins_of_the_first(rng):
    x = rng.normal(size=(40, 1))
    y = np.arange(40) % 2
    model = naively.NaiveBayes("histogram").partial_fit(x[:20], y[:20])
    before = edges(model)
    model.partial_fit(x[20:] * 3, y[20:])
    assert edges(model) == before
    assert model.class_count_.sum() == 40
