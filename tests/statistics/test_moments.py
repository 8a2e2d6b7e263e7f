"""Moments: merged and taken apart without losing the variance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively.data.column import Real
from naively.errors import ForgetError
from naively.families.gaussian import block_moments, column_moments
from naively.statistics import Moments

both = pytest.mark.parametrize("observe", [column_moments, block_moments])


def of(x, observe=column_moments, group=None, n_groups=1):
    x = np.array(x, dtype=float)
    x = x[:, None] if x.ndim == 1 else x
    group = np.zeros(len(x), dtype=np.int32) if group is None else np.array(group, dtype=np.int32)
    return observe(Real(x, tuple("abcdef"[: x.shape[1]])), group, n_groups, None)


@both
@pytest.mark.parametrize("mean", [0.0, 1e8, -1e12])
def test_the_variance_survives_a_large_mean(observe, mean, rng):
    x = rng.normal(size=1000)
    moments = sum(
        (of(mean + part, observe) for part in np.split(x[100:], 9)), of(mean + x[:100], observe)
    )
    np.testing.assert_allclose(
        moments.deviations() / 1000, [[np.var((mean + x) - mean)]], rtol=1e-9
    )


@both
@settings(max_examples=50, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20), data=st.data()
)
def test_a_merge_is_the_whole_and_can_be_undone(observe, rows, data):
    cut = data.draw(st.integers(1, len(rows) - 1))
    x = np.array(rows) / 8
    a, b, whole = (of(part, observe) for part in (x[:cut], x[cut:], x))
    for found, expected in (((a + b), whole), ((a + b) - b, a), ((b + a) - a, b)):
        np.testing.assert_allclose(found.n, expected.n)
        np.testing.assert_allclose(found.means(), expected.means(), atol=1e-12)
        np.testing.assert_allclose(found.m2, expected.m2, atol=1e-9)


@both
@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -1e-300, 0.0])
def test_a_constant_column_has_exactly_no_spread(observe, value):
    group = [0, 1, 0, 1, 1]
    parts = [of([value] * 5, observe, group, 2), of([value] * 5, observe, group, 2)]
    assert not (parts[0] + parts[1]).pooled().m2.any()


@both
def test_what_was_constant_is_constant_again(observe):
    x, y = np.array([0.1, 0.1]), np.array([1e6, -3e5, 0.7])
    left = (of(x, observe, [0, 1], 2) + of(y, observe, [0, 1, 0], 2)) - of(y, observe, [0, 1, 0], 2)
    assert not left.pooled().m2.any()
    np.testing.assert_allclose(left.means(), 0.1, atol=1e-9)


@both
def test_zeros_are_zeros_again(observe):
    x, y = np.zeros(3), np.array([0.3, 0.7])
    left = (of(x, observe) + of(y, observe)) - of(y, observe)
    assert left.means().tolist() == [[0.0]]


@both
def test_more_than_was_learned_is_refused(observe):
    with pytest.raises(ForgetError, match="counts would become negative"):
        of([1.0], observe) - of([1.0, 2.0], observe)
    with pytest.raises(ForgetError, match="squared deviations would become negative"):
        of([1.0, 1.5, 2.0], observe) - of([0.0, 9.0], observe)


def test_missing_cells_count_by_column_and_by_row():
    x = [[1.0, np.nan], [3.0, 5.0], [np.nan, np.nan]]
    assert of(x).n.tolist() == [[2.0, 1.0]]
    assert of(x, block_moments).n.tolist() == [[1.0]]
    assert of(x, block_moments).means().tolist() == [[3.0, 5.0]]


def test_columns_and_groups_are_selected(rng):
    x = rng.normal(size=(20, 3))
    group = [0, 1] * 10
    for observe in (column_moments, block_moments):
        whole = of(x, observe, group, 2).select(np.array([2, 0]))
        part = of(x[:, [2, 0]], observe, group, 2)
        np.testing.assert_allclose(whole.m2, part.m2)
        only = whole.regroup(np.array([-1, 0]), 1)
        np.testing.assert_allclose(only.means(), part.means()[1:])


def test_pooling_no_groups_is_nothing():
    empty = of([1.0]).regroup(np.array([-1]), 0)
    assert empty.n_groups == 0
    assert empty.pooled().n.tolist() == [[0.0]]


def test_moments_can_be_taken_away_approximately():
    assert of([1.0]).inverse == "approximate"
    assert isinstance(of([1.0]), Moments)
    assert set(of([1.0]).arrays()) == {"n", "shift", "mean", "m2"}
