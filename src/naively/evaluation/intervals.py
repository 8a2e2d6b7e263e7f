"""How far scores could have come out otherwise, had other rows been drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from naively.errors import ParameterError
from naively.evaluation.answers import Answers
from naively.evaluation.scores import scores_of

__all__ = ["LEVEL", "intervals"]

LEVEL = 0.95
"""How often an interval should hold the score of all rows that there could be."""


def intervals(
    answers: Answers, bootstrap: int, random_state: Any = 0
) -> dict[str, tuple[float, float]]:
    """Percentile intervals of every score from rows drawn with replacement.

        from the 2.5th to the 97.5th percentile of the scores of `bootstrap` such draws

    Rows are drawn, not answers: the answers that several folds gave to one row stay together.
    The model is not learned anew, so that the chance of its own rows is not in the interval.
    """
    if bootstrap < 0 or bootstrap != int(bootstrap):
        raise ParameterError(f"bootstrap={bootstrap!r}", "a number of draws, 0 for none")
    rng = np.random.default_rng(random_state)
    _, row = np.unique(answers.row, return_inverse=True)
    n = row.max() + 1
    drawn: dict[str, list[float]] = {}
    for _ in range(int(bootstrap)):
        times = np.bincount(rng.integers(n, size=n), minlength=n)[row]
        some = scores_of(answers.rows(np.repeat(np.arange(len(row)), times)))
        for name, value in some.scores.items():
            drawn.setdefault(name, []).append(value)
    return {name: _between(values) for name, values in drawn.items()}


def _between(values: list[float]) -> tuple[float, float]:
    """The percentiles without interpolation, which infinite losses could not bear."""
    known = np.array(values)[~np.isnan(values)]
    if not len(known):
        return (np.nan, np.nan)
    ends = (1 - LEVEL) / 2, (1 + LEVEL) / 2
    low, high = np.quantile(known, ends, method="closest_observation")
    return float(low), float(high)
