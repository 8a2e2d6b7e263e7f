"""Forwards and guards by height and weight: Gaussian naive Bayes from stated parameters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import naively
from naively.data.domain import Domain
from naively.families import Gaussian
from naively.models.structure import Structure, Term
from naively.statistics import Moments

POSITIONS = ("forward", "guard")
PLAYERS = np.array([156.0, 144.0])
MEANS = np.array([[80.58, 230.46], [75.44, 195.47]])
DEVIATIONS = np.array([[1.53, 17.48], [2.27, 15.83]])
PLAYER = {"height": 75.0, "weight": 210.0}


def stated(deviations, **params):
    """The estimator of a table that was never seen: its counts, means and deviations."""
    columns = ("height", "weight")
    n = np.column_stack([PLAYERS, PLAYERS])
    moments = Moments(n, np.zeros(2), MEANS, n * deviations**2)
    structure = Structure((Term("gaussian", columns),), tuple((c, "number") for c in columns))
    stats = naively.Stats(structure, Domain(POSITIONS), PLAYERS, (moments,), rows=300)
    return naively.NaiveBayes.from_stats(stats, Gaussian(strength=0), **params)


def players(model, n):
    """n drawn players, and their positions."""
    drawn = model.model_.sample(n, random_state=1)
    return np.column_stack([drawn["height"], drawn["weight"]]), np.array(drawn["class"])


def test_the_model_has_the_stated_parameters():
    model = stated(DEVIATIONS)
    assert model.theta_ == pytest.approx(MEANS)
    assert model.var_ == pytest.approx(DEVIATIONS**2)
    assert np.exp(model.class_log_prior_) == pytest.approx([0.52, 0.48])


def test_75_inches_and_210_pounds_is_a_guard():
    model = stated(DEVIATIONS)
    forward, guard = np.exp(model.predict_joint_log_proba(PLAYER))[0]
    assert forward == pytest.approx(2.01748e-6, rel=5e-6)
    assert guard == pytest.approx(1.36915e-3, rel=5e-6)
    assert guard / forward == pytest.approx(679, abs=0.5)
    assert model.predict(PLAYER).tolist() == ["guard"]


def test_the_slide_has_the_variance_where_the_deviation_belongs():
    slide = stated(DEVIATIONS**2)
    joint = np.exp(slide.predict_joint_log_proba(PLAYER))[0]
    assert joint == pytest.approx([6.738e-6, 5.885e-5], rel=1e-4)  # printed 6.73e-6, 5.88e-5
    assert slide.predict(PLAYER).tolist() == ["guard"]  # the decision is the same


def test_with_another_prior_the_odds_change_by_the_ratio_of_the_priors():
    model = stated(DEVIATIONS).model_
    odds = {
        name: np.diff(m.log_joint(PLAYER))[0, 0]
        for name, m in (("counted", model), ("uniform", model.with_prior("uniform")))
    }
    assert odds["uniform"] - odds["counted"] == pytest.approx(np.log(156 / 144))


def test_it_equals_quadratic_discriminant_analysis_with_diagonal_covariances():
    """Full covariances of data whose columns are uncorrelated within each class."""
    x = np.concatenate([uncorrelated(c) for c in (0, 1)])
    y = np.repeat(POSITIONS, 50)
    naive = naively.NaiveBayes(Gaussian(strength=0)).fit(x, y)
    full = naively.NaiveBayes({(0, 1): Gaussian(covariance="full", strength=0)}).fit(x, y)
    assert naive.var_ == pytest.approx(DEVIATIONS**2)
    assert full.var_ == pytest.approx(np.array([np.diag(d**2) for d in DEVIATIONS]), abs=1e-9)
    grid = np.array([[75.0, 210.0], [80.0, 180.0], [60.0, 300.0]])
    assert naive.predict_joint_log_proba(grid) == pytest.approx(
        full.predict_joint_log_proba(grid), abs=1e-9
    )


def uncorrelated(c):
    """50 rows with exactly the class's means and deviations, and correlation 0."""
    z = np.random.default_rng(c).normal(size=(50, 2))
    z = z - z.mean(axis=0)
    z = z @ np.linalg.inv(np.linalg.cholesky(z.T @ z / 50)).T
    return MEANS[c] + z * DEVIATIONS[c]


def test_it_works_although_height_and_weight_depend_on_each_other():
    rng = np.random.default_rng(3)
    correlation = np.array([[1, 0.7], [0.7, 1]])
    shapes = [correlation * np.outer(d, d) for d in DEVIATIONS]
    x = np.concatenate([rng.multivariate_normal(MEANS[c], shapes[c], 1000) for c in (0, 1)])
    y = np.repeat(POSITIONS, 1000)
    assert stats.pearsonr(*x[:1000].T).statistic > 0.6
    naive = naively.NaiveBayes(Gaussian()).fit(x[::2], y[::2])
    full = naively.NaiveBayes({(0, 1): Gaussian(covariance="full")}).fit(x[::2], y[::2])
    right = naive.score(x[1::2], y[1::2])
    assert right > 0.85
    assert right > full.score(x[1::2], y[1::2]) - 0.03


def test_players_drawn_from_the_model_have_its_parameters():
    model = stated(DEVIATIONS)
    x, y = players(model, 20_000)
    again = naively.NaiveBayes(Gaussian(strength=0)).fit(x, y)
    assert again.theta_ == pytest.approx(MEANS, rel=2e-3)
    assert np.sqrt(again.var_) == pytest.approx(DEVIATIONS, rel=3e-2)
    assert np.exp(again.class_log_prior_) == pytest.approx([0.52, 0.48], abs=0.02)
    assert model.score({"height": x[:, 0], "weight": x[:, 1]}, y) > 0.85
