"""Numerical truths about numbers: tails, underflow, smoothing, variances."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp

import naively
from naively.families import Gaussian

TWO = {"x": np.array([-1.0, 1.0, 4.0, 6.0])}
"""N(0, 1) and N(5, 1) by maximum likelihood."""
Y2 = [0, 0, 1, 1]


@pytest.fixture(scope="module")
def two():
    return naively.NaiveBayes(Gaussian(strength=0)).fit(TWO, Y2)


def test_03_a_far_class_does_not_win_by_underflow(two):
    """At -34 both densities are 0 in floating point or nearly so: N(0, 1) is nearer."""
    assert stats.norm.pdf(-34, 5, 1) == 0
    assert two.predict({"x": [-34.0]}).tolist() == [0]
    log_odds = two.predict_log_proba({"x": [-34.0]})[0]
    assert log_odds[0] - log_odds[1] == pytest.approx((39**2 - 34**2) / 2, rel=1e-12)


@pytest.mark.parametrize(
    "x", [-1e300, -1e200, -1e155, -1e20, -1e8, -34.0, 39.0, 1e8, 1e20, 1e155, 1e300]
)
def test_03_the_nearest_class_wins_at_any_distance(two, x):
    assert two.predict({"x": [x]}).tolist() == [int(x > 2.5)]
    posterior = two.predict_proba({"x": [x]})
    assert posterior.max() == 1
    assert posterior.sum() == 1
    assert np.isfinite(two.predict_joint_log_proba({"x": [x]})).all()


@pytest.mark.parametrize("x", [-1e200, -1e20, 1e20, 1e200])
def test_03_a_far_class_does_not_win_in_a_full_covariance_either(x):
    rows = np.array(
        [[-1.0, 1], [1, -1], [0.5, 1], [-0.5, -1], [4, 1], [6, -1], [5.5, 1], [4.5, -1]]
    )
    model = naively.NaiveBayes({(0, 1): Gaussian("full", strength=0)})
    model.fit(rows, [0, 0, 0, 0, 1, 1, 1, 1])
    assert model.predict(np.array([[x, 0.0]])).tolist() == [int(x > 0)]


@pytest.mark.parametrize("x", [20.0, 40.0, 60.0, 1e3, 1e7, 1e9, 1e20])
def test_04_an_outlier_keeps_its_exact_evidence(two, x):
    joint = [stats.norm.logpdf(x, m, 1) + np.log(0.5) for m in (0, 5)]
    assert two.predict_joint_log_proba({"x": [x]})[0] == pytest.approx(joint, rel=1e-12)
    log_odds = np.diff(two.predict_log_proba({"x": [x]}))[0, 0]
    assert log_odds == pytest.approx(5 * x - 12.5, rel=1e-12)  # and not 0
    assert two.model_.log_evidence({"x": [x]})[0] == pytest.approx(logsumexp(joint), rel=1e-12)


def test_04_an_outlier_is_seen_in_its_evidence(two):
    usual, odd = two.model_.log_evidence({"x": [4.5, 400.0]})
    assert usual > -3
    assert odd < -70_000


def test_05_500_gaussian_columns(rng):
    x = rng.normal(size=(40, 500))
    y = np.arange(40) % 2
    x[y == 1] += 0.5
    model = naively.NaiveBayes(strength=0).fit(x, y)
    queries = np.vstack([x[:6], x[:6] * 30])
    logs = [
        stats.norm.logpdf(queries, x[y == c].mean(axis=0), x[y == c].std(axis=0)).sum(axis=1)
        for c in (0, 1)
    ]
    expected = np.transpose(logs) + np.log(0.5)
    assert np.exp(expected[6:]).max() == 0  # a product of densities would be 0
    assert model.predict_joint_log_proba(queries) == pytest.approx(expected, rel=1e-11)
    assert np.isfinite(model.predict_proba(queries)).all()


def test_05_6000_binary_columns(rng):
    x = (rng.random((30, 6000)) < 0.5).astype(float)
    y = np.arange(30) % 2
    model = naively.NaiveBayes("bernoulli").fit(x, y)
    theta = np.array([(x[y == c].sum(axis=0) + 1) / (15 + 2) for c in (0, 1)])
    logs = x @ np.log(theta).T + (1 - x) @ np.log(1 - theta).T + np.log(0.5)
    assert np.exp(logs).max() == 0
    assert model.predict_joint_log_proba(x) == pytest.approx(logs, rel=1e-11)
    posterior = model.predict_proba(x)
    assert posterior == pytest.approx(
        np.exp(logs - logsumexp(logs, axis=1, keepdims=True)), abs=1e-9
    )


def test_05_100_000_columns(rng):
    x = (rng.random((6, 100_000)) < 0.5).astype(float)
    y = np.array([0, 1, 2, 0, 1, 2])
    model = naively.NaiveBayes("bernoulli").fit(x, y)
    posterior = model.predict_proba(x)
    assert posterior.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-12)
    assert model.predict(x).tolist() == y.tolist()
    evidence = model.model_.log_evidence(x)
    assert np.isfinite(evidence).all()
    assert evidence.max() < -20_000


@pytest.mark.parametrize("family", ["gaussian", "kernel", "poisson", "exponential", "categorical"])
def test_05_a_value_far_away_gives_no_nan(family):
    x = np.array([[1.0], [2.0], [3.0], [8.0], [9.0], [7.0]])
    model = naively.NaiveBayes(family).fit(x, [0, 0, 0, 1, 1, 1])
    far = np.array([[100.0], [1e6], [1e15]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", naively.errors.UnseenWarning)
        posterior = model.predict_proba(far)
    assert posterior.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)


def two_scales(rng):
    """Noise of size 1e6 beside a signal of size 1e-3 (the classes are 3 deviations apart)."""
    y = np.arange(2000) % 2
    noise = rng.normal(0, 1e6, 2000)
    signal = 1e-3 * (rng.normal(size=2000) + 3 * y)
    return np.column_stack([noise, signal]), y


def test_06_a_column_of_millions_does_not_drown_one_of_thousandths(rng):
    x, y = two_scales(rng)
    model = naively.NaiveBayes().fit(x[:1000], y[:1000])
    assert model.score(x[1000:], y[1000:]) > 0.91


def test_06_the_unit_of_a_column_changes_no_posterior(rng):
    x, y = two_scales(rng)
    posterior = naively.NaiveBayes().fit(x, y).predict_proba(x)
    for unit in (1e-9, 1e-3, 1e6, 1e12):
        other = x * [unit, 1 / unit]
        again = naively.NaiveBayes().fit(other, y).predict_proba(other)
        assert again == pytest.approx(posterior, abs=1e-9)


def test_06_a_wide_column_adds_nothing_to_the_variance_of_its_neighbour(shared):
    """Adult: capital-gain beside education-num, whose variances are 5.3 to 5.7 by class."""
    columns = {"education-num": "gaussian", "capital-gain": "gaussian"}
    path = shared / "adult" / "adult_train.csv.gz"
    beside = naively.NaiveBayes(columns).fit(path, "income")
    alone = naively.NaiveBayes({**columns, "capital-gain": "ignore"}).fit(path, "income")
    likelihood = naively.NaiveBayes(columns, strength=0).fit(path, "income")

    def variances(model):
        used = [c.name for c in model.schema_ if str(c.family) == "gaussian"]
        return model.var_[:, used.index("education-num")]

    assert variances(beside) == pytest.approx(variances(alone), rel=1e-12)
    assert variances(beside) == pytest.approx(variances(likelihood), rel=1e-3)
    assert variances(beside).max() < 7


def test_07_the_divisor_is_n_and_n_minus_1_when_asked_for():
    x = {"x": [1.0, 2.0, 6.0, 10.0, 14.0]}
    y = [0, 0, 0, 1, 1]
    by_n = naively.NaiveBayes(Gaussian(strength=0)).fit(x, y)
    by_n_1 = naively.NaiveBayes(Gaussian(strength=0, ddof=1)).fit(x, y)
    assert by_n.var_[:, 0] == pytest.approx([14 / 3, 4])
    assert by_n_1.var_[:, 0] == pytest.approx([7, 8])


def test_07_one_row_of_a_class_is_enough():
    model = naively.NaiveBayes("gaussian").fit({"x": [1.0, 2.0, 6.0, 10.0]}, [0, 0, 0, 1])
    assert np.isfinite(model.var_).all()
    assert (model.var_ > 0).all()
    assert model.predict({"x": [10.0, 1.5]}).tolist() == [1, 0]
    total = np.var([1, 2, 6, 10])
    mean = (10 + 4.75) / 2
    assert model.theta_[1, 0] == pytest.approx(mean)
    assert model.var_[1, 0] == pytest.approx((total + (10 - 4.75) ** 2 / 2) / 2)


def test_07_without_a_prior_one_row_is_refused_by_class_and_column():
    with pytest.raises(naively.errors.DataError, match=r"column 'x' has variance 0 in class 1"):
        naively.NaiveBayes(Gaussian(strength=0)).fit({"x": [1.0, 2.0, 6.0, 10.0]}, [0, 0, 0, 1])


@pytest.mark.parametrize("constant", [0.0, 5.0, 1e9, 0.1])
@pytest.mark.parametrize("family", ["gaussian", "kernel", "histogram", "exponential"])
def test_08_a_column_that_is_constant_everywhere_is_no_evidence(family, constant):
    x = np.array([1.0, 2.0, 6.0, 10.0])
    y = [0, 0, 1, 1]
    with_it = naively.NaiveBayes({"x": "gaussian", "k": family})
    with_it.fit({"x": x, "k": np.full(4, constant)}, y)
    without = naively.NaiveBayes("gaussian").fit({"x": x}, y)
    query = {"x": [0.0, 5.0, 9.0], "k": [constant] * 3}
    got = with_it.predict_proba(query)
    assert got == pytest.approx(without.predict_proba({"x": query["x"]}), abs=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_08_a_column_that_is_constant_in_one_class_has_the_prior_in_its_own_unit(scale):
    x = {"x": np.array([3.0, 3.0, 3.0, 1.0, 9.0, 5.0]) * scale}
    model = naively.NaiveBayes("gaussian").fit(x, [0, 0, 0, 1, 1, 1])
    assert (model.var_ > 0).all()
    got = model.predict_proba({"x": np.array([3.0, 9.0]) * scale})
    assert got[0, 0] > 0.5 > got[1, 0]
    reference = naively.NaiveBayes("gaussian").fit({"x": x["x"] / scale}, [0, 0, 0, 1, 1, 1])
    assert got == pytest.approx(reference.predict_proba({"x": [3.0, 9.0]}), abs=1e-9)


@pytest.fixture
def stream(rng):
    """Rows whose level drifts: batches differ, and one class appears late."""
    x = rng.normal(size=(120, 3)) * [1, 1e4, 1e-3] + np.arange(120)[:, None] * [0.1, 50, 1e-4]
    y = np.where(np.arange(120) < 40, 0, np.arange(120) % 3)
    return x, y


def learned_in(batches, x, y):
    model = naively.NaiveBayes("gaussian")
    for rows in batches:
        model.partial_fit(x[rows], y[rows], classes=[0, 1, 2])
    return model


@pytest.mark.parametrize("size", [1, 7, 60])
def test_09_any_batches_in_any_order_are_one_fit(stream, rng, size):
    x, y = stream
    whole = naively.NaiveBayes("gaussian").fit(x, y)
    order = rng.permutation(120)
    for rows in (np.arange(120), np.arange(120)[::-1], order):
        parts = learned_in(np.split(rows, np.arange(size, 120, size)), x, y)
        assert parts.theta_ == pytest.approx(whole.theta_, rel=1e-11)
        assert parts.var_ == pytest.approx(whole.var_, rel=1e-10)
        assert parts.predict_proba(x) == pytest.approx(whole.predict_proba(x), abs=1e-10)


def test_09_merged_statistics_are_one_fit(stream):
    x, y = stream
    whole = naively.NaiveBayes("gaussian").fit(x, y)
    shards = [naively.NaiveBayes("gaussian").fit(x[i::4], y[i::4]).stats_ for i in range(4)]
    merged = naively.NaiveBayes.from_stats(sum(shards))
    assert merged.var_ == pytest.approx(whole.var_, rel=1e-11)
    assert merged.predict_proba(dict(zip(merged.schema_.names, x.T, strict=True))) == pytest.approx(
        whole.predict_proba(x), abs=1e-11
    )


def test_09_rows_learned_and_forgotten_leave_no_trace(stream):
    x, y = stream
    kept = naively.NaiveBayes("gaussian").fit(x[:80], y[:80])
    moved = naively.NaiveBayes("gaussian").fit(x, y).forget(x[80:], y[80:])
    assert moved.var_ == pytest.approx(kept.var_, rel=1e-8)


@pytest.mark.parametrize("level", [0.0, 1e8, 1e9, -1e9])
@pytest.mark.parametrize("order", ["fit", "batches"])
def test_10_the_variance_of_a_column_far_from_0_is_right(rng, level, order):
    z = rng.normal(size=(4000, 1))
    y = np.arange(4000) % 2
    x = level + z
    exact = np.array([[(x[y == c] - level).var()] for c in (0, 1)])
    rows = [slice(None)] if order == "fit" else [slice(i, i + 300) for i in range(0, 4000, 300)]
    model = naively.NaiveBayes(Gaussian(strength=0))
    for part in rows:
        model.partial_fit(x[part], y[part])
    assert model.var_ == pytest.approx(exact, rel=1e-7)
    shifted = naively.NaiveBayes(Gaussian(strength=0)).fit(x - level, y)
    assert model.predict_proba(x) == pytest.approx(shifted.predict_proba(x - level), abs=1e-6)


def test_10_times_are_seconds_since_1970_and_keep_their_variance(rng):
    """Two classes a quarter of an hour apart, half a century after the epoch."""
    y = np.arange(600) % 2
    seconds = np.round(rng.normal(0, 300, 600) + 900 * y)
    when = np.datetime64("2024-05-01T12:00:00") + seconds.astype("timedelta64[s]")
    model = naively.NaiveBayes(strength=0).fit({"when": when}, y)
    exact = [seconds[y == c].var() for c in (0, 1)]
    assert model.var_[:, 0] == pytest.approx(exact, rel=1e-7)
    assert model.score({"when": when}, y) > 0.9


@pytest.mark.parametrize(
    ("x", "one", "other"),
    [
        (1.0, (0.0, 1e-8), (1e8, 1.0)),
        (999999.00006, (0.0, 1e-3), (1e12, 1e3)),
        (0.99999900005, (0.0, 1e-6), (1e6, 1.0)),
        (-34.0, (0.0, 1.0), (5.0, 1.0)),
        (1e20, (0.0, 1.0), (5.0, 1.0)),
    ],
)
def test_a_steep_class_near_by_is_told_from_a_wide_one_far_off(x, one, other):
    labels = {"a": Gaussian(mean=one[0], std=one[1]), "b": Gaussian(mean=other[0], std=other[1])}
    model = naively.Model.from_distributions({"a": 0.5, "b": 0.5}, labels)
    za, zb = ((Fraction(x) - Fraction(m)) / Fraction(s) for m, s in (one, other))
    odds = float((zb**2 - za**2) / 2) + math.log(other[1] / one[1])
    found = model.log_posterior({"x": [x]})[0]
    assert found[0] - found[1] == pytest.approx(odds, rel=1e-5)
