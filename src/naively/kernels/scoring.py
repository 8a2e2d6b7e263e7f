"""Kernels that score: the log likelihood of every row under every class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naively._typing import AnyArray, Indices, Matrix, Vector
from naively.kernels.proofs import (
    check_offsets,
    check_range,
    check_rows,
    check_scores,
    check_shape,
    row_of_cell,
)
from naively.kernels.registry import kernel

__all__ = [
    "gaussian_scores",
    "linear_scores",
    "prior_scores",
    "sparse_scores",
    "table_scores",
]


@kernel
def prior_scores(log_prior: Vector, out: Matrix) -> None:
    """Let every row's scores begin with the log prior: out[i] = log_prior.

    >>> out = np.empty((2, 2)); prior_scores(np.array([-1.0, -2.0]), out); out
    array([[-1., -2.],
           [-1., -2.]])
    """
    check_shape("log_prior", log_prior, (out.shape[1],))
    out[:] = log_prior


@kernel
def table_scores(
    columns: Sequence[Indices], table: Matrix, offsets: Indices, out: Matrix
) -> Indices:
    """Add to each row the line of the table that each of its codes points to.

    out[i] += sum over columns j of table[offsets[j] + code]

    Column j owns the lines offsets[j] .. offsets[j + 1] - 1, the last of which is for
    codes that were not there in training (-2). A line may hold -inf: impossible. Returned
    are each column's least and largest code, two by two (0 and -1 where there are no rows).

    >>> out = np.zeros((3, 2))
    >>> table = np.array([[-1.0, -2.0], [-3.0, -4.0], [0.0, 0.0]])
    >>> table_scores([np.array([1, -1, 0])], table, np.array([0, 3]), out).tolist()
    [-1, 1]
    >>> out
    array([[-3., -4.],
           [ 0.,  0.],
           [-1., -2.]])
    """
    check_rows(len(out), *columns)
    check_offsets(offsets, len(columns), len(table))
    check_shape("table", table, (len(table), out.shape[1]))
    starts = [int(start) for start in offsets]
    for codes, start, stop in zip(columns, starts[:-1], starts[1:], strict=True):
        check_range("code", codes, stop - start, low=-2)
        if start == stop and (codes == -2).any():
            raise ValueError("code -2 in a column without lines")
    for codes, start, stop in zip(columns, starts[:-1], starts[1:], strict=True):
        line = np.where(codes == -2, stop - start - 1, codes.astype(np.int64))
        there = line >= 0
        out[there] += table[start + line[there]]
    ranges = [(c.min(), max(c.max(), -1)) if len(c) else (0, -1) for c in columns]
    return np.array(ranges, dtype=np.int64).ravel()


@kernel
def gaussian_scores(
    values: AnyArray, mu: Matrix, inv_scale: Matrix, log_norm: Matrix, lowest: float, out: Matrix
) -> Indices:
    """Add to each row the log density of its cells under the Gaussians of every class.

    out[i, c] += sum over cells of -((x - mu) inv_scale)^2 / 2 - log_norm

    The difference is taken first: the expanded square loses every digit far from 0.
    An inv_scale and log_norm of 0 make a column no evidence. Rows to which no class gives
    more than `lowest` are left as they are: their positions are returned.

    >>> out = np.zeros((2, 1))
    >>> parameters = np.array([[[1.0]], [[2.0]], [[0.5]]])
    >>> gaussian_scores(np.array([[3.0], [99.0]]), *parameters, -9, out).tolist()
    [1]
    >>> out
    array([[-8.5],
           [ 0. ]])
    """
    check_scores(values, out, mu=mu, inv_scale=inv_scale, log_norm=log_norm)
    gained = np.zeros(out.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        for j, x in enumerate(values.T):
            there = ~np.isnan(x)
            z = (x[there, None].astype(np.float64) - mu[:, j]) * inv_scale[:, j]
            gained[there] -= 0.5 * z * z + log_norm[:, j]
        kept = (gained > lowest).any(axis=1) & ~np.isnan(gained).any(axis=1)
    out[kept] += gained[kept]
    return np.flatnonzero(~kept) if out.size else np.empty(0, dtype=np.int64)


@kernel
def linear_scores(values: AnyArray, eta: Matrix, a: Matrix, out: Matrix) -> None:
    """Add to each row x eta - a, summed over its cells: any exponential family.

    >>> out = np.zeros((2, 1))
    >>> x = np.array([[2.0, 1.0], [np.nan, 1.0]])
    >>> linear_scores(x, np.array([[3.0, 1.0]]), np.array([[0.5, 0.0]]), out)
    >>> out
    array([[6.5],
           [1. ]])
    """
    check_scores(values, out, eta=eta, a=a)
    there = ~np.isnan(values)
    out += np.where(there, values, 0.0).astype(np.float64) @ eta.T
    out -= there.astype(np.float64) @ a.T


@kernel
def sparse_scores(
    indptr: Indices, indices: Indices, data: AnyArray, eta: Matrix, out: Matrix
) -> None:
    """Add to each row x eta, summed over the cells of a block compressed by rows.

    >>> out = np.zeros((2, 1))
    >>> indptr, indices = np.array([0, 1, 3]), np.array([1, 0, 1])
    >>> sparse_scores(indptr, indices, np.array([2.0, 1.0, 1.0]), np.array([[5.0, 7.0]]), out)
    >>> out
    array([[14.],
           [12.]])
    """
    row = row_of_cell(indptr, indices, data, eta.shape[1])
    check_shape("out", out, (len(indptr) - 1, len(eta)))
    data = np.where(np.isnan(data), 0.0, data)
    for c, weights in enumerate(eta):
        out[:, c] += np.bincount(row, data * weights[indices], len(out))
