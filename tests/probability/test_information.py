"""Expectation, entropy, the most probable outcome, and how many parameters are needed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.errors import DataError, ParameterError, UnknownColumn
from naively.probability import (
    Joint,
    entropy,
    expectation,
    most_probable,
    mutual_information,
    parameters,
    sum_out,
)

weights = st.lists(st.integers(0, 7), min_size=6, max_size=6).filter(any)


def joint_of(ws):
    cells = [(a, b) for a in ("x", "y") for b in (1, 2, 4)]
    table = {"a": [a for a, _ in cells], "b": [b for _, b in cells]}
    return Joint.from_table(table, p=ws, normalize=True)


@given(weights)
def test_information_is_what_the_entropies_share(ws):
    joint = joint_of(ws)
    shared = entropy(joint, "a") + entropy(joint, "b") - entropy(joint)
    assert mutual_information(joint, "a", "b") == pytest.approx(shared, abs=1e-12)
    assert 0 <= entropy(joint) <= math.log2(6) + 1e-12


@given(weights)
def test_the_expectation_is_that_of_the_conditional_ones(ws):
    joint = joint_of(ws)
    parts = [
        joint.P(f"a={a}").exact * expectation(joint, "b", given=f"a={a}")
        for a in ("x", "y")
        if joint.P(f"a={a}") > 0
    ]
    assert sum(parts) == expectation(joint, "b")


@given(weights)
def test_the_most_probable_outcome_is_no_less_probable_than_any(ws):
    joint = joint_of(ws)
    outcome, p = most_probable(joint)
    assert p == max(joint.distribution("a", "b").values())
    assert joint.P(f"a={outcome['a']}, b={outcome['b']}") == p


def test_an_expectation_is_one_of_numbers():
    joint = joint_of([1] * 6)
    assert expectation(joint, "b", of=lambda b: b**2) == Fraction(7)
    with pytest.raises(DataError, match="say of="):
        expectation(joint, "a")
    assert expectation(joint, "a", of=lambda a: a == "x") == Fraction(1, 2)
    assert expectation(Joint.from_rows({"b": [1.5, None, 2.5]}), "b") == 2


def test_conditions_change_what_is_most_probable():
    joint = joint_of([5, 1, 1, 1, 1, 6])
    assert most_probable(joint, "b", given="a=x")[0] == {"b": 1}
    assert most_probable(joint, given="a=y")[0] == {"a": "y", "b": 4}


def test_all_but_some_may_be_summed_out():
    assert sum_out(joint_of([1] * 6), "a").names == ("b",)
    with pytest.raises(ParameterError):
        sum_out(joint_of([1] * 6), "a", "b")
    with pytest.raises(UnknownColumn):
        sum_out(joint_of([1] * 6), "c")


SIZES = {"c": 2, "a": 3, "b": 4}


@pytest.mark.parametrize(
    ("how", "entries", "free"),
    [
        ({}, 24, 23),
        ({"target": "c"}, 2 + 6 + 8, 1 + 4 + 6),
        ({"factorization": "P(c) P(a | c) P(b | a, c)"}, 2 + 6 + 24, 1 + 4 + 18),
        ({"factorization": "P(a)P(b)P(c)"}, 9, 6),
        ({"factorization": "P(b) · P(c | b) * P(a | c)"}, 4 + 8 + 6, 3 + 4 + 4),
    ],
)
def test_the_numbers_that_a_factorization_needs(how, entries, free):
    found = parameters(SIZES, **how)
    assert (found.entries, found.free) == (entries, free)


def test_a_full_chain_has_as_many_free_numbers_as_the_joint():
    assert parameters(SIZES, "P(c) P(a | c) P(b | a, c)").free == parameters(SIZES).free


def test_a_joint_tells_its_own_sizes():
    assert parameters(joint_of([1] * 6), target="a") == parameters({"a": 2, "b": 3}, target="a")


@pytest.mark.parametrize(
    "text",
    [
        "P(c) P(a | c)",
        "P(a | c) P(c) P(b)",
        "P(c) P(c) P(a) P(b)",
        "P(c), P(a), P(b)",
        "c a b",
        "P(z)",
    ],
)
def test_what_is_no_factorization_is_refused(text):
    with pytest.raises((ParameterError, UnknownColumn)):
        parameters(SIZES, text)
