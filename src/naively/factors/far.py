"""Rows so far out that rounding would hide which group is nearest.

With W_g the inverse scale of group g, r the row's nearest group and x, mu relative to mu_r:

    z_g = W_g (x - mu_g)
    |z_g|^2 - |z_r|^2 = (z_g - z_r) (z_g + z_r),   z_g - z_r = (W_g - W_r) x - W_g mu_g

The squares are never subtracted: at x = 1e20 those of N(0, 1) and N(5, 1) are the same
number, and at 1e200 they are infinite. Rows as far as that are divided by a power of two
first, so that only the last step, the return to their own size, can pass what a double holds.
"""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray, Indices, Matrix, Vector

__all__ = ["FAR", "FARTHEST", "LOWEST", "far_rows", "squares"]

FAR = 1e4
"""How many deviations from a mean are far out: beyond, their square loses half of its digits."""

LOWEST = -0.5 * FAR * FAR
"""The least that a row which is not far out gains from its nearest group, normalizer apart."""

LARGEST = 1e302
"""Squared distances that differ by more are not told apart: a million columns can add them up."""

FARTHEST = 1.5e308
"""A larger squared distance counts as this one."""

ROOM = 465
"""The power of two that no z may pass: the products of two of them are summed."""


def squares(x: Matrix, mu: Matrix, w: AnyArray) -> tuple[Matrix, Vector]:
    """|z_g|^2 - |z_r|^2 by row and group, and |z_r|^2 by row; NaN in x is left out.

    `w` is a scale for each group and column, or a matrix for each group.

    >>> excess, nearest = squares(np.array([[1e20]]), np.array([[0.0], [5.0]]), np.ones((2, 1)))
    >>> np.diff(excess), nearest
    (array([[-1.e+21]]), array([1.e+40]))
    """
    unit = _units(x, mu, w)
    x, means = np.ldexp(x, -unit[:, None]), np.ldexp(mu, -unit[:, None, None])
    z = np.stack([_times(w[g], x - means[:, g]) for g in range(len(mu))], axis=1)
    near = (z**2).sum(axis=2).argmin(axis=1)
    excess = np.empty((len(x), len(mu)))
    for r in np.unique(near):
        rows = np.flatnonzero(near == r)
        mine = means[rows]
        excess[rows] = _excess(x[rows] - mine[:, r], mine - mine[:, [r]], w, z[rows], int(r))
    nearer = excess.min(axis=1)  # below 0 where rounding hid which group is nearest
    least = (z[np.arange(len(x)), near] ** 2).sum(axis=1) + nearer
    excess -= nearer[:, None]
    return _as_large(excess, unit[:, None], LARGEST), _as_large(least, unit, FARTHEST)


def _units(x: Matrix, mu: Matrix, w: AnyArray) -> Indices:
    """By which power of two each row is divided, so that the squares of its z are finite."""
    steepest = np.abs(w).max(axis=tuple(range(w.ndim - 1)), initial=0.0) * x.shape[1]
    reach = np.fmax(np.where(np.isnan(x), 0.0, np.abs(x)), np.abs(mu).max(axis=0))
    with np.errstate(divide="ignore"):
        powers = np.ceil(np.log2(reach) + np.log2(steepest)) + 1 - ROOM
    return np.asarray(np.maximum(powers.max(axis=1, initial=0.0), 0.0), dtype=np.int64)


def _excess(x: Matrix, mu: AnyArray, w: AnyArray, z: AnyArray, r: int) -> Matrix:
    """|z_g|^2 - |z_r|^2 of rows whose reference is group r, relative to its mean.

    A steep group near the row sees more in its own z than in what is relative to a mean far off:
    of the two ways to each difference that of the smaller numbers is taken.
    """
    out = np.empty(mu.shape[:2])
    for g in range(mu.shape[1]):
        shift = _times(w[g], np.where(np.isnan(x), 0.0, mu[:, g]))
        own = np.abs(z[:, g]) + np.abs(z[:, r])
        sides = []
        for scale, plain in ((w[g] - w[r], z[:, g] - z[:, r]), (w[g] + w[r], z[:, g] + z[:, r])):
            relative = _times(scale, x)
            finer = np.abs(relative) + np.abs(shift) <= own
            sides.append(np.where(finer, relative - shift, plain))
        out[:, g] = (sides[0] * sides[1]).sum(axis=1)
    return out


def _times(w: AnyArray, x: Matrix) -> Matrix:
    """W x for every row; a cell that is not there is 0."""
    x = np.where(np.isnan(x), 0.0, x)
    z: Matrix = x * w if w.ndim == 1 else x @ w.T
    return z


def _as_large(squared: AnyArray, unit: AnyArray, most: float) -> AnyArray:
    """Squares in the rows' own size again, no larger than `most`."""
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(np.ldexp(squared, 2 * unit), most))


def far_rows(gained: Matrix) -> Indices:
    """The rows that even their nearest group scores so low that a difference may be lost.

    >>> far_rows(np.array([[-1.0, -9e9], [-6e7, -7e7], [-np.inf, -np.inf]]))
    array([1, 2])
    """
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(~(gained.max(axis=1) > LOWEST))
