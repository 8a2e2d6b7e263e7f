"""p(x | y) for a feature of each kind, against the textbook's formula, and all in one model.

Every test learns by maximum likelihood from two classes, 0 and 1.
"""

from __future__ import annotations

from math import exp, factorial, log, pi, sqrt

import numpy as np
import pytest
from scipy import stats

import naively
from naively.families import (
    Bernoulli,
    Categorical,
    Exponential,
    Gaussian,
    Geometric,
    Histogram,
    Inflated,
    Kernel,
    LogNormal,
    Multinomial,
    NegativeBinomial,
    Poisson,
)

Y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
COIN = np.array([True, True, True, False, False, False, False, True])
LABEL = np.array([*"aabc", *"cccb"])
NUMBER = np.array([1.0, 2.0, 2.0, 5.0, 7.0, 8.0, 9.0, 9.5])
COUNT = np.array([0, 1, 3, 2, 7, 4, 9, 5])
COLUMNS = {
    "coin": (COIN, Bernoulli(alpha=0)),
    "label": (LABEL, Categorical(alpha=0)),
    "gaussian": (NUMBER, Gaussian(strength=0)),
    "lognormal": (NUMBER, LogNormal(strength=0)),
    "exponential": (NUMBER, Exponential(strength=0)),
    "poisson": (COUNT, Poisson(strength=0)),
    "geometric": (COUNT, Geometric(strength=0)),
    "negative binomial": (COUNT, NegativeBinomial(r=2.5, strength=0)),
    "histogram": (NUMBER, Histogram(edges=(0, 2.5, 6, 10), alpha=0)),
    "kernel": (NUMBER, Kernel(bandwidth=0.75)),
    "inflated": (COUNT.astype(float), Inflated(Exponential(strength=0), alpha=0)),
}


def learned(name):
    values, family = COLUMNS[name]
    return naively.NaiveBayes({name: family}, prior="uniform").fit({name: values}, Y)


@pytest.fixture
def likelihood(log_likelihood):
    """p(x | y) at some values: rows by classes."""

    def of(name, values):
        return np.exp(log_likelihood(learned(name), {name: np.asarray(values)}))

    return of


def by_class(values, estimate):
    return [estimate(values[c == Y]) for c in (0, 1)]


def test_a_biased_coin(likelihood):
    assert likelihood("coin", [True, False]) == pytest.approx(np.array([[3, 1], [1, 3]]) / 4)


def test_a_category(likelihood):
    expected = np.array([[2, 0], [1, 1], [1, 3]]) / 4
    assert likelihood("label", ["a", "b", "c"]) == pytest.approx(expected)


def test_a_gaussian(likelihood):
    x = np.array([-3.0, 2.5, 8.0])
    (m0, s0), (m1, s1) = by_class(NUMBER, lambda v: (v.mean(), v.std()))
    expected = np.column_stack([stats.norm.pdf(x, m0, s0), stats.norm.pdf(x, m1, s1)])
    assert likelihood("gaussian", x) == pytest.approx(expected, rel=1e-12)
    by_hand = exp(-((2.5 - m0) ** 2) / (2 * s0**2)) / sqrt(2 * pi * s0**2)
    assert expected[1, 0] == pytest.approx(by_hand, rel=1e-12)


def test_a_density_may_be_larger_than_1(log_likelihood):
    model = naively.NaiveBayes(Gaussian(strength=0)).fit([[0.1], [0.1001], [0.1002]], [0, 0, 0])
    assert np.exp(log_likelihood(model, [[0.1001]]))[0, 0] > 4000


def test_a_log_normal(likelihood):
    x = np.array([0.01, 2.5, 80.0])
    (m0, s0), (m1, s1) = by_class(np.log(NUMBER), lambda v: (v.mean(), v.std()))
    expected = [stats.lognorm.pdf(x, s, scale=exp(m)) for m, s in ((m0, s0), (m1, s1))]
    assert likelihood("lognormal", x) == pytest.approx(np.transpose(expected), rel=1e-12)


def test_an_exponential(likelihood):
    x = np.array([0.0, 2.5, 80.0])
    expected = [stats.expon.pdf(x, scale=mean) for mean in by_class(NUMBER, np.mean)]
    assert likelihood("exponential", x) == pytest.approx(np.transpose(expected), rel=1e-12)


def test_a_poisson(likelihood):
    x = np.array([0, 3, 20])
    means = by_class(COUNT, np.mean)
    expected = [[lam**k * exp(-lam) / factorial(k) for lam in means] for k in x.tolist()]
    assert likelihood("poisson", x) == pytest.approx(np.array(expected), rel=1e-10)


