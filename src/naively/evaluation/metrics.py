"""Measures of answers, each a weighted mean over rows.

Truths and predictions are positions in the classes; -1 is a prediction that is no class.
"""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray, Indices, Matrix, Vector

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "base_rate",
    "brier_score",
    "log_loss",
    "mean",
    "mean_cost",
    "shares",
]


def mean(values: AnyArray, weight: Vector | None = None) -> float:
    """The weighted mean: sum of w v / sum of w.

    >>> mean(np.array([1.0, 4.0]), np.array([2.0, 1.0]))
    2.0
    """
    if weight is None:
        return float(np.mean(values))
    return float(np.sum(values * weight) / np.sum(weight))


def shares(truth: Indices, weight: Vector | None = None) -> Vector:
    """How often each class is the truth: w_c / w.

    >>> shares(np.array([0, 1, 1, 1]))
    array([0.25, 0.75])
    """
    sums = np.bincount(truth, weight)
    share: Vector = sums / sums.sum()
    return share


def accuracy(truth: Indices, prediction: Indices, weight: Vector | None = None) -> float:
    """The share of right predictions; one that is no class is not right.

        accuracy = P(prediction = truth)

    >>> accuracy(np.array([0, 1, 1, 1]), np.array([0, 1, 0, -1]))
    0.5
    """
    return mean(truth == prediction, weight)


def balanced_accuracy(truth: Indices, prediction: Indices, weight: Vector | None = None) -> float:
    """The mean recall of the classes that occur, each counting alike.

        balanced accuracy = mean over c of P(prediction = c | truth = c)

    >>> balanced_accuracy(np.array([0, 1, 1, 1]), np.array([0, 1, 0, 0]))
    0.6666666666666666
    """
    w = np.ones(len(truth)) if weight is None else weight
    n, right = np.bincount(truth, w), np.bincount(truth, w * (truth == prediction))
    return float(np.mean(right[n > 0] / n[n > 0]))


def log_loss(truth: Indices, log_posterior: Matrix, weight: Vector | None = None) -> float:
    """The mean surprise at the truth, in nats; infinite where a truth was ruled out.

        log loss = - mean of log P(truth | x)

    It takes logs, so that a probability of 1e-400 counts as what it is.

    >>> log_loss(np.array([0, 1]), np.log([[0.5, 0.5], [0.75, 0.25]]))
    1.0397207708399179
    """
    return mean(-np.take_along_axis(log_posterior, truth[:, None], axis=1)[:, 0], weight)


def base_rate(truth: Indices, weight: Vector | None = None) -> float:
    """The log loss of one who knows the shares of the classes and nothing of the rows.

        base rate = - sum over c of P(c) log P(c)

    >>> base_rate(np.array([0, 1]))
    0.6931471805599453
    """
    p = shares(truth, weight)
    return float(-np.sum(p[p > 0] * np.log(p[p > 0])))


def brier_score(truth: Indices, posterior: Matrix, weight: Vector | None = None) -> float:
    """The mean squared distance from certainty of the truth, summed over the classes: 0 to 2.

        Brier score = mean over rows of sum over c of (P(c | x) - [c = truth])²

    >>> brier_score(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]))
    1.25
    """
    squares = np.square(posterior).sum(axis=1)
    p = np.take_along_axis(posterior, truth[:, None], axis=1)[:, 0]
    return mean(squares - np.square(p) + np.square(1 - p), weight)


def mean_cost(truth: Indices, action: Indices, cost: Matrix, weight: Vector | None = None) -> float:
    """What the actions cost on average; the rows of `cost` are truths, its columns actions.

        mean cost = mean of cost[truth, action]

    >>> mean_cost(np.array([0, 1]), np.array([1, 1]), np.array([[0.0, 1.0], [5.0, 0.0]]))
    0.5
    """
    return mean(cost[truth, action], weight)
