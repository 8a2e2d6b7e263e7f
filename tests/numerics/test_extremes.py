"""Numbers near the ends of what a double can hold: a right answer, or an error in words."""

from __future__ import annotations

from decimal import Decimal, getcontext

import numpy as np
import pytest

from naively import NaiveBayes
from naively.errors import DataError
from naively.families import Gaussian

getcontext().prec = 700
FEW_AND_MANY = ["few", "few", "many", "many"]


def fitted(family, low, high, unit=1.0, **more):
    """Two classes, of two cells each around `low` and `high`."""
    x = np.array([0.8 * low, 1.2 * low, 0.8 * high, 1.2 * high]) * unit
    return NaiveBayes(columns=family, prior="uniform", **more).fit({"x": x}, FEW_AND_MANY)


@pytest.mark.parametrize("mean", [1e3, 1e9, 1e15, 1e18, 1e200, 1e300])
def test_a_geometric_keeps_a_chance_that_is_lost_beside_1(mean):
    """log (1 - theta) of theta = 1e-15 has no digit of it unless it is taken by log1p."""
    model = fitted("geometric", mean, 3 * mean, strength=0)
    x = [mean // 2, mean, 2 * mean, 4 * mean]
    expected = []
    for cell in map(Decimal, x):
        means = [Decimal(float(m)) for m in (mean, 3 * mean)]
        log_p = [-(1 + m).ln() + cell * (m / (1 + m)).ln() for m in means]
        expected.append(float(1 / (1 + (log_p[0] - log_p[1]).exp())))
    found = model.predict_proba({"x": x})[:, 1]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_negative_binomial_of_large_counts_is_as_near_to_a_geometric_as_its_r():
    model = fitted("negative_binomial", 1e12, 3e12)
    posterior = model.predict_proba({"x": [1e11, 1e12, 3e12, 9e12]})[:, 1]
    assert (np.diff(posterior) >= 0).all()
    assert posterior[0] < 0.5 < posterior[-1]


@pytest.mark.parametrize("unit", [1e-300, 1e-100, 1.0, 1e100, 1e200, 1e300])
def test_waiting_times_have_no_unit(unit):
    x = np.array([0.1, 1.0, 2.0, 10.0, 50.0])
    known = fitted("exponential", 1.0, 4.0).predict_proba({"x": x})
    found = fitted("exponential", 1.0, 4.0, unit).predict_proba({"x": x * unit})
    np.testing.assert_allclose(found, known, rtol=1e-9)


def test_rates_without_a_number_are_refused():
    with pytest.raises(DataError, match="'x' has numbers so small that their rate is infinite"):
        fitted("exponential", 1.0, 4.0, 1e-312)


@pytest.mark.parametrize("unit", [1e20, 1e200, 1e300])
def test_large_counts_go_to_the_nearer_rate(unit):
    """x log 2 is a - b at x = unit / log 2, between the rates unit and 2 unit."""
    model = fitted("poisson", 1.0, 2.0, unit)
    x = np.array([0.5, 1.0, 1.4, 1.5, 2.0, 5.0, 1e5]) * unit
    assert model.predict({"x": x}).tolist() == ["few"] * 3 + ["many"] * 4
    assert (model.predict_joint_log_proba({"x": x}) <= 0).all()


def test_rates_too_large_for_their_products_are_refused():
    with pytest.raises(DataError, match="'x' has numbers too large"):
        fitted("poisson", 1.0, 2.0, 1e306)


@pytest.mark.parametrize("family", [Gaussian(), Gaussian(strength=0), Gaussian(covariance="full")])
@pytest.mark.parametrize("unit", [1e-160, 1e-200, 1e-300])
def test_deviations_too_small_to_be_squared_are_refused(family, unit):
    for low, high in ((1.0, 4.0), (0.0, 4.0)):
        with pytest.raises(DataError, match=r"too small to be squared.*in a smaller unit"):
            fitted(family, low, high, unit)


def test_deviations_too_small_to_be_squared_are_refused_row_by_row():
    model = NaiveBayes(columns={"x": "gaussian"}).partial_fit({"x": [1e-200]}, ["few"])
    with pytest.raises(DataError, match="too small to be squared"):
        model.partial_fit({"x": [4e-200]}, ["many"]).predict({"x": 1e-200})


@pytest.mark.parametrize("value", [0.0, 1e-200, 1e-310, 1e300])
def test_a_column_that_is_the_same_everywhere_is_no_evidence_in_any_unit(value):
    model = NaiveBayes(columns="gaussian").fit({"x": [value] * 4}, FEW_AND_MANY)
    assert model.predict_proba({"x": [value, 1.0]}).tolist() == [[0.5, 0.5]] * 2


@pytest.mark.parametrize("weight", [0.1, 0.3, 1.0, 3.0, 7.0])
@pytest.mark.parametrize("value", [3.125e-9, 0.1, 1e-200, 1e200])
def test_a_value_by_itself_has_no_width_whatever_it_weighs(value, weight):
    model = NaiveBayes(columns="kernel", prior="uniform")
    model.fit({"x": [value] * 4}, FEW_AND_MANY, sample_weight=[weight, 0.25, weight, 1.0])
    assert model.predict_proba({"x": [value]}).tolist() == [[0.5, 0.5]]
    model.fit({"x": [0.0, value]}, ["few", "many"], sample_weight=[0.25, weight])
    spread = model.model_.parts[0].factor.bandwidth[:, 0] / np.array([0.25, weight]) ** -0.2
    assert spread[0] == pytest.approx(spread[1], rel=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_quartiles_an_ulp_apart_make_no_bump_of_that_width(unit):
    """Between them there is nothing but rounding: the width is that of all values."""
    once = 0.3 * unit
    x = [once, np.nextafter(once, np.inf), once, np.nextafter(once, np.inf), 0.0, 2 * once]
    model = NaiveBayes(columns="kernel").fit({"x": [*x, 3 * once]}, [*"aaaaaab"])
    assert model.model_.parts[0].factor.bandwidth.min() > 0.05 * unit


FARTHER = [1e2, 1e10, 1e75, 1e150, 1e153, 1e154, 1e155, 1e200, 1e300, 1e305, 1e306, 1.7e308]
LAW = [Gaussian(), Gaussian(covariance="full"), Gaussian(covariance="tied"), "kernel"]


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("family", [*LAW, "poisson", "geometric", "exponential"], ids=str)
def test_the_farther_out_the_smaller_is_the_evidence(family, sign):
    values = np.array([[1.0], [2.0], [10.0], [12.0]])
    model = NaiveBayes(family).fit(values, list("aabb")).model_
    if sign < 0 and family not in LAW:
        pytest.skip("it has no numbers below 0")
    evidence = model.log_evidence(sign * np.array(FARTHER)[:, None])
    assert (np.diff(evidence) <= 0).all()
    assert np.isfinite(evidence).all()
    assert evidence[-1] < -1e299
    assert model.evidence(sign * np.array(FARTHER)[6:, None]).max() == 0.0


@pytest.mark.parametrize("family", [Gaussian(), Gaussian(covariance="full"), "kernel"], ids=str)
def test_the_largest_joint_is_the_prediction_however_far(family):
    values = np.array([[1.0, 3.0], [2.0, 1.0], [10.0, 5.0], [12.0, 11.0]])
    model = NaiveBayes(family).fit(values, list("aabb"))
    far = np.array(FARTHER)[:, None] * [[1.0, 1.0]]
    for rows in (far, -far, far * [[1.0, -0.5]]):
        best = model.predict_joint_log_proba(rows).argmax(axis=1)
        assert model.classes_[best].tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize("x", [1e20, 1e154, 1e200, 1e300, 1e306])
def test_equal_widths_go_to_the_nearer_mean_however_far(x):
    model = NaiveBayes(Gaussian(covariance="tied")).fit([[1.0], [2], [10], [12]], list("aabb"))
    assert model.predict([[x], [-x]]).tolist() == ["b", "a"]
    assert model.predict_proba([[x], [-x]]).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_columns_that_are_all_far_out_add_up_to_a_number():
    values = np.array([[1.0] * 50, [2.0] * 50, [10.0] * 50, [12.0] * 50])
    columns = {tuple(range(25)): "gaussian", tuple(range(25, 50)): "kernel"}
    model = NaiveBayes(columns).fit(values, list("aabb"))
    far = np.full((1, 50), 1e300)
    assert np.isfinite(model.predict_joint_log_proba(far)).all()
    assert model.predict_proba(far).tolist() == [[0.0, 1.0]]
