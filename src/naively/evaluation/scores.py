"""All scores of some answers."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from naively.evaluation import metrics
from naively.evaluation.answers import Answers
from naively.evaluation.calibration import calibration_error
from naively.evaluation.ranking import mean_auc

__all__ = ["NAMES", "Scores", "scores_of"]

NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "log_loss": "log loss (nats)",
    "base_rate": "log loss of the base rate",
    "brier_score": "Brier score",
    "calibration_error": "calibration error",
    "auc": "AUC",
    "mean_cost": "mean cost",
    "refused": "share refused",
    "accuracy_decided": "accuracy of the others",
}
"""What each score is called where it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """How good answers are; see `naively.evaluation` for the formula of each."""

    accuracy: float
    balanced_accuracy: float
    log_loss: float
    base_rate: float
    """The log loss of one who knows the shares of the classes in the evaluated rows alone."""
    brier_score: float
    calibration_error: float
    auc: float
    mean_cost: float | None = None
    """Where there was a decision."""
    refused: float | None = None
    """The share of rows whose action is no class, where there are such actions,"""
    accuracy_decided: float | None = None
    """and the accuracy on the other rows."""

    @property
    def scores(self) -> dict[str, float]:
        """Those that there are, by name."""
        known = {part.name: getattr(self, part.name) for part in fields(Scores)}
        return {name: value for name, value in known.items() if value is not None}


def scores_of(answers: Answers) -> Scores:
    """All scores; a refused row is not a right one."""
    truth, said, w, p = answers.truth, answers.prediction, answers.weight, answers.posterior
    cost, refused, decided = None, None, None
    if answers.cost is not None:
        cost = metrics.mean_cost(truth, answers.action, answers.cost, w)
    if answers.may_refuse:
        named = said >= 0
        refused = metrics.mean(~named, w)
        some = metrics.accuracy(truth[named], said[named], w[named]) if named.any() else np.nan
        decided = float(some)
    return Scores(
        accuracy=metrics.accuracy(truth, said, w),
        balanced_accuracy=metrics.balanced_accuracy(truth, said, w),
        log_loss=metrics.log_loss(truth, answers.log_posterior, w),
        base_rate=metrics.base_rate(truth, w),
        brier_score=metrics.brier_score(truth, p, w),
        calibration_error=calibration_error(truth, p, w),
        auc=mean_auc(truth, p, w),
        mean_cost=cost,
        refused=refused,
        accuracy_decided=decided,
    )
