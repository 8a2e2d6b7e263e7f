"""Drawn rows: what a column that says nothing looks like, no rows, and numbers of any size."""

from __future__ import annotations

import numpy as np
import pytest

from naively import NaiveBayes
from naively.families import Gaussian, Inflated, LogNormal

Y = ["a", "a", "b", "b"]
RATES = ["poisson", "geometric", "negative_binomial", "exponential"]
NUMERIC = [*RATES, "gaussian", "kernel", "lognormal", Inflated(LogNormal(), at=0)]


def drawn(columns, table, n=50):
    return NaiveBayes(columns).fit(table, Y).model_.sample(n, random_state=3)


@pytest.mark.parametrize("covariance", ["full", "tied"])
def test_a_constant_column_of_a_joint_block_is_drawn_as_it_is(covariance):
    table = {"p": [1.0, 2, 3, 5], "q": [7.0] * 4, "r": [2.0, 1, 0, 4]}
    joint = {("p", "q", "r"): Gaussian(covariance=covariance)}
    rows = drawn(joint, table)
    assert set(rows["q"].tolist()) == {7.0}
    assert len(set(rows["p"].tolist())) == len(set(rows["r"].tolist())) == 50


@pytest.mark.parametrize("family", RATES)
def test_a_column_of_zeros_is_no_evidence_and_is_drawn_as_zeros(family):
    model = NaiveBayes({"v": family}).fit({"v": [0, 0, 0, 0], "w": [1.5, 2, 3, 4]}, Y)
    rows = {"v": [0, 1, 5, 1000], "w": [2.0] * 4}
    joint, without = model.model_.log_joint(rows), model.model_.log_joint({**rows, "v": [None] * 4})
    assert joint.tolist() == without.tolist()
    assert set(model.model_.sample(20, random_state=1)["v"].tolist()) == {0.0}


@pytest.mark.parametrize("family", RATES)
def test_a_column_of_zeros_takes_no_part_beside_others_of_its_family(family):
    both = NaiveBayes(family).fit({"v": [0, 0, 0, 0], "w": [1, 2, 6, 9]}, Y).model_
    one = NaiveBayes(family).fit({"w": [1, 2, 6, 9]}, Y).model_
    rows = {"v": [0, 3, 2], "w": [0, 1, 5]}
    np.testing.assert_allclose(both.log_evidence(rows), one.log_evidence({"w": [0, 1, 5]}))
    assert max(both.sample(200, random_state=1)["w"]) > 0


@pytest.mark.parametrize("family", NUMERIC[:-1], ids=str)
def test_a_column_of_which_no_cell_is_known_is_drawn_as_missing(family):
    rows = drawn({"v": family}, {"v": [None, np.nan, None, None], "w": ["x", "y", "x", "y"]})
    assert np.isnan(rows["v"]).all()


@pytest.mark.parametrize("family", [*NUMERIC, "multinomial", "categorical", "histogram"], ids=str)
def test_no_rows_are_an_empty_table(family):
    rows = drawn(family, {"v": [1, 2, 3, 4], "w": [4, 1, 2, 1]}, n=0)
    assert {name: len(column) for name, column in rows.items()} == {"v": 0, "w": 0, "class": 0}


@pytest.mark.parametrize("size", [1e3, 1e16, 1e18, 1e19, 1e40, 1e300])
@pytest.mark.parametrize("family", RATES)
def test_drawn_amounts_are_as_large_as_their_mean(family, size):
    if family == "negative_binomial" and size == 1e300:
        pytest.skip("its variance is refused")
    rows = drawn(family, {"v": [size, 2 * size, 2 * size, size]}, n=4000)
    assert rows["v"].mean() == pytest.approx(1.5 * size, rel=0.1)
    assert (rows["v"] >= 0).all()


@pytest.mark.parametrize("size", [1e16, 1e17, 1e18, 1e30])
def test_poisson_counts_vary_as_much_as_their_mean_whatever_its_size(size):
    """The variance of a Poisson count is its mean, also where NumPy cannot count so far."""
    v = NaiveBayes("poisson").fit({"v": [size] * 4}, Y).model_.sample(5000, random_state=2)["v"]
    rounding = np.spacing(size) ** 2
    assert (v - size).var() == pytest.approx(size, rel=0.1, abs=rounding)
    assert (np.rint(v) == v).all()
