"""Bayes' rule, once.

log P(c | x) = log P(c, x) - log P(x),   P(x) = sum over c of P(c, x)
"""

from __future__ import annotations

import numpy as np

from naively import kernels
from naively._typing import Matrix, Vector

__all__ = ["normalize", "posterior"]


def posterior(log_joint: Matrix) -> Matrix:
    """P(c | x) of log joint probabilities, in their place.

    A row that is impossible under every class has no posterior: it becomes one of zeros.

    >>> posterior(np.log([[0.3, 0.1], [0.2, 0.2]])).round(12)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    kernels.posterior(log_joint)
    return log_joint


def normalize(log_joint: Matrix) -> tuple[Matrix, Vector]:
    """The log posterior (rows by classes) and the log evidence of log joint probabilities.

    A row that is impossible under every class has evidence 0 and no posterior: its entries
    stay at minus infinity, and the caller decides what to say.

    >>> posterior, evidence = normalize(np.log([[0.3, 0.1], [0.0, 0.0]] + np.zeros((2, 2))))
    >>> np.exp(posterior), np.exp(evidence)
    (array([[0.75, 0.25],
           [0.  , 0.  ]]), array([0.4, 0. ]))
    """
    top = log_joint.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    # Relative to the best class, so that log 2 is not lost beside a sum of -1e20.
    log_posterior = log_joint - top[:, None]
    rest = kernels.log_sum_exp(log_posterior)
    log_posterior -= np.where(np.isneginf(rest), 0.0, rest)[:, None]
    return log_posterior, top + rest
