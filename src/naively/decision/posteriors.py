"""Posteriors as they come: a mapping, rows of an array, a frame with a column for each truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from naively._typing import Label, Matrix
from naively.errors import DataError

__all__ = ["posteriors"]

SLACK = 1e-6
"""How far the sum of a posterior may be from 1."""


def posteriors(x: Any, truths: Sequence[Label]) -> tuple[Matrix, bool]:
    """Rows by truths, and whether it is one posterior alone.

    >>> posteriors({"b": .75, "a": .25}, ("a", "b"))
    (array([[0.25, 0.75]]), True)
    """
    if hasattr(x, "index") and hasattr(x, "items") and not hasattr(x, "columns"):
        x = dict(x.items())  # a series of pandas, labelled by truths
    if isinstance(x, Mapping):
        _refuse_others(list(x), truths)
        cells = [np.asarray(x[truth], dtype=np.float64) for truth in truths]
        p, one = np.stack(cells, axis=-1), cells[0].ndim == 0
    elif hasattr(x, "columns"):
        names = list(x.columns)
        _refuse_others(names, truths)
        p, one = (
            np.asarray(x)[:, [names.index(truth) for truth in truths]].astype(np.float64),
            False,
        )
    else:
        p = np.asarray(x, dtype=np.float64)
        one = p.ndim == 1
    p = p[None, :] if p.ndim == 1 else p
    if p.ndim != 2 or p.shape[1] != len(truths):
        found = f"posteriors of shape {p.shape}"
        raise DataError(found, f"a column for each of the {len(truths)} truths")
    _check(p)
    return p, one


def _refuse_others(names: Sequence[Any], truths: Sequence[Label]) -> None:
    odd = [name for name in (*names, *truths) if (name in names) != (name in truths)]
    if odd:
        found = f"posteriors of {', '.join(map(repr, names[:6]))}"
        raise DataError(found, f"one of each truth: {', '.join(map(repr, truths[:6]))}")


def _check(p: Matrix) -> None:
    """Unnormalized products are no posteriors, however they compare."""
    wrong = ~np.isfinite(p).all(axis=1) | (p < -SLACK).any(axis=1)
    wrong |= np.abs(p.sum(axis=1) - 1) > SLACK
    if wrong.any():
        row = int(np.argmax(wrong))
        shown = ", ".join(f"{v:g}" for v in p[row].tolist()[:6])
        fix = "divide each row by its sum where these are products of likelihood and prior"
        raise DataError(f"row {row}: the posterior {shown}", "probabilities that sum to 1", fix).at(
            row
        )
