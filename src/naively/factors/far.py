"""Rows so far out that rounding would hide which group is nearest.

With W_g the inverse scale of group g, r the row's nearest group and x, mu relative to mu_r:

    z_g = W_g (x - mu_g)
    |z_g|^2 - |z_r|^2 = (z_g - z_r) (z_g + z_r),   z_g - z_r = (W_g - W_r) x - W_g mu_g

The squares are never subtracted: at x = 1e20 those of N(0, 1) and N(5, 1) are the same
number, and at 1e200 they are infinite.
"""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray, Indices, Matrix, Vector

__all__ = ["FAR", "LOWEST", "far_rows", "squares"]

FAR = 1e4
"""How many deviations from a mean are far out: beyond, their square loses half of its digits."""

LOWEST = -0.5 * FAR * FAR
"""The least that a row which is not far out gains from its nearest group, normalizer apart."""

LARGEST = 1e300
"""Distances beyond it are not told apart."""


def squares(x: Matrix, mu: Matrix, w: AnyArray) -> tuple[Matrix, Vector]:
    """|z_g|^2 - |z_r|^2 by row and group, and |z_r|^2 by row; NaN in x is left out.

    `w` is a scale for each group and column, or a matrix for each group.

    >>> excess, nearest = squares(np.array([[1e20]]), np.array([[0.0], [5.0]]), np.ones((2, 1)))
    >>> np.diff(excess), nearest
    (array([[-1.e+21]]), array([1.e+40]))
    """
    z = np.stack([_times(w[g], x - mu[g]) for g in range(len(mu))], axis=1)
    reach = np.maximum(np.abs(z).max(axis=(1, 2), keepdims=True), 1e-300)
    near = ((z / reach) ** 2).sum(axis=2).argmin(axis=1)
    excess = np.empty((len(x), len(mu)))
    for r in np.unique(near):
        rows = np.flatnonzero(near == r)
        excess[rows] = _excess(x[rows] - mu[r], mu - mu[r], w, int(r))
    least = z[np.arange(len(x)), near]
    return excess, _product(least, least)


def _excess(x: Matrix, mu: Matrix, w: AnyArray, r: int) -> Matrix:
    """|z_g|^2 - |z_r|^2 of rows whose reference is group r, relative to its mean."""
    out = np.empty((len(x), len(mu)))
    for g in range(len(mu)):
        shift = _times(w[g], np.where(np.isnan(x), 0.0, mu[g]))
        out[:, g] = _product(_times(w[g] - w[r], x) - shift, _times(w[g] + w[r], x) - shift)
    return out


def _times(w: AnyArray, x: Matrix) -> Matrix:
    """W x for every row; a cell that is not there is 0."""
    x = np.where(np.isnan(x), 0.0, x)
    with np.errstate(over="ignore", invalid="ignore"):
        z: Matrix = x * w if w.ndim == 1 else x @ w.T
    return np.clip(np.nan_to_num(z, nan=0.0), -LARGEST, LARGEST)


def _product(a: Matrix, b: Matrix) -> Vector:
    """The dot product of each pair of rows, as large as it may be without overflow."""
    tall, wide = (np.abs(m).max(axis=1, initial=1e-300) for m in (a, b))
    unit = (a / tall[:, None] * (b / wide[:, None])).sum(axis=1)
    with np.errstate(over="ignore"):
        product = unit * tall * wide
    return np.asarray(np.nan_to_num(product, posinf=LARGEST, neginf=-LARGEST))


def far_rows(gained: Matrix) -> Indices:
    """The rows that even their nearest group scores so low that a difference may be lost.

    >>> far_rows(np.array([[-1.0, -9e9], [-6e7, -7e7], [-np.inf, -np.inf]]))
    array([1, 2])
    """
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(~(gained.max(axis=1) > LOWEST))
