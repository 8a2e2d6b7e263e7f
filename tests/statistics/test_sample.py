"""Sample: the values themselves, merged exactly, capped fairly."""

from __future__ import annotations

import numpy as np
import pytest

from naively.data.column import Real
from naively.errors import ForgetError
from naively.families import Kernel
from naively.statistics import sample as module


def of(x, group=None, n_groups=1, weight=None):
    x = np.array(x, dtype=float)
    group = np.zeros(len(x), dtype=np.int32) if group is None else np.array(group, dtype=np.int32)
    return Kernel().observe(Real(x[:, None], ("x",)), group, n_groups, weight)


def test_equal_values_are_kept_once_with_their_weights():
    sample = of([2.0, 1.0, 2.0, np.nan], [0, 1, 1, 0], 2, np.array([0.5, 1.0, 2.0, 9.0]))
    assert sample.points[0].tolist() == [1.0, 2.0]
    assert sample.weights[0].tolist() == [[0.0, 1.0], [0.5, 2.0]]


def test_merging_and_taking_away_are_exact():
    a, b = of([1.0, 2.0]), of([2.0, 3.0])
    assert (a + b).weights[0].ravel().tolist() == [1, 2, 1]
    back = ((a + b) - b).pruned()
    assert back.points[0].tolist() == [1.0, 2.0]
    assert back.inverse == "exact"
    with pytest.raises(ForgetError, match="kept values would become negative"):
        a - b


def test_the_cap_is_a_fair_sample_in_any_order(monkeypatch, rng):
    monkeypatch.setattr(module, "CAP", 50)
    x = rng.permutation(np.arange(400.0))
    whole, parts = of(x), sum((of(p) for p in np.split(x[100:], 3)), of(x[:100]))
    assert whole.capped
    assert len(whole.points[0]) == 50
    assert np.array_equal(whole.points[0], parts.points[0])
    assert abs(whole.points[0].mean() - 199.5) < 60
    assert whole.inverse == "none"


def test_minus_zero_is_zero():
    both = of([0.0, -0.0]) + of([-0.0])
    assert both.points[0].tolist() == [0.0]
    assert both.weights[0].tolist() == [[3.0]]


def test_columns_and_groups_are_selected():
    block = Real(np.array([[1.0, 5.0], [2.0, 6.0]]), ("a", "b"))
    sample = Kernel().observe(block, np.array([0, 1]), 2, None)
    assert sample.select(np.array([1])).points[0].tolist() == [5.0, 6.0]
    assert sample.regroup(np.array([1, -1]), 2).weights[0].tolist() == [[0, 1], [0, 0]]
    assert (sample.n_groups, sample.n_columns) == (2, 2)
