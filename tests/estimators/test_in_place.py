"""Rows that are learned in place are learned as all rows are."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes, errors, kernels

pytestmark = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) * [1, 1e-3, 1e6] + [0, 5, 1e8]
Y = RNG.integers(0, 3, 60)


def begun(x=X, y=Y, n=20):
    return NaiveBayes().partial_fit(x[:n], y[:n])


def assert_same(a, b):
    assert a.class_count.tolist() == b.class_count.tolist()
    assert a.rows == b.rows
    mine, theirs = a.statistics[0], b.statistics[0]
    np.testing.assert_array_equal(mine.n, theirs.n)
    np.testing.assert_allclose(mine.means(), theirs.means(), rtol=1e-13)
    np.testing.assert_allclose(mine.m2, theirs.m2, rtol=1e-9)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_rows_learned_in_place_are_rows_learned(sizes, gaps, words):
    x, y = X.copy(), np.array(["a", "b", "c"])[Y] if words else Y
    if gaps:
        x[20::3, 1] = np.nan
    model, start = begun(x, y), 20
    for size in sizes:
        model.partial_fit(x[start : start + size], y[start : start + size])
        start += size
    assert model._growing is not None
    whole = NaiveBayes().fit(x[:start], y[:start])
    assert_same(model.stats_, whole.stats_)
    np.testing.assert_allclose(model.predict_proba(x), whole.predict_proba(x), rtol=1e-6)


def test_statistics_that_were_handed_out_stay_as_they_are():
    model = begun()
    model.partial_fit(X[20:30], Y[20:30])
    before = model.stats_
    count, mean = before.class_count.copy(), before.statistics[0].mean.copy()
    model.partial_fit(X[30:], Y[30:])
    assert before.class_count.tolist() == count.tolist()
    assert before.statistics[0].mean.tolist() == mean.tolist()
    assert model.stats_.rows == 60


@pytest.mark.parametrize(
    ("x", "y", "error"),
    [
        (np.array([[np.inf, 1, 1.0]]), np.array([0]), errors.DataError),
        (np.array([[1.0, 1]]), np.array([0]), ValueError),
        (np.empty((0, 3)), np.empty(0, int), errors.DataError),
        (X[:2], np.array([0]), errors.DataError),
        (X[:1], np.array([0.5]), ValueError),
    ],
)
def test_what_cannot_be_learned_is_refused_and_changes_nothing(x, y, error):
    model = begun().partial_fit(X[20:30], Y[20:30])
    before = model.predict_proba(X)
    with pytest.raises(error):
        model.partial_fit(x, y)
    assert model.stats_.rows == 30
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_a_new_class_and_other_layouts_take_the_general_way():
    model = begun()
    model.partial_fit(np.asfortranarray(X[20:30]), Y[20:30])
    model.partial_fit(X[30:40].tolist(), Y[30:40])
    model.partial_fit(X[40:41], np.array([7]))
    model.partial_fit(X[41:], Y[41:])
    y = np.where(np.arange(60) == 40, 7, Y)
    assert_same(model.stats_, NaiveBayes().fit(X, y).stats_)
    assert model.classes_.tolist() == [0, 1, 2, 7]


def test_answers_priors_pickles_and_forgetting_see_the_rows():
    model = begun().partial_fit(X[20:50], Y[20:50])
    whole = NaiveBayes().fit(X[:50], Y[:50])
    np.testing.assert_allclose(model.predict_proba(X[:1]), whole.predict_proba(X[:1]))
    model.set_params(prior="uniform").partial_fit(X[50:], Y[50:])
    np.testing.assert_allclose(np.exp(model.class_log_prior_), 1 / 3)
    again = pickle.loads(pickle.dumps(model))
    assert_same(again.stats_, NaiveBayes().fit(X, Y).stats_)
    again.partial_fit(X[:1], Y[:1]).forget(X[:1], Y[:1])
    assert_same(again.stats_, NaiveBayes().fit(X, Y).stats_)


@pytest.mark.parametrize("size", [1e12, 1e15, 1e200])
def test_a_column_without_cells_and_a_class_without_rows_are_learned_alike(size):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(12, 2))
    x[:, 0] += size
    x[:4, 0] = np.nan
    y = np.array([0, 1] * 6)
    model = NaiveBayes("gaussian").partial_fit(x[:4], y[:4], classes=[0, 1, 2])
    whole = NaiveBayes("gaussian").partial_fit(x[:4].tolist(), y[:4], classes=[0, 1, 2])
    for i in range(4, 12):
        model.partial_fit(x[i : i + 1], y[i : i + 1])
        whole.partial_fit(x[i : i + 1].tolist(), y[i : i + 1])
    np.testing.assert_allclose(
        model.stats_.statistics[0].m2, whole.stats_.statistics[0].m2, rtol=1e-6
    )
    assert np.isfinite(model.stats_.statistics[0].m2).all()


def test_another_prior_is_held_against_the_classes_before_rows_are_learned():
    model = begun().partial_fit(X[20:30], Y[20:30])
    model.set_params(prior={0: 0.9, 7: 0.1})
    with pytest.raises(errors.ParameterError):
        model.partial_fit(X[30:40], Y[30:40])
    assert model.stats_.rows == 30
