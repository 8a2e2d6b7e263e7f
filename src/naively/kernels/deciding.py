"""Kernels that decide: what is made of a row's scores."""

from __future__ import annotations

from typing import cast

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.kernels.registry import kernel

__all__ = [
    "best_classes",
    "impossible_rows",
    "log_sum_exp",
    "posterior",
]


@kernel
def impossible_rows(scores: Matrix) -> Indices:
    """The rows that are -inf under every class.

    >>> impossible_rows(np.array([[-np.inf, 0.0], [-np.inf, -np.inf]])).tolist()
    [1]
    """
    if scores.shape[1] == 0:
        raise ValueError("rows without classes")
    return np.flatnonzero(np.isneginf(scores).all(axis=1))


@kernel
def best_classes(scores: Matrix) -> Indices:
    """The class of each row's largest score, the first one where several share it.

    >>> best_classes(np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 0.0]])).tolist()
    [1, 0]
    """
    if scores.shape[1] == 0:
        raise ValueError("rows without classes")
    best: Indices = scores.argmax(axis=1)
    return best


@kernel
def posterior(scores: Matrix) -> Indices:
    """Make posteriors of joint scores, in place; rows of -inf become 0, and are returned.

    P(c | x) = exp(s_c - max s) / sum over k of exp(s_k - max s)

    >>> scores = np.log([[1.0, 3.0], [1e-300, 1e-300]])
    >>> posterior(scores).tolist()
    []
    >>> scores.round(12)
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    if scores.shape[1] == 0:
        raise ValueError("a posterior over no classes")
    top = scores.max(axis=1, keepdims=True)
    scores -= np.where(np.isneginf(top), 0.0, top)
    np.exp(scores, out=scores)
    total = scores.sum(axis=1, keepdims=True)
    scores /= np.where(total > 0, total, 1.0)
    return np.flatnonzero(np.isneginf(top))


@kernel
def log_sum_exp(log_joint: Matrix) -> Vector:
    """The logarithm of the sum of each row's exponentials, -inf where all are -inf.

    >>> log_sum_exp(np.log([[1.0, 3.0], [0.25, 0.75]])).round(12)
    array([1.38629436, 0.        ])
    """
    if log_joint.shape[1] == 0:
        raise ValueError("a sum over no classes")
    top = log_joint.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return cast(Vector, np.log(np.exp(log_joint - top[:, None]).sum(axis=1)) + top)
