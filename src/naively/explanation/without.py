"""Leaving one column out: for models whose evidence does not add up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from naively._typing import Label
from naively.errors import UnsupportedType

__all__ = ["left_out"]


def left_out(model: Any, row: Any, target: Label | None, unit: str, scale: float) -> Any:
    """What the log odds of a class lose when each column is missing, one at a time.

    The model must take missing cells. These numbers do not add up to the log odds.
    """
    from naively.explanation.evidence import Explanation, Term

    if not hasattr(model, "predict_proba") or not isinstance(row, dict):
        found = f"an explanation of a {type(model).__name__}"
        fix = "give a row as a dict, to be asked again without each of its columns"
        raise UnsupportedType(found, "a model of naively, or a classifier with predict_proba", fix)
    labels = np.asarray(model.classes_).tolist()
    whole = np.asarray(model.predict_proba(row))[0]
    a = int(whole.argmax()) if target is None else labels.index(target)
    odds = _log_odds(whole[a])
    terms = []
    for name in row:
        p = np.asarray(model.predict_proba({**row, name: None}))[0][a]
        terms.append(Term(name, row[name], (odds - _log_odds(p)) * scale, {}, {}))
    return Explanation(
        target="class",
        favoured=labels[a],
        against="rest",
        prior=math.nan,
        terms=tuple(terms),
        log_odds=odds * scale,
        posterior=dict(zip(labels, whole.tolist(), strict=True)),
        unit=unit,
        tied=False,
        additive=False,
        log_prior={},
        prior_counts={},
        parts=(),
    )


def _log_odds(p: float) -> float:
    """log p / (1 - p).

    >>> _log_odds(0.5)
    0.0
    """
    if p <= 0 or p >= 1:
        return math.inf if p >= 1 else -math.inf
    return math.log(p) - math.log1p(-p)
