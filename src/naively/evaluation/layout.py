"""Evaluations in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from naively._typing import Vector
from naively.evaluation.replies import Odd
from naively.evaluation.scores import NAMES

__all__ = ["Lines", "deviation", "notes", "score_lines", "share_of", "spread"]

Lines = list[tuple[str, ...]]


def spread(values: Vector) -> str:
    """A mean over folds and how far they lie from it.

    >>> spread(np.array([0.5, 0.7]))
    '0.6000 ± 0.1414'
    """
    off = deviation(values)
    return f"{values.mean():.4f}" + ("" if np.isnan(off) else f" ± {off:.4f}")


def deviation(values: Vector) -> float:
    """The standard deviation over folds, by n - 1; NaN of a single one or with infinite ones.

    >>> deviation(np.array([1.0, 3.0, np.inf])), deviation(np.array([1.0, 2.0, 3.0]))
    (nan, 1.0)
    """
    if len(values) < 2 or not np.isfinite(values).all():
        return float("nan")
    return float(values.std(ddof=1))


def score_lines(
    scores: Mapping[str, float],
    folds: Mapping[str, Vector],
    intervals: Mapping[str, tuple[float, float]],
) -> Lines:
    """A line per score: its value, its mean over folds, its interval.

    >>> score_lines({"auc": 0.75}, {}, {"auc": (0.5, 1.0)})
    [('score', 'value', '95 %'), ('AUC', '0.7500', '0.5000 to 1.0000')]
    """
    heads = ("folds",) * bool(folds) + ("95 %",) * bool(intervals)
    lines: Lines = [("score", "value", *heads)]
    for name, value in scores.items():
        line = [NAMES[name], f"{value:.4f}"]
        if folds:
            line.append(spread(folds[name]))
        if intervals:
            line.append("{:.4f} to {:.4f}".format(*intervals[name]))
        lines.append(tuple(line))
    return lines


def notes(share: Callable[[int], str], ruled_out: int, odd: Odd | None) -> list[str]:
    """What is said below the tables: infinite losses, and cells that were no evidence."""
    said = []
    if ruled_out:
        said.append(f"{share(ruled_out)} had a truth of probability 0: log loss inf")
    if odd is not None and odd.impossible:
        said.append(f"{share(odd.impossible)} were impossible: the class prior answered")
    if odd is not None:
        counts = {"values never seen in training": odd.unseen, "missing cells": odd.missing}
        said += [f"{what}: {_cells(found)}" for what, found in counts.items() if found]
    return said


def share_of(n: int, whole: int, what: str) -> str:
    """How many of something, and which share.

    >>> share_of(5, 1000, "rows")
    '5 of 1,000 rows (0.5 %)'
    """
    return f"{n:,} of {whole:,} {what} ({100 * n / whole:.3g} %)"


def _cells(found: Mapping[str, int]) -> str:
    counts: Sequence[tuple[str, int]] = sorted(found.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{name} {n:,}" for name, n in counts[:8])
    return shown + (", ..." if len(counts) > 8 else "")
