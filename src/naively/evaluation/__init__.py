"""How good the answers of a classifier are, and whether one is better than another.

The measures are functions of codes and posteriors: truths are positions in the classes, a
posterior is rows by classes, a weight of w counts as w rows.

>>> import numpy as np
>>> truth, posterior = np.array([0, 1, 1]), np.array([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]])
>>> accuracy(truth, posterior.argmax(axis=1)), round(brier_score(truth, posterior), 4)
(0.6666666666666666, 0.2083)
"""

from __future__ import annotations

from naively.evaluation.assessment import evaluate
from naively.evaluation.by_class import ByClass, by_class
from naively.evaluation.calibration import Reliability, calibration_error, reliability
from naively.evaluation.chance import corrected_t, holm
from naively.evaluation.comparison import Comparison, compare
from naively.evaluation.confusion import Confusion, confusion
from naively.evaluation.intervals import intervals
from naively.evaluation.metrics import (
    accuracy,
    balanced_accuracy,
    base_rate,
    brier_score,
    log_loss,
    mean_cost,
)
from naively.evaluation.ranking import auc, mean_auc
from naively.evaluation.report import Evaluation

__all__ = [
    "ByClass",
    "Comparison",
    "Confusion",
    "Evaluation",
    "Reliability",
    "accuracy",
    "auc",
    "balanced_accuracy",
    "base_rate",
    "brier_score",
    "by_class",
    "calibration_error",
    "compare",
    "confusion",
    "corrected_t",
    "evaluate",
    "holm",
    "intervals",
    "log_loss",
    "mean_auc",
    "mean_cost",
    "reliability",
]
