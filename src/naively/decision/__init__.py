"""Decisions: from posteriors to actions, by costs.

    R(action | x) = sum over truths of cost[truth, action] P(truth | x)

The best action has the least risk. Zero-one costs give the most probable class; refusing to
decide is one more action; a threshold is two costs.

>>> clinic = Decision({("ill", "send home"): 50, ("well", "treat"): 5}, default=0)
>>> clinic.decide({"ill": .2, "well": .8})
Decided(actions='treat', risks=4.0)
"""

from __future__ import annotations

from naively.decision.decided import Decided
from naively.decision.decision import Decision
from naively.decision.error import bayes_error
from naively.decision.ratio import likelihood_ratio
from naively.decision.regions import boundaries, decision_regions
from naively.decision.tuning import tune_costs, tune_threshold

__all__ = [
    "Decided",
    "Decision",
    "bayes_error",
    "boundaries",
    "decision_regions",
    "likelihood_ratio",
    "tune_costs",
    "tune_threshold",
]