def test_a_geometric(likelihood):
    x = np.array([0, 3, 20])
    thetas = [1 / (1 + mean) for mean in by_class(COUNT, np.mean)]
    expected = [[theta * (1 - theta) ** k for theta in thetas] for k in x.tolist()]
    assert likelihood("geometric", x) == pytest.approx(np.array(expected), rel=1e-12)


def test_a_negative_binomial(likelihood):
    x = np.array([0, 3, 20])
    r = 2.5
    expected = [stats.nbinom.pmf(x, r, r / (r + mean)) for mean in by_class(COUNT, np.mean)]
    assert likelihood("negative binomial", x) == pytest.approx(np.transpose(expected), rel=1e-10)


def test_a_histogram_is_the_share_of_the_bin_over_its_width(likelihood):
    expected = np.array([[3 / 4 / 2.5, 0], [1 / 4 / 3.5, 0], [0, 1 / 4]])
    assert likelihood("histogram", [1.0, 4.0, 9.0]) == pytest.approx(expected)


def test_a_kernel_density_is_the_mean_of_a_bump_on_every_value(likelihood):
    x = np.array([0.0, 4.0, 8.25])
    bumps = by_class(NUMBER, lambda v: stats.norm.pdf(x[:, None], v, 0.75).mean(axis=1))
    assert likelihood("kernel", x) == pytest.approx(np.transpose(bumps), rel=1e-12)


def test_a_kernel_density_finds_its_bandwidth_by_silverman(log_likelihood, rng):
    values = rng.gamma(2.0, size=200)
    model = naively.NaiveBayes({"x": "kernel"}).fit({"x": values}, [0] * 200)
    low, high = np.quantile(values, [0.25, 0.75], method="hazen")
    h = 0.9 * min(values.std(), (high - low) / 1.349) * 200**-0.2
    x = np.array([0.5, 3.0])
    expected = stats.norm.pdf(x[:, None], values, h).mean(axis=1)
    assert np.exp(log_likelihood(model, {"x": x}))[:, 0] == pytest.approx(expected, rel=1e-9)


def test_a_point_mass_beside_a_density(log_likelihood):
    values = np.array([0.0, 0.0, 0.0, 4.0, 0.0, 2.0, 4.0, 6.0])
    family = Inflated(Exponential(strength=0), alpha=0)
    model = naively.NaiveBayes({"x": family}).fit({"x": values}, Y)
    got = np.exp(log_likelihood(model, {"x": [0.0, 2.0]}))
    at_2 = [1 / 4 * stats.expon.pdf(2, scale=4), 3 / 4 * stats.expon.pdf(2, scale=4)]
    assert got == pytest.approx(np.array([[3 / 4, 1 / 4], at_2]), rel=1e-12)


def test_a_multinomial_has_its_coefficient(log_likelihood):
    words = np.array([[3, 1, 0], [2, 1, 1], [0, 1, 5], [0, 2, 2]])
    model = naively.NaiveBayes(Multinomial(alpha=1)).fit(words, [0, 0, 1, 1])
    theta = (np.array([[5, 2, 1], [0, 3, 7]]) + 1) / [[8 + 3], [10 + 3]]
    assert np.exp(model.feature_log_prob_) == pytest.approx(theta)
    document = np.array([[2, 2, 1]])
    ways = factorial(5) / (factorial(2) * factorial(2) * factorial(1))
    expected = ways * (theta ** document[0]).prod(axis=1)
    assert np.exp(log_likelihood(model, document))[0] == pytest.approx(expected, rel=1e-10)


def test_each_feature_of_one_model_may_have_a_distribution_of_its_own(log_likelihood):
    table = {name: values for name, (values, _) in COLUMNS.items()}
    families = {name: family for name, (_, family) in COLUMNS.items()}
    together = naively.NaiveBayes(families, prior="uniform").fit(table, Y)
    alone = sum(log_likelihood(learned(name), {name: table[name]}) for name in table)
    assert log_likelihood(together, table) == pytest.approx(alone, abs=1e-10)
    assert str(together.schema_["lognormal"].family) == "lognormal"


def test_impossible_and_certain_are_infinite_logs_and_not_nan(log_likelihood):
    got = log_likelihood(learned("label"), {"label": ["a"]})
    assert got[0].tolist() == [pytest.approx(log(0.5)), -np.inf]
