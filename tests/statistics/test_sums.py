"""Sums: counts and sums by group."""

from __future__ import annotations

import numpy as np
import pytest

from naively.data.domain import Domain
from naively.errors import ForgetError
from naively.statistics import Sums


def counts(t, *labels):
    """One coded column: a row of counts for each group."""
    t = np.array(t, dtype=float)
    return Sums(t.sum(axis=1, keepdims=True), t, (Domain(labels),))


def sums(n, t):
    return Sums(np.array(n, dtype=float), np.array(t, dtype=float))


def test_labels_of_both_sides_are_united():
    both = counts([[2, 1]], "a", "c") + counts([[4, 8]], "b", "c")
    assert both.domains[0].labels == ("a", "b", "c")
    assert both.t.tolist() == [[2, 4, 9]]
    assert both.n.tolist() == [[15]]


def test_taking_away_keeps_labels_until_they_are_pruned():
    left = counts([[2, 1]], "a", "b") - counts([[2]], "a")
    assert left.t.tolist() == [[0, 1]]
    assert left.pruned().domains[0].labels == ("b",)
    assert left.pruned().t.tolist() == [[1]]


def test_a_label_stays_while_any_group_has_it():
    assert counts([[0, 1], [2, 0]], "a", "b").pruned().domains[0].labels == ("a", "b")


def test_groups_move_and_vanish():
    moved = counts([[1, 2], [3, 4]], "a", "b").regroup(np.array([2, -1]), 3)
    assert moved.t.tolist() == [[0, 0], [0, 0], [1, 2]]
    assert moved.n.tolist() == [[0], [0], [3]]


def test_columns_are_selected_with_their_labels():
    t = np.array([[1.0, 2.0, 3.0, 4.0, 5.0]])
    domains = (Domain(("a", "b")), Domain(("c",)), Domain(("d", "e")))
    some = Sums(np.array([[3.0, 3.0, 9.0]]), t, domains).select(np.array([2, 0]))
    assert some.t.tolist() == [[4, 5, 1, 2]]
    assert some.n.tolist() == [[9, 3]]
    assert [domain.labels for domain in some.domains] == [("d", "e"), ("a", "b")]


def test_counts_of_whole_rows_can_be_taken_away_exactly():
    assert counts([[2, 1]], "a", "b").inverse == "exact"
    assert counts([[0.5, 1]], "a", "b").inverse == "approximate"
    assert (counts([[3e9 + 1]], "a") - counts([[3e9]], "a")).t.tolist() == [[1]]


def test_rounding_is_nothing_and_more_than_that_is_refused():
    left = sums([[0.1 + 0.2]], [[0.1 + 0.2]]) - sums([[0.3]], [[0.3]])
    assert left.n.tolist() == left.t.tolist() == [[0.0]]
    with pytest.raises(ForgetError, match="counts would become negative"):
        sums([[1]], [[5]]) - sums([[2]], [[5]])
    with pytest.raises(ForgetError, match="sums would become negative"):
        sums([[4]], [[5]]) - sums([[2]], [[6]])


def test_arrays_are_all_that_is_kept():
    statistic = counts([[2, 1]], "a", "b")
    assert set(statistic.arrays()) == {"n", "t"}
    assert statistic.n_groups == statistic.n_columns == 1
