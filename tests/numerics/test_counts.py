"""Numerical truths about counted columns: values, unseen and missing cells, priors."""

from __future__ import annotations

import numpy as np
import pytest

import naively
from naively.errors import DataError, NaivelyError, ParameterError, UnseenWarning
from naively.families import FAMILIES, Categorical

from ..laws.tables import BY_NAME, moved_into

GRADES = {"grade": [*"aabbbc", *"aaab"]}
Y = ["x"] * 6 + ["y"] * 4
COUNTS = np.array([[2, 3, 1], [3, 1, 0]])


def theta(**params):
    return np.exp(naively.NaiveBayes(**params).fit(GRADES, Y).feature_log_prob_[0])


@pytest.mark.parametrize("alpha", [0.5, 1, 3])
def test_01_laplace_counts_values_and_not_classes(alpha):
    expected = (COUNTS + alpha) / (COUNTS.sum(axis=1, keepdims=True) + alpha * 3)
    assert theta(alpha=alpha) == pytest.approx(expected, rel=1e-13)
    assert theta(alpha=alpha).sum(axis=1) == pytest.approx([1, 1], abs=1e-13)


def test_01_neither_more_classes_nor_fewer_change_the_divisor():
    y = ["p", "q", "r", "s", "t", "u"]
    model = naively.NaiveBayes().fit({"v": [*"ababab"]}, y)
    assert np.exp(model.feature_log_prob_[0]).sum(axis=1) == pytest.approx(np.ones(6), abs=1e-13)
    assert np.exp(model.feature_log_prob_[0][0]) == pytest.approx([2 / 3, 1 / 3])


def test_02_all_classes_share_the_values_of_a_column():
    """Class y never has a c: it is a value of the column all the same."""
    assert theta().shape == (2, 3)
    assert theta()[1] == pytest.approx([4 / 7, 2 / 7, 1 / 7])
    assert theta().max() <= 1


def test_02_classes_without_a_common_value_still_have_probabilities():
    model = naively.NaiveBayes().fit({"v": [*"aaab", *"cccc"]}, [0] * 4 + [1] * 4)
    table = np.exp(model.feature_log_prob_[0])
    assert table == pytest.approx(np.array([[4, 2, 1], [1, 1, 5]]) / 7)


def test_02_the_values_of_later_batches_are_values_of_the_earlier_ones_too():
    first, second = naively.NaiveBayes(), {"grade": [*"aaab"]}
    first.partial_fit({"grade": [*"aabbbc"]}, ["x"] * 6).partial_fit(second, ["y"] * 4)
    assert np.exp(first.feature_log_prob_[0]) == pytest.approx(theta(), rel=1e-13)


def proba(model, grade):
    return model.predict_proba({"grade": grade})


def test_11_an_unseen_value_is_no_evidence_and_is_reported():
    model = naively.NaiveBayes().fit(GRADES, Y)
    with pytest.warns(UnseenWarning, match=r"'grade': 2") as caught:
        got = proba(model, ["z", "a", "?"])
    assert len(caught) == 1
    assert got[0] == pytest.approx([0.6, 0.4])  # the class prior
    assert got[2] == pytest.approx([0.6, 0.4])
    assert got[1] == pytest.approx(np.array([6 / 10 * 3 / 9, 4 / 10 * 4 / 7]) / 0.4285714285714286)


@pytest.mark.parametrize("alpha", [0.5, 1, 3])
def test_11_reserve_keeps_a_bucket_for_unseen_values(alpha, log_likelihood):
    model = naively.NaiveBayes(alpha=alpha, unseen="reserve").fit(GRADES, Y)
    n, k = COUNTS.sum(axis=1), 3
    got = np.exp(log_likelihood(model, {"grade": ["z", "a", "b", "c"]}))
    assert got[0] == pytest.approx(alpha / (n + alpha * (k + 1)), rel=1e-13)
    seen = ((COUNTS + alpha) / (n + alpha * (k + 1))[:, None]).T
    assert got[1:] == pytest.approx(seen, rel=1e-13)
    assert got.sum(axis=0) == pytest.approx([1, 1], abs=1e-13)


