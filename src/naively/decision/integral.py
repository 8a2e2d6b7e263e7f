"""Integrals over pieces of a line, halved until two ways to them agree."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from naively._typing import Matrix, Vector

__all__ = ["integral"]

NODES, SHARES = np.polynomial.legendre.leggauss(16)
DEEPEST = 40
"""How often a piece is halved."""


def integral(f: Callable[[Vector], Vector], edges: Vector, tolerance: float) -> tuple[float, float]:
    """The integral of f over the pieces between edges, and how far it may be off.

    Each piece by Gauss and Legendre's 16 points, and again as two halves; where these differ the
    halves are pieces of their own.

    >>> value, slack = integral(lambda x: np.exp(-x), np.array([0.0, 1.0, 50.0]), 1e-12)
    >>> round(value, 12), slack < 1e-11
    (1.0, True)
    """
    low, high = edges[:-1], edges[1:]
    found, slack = [], 0.0
    whole = _pieces(f, low, high)
    for _ in range(DEEPEST):
        middle = low + (high - low) / 2
        left, right = _pieces(f, low, middle), _pieces(f, middle, high)
        off = np.abs(left + right - whole)
        done = (off <= tolerance) | ~((low < middle) & (middle < high))
        found.extend((left + right)[done].tolist())
        slack += float(off[done].sum())
        if done.all():
            return math.fsum(found), slack
        low, high = (
            np.concatenate([low[~done], middle[~done]]),
            np.concatenate([middle[~done], high[~done]]),
        )
        whole = np.concatenate([left[~done], right[~done]])
    return math.fsum([*found, *whole.tolist()]), slack + float(np.abs(whole).sum())


def _pieces(f: Callable[[Vector], Vector], low: Vector, high: Vector) -> Vector:
    """The integral over each piece."""
    half = (high - low) / 2
    x: Matrix = (low + half)[:, None] + half[:, None] * NODES
    values = f(x.ravel()).reshape(x.shape)
    sums: Vector = half * (values @ SHARES)
    return sums
