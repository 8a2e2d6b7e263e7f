"""Whether probabilities can be believed: of what is said with 80 %, 80 % should hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.derivation.layout import aligned
from naively.errors import ParameterError
from naively.evaluation.metrics import mean

__all__ = ["BINS", "Reliability", "calibration_error", "reliability"]

BINS = 10
"""Bins of equal frequency."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """In bins of like confidence: the weight, the mean confidence, and how often it was right."""

    weight: Vector
    confidence: Vector
    right: Vector

    @property
    def error(self) -> float:
        """The mean distance between the two."""
        return mean(np.abs(self.confidence - self.right), self.weight)

    def __repr__(self) -> str:
        rows = zip(self.weight, self.confidence, self.right, strict=True)
        cells = [(f"{w:,g}", f"{p:.4f}", f"{r:.4f}") for w, p, r in rows]
        return aligned([("rows", "confidence", "right"), *cells])


def reliability(
    truth: Indices, posterior: Matrix, weight: Vector | None = None, bins: int = BINS
) -> Reliability:
    """The most probable classes in bins of equal frequency by their probability.

    Equal probabilities share a bin, that of their middle rank, so the order of the rows does
    not matter; there may be fewer bins than asked for.

    >>> reliability(np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), bins=2)
    rows  confidence  right
    1     0.8000      1.0000
    2     0.9000      0.5000
    """
    if bins < 1:
        raise ParameterError(f"bins={bins!r}", "at least one bin")
    w = np.ones(len(truth)) if weight is None else weight
    values, at = np.unique(posterior.max(axis=1), return_inverse=True)
    mass = np.bincount(at, w)
    right = np.bincount(at, w * (posterior.argmax(axis=1) == truth))
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    bin_of = np.minimum((middle * bins).astype(np.intp), bins - 1)
    sums = [np.bincount(bin_of, part) for part in (mass, mass * values, right)]
    n, confidence, hits = (part[sums[0] > 0].astype(np.float64) for part in sums)
    return Reliability(n, confidence / n, hits / n)


def calibration_error(
    truth: Indices, posterior: Matrix, weight: Vector | None = None, bins: int = BINS
) -> float:
    """The expected calibration error of the most probable class, in bins of equal frequency.

        ECE = sum over bins b of w_b / w · | mean confidence in b - share right in b |

    >>> round(calibration_error(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]])), 12)
    0.15
    """
    return reliability(truth, posterior, weight, bins).error
