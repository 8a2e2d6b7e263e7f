"""Tables on the edge: a right answer or a clear error, never NaN or a warning from inside."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from naively import NaiveBayes
from naively.errors import NaivelyError, UnseenWarning
from naively.families import FAMILIES, Gaussian, Inflated, LogNormal

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings(f"ignore::{UnseenWarning.__module__}.{UnseenWarning.__name__}"),
]
JOINT = [Gaussian(covariance="full"), Gaussian(covariance="tied")]
COLUMNS = [*FAMILIES, *JOINT, Inflated(LogNormal())]
TOO_LARGE = ["gaussian", "inflated", "multinomial", "complement", "negative_binomial", "poisson"]
TOO_LARGE += JOINT
every_choice = pytest.mark.parametrize("choice", COLUMNS, ids=str)


def cells(choice, *numbers):
    """Numbers, or labels or times where the family counts those."""
    if getattr(FAMILIES.get(choice), "of_type", None) == "time":
        days = np.clip(numbers, -700_000, 2_900_000).tolist()  # what Python's calendar has
        return [dt.datetime(2020, 1, 1) + dt.timedelta(days=x) for x in days]
    return [f"l{x:g}" for x in numbers] if choice == "categorical" else [float(x) for x in numbers]


def column(choice, *numbers):
    """Four cells: these numbers, or some that are 0 or 1 where the family knows no others."""
    return cells(choice, *((1, 0, 1, 1) if choice in ("bernoulli", "categorical") else numbers))


def right(posterior, rows=None):
    """Probabilities: finite, and each row sums to 1."""
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    return posterior if rows is None else np.testing.assert_allclose(posterior, rows)


@every_choice
def test_a_constant_column_is_no_evidence_between_equal_classes(choice):
    x = cells(choice, 1, 1, 1, 1)
    model = NaiveBayes(columns=choice).fit({"x": x}, ["no", "yes", "no", "yes"])
    right(model.predict_proba({"x": x}), np.full((4, 2), 0.5))


@every_choice
def test_a_single_row_is_certain(choice):
    model = NaiveBayes(columns=choice).fit({"x": cells(choice, 1)}, ["only"])
    right(model.predict_proba({"x": cells(choice, 1, 0)}), [[1.0], [1.0]])


@every_choice
def test_a_class_with_one_row_has_a_density(choice):
    x = column(choice, 1, 2, 4, 8)
    model = NaiveBayes(columns=choice).fit({"x": x}, ["one", "more", "more", "more"])
    assert np.isfinite(model.predict_joint_log_proba({"x": x})).all()
    right(model.predict_proba({"x": x}))


@every_choice
def test_a_column_without_cells_is_no_evidence(choice):
    table = {"x": [None] * 3, "z": [1.5, 2.5, 3.5]}
    model = NaiveBayes(columns={"x": choice}).fit(table, ["no", "yes", "yes"])
    other = NaiveBayes().fit({"z": table["z"]}, ["no", "yes", "yes"])
    expected = other.predict_proba({"z": table["z"]})
    right(model.predict_proba({"x": cells(choice, 1, 1, 1), "z": table["z"]}), expected)


@every_choice
def test_a_class_without_cells_is_like_the_column(choice):
    x = [*column(choice, 1, 2, 4, 8)[:3], None]
    model = NaiveBayes(columns=choice).fit({"x": x}, ["no", "no", "no", "yes"])
    right(model.predict_proba({"x": x}))


@every_choice
def test_an_empty_table_is_refused(choice):
    for empty in ({"x": []}, np.empty((0, 2)), pd.DataFrame({"x": []})):
        with pytest.raises(NaivelyError, match="0 "):
            NaiveBayes(columns=choice).fit(empty, [])
    with pytest.raises(NaivelyError, match=r"0 sample\(s\)"):
        NaiveBayes().fit({"x": [], "y": []}, "y")


@every_choice
@pytest.mark.parametrize("far", [1e16, 1e200, 1e308, -1e200])
def test_a_row_far_out_still_has_a_nearest_class(choice, far):
    x = column(choice, 1, 2, 4, 9)
    model = NaiveBayes(columns=choice).fit({"x": x}, ["no", "no", "yes", "yes"])
    question = {"x": cells(choice, far)}
    right(model.predict_proba(question))
    assert np.isfinite(model.predict_joint_log_proba(question)).all()


@pytest.mark.parametrize("choice", ["gaussian", "kernel", *JOINT], ids=str)
def test_the_nearest_class_is_the_nearest_class(choice):
    x = [0.0, 1.0, 5.0, 6.0]
    model = NaiveBayes(columns=choice).fit({"x": x}, ["low", "low", "high", "high"])
    far = {"x": [-1e200, -1e16, 1e16, 1e200]}
    assert model.predict(far).tolist() == ["low", "low", "high", "high"]


@every_choice
def test_enormous_numbers_are_learned_or_refused(choice):
    x, y = column(choice, 1e200, 2, 4, 1e308), ["no", "yes", "yes", "no"]
    if choice in TOO_LARGE:
        with pytest.raises(NaivelyError, match="'x' has numbers too large"):
            NaiveBayes(columns=choice).fit({"x": x}, y)
    else:
        right(NaiveBayes(columns=choice).fit({"x": x}, y).predict_proba({"x": x}))


def test_a_hundred_thousand_columns_do_not_underflow(rng):
    x, y = rng.random((8, 100_000)) < 0.5, np.arange(8) % 2
    model = NaiveBayes(columns="bernoulli").fit(x, y)
    assert (model.predict(x) == y).all()
    right(model.predict_proba(x))
    assert np.isfinite(model.predict_log_proba(x)).all()


def test_thirty_classes_are_told_apart(rng):
    y = np.arange(3000) % 30
    x = {"x": y + 0.1 * rng.normal(size=3000), "v": [f"l{c % 7}" for c in y]}
    model = NaiveBayes().fit(x, y)
    assert model.classes_.tolist() == list(range(30))
    assert model.score(x, y) > 0.95
    right(model.predict_proba(x))


@pytest.mark.parametrize("choice", ["gaussian", *JOINT], ids=str)
def test_a_large_mean_leaves_the_variance(choice, rng):
    y = np.arange(4000) % 2
    x = {"x": 1e9 + rng.normal(size=4000) + 4 * y}
    model = NaiveBayes(columns=choice).fit(x, y)
    variance = [np.var(x["x"][y == c] - 1e9) for c in (0, 1)]
    found = np.ravel([model.model_.parts[0].factor.variances()[c, 0] for c in (0, 1)])
    pooled = np.mean(variance) if choice == JOINT[1] else variance
    np.testing.assert_allclose(found, pooled, rtol=0.01)
    assert model.score(x, y) > 0.95


@pytest.mark.parametrize("size", [1e300, 1e-300, 5e-324])
def test_weights_of_any_size_are_weights(size):
    table = {"x": [1.5, 2.5, 4.0], "v": ["a", "b", "b"]}
    model = NaiveBayes().fit(table, ["no", "no", "yes"], sample_weight=[size] * 3)
    right(model.predict_proba(table))


def test_weights_that_cannot_be_added_are_refused():
    with pytest.raises(NaivelyError, match="sum is infinite"):
        NaiveBayes().fit({"v": ["a", "b"]}, ["no", "no"], sample_weight=[1.5e308] * 2)


def test_minus_zero_is_zero():
    for choice in ("categorical", "kernel", "inflated"):
        model = NaiveBayes(columns=choice).fit({"x": [0.0, -0.0, 1.0, 2.0]}, [0, 1, 1, 0])
        zero, minus = model.predict_proba({"x": [0.0, -0.0]})
        assert zero.tolist() == minus.tolist()


def test_a_table_of_identifiers_is_refused():
    with pytest.raises(NaivelyError, match="no column"):
        NaiveBayes().fit({"id": [f"u{i}" for i in range(100)]}, [0, 1] * 50)
