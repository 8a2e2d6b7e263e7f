"""Kernels that learn: counts, sums and moments by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.kernels.proofs import check_range, check_rows, check_shape, row_of_cell
from naively.kernels.registry import kernel

__all__ = [
    "count_codes",
    "group_moments",
    "group_sums",
    "group_weights",
    "sparse_sums",
]


@kernel
def count_codes(
    columns: Sequence[Indices],
    sizes: Sequence[int],
    group: Indices,
    weight: Vector | None,
    n_groups: int,
) -> Matrix:
    """How often each group has each code, a block of `sizes[j]` cells for column j.

    n[g, v] = sum over the rows of group g with code v of their weight

    >>> count_codes([np.array([0, 1, 1, -1])], [2], np.array([0, 0, 1, 1]), None, 2)
    array([[1., 1.],
           [0., 1.]])
    """
    check_rows(len(group), *columns, weight)
    check_range("group", group, n_groups)
    n = np.zeros((n_groups, sum(sizes)))
    start = 0
    for codes, size in zip(columns, sizes, strict=True):
        n[:, start : start + size] = _count_column(codes, size, group, weight, n_groups)
        start += size
    return n


@kernel
def group_weights(group: Indices, weight: Vector | None, n_groups: int) -> Vector:
    """How much the rows of each group weigh together.

    >>> group_weights(np.array([0, 1, 1]), None, 2)
    array([1., 2.])
    """
    check_rows(len(group), weight)
    check_range("group", group, n_groups)
    return np.bincount(group, weight, n_groups).astype(np.float64)


@kernel
def group_sums(
    values: AnyArray, group: Indices, weight: Vector | None, n_groups: int
) -> tuple[Matrix, Matrix]:
    """By group and column the weight n and the weighted sum t of the cells that are there.

    >>> n, t = group_sums(np.array([[1.0], [2.0], [np.nan]]), np.array([0, 0, 0]), None, 1)
    >>> n, t
    (array([[2.]]), array([[3.]]))
    """
    check_rows(len(group), values, weight)
    check_range("group", group, n_groups)
    n, t = np.zeros((2, n_groups, values.shape[1]))
    for j, (x, g, w) in enumerate(_cells(values, group, weight)):
        n[:, j] = np.bincount(g, w, n_groups)
        t[:, j] = np.bincount(g, w * x, n_groups)
    return n, t


@kernel
def group_moments(
    values: AnyArray, group: Indices, weight: Vector | None, shift: Vector, n_groups: int
) -> tuple[Matrix, Matrix, Matrix]:
    """By group and column the weight, the mean of x - shift and the squared deviations.

    n = sum w,   mean = sum w (x - shift) / n,   m2 = sum w (x - shift - mean)^2

    The sums are taken around a value of the group itself, so that a column of large
    numbers close together keeps its variance, and a constant column has exactly none.

    >>> x = np.array([[1e9 + 1], [1e9 + 2], [1e9 + 3]])
    >>> n, mean, m2 = group_moments(x, np.array([0, 0, 0]), None, np.array([1e9]), 1)
    >>> n, mean, m2
    (array([[3.]]), array([[2.]]), array([[2.]]))
    """
    check_rows(len(group), values, weight)
    check_range("group", group, n_groups)
    check_shape("shift", shift, (values.shape[1],))
    n, mean, m2 = np.zeros((3, n_groups, values.shape[1]))
    for j, (x, g, w) in enumerate(_cells(values, group, weight)):
        n[:, j] = np.bincount(g, w, n_groups)
        some = np.where(n[:, j] > 0, n[:, j], 1.0)
        pivot = np.full(n_groups, shift[j])
        pivot[g[::-1]] = x[::-1]  # the first value of each group: the last one set stays
        offset = np.bincount(g, w * (x - pivot[g]), n_groups) / some
        away = (x - pivot[g]) - offset[g]
        left = np.bincount(g, w * away, n_groups)  # 0 but for rounding
        mean[:, j] = (pivot - shift[j]) + (offset + left / some)
        m2[:, j] = np.maximum(np.bincount(g, w * away * away, n_groups) - left * left / some, 0.0)
    return n, mean, m2


@kernel
def sparse_sums(
    indptr: Indices,
    indices: Indices,
    data: AnyArray,
    group: Indices,
    weight: Vector | None,
    n_groups: int,
    n_columns: int,
) -> Matrix:
    """By group and column the weighted sum of a block of counts, compressed by rows.

    >>> indptr, indices = np.array([0, 1, 3]), np.array([2, 0, 2])
    >>> sparse_sums(indptr, indices, np.array([5.0, 1.0, 1.0]), np.array([0, 0]), None, 1, 3)
    array([[1., 0., 6.]])
    """
    row = row_of_cell(indptr, indices, data, n_columns)
    check_rows(len(indptr) - 1, group, weight)
    check_range("group", group, n_groups)
    data = np.where(np.isnan(data), 0.0, data)
    amount = data if weight is None else data * weight[row]
    cell = group.astype(np.intp)[row] * n_columns + indices
    t = np.bincount(cell, amount, n_groups * n_columns)
    return t.astype(np.float64).reshape(n_groups, n_columns)


def _count_column(
    codes: Indices, size: int, group: Indices, weight: Vector | None, n_groups: int
) -> Matrix:
    check_range("code", codes, size, low=None)
    there = codes >= 0
    cell = group[there].astype(np.intp) * size + codes[there]
    n = np.bincount(cell, None if weight is None else weight[there], n_groups * size)
    return n.astype(np.float64).reshape(n_groups, size)


def _cells(
    values: AnyArray, group: Indices, weight: Vector | None
) -> Iterator[tuple[Vector, Indices, Vector]]:
    """Column by column the values, groups and weights of the cells that are there."""
    w = np.ones(len(values)) if weight is None else weight
    for x in values.T:
        there: Flags = ~np.isnan(x) & (w != 0)
        yield x[there].astype(np.float64), group[there], w[there]
