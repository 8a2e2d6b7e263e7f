"""Thresholds and costs that are tuned on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest

from naively import Decision
from naively.decision import tune_costs, tune_threshold
from naively.errors import NaivelyError

COSTS = Decision({("ill", "well"): 10, ("well", "ill"): 1}, default=0)


def overconfident(n=600, seed=0):
    """True posteriors, and the same sharpened as by evidence that was counted three times."""
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 3, n)
    truth = np.where(rng.random(n) < p, "ill", "well")
    odds = (p / (1 - p)) ** 3
    sharp = odds / (1 + odds)
    return np.stack([sharp, 1 - sharp], axis=1), truth.tolist()


def mean_cost(decision, p, truth):
    return COSTS.cost_of(truth, decision.decide(p).actions.tolist()).mean()


def test_the_tuned_threshold_costs_no_more_than_any_other():
    p, truth = overconfident()
    tuned = mean_cost(tune_threshold(p, truth, COSTS, positive="ill"), p, truth)
    for at in np.linspace(0, 1, 41):
        assert tuned <= mean_cost(Decision.threshold("ill", "well", at=at), p, truth) + 1e-12


def test_what_is_tuned_on_some_rows_is_better_on_others():
    p, truth = overconfident(4_000)
    other, their = overconfident(4_000, seed=1)
    stated = mean_cost(COSTS, other, their)
    assert mean_cost(tune_threshold(p, truth, COSTS, positive="ill"), other, their) < stated
    assert mean_cost(tune_costs(p, truth, COSTS), other, their) < stated


def test_where_nothing_is_better_the_costs_stay():
    p = np.array([[0.9, 0.1], [0.01, 0.99]])
    assert tune_costs(p, ["ill", "well"], COSTS) == COSTS


def test_a_threshold_is_for_two_classes():
    three = Decision.minimum_error(["a", "b", "c"])
    with pytest.raises(NaivelyError, match="two classes"):
        tune_threshold([[1, 0, 0]], ["a"], three, positive="a")
    with pytest.raises(NaivelyError, match="positive="):
        tune_threshold([[1, 0]], ["ill"], COSTS, positive="sick")
    with pytest.raises(NaivelyError, match="one for each row"):
        tune_threshold([[1, 0]], ["ill", "well"], COSTS, positive="ill")
