"""Whether a difference between two models is more than chance."""

from __future__ import annotations

import math

import numpy as np

from naively._typing import Vector

__all__ = ["corrected_t", "holm"]


def corrected_t(difference: Vector, test_over_train: float) -> tuple[float, float]:
    """The corrected resampled t-test of Nadeau and Bengio (2003): t and its two-sided p-value.

        t = mean(d) / sqrt((1/J + n_test/n_train) · var(d)),    J - 1 degrees of freedom

    d are the differences in J folds. Their training rows overlap, so that they vary together,
    and the ordinary test, without n_test/n_train, finds differences that are not there. NaN
    where a difference is not finite or there is but one; differences that are all the same
    have p = 1 where they are 0, and p = 0 elsewhere. With few folds of few rows accuracies take
    few values, and d may hardly vary by luck alone: take ten folds or more, or repeat them.

    >>> t, p = corrected_t(np.array([0.0, 2.0]), 1.0)
    >>> round(t, 12), round(p, 4)
    (0.57735026919, 0.6667)
    """
    if len(difference) < 2 or not np.isfinite(difference).all():
        return math.nan, math.nan
    centre, spread = float(difference.mean()), float(difference.var(ddof=1))
    if math.sqrt(spread) <= 1e-14 * abs(centre) or not spread:
        return (math.copysign(math.inf, centre), 0.0) if centre else (0.0, 1.0)
    from scipy.special import stdtr  # late: most evaluations ask for no p-value

    t = centre / math.sqrt((1 / len(difference) + test_over_train) * spread)
    return t, float(2 * stdtr(len(difference) - 1, -abs(t)))


def holm(p: Vector) -> Vector:
    """P-values of several tests, corrected by Holm; NaN counts as no test.

        the k-th smallest of m becomes the largest of (m - i + 1) p_i over i = 1 ... k

    >>> holm(np.array([0.04, 0.01, np.nan, 0.03]))
    array([0.06, 0.03,  nan, 0.06])
    """
    out = np.array(p, dtype=np.float64)
    order = [i for i in np.argsort(out) if not np.isnan(out[i])]
    scaled = out[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return out