def test_11_error_refuses_an_unseen_value_by_column_and_row():
    model = naively.NaiveBayes(unseen="error").fit(GRADES, Y)
    with pytest.raises(DataError, match=r"column 'grade', row 2.*'a', 'b', 'c'"):
        proba(model, ["a", "b", "z"])


def test_12_a_missing_cell_is_left_out_and_its_row_is_kept():
    table = {"v": ["a", None, "b", "a"], "w": [1.5, 2.5, float("nan"), 4.5]}
    y = [0, 0, 1, 1]
    model = naively.NaiveBayes(alpha=0, strength=0, columns={"w": "poisson"})
    with pytest.raises(DataError, match="row 0"):
        model.fit(table, y)
    model = naively.NaiveBayes(alpha=1).fit(table, y)
    assert model.class_count_.tolist() == [2, 2]
    assert np.exp(model.feature_log_prob_[0]) == pytest.approx(
        np.array([[2 / 3, 1 / 3], [0.5, 0.5]])
    )
    alone = naively.NaiveBayes(alpha=1, columns={"w": "ignore"}).fit(table, y)
    query = {"v": ["a", "b"], "w": [None, float("nan")]}
    assert model.predict_proba(query) == pytest.approx(alone.predict_proba(query), abs=1e-15)


@pytest.mark.parametrize("columns", [{}, {"w": "kernel"}, {"w": "histogram"}, {"w": "lognormal"}])
def test_12_a_row_of_missing_cells_has_the_prior(columns):
    table = {"v": [*"aabbb"], "w": [1.5, 2.5, 3.0, 4.5, 8.0]}
    model = naively.NaiveBayes(columns or None).fit(table, [0, 0, 0, 1, 1])
    got = model.predict_proba({"v": [None], "w": [float("nan")]})
    assert got == pytest.approx(np.array([[0.6, 0.4]]), abs=1e-15)


def test_12_a_missing_cell_may_be_a_value():
    table = {"v": ["a", None, None, "a", "b", "b"]}
    y = [0, 0, 0, 1, 1, 1]
    model = naively.NaiveBayes(missing="value").fit(table, y)
    joint = np.exp(model.predict_joint_log_proba({"v": ["a", "b", None]}))
    assert joint == pytest.approx(np.array([[2, 2], [1, 3], [3, 1]]) / 6 / 2)


def test_12_in_a_numeric_column_too():
    table = {"w": [1.0, None, None, None, 2.0, 1.5, 1.0, None]}
    y = [0] * 4 + [1] * 4
    model = naively.NaiveBayes({"w": naively.families.Gaussian(missing="value")}).fit(table, y)
    assert model.predict_proba({"w": [None]})[0] == pytest.approx([4 / 6, 2 / 6])


def test_12_missing_cells_are_counted_in_the_schema():
    model = naively.NaiveBayes().fit({"v": ["a", None, "b"], "w": [1.5, None, None]}, [0, 1, 1])
    assert [model.schema_[name].missing for name in "vw"] == [1, 2]


def test_13_nine_tenths_are_not_zero():
    codes = {"v": [0, 0, 1, 1]}
    model = naively.NaiveBayes("categorical").fit(codes, [0, 0, 1, 1])
    with pytest.warns(UnseenWarning):
        got = model.predict_proba({"v": [0.9]})
    assert got == pytest.approx(np.array([[0.5, 0.5]]))  # and not as for 0
    assert model.predict_proba({"v": [0.0]})[0, 0] == pytest.approx(3 / 4)


def test_13_a_lossy_cast_is_refused_with_the_value_and_the_row():
    model = naively.NaiveBayes().fit({"v": [0, 0, 1, 1]}, [0, 0, 1, 1])
    with pytest.raises(DataError, match=r"column 'v', row 1: 0\.9; expected an integer"):
        model.partial_fit({"v": [0.0, 0.9]}, [0, 1])


