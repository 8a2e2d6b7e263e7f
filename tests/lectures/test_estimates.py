"""Estimates of P(v | c): maximum likelihood, Laplace, the m-estimate, Dirichlet priors."""

from __future__ import annotations

import numpy as np
import pytest

import naively
from naively.errors import NaivelyError, ParameterError
from naively.families import Bernoulli, Categorical

COUNTS = {"a": 5, "b": 3, "c": 0}
"""In the first class; the second has a single c."""
X = {"v": [*"aaaaabbb", "c"]}
Y = [0] * 8 + [1]


def estimates(family, weight=None):
    model = naively.NaiveBayes({"v": family}).fit(X, Y, sample_weight=weight)
    return np.exp(model.feature_log_prob_[0])


def test_maximum_likelihood_is_the_relative_frequency():
    assert estimates(Categorical(alpha=0)) == pytest.approx(
        np.array([[5 / 8, 3 / 8, 0], [0, 0, 1]])
    )


@pytest.mark.parametrize("alpha", [0.01, 0.5, 1, 2, 30])
def test_laplace_adds_alpha_to_every_value(alpha):
    n_v = np.array([[5, 3, 0], [0, 0, 1]])
    expected = (n_v + alpha) / (n_v.sum(axis=1, keepdims=True) + alpha * 3)
    assert estimates(Categorical(alpha=alpha)) == pytest.approx(expected, rel=1e-12)


def test_a_dirichlet_prior_has_a_pseudo_count_for_every_value():
    prior = Categorical(alpha={"a": 1, "b": 2, "c": 4})
    assert estimates(prior) == pytest.approx(np.array([[6, 5, 4], [1, 2, 5]]) / [[15], [8]])


def test_the_m_estimate_pulls_towards_stated_probabilities():
    p = {"a": 0.2, "b": 0.3, "c": 0.5}
    got = estimates(Categorical(m=4, p=p))
    n_v = np.array([[5, 3, 0], [0, 0, 1]])
    assert got == pytest.approx((n_v + 4 * np.array([0.2, 0.3, 0.5])) / [[8 + 4], [1 + 4]])
    assert got.sum(axis=1) == pytest.approx([1, 1], abs=1e-12)


def test_the_m_estimate_with_equal_probabilities_is_laplace():
    assert estimates(Categorical(m=3, p="uniform")) == pytest.approx(
        estimates(Categorical(alpha=1))
    )


def test_the_m_estimate_may_pull_towards_the_frequencies_of_the_whole_column():
    got = estimates(Categorical(m=2, p="pooled"))
    pooled = np.array([5, 3, 1]) / 9
    assert got == pytest.approx((np.array([[5, 3, 0], [0, 0, 1]]) + 2 * pooled) / [[10], [3]])


@pytest.mark.parametrize(
    "p", [{"a": 0.5, "b": 0.5, "c": 0.5}, {"a": 0.2, "b": 0.2}, {"a": 1.5, "b": -0.5}]
)
def test_the_p_of_an_m_estimate_are_probabilities_that_sum_to_1(p):
    with pytest.raises(ParameterError):
        Categorical(m=2, p=p)


def test_the_p_of_an_m_estimate_name_every_value():
    with pytest.raises(NaivelyError, match="'c'"):
        estimates(Categorical(m=2, p={"a": 0.5, "b": 0.5}))


@pytest.mark.parametrize("wrong", [{"m": -1, "p": "uniform"}, {"m": 2}, {"p": "uniform"}])
def test_an_m_estimate_takes_both_m_and_p(wrong):
    with pytest.raises(ParameterError):
        Categorical(**wrong)


@pytest.mark.parametrize("alpha", [-1, float("nan"), float("inf"), {"a": -1, "b": 1, "c": 1}])
def test_a_pseudo_count_is_a_number_of_at_least_0(alpha):
    with pytest.raises(ParameterError):
        Categorical(alpha=alpha)


def test_without_weight_the_prior_gives_way_to_maximum_likelihood():
    likelihood = estimates(Categorical(alpha=0))
    p = {"a": 0.2, "b": 0.3, "c": 0.5}
    assert estimates(Categorical(alpha=1e-9)) == pytest.approx(likelihood, abs=1e-8)
    assert estimates(Categorical(m=1e-9, p=p)) == pytest.approx(likelihood, abs=1e-8)


def test_with_all_weight_only_the_prior_is_left():
    p = {"a": 0.2, "b": 0.3, "c": 0.5}
    assert estimates(Categorical(m=1e12, p=p)) == pytest.approx(np.tile([0.2, 0.3, 0.5], (2, 1)))
    assert estimates(Categorical(alpha=1e12)) == pytest.approx(np.full((2, 3), 1 / 3))


def test_with_more_rows_every_estimate_tends_to_the_relative_frequency():
    likelihood = estimates(Categorical(alpha=0))
    distance = [
        np.abs(estimates(Categorical(alpha=1), np.full(9, n)) - likelihood).max()
        for n in (1.0, 1e2, 1e4, 1e8)
    ]
    assert distance == sorted(distance, reverse=True)
    assert distance[-1] < 1e-7


def test_values_0_to_k_are_k_plus_1_of_them():
    """A lecture lists the values 0..k and divides by n + k."""
    k = 3
    counts = {"v": [0, 0, 1, 2, 3]}
    model = naively.NaiveBayes({"v": Categorical(alpha=1)}).fit(counts, [0] * 5)
    assert np.exp(model.feature_log_prob_[0]) == pytest.approx(
        np.array([[3, 2, 2, 2]]) / (5 + k + 1)
    )


def test_declared_values_count_among_them():
    family = Categorical(alpha=1, labels=("c", "d"))
    assert estimates(family) == pytest.approx(np.array([[6, 4, 1, 1], [1, 1, 2, 1]]) / [[12], [5]])


def test_a_coin_has_a_beta_prior():
    tosses = np.array([[1.0]] * 3 + [[0.0]])  # 3 heads, 1 tail
    for prior, heads in (
        (Bernoulli(alpha=0), 3 / 4),
        (Bernoulli(alpha=1), 4 / 6),
        (Bernoulli(alpha=2, beta=5), 5 / 11),
    ):
        model = naively.NaiveBayes(prior).fit(tosses, [0] * 4)
        assert np.exp(model.feature_log_prob_) == pytest.approx(np.array([[heads]]))


def test_laplace_of_the_class_prior_divides_by_n_plus_the_number_of_classes():
    y = ["a"] * 6 + ["b"] * 3 + ["c"]
    model = naively.NaiveBayes(prior="smoothed").fit({"v": ["x"] * 10}, y)
    assert np.exp(model.class_log_prior_) == pytest.approx(np.array([7, 4, 2]) / 13)
