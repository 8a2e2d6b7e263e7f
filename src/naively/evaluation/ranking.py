"""How well scores rank: the area under the ROC curve."""

from __future__ import annotations

import numpy as np

from naively._typing import Flags, Indices, Matrix, Vector

__all__ = ["auc", "mean_auc"]


def auc(positive: Flags, score: Vector, weight: Vector | None = None) -> float:
    """How often a positive row scores above a negative one, ties counting half.

        AUC = P(score of a positive > score of a negative) + 1/2 P(they are equal)

    NaN where one of the sides has no rows.

    >>> auc(np.array([False, True, False, True]), np.array([0.1, 0.4, 0.4, 0.8]))
    0.875
    """
    w = np.ones(len(score)) if weight is None else weight
    values, at = np.unique(score, return_inverse=True)
    up = np.bincount(at, w * positive, len(values))
    down = np.bincount(at, w * ~positive, len(values))
    pairs = up.sum() * down.sum()
    below = np.cumsum(down) - down
    return float(np.sum(up * (below + down / 2)) / pairs) if pairs > 0 else float("nan")


def mean_auc(truth: Indices, posterior: Matrix, weight: Vector | None = None) -> float:
    """The AUC of two classes; of several, each against the rest, averaged.

    Classes that no row or every row has are left out of the mean.

    >>> mean_auc(np.array([0, 1, 2]), np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.5, 0.4]]))
    0.9166666666666666
    """
    k = posterior.shape[1]
    wanted = [k - 1] if k == 2 else range(k)
    areas = np.array([auc(truth == c, posterior[:, c], weight) for c in wanted])
    known = areas[~np.isnan(areas)]
    return float(known.mean()) if len(known) else float("nan")