def test_13_stated_categories_may_be_any_numbers():
    x = np.array([[0.0], [0.9], [0.9], [0.1]])
    model = naively.NaiveBayes("categorical").fit(x, [0, 1, 1, 0])
    assert np.exp(model.feature_log_prob_[0]) == pytest.approx(np.array([[2, 2, 1], [1, 1, 3]]) / 5)


@pytest.mark.parametrize(
    ("family", "value"),
    [("bernoulli", 0.7), ("bernoulli", 3.0), ("poisson", 1.5), ("geometric", -1)],
)
def test_13_what_a_family_cannot_count_is_refused_and_not_rounded(family, value):
    x = np.array([[0.0], [1.0], [value]])
    with pytest.raises(DataError, match=f"row 2: {value:g} has no {family} likelihood"):
        naively.NaiveBayes(family).fit(x, [0, 1, 1])


ONES = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
FIVE = ["a", "a", "a", "b", "b"]


@pytest.mark.parametrize("family", BY_NAME)
@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("counted", [3 / 5, 2 / 5]),
        ("smoothed", [4 / 7, 3 / 7]),
        ("uniform", [1 / 2, 1 / 2]),
        ([0.1, 0.9], [0.1, 0.9]),
        ({"b": 0.75, "a": 0.25}, [0.25, 0.75]),
    ],
)
def test_14_one_prior_for_every_family_and_it_is_used(family, prior, expected):
    x = moved_into(FAMILIES[family], ONES)
    model = naively.NaiveBayes(family, prior=prior).fit(x, FIVE)
    assert np.exp(model.class_log_prior_) == pytest.approx(expected)
    level = naively.NaiveBayes(family, prior="uniform").fit(x, FIVE)
    moved = model.predict_joint_log_proba(x) - level.predict_joint_log_proba(x)
    assert moved == pytest.approx(np.tile(np.log(expected) - np.log(0.5), (5, 1)), abs=1e-12)


@pytest.mark.parametrize("family", BY_NAME)
@pytest.mark.parametrize(
    "prior",
    [
        [0.5, 0.6],
        [1.0],
        [1.5, -0.5],
        [float("nan"), 1.0],
        [2, 1],
        {"a": 1.0},
        {"a": 0.5, "b": 0.7},
        {"a": 0.5, "b": 0.3, "c": 0.2},
        "empirical",
        None,
    ],
)
def test_14_what_is_no_prior_is_refused_by_every_family(family, prior):
    with pytest.raises(ParameterError, match="prior"):
        naively.NaiveBayes(family, prior=prior).fit(moved_into(FAMILIES[family], ONES), FIVE)


def test_16_a_tie_goes_to_the_first_in_class_order():
    model = naively.NaiveBayes().fit({"v": ["a", "a", "a", "a"]}, ["z", "m", "m", "z"])
    assert model.predict({"v": ["a"] * 50}).tolist() == ["m"] * 50


def test_0_over_0_is_said_in_words():
    model = naively.NaiveBayes({"v": Categorical(alpha=0), "w": Categorical(alpha=0)})
    model.fit({"v": [*"aab"], "w": [*"ccd"]}, [0, 0, 1])
    possible, impossible = {"v": ["a"], "w": ["c"]}, {"v": ["a", "a"], "w": ["c", "d"]}
    assert model.predict_proba(possible).tolist() == [[1, 0]]
    words = "the evidence is impossible under this model: every class has likelihood 0"
    for ask in (model.predict, model.predict_proba, model.predict_log_proba):
        with pytest.raises(naively.errors.ImpossibleEvidence, match=words) as caught:
            ask(impossible)
        assert "1 rows, first 1" in str(caught.value)
        assert "'v', 'w'" in str(caught.value)
    assert np.isneginf(model.model_.log_evidence(impossible)[1])
    assert issubclass(naively.errors.ImpossibleEvidence, NaivelyError)
