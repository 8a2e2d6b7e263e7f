"""The model: log prior plus factors, normalized once."""

from __future__ import annotations

import numpy as np
import pytest

from naively import bayes
from naively.data.domain import Domain
from naively.engines import one_pass
from naively.errors import ImpossibleEvidence, ParameterError
from naively.models.prior import log_prior

GOLF = {
    "outlook": ["sunny", "sunny", "rainy", "rainy", "sunny"],
    "wind": [1.5, 3.0, 2.0, None, 0.5],
    "play": ["no", "no", "yes", "yes", "yes"],
}


@pytest.fixture
def model():
    return one_pass.train(GOLF, "play")


def test_the_joint_is_the_prior_times_the_likelihoods(model):
    joint = np.exp(model.log_joint({"outlook": "sunny", "wind": np.nan}))
    np.testing.assert_allclose(joint, [[2 / 5 * 3 / 4, 3 / 5 * 2 / 5]])


def test_posterior_and_evidence_make_the_joint(model):
    joint, posterior = model.log_joint(GOLF), model.log_posterior(GOLF)
    np.testing.assert_allclose(posterior + model.log_evidence(GOLF)[:, None], joint)
    np.testing.assert_allclose(model.posterior(GOLF).sum(axis=1), 1)


def test_the_prediction_is_the_most_probable_class(model):
    best = model.posterior(GOLF).argmax(axis=1)
    assert model.predict(GOLF).tolist() == [model.classes.labels[c] for c in best]


def test_ties_go_to_the_first_class():
    tied = one_pass.train({"x": ["a", "a"], "y": ["second", "first"]}, "y")
    assert tied.predict({"x": "a"}).tolist() == ["first"]


def test_an_outlier_shows_in_the_evidence(model):
    near, far, farther = model.log_evidence({"outlook": ["sunny"] * 3, "wind": [2.0, 50.0, 1e200]})
    assert near > far > farther
    assert np.isfinite(farther)


def test_a_model_never_changes(model):
    with pytest.raises(AttributeError):
        model.prior = "uniform"
    before = model.log_joint(GOLF)
    model.with_prior("uniform").log_joint(GOLF)
    assert np.array_equal(model.log_joint(GOLF), before)


def test_a_draw_is_repeated_by_its_seed(model):
    a, b, c = (model.sample(50, random_state=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a[name], b[name], equal_nan=name == "wind") for name in a)
    assert a["play"] != c["play"]
    assert set(a) == {"outlook", "wind", "play"}


def test_no_rows_can_be_drawn(model):
    assert model.sample(0)["play"] == []


def test_drawn_columns_have_their_types():
    table = {"t": [True, False, True], "i": [1, 2, 1], "s": ["a", "b", "b"], "y": [0, 1, 1]}
    rows = one_pass.train(table, "y").sample(20, random_state=0)
    assert rows["t"].dtype == bool
    assert set(rows["i"]) <= {1, 2}
    assert set(rows["s"]) <= {"a", "b"}
    assert set(rows["y"]) <= {0, 1}


def test_impossible_rows_are_counted_and_named():
    model = one_pass.train({"v": ["a", "b"], "w": ["c", "d"], "y": [0, 1]}, "y", alpha=0.0)
    rows = {"v": ["a", "a", "b"], "w": ["c", "d", "c"]}
    with pytest.raises(ImpossibleEvidence, match=r"2 rows, first 1, 2; columns 'v', 'w'"):
        model.posterior(rows)
    assert np.isneginf(model.log_evidence(rows)).tolist() == [False, True, True]


def test_far_apart_joints_keep_their_small_differences():
    posterior, evidence = bayes.normalize(np.array([[-1e20, -1e20], [-1e300, 0.0], [3.0, 3.0]]))
    np.testing.assert_allclose(np.exp(posterior), [[0.5, 0.5], [0, 1], [0.5, 0.5]])
    np.testing.assert_allclose(evidence, [-1e20, 0.0, 3 + np.log(2)])


def test_a_row_without_any_possible_class_has_no_posterior():
    posterior, evidence = bayes.normalize(np.full((1, 2), -np.inf))
    assert np.isneginf(posterior).all()
    assert np.isneginf(evidence).all()


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("counted", [0.2, 0.0, 0.8]),
        ("smoothed", [2 / 8, 1 / 8, 5 / 8]),
        ("uniform", [1 / 3, 1 / 3, 1 / 3]),
        ([0.5, 0.25, 0.25], [0.5, 0.25, 0.25]),
        ({"b": 0.25, "a": 0.5, "c": 0.25}, [0.5, 0.25, 0.25]),
    ],
)
def test_priors_are_counted_smoothed_uniform_or_stated(prior, expected):
    found = log_prior(prior, Domain(("a", "b", "c")), np.array([1.0, 0.0, 4.0]))
    np.testing.assert_allclose(np.exp(found), expected)


@pytest.mark.parametrize("impossible", ["maybe", None])
def test_what_becomes_of_impossible_rows_is_one_of_two_words(impossible):
    with pytest.raises(ParameterError, match="impossible="):
        one_pass.train(GOLF, "play", impossible=impossible)
