"""Costs, and the laws of deciding by them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import Decision
from naively.decision import likelihood_ratio
from naively.errors import DataError, NaivelyError, ParameterError, UnknownLabel

numbers = st.floats(-100, 100).map(lambda x: round(x, 3))
matrices = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=k, max_size=k)
)


def of(matrix):
    rows = {f"t{i}": {f"a{j}": cost for j, cost in enumerate(row)} for i, row in enumerate(matrix)}
    return Decision(rows)


def posteriors(k, n=20):
    return np.random.default_rng(k).dirichlet(np.ones(k), n)


@given(matrices)
def test_the_decision_is_never_worse_than_any_fixed_action(matrix):
    decision = of(matrix)
    p = posteriors(len(matrix))
    _, risks = decision.decide(p)
    for action in decision.actions:
        assert (risks <= decision.risk(p, action) + 1e-9).all()


@given(matrices, numbers, st.floats(0.01, 100))
def test_a_constant_in_a_row_and_a_positive_factor_change_no_decision(matrix, constant, factor):
    p = posteriors(len(matrix))
    moved = [
        [cost * factor + (constant if i == 0 else 0) for cost in row]
        for i, row in enumerate(matrix)
    ]
    one, other = of(matrix).decide(p), of(moved).decide(p)
    sure = ~(one.ties | other.ties)
    assert (one.actions[sure] == other.actions[sure]).all()


@given(matrices, st.floats(0.1, 10))
def test_a_dearer_truth_is_a_more_frequent_one(matrix, factor):
    p = posteriors(len(matrix))
    dearer = [[cost * (factor if i == 0 else 1) for cost in row] for i, row in enumerate(matrix)]
    moved = p * np.array([factor, *[1.0] * (len(matrix) - 1)])
    one, other = of(dearer).decide(p), of(matrix).decide(moved / moved.sum(axis=1, keepdims=True))
    sure = ~(one.ties | other.ties)
    assert (one.actions[sure] == other.actions[sure]).all()


def test_equal_costs_of_errors_give_the_most_probable_class():
    p = posteriors(3)
    actions, risks = Decision.minimum_error(["x", "y", "z"]).decide(p)
    assert actions.tolist() == [["x", "y", "z"][i] for i in p.argmax(axis=1)]
    assert risks == pytest.approx(1 - p.max(axis=1))


def test_refusing_for_nothing_refuses_all_and_for_more_than_an_error_none():
    p = posteriors(3)
    free = Decision.minimum_error(["x", "y", "z"], unsure=0.0)
    assert set(free.decide(p).actions) == {"unsure"}
    dear = Decision.minimum_error(["x", "y", "z"], unsure=1.1)
    assert "unsure" not in dear.decide(p).actions
    some = Decision.minimum_error(["x", "y", "z"], unsure=0.4).decide(p).actions == "unsure"
    assert (some == (p.max(axis=1) < 0.6)).all()


def test_a_threshold_is_two_costs():
    spam = Decision.threshold("spam", "ham", at=0.9)
    posterior = pd.DataFrame({"ham": [0.05, 0.15], "spam": [0.95, 0.85]})
    assert spam.decide(posterior).actions.tolist() == ["spam", "ham"]


@pytest.mark.parametrize(
    "costs",
    [
        {("ill", "treat"): 1, ("ill", "wait"): 50, ("well", "treat"): 5, ("well", "wait"): 0},
        {"ill": {"treat": 1, "wait": 50}, "well": {"treat": 5, "wait": 0}},
        pd.DataFrame({"treat": [1, 5], "wait": [50, 0]}, index=["ill", "well"]),
    ],
)
def test_labelled_costs_come_in_three_forms(costs):
    decision = Decision(costs)
    assert decision.truths == ("ill", "well")
    assert decision.actions == ("treat", "wait")
    assert decision.cost.tolist() == [[1, 50], [5, 0]]
    assert decision.decide({"well": 0.8, "ill": 0.2}) == ("treat", pytest.approx(4.2))
    assert pickle.loads(pickle.dumps(decision)) == decision


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ([[0, 1], [5, 0]], "without labels"),
        (np.eye(2), "without labels"),
        (pd.DataFrame([[0, 1], [5, 0]]), "have no labels"),
        (pd.DataFrame([[0, 1], [5, 0]], columns=["a", "a"], index=["x", "y"]), "twice"),
        ({("a", "b"): 1, ("b", "a"): 2}, "no cost of the action 'a'"),
        ({("a", "b"): float("nan")}, "a finite number"),
        ({("a", "b"): float("inf")}, "a very large one"),
        ({("a", "b"): "dear"}, "a finite number"),
        ({"a": 1}, "a pair"),
        ({}, "at least one truth"),
    ],
)
def test_costs_that_are_not_labelled_are_refused(costs, words):
    with pytest.raises(NaivelyError, match=words):
        Decision(costs)


@pytest.mark.parametrize(
    ("posterior", "words"),
    [
        ([0.5, 0.6], "sum to 1"),
        ([[0.2, 0.1]], "divide each row"),
        ([0.5, float("nan")], "sum to 1"),
        ([-0.5, 1.5], "sum to 1"),
        ([1.0], "a column for each"),
        ({"a": 1.0}, "one of each truth"),
        (pd.DataFrame({"a": [0.5], "c": [0.5]}), "one of each truth"),
    ],
)
def test_what_is_no_posterior_is_refused(posterior, words):
    with pytest.raises(DataError, match=words):
        Decision.minimum_error(["a", "b"]).decide(posterior)


def test_ties_go_to_the_first_and_are_flagged():
    decided = Decision.minimum_error(["a", "b"]).decide([[0.5, 0.5], [0.4, 0.6]])
    assert decided.actions.tolist() == ["a", "b"]
    assert decided.ties.tolist() == [True, False]
    assert Decision.minimum_error(["a", "b"]).decide([0.5, 0.5]).ties is True


def test_costs_are_aligned_to_a_models_classes():
    decision = Decision({("b", "go"): 1, ("a", "go"): 2})
    assert decision.for_classes(("a", "b")).cost.tolist() == [[2], [1]]
    with pytest.raises(DataError, match="'c' is on one side only"):
        decision.for_classes(("a", "c"))
    with pytest.raises(UnknownLabel, match="did you mean 'go'"):
        decision.risk([0.5, 0.5], "goo")


def test_the_likelihood_ratio_decides_as_the_risks_do():
    decision = Decision({("c1", "a2"): 3, ("c2", "a1"): 2, ("c1", "a1"): 0.5}, default=0)
    prior = {"c1": 0.3, "c2": 0.7}
    ratio = likelihood_ratio(decision, prior)
    assert ratio == pytest.approx((2 - 0) / (3 - 0.5) * 0.7 / 0.3)
    assert ratio.action == "a1"
    assert float(ratio.derivation.value) == pytest.approx(ratio)
    for likelihood in (ratio * 0.999, ratio * 1.001):
        p = np.array([0.3 * likelihood, 0.7])
        act = decision.decide(p / p.sum()).actions
        assert act == ("a1" if likelihood > ratio else "a2")
    assert likelihood_ratio(Decision.minimum_error(["x", "y"]), {"x": 0.25, "y": 0.75}) == 3
    with pytest.raises(ParameterError, match="two of each"):
        likelihood_ratio(Decision.minimum_error("abc"), {"a": 1, "b": 0, "c": 0})
    with pytest.raises(DataError):
        likelihood_ratio(
            Decision({("x", "go"): 1, ("x", "no"): 2, ("y", "go"): 1, ("y", "no"): 2}),
            {"x": 0.5, "y": 0.5},
        )


def test_one_huge_cost_does_not_make_all_others_equal():
    costs = {("bad", "stop"): 5, ("bad", "go"): 1e15, ("ok", "stop"): 500, ("ok", "go"): 1}
    decided = Decision(costs).decide({"bad": 0.0, "ok": 1.0})
    assert decided == ("go", 1.0)
    assert not decided.ties


def test_a_series_is_taken_by_its_labels():
    decision = Decision({("a", "x"): 1, ("b", "y"): 2}, default=0)
    assert decision.decide(pd.Series({"b": 0.1, "a": 0.9})).actions == "y"
    with pytest.raises(DataError):
        decision.decide(pd.Series([0.1, 0.9]))


@pytest.mark.parametrize("at", [0.0, 0.3, 1.0])
def test_a_threshold_says_positive_from_there_on(at):
    assert Decision.threshold("p", "n", at=at).decide({"p": at, "n": 1 - at}).actions == "p"
