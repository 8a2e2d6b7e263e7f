"""Naive Bayes for binary features as a linear model, class by class.

log P(c, x) = b_c + sum over j of w_cj x_j
w = log theta / (1 - theta),   b = log P(c) + sum over j of log(1 - theta)
"""

from __future__ import annotations

import numpy as np
import pytest

import naively

COLUMNS = ["frequent in both", "frequent in one", "rare"]
THETA = np.array([[0.9, 0.2, 0.02], [0.9, 0.8, 0.05]])
ROWS = 100


@pytest.fixture(scope="module")
def model():
    """100 rows of each class in which the shares of ones are exactly theta."""
    ones = [(np.arange(ROWS)[:, None] < np.round(theta * ROWS)) for theta in THETA]
    table = dict(zip(COLUMNS, np.concatenate(ones).T, strict=True))
    return naively.NaiveBayes(alpha=0, prior=[0.3, 0.7]).fit(table, np.repeat([0, 1], ROWS))


@pytest.fixture(scope="module")
def weights(model):
    (part,) = model.model_.parts
    return part.factor.weights()


def cube(n):
    return np.array(np.meshgrid(*[[False, True]] * n, indexing="ij")).reshape(n, -1).T


def test_the_weight_is_the_log_odds_of_the_feature(model, weights):
    assert np.exp(model.feature_log_prob_) == pytest.approx(THETA)
    assert weights == pytest.approx(np.log(THETA / (1 - THETA)), rel=1e-9)


def test_the_joint_is_a_bias_and_a_weight_for_each_feature_that_is_there(model, weights):
    bias = np.log([0.3, 0.7]) + np.log(1 - THETA).sum(axis=1)
    x = cube(3)
    joint = model.predict_joint_log_proba(dict(zip(COLUMNS, x.T, strict=True)))
    assert joint == pytest.approx(bias + x @ weights.T, abs=1e-12)


def test_what_matters_is_the_difference_of_the_weights(model, weights):
    importance = weights[1] - weights[0]
    assert weights[:, 0].min() > 2  # a large weight in each class
    assert importance[0] == pytest.approx(0, abs=1e-12)  # and no effect at all
    x = cube(3)
    log_odds = np.diff(model.predict_log_proba(dict(zip(COLUMNS, x.T, strict=True))))[:, 0]
    on, off = x[:, 0], ~x[:, 0]
    assert log_odds[on] == pytest.approx(log_odds[off], abs=1e-12)
    for j in (1, 2):
        change = log_odds[x[:, j]] - log_odds[~x[:, j]]
        assert change == pytest.approx(np.full(4, importance[j]), abs=1e-12)
