"""Every kernel, defined in NumPy: the oracle and the documentation.

A kernel is a loop over cells, and the only place where cells are looped over. The
functions below define what each one computes; where the native module is built, its
function of the same name answers instead (`definitions` keeps the ones written here).

Three rules hold for all of them. A missing cell (NaN, code -1) adds nothing. Codes and
groups are proven in range before anything is counted or looked up: a `ValueError` says
which are not. The answer does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.errors import ParameterError

__all__ = [
    "count_codes",
    "definitions",
    "gaussian_scores",
    "group_moments",
    "group_sums",
    "linear_scores",
    "log_sum_exp",
    "native",
    "set_threads",
    "sparse_scores",
    "sparse_sums",
    "table_scores",
    "threads",
]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

definitions: dict[str, Callable[..., Any]] = {}
"""Name -> the kernel as it is defined here."""

native: Any = None
"""The compiled module, None where it is not built."""

with suppress(ImportError):
    native = import_module("naively._native")


def kernel(definition: Kernel) -> Kernel:
    """Register a definition; the native function of its name, where there is one, replaces it."""
    definitions[definition.__name__] = definition
    compiled = getattr(native, definition.__name__, None)
    if compiled is None:
        return definition

    @wraps(definition)
    def call(*args: Any, **kwargs: Any) -> Any:
        return compiled(*args, **kwargs)

    return cast(Kernel, call)


# ---------------------------------------------------------------- learning: counts by group


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
    _check_rows(len(group), *columns, weight)
    _check_range("group", group, n_groups)
    n = np.zeros((n_groups, sum(sizes)))
    start = 0
    for codes, size in zip(columns, sizes, strict=True):
        n[:, start : start + size] = _count_column(codes, size, group, weight, n_groups)
        start += size
    return n


@kernel
def group_sums(
    values: AnyArray, group: Indices, weight: Vector | None, n_groups: int
) -> tuple[Matrix, Matrix]:
    """By group and column the weight n and the weighted sum t of the cells that are there.

    >>> n, t = group_sums(np.array([[1.0], [2.0], [np.nan]]), np.array([0, 0, 0]), None, 1)
    >>> n, t
    (array([[2.]]), array([[3.]]))
    """
    _check_rows(len(group), values, weight)
    _check_range("group", group, n_groups)
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
    _check_rows(len(group), values, weight)
    _check_range("group", group, n_groups)
    _check_shape("shift", shift, (values.shape[1],))
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
    row = _row_of_cell(indptr, indices, data, n_columns)
    _check_rows(len(indptr) - 1, group, weight)
    _check_range("group", group, n_groups)
    amount = data if weight is None else data * weight[row]
    cell = group.astype(np.intp)[row] * n_columns + indices
    t = np.bincount(cell, amount, n_groups * n_columns)
    return t.astype(np.float64).reshape(n_groups, n_columns)


# ---------------------------------------------------------------- deciding: scores by class


@kernel
def table_scores(columns: Sequence[Indices], table: Matrix, offsets: Indices, out: Matrix) -> None:
    """Add to each row the line of the table that each of its codes points to.

    out[i] += sum over columns j of table[offsets[j] + code]

    Column j owns the lines offsets[j] .. offsets[j + 1] - 1, the last of which is for
    codes that were not there in training (-2). A line may hold -inf: impossible.

    >>> out = np.zeros((3, 2))
    >>> table = np.array([[-1.0, -2.0], [-3.0, -4.0], [0.0, 0.0]])
    >>> table_scores([np.array([1, -1, 0])], table, np.array([0, 3]), out)
    >>> out
    array([[-3., -4.],
           [ 0.,  0.],
           [-1., -2.]])
    """
    _check_rows(len(out), *columns)
    _check_offsets(offsets, len(columns), len(table))
    _check_shape("table", table, (len(table), out.shape[1]))
    for codes, start, stop in zip(columns, offsets[:-1], offsets[1:], strict=True):
        _check_range("code", codes, int(stop - start), low=-2)
        if start == stop and (codes == -2).any():
            raise ValueError("code -2 in a column without lines")
    for codes, start, stop in zip(columns, offsets[:-1], offsets[1:], strict=True):
        line = np.where(codes == -2, stop - start - 1, codes).astype(np.intp)
        there = line >= 0
        out[there] += table[start + line[there]]


@kernel
def gaussian_scores(
    values: AnyArray, mu: Matrix, inv_scale: Matrix, log_norm: Matrix, out: Matrix
) -> None:
    """Add to each row the log density of its cells under the Gaussians of every class.

    out[i, c] += sum over cells of -((x - mu) inv_scale)^2 / 2 - log_norm

    The difference is taken first: the expanded square loses every digit far from 0.
    An inv_scale and log_norm of 0 make a column no evidence.

    >>> out = np.zeros((1, 1))
    >>> gaussian_scores(np.array([[3.0]]), *np.array([[[1.0]], [[2.0]], [[0.5]]]), out)
    >>> out
    array([[-8.5]])
    """
    _check_scores(values, out, mu=mu, inv_scale=inv_scale, log_norm=log_norm)
    for j, x in enumerate(values.T):
        there = ~np.isnan(x)
        z = (x[there, None].astype(np.float64) - mu[:, j]) * inv_scale[:, j]
        out[there] -= 0.5 * z * z + log_norm[:, j]


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
    _check_scores(values, out, eta=eta, a=a)
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
    row = _row_of_cell(indptr, indices, data, eta.shape[1])
    _check_shape("out", out, (len(indptr) - 1, len(eta)))
    for c, weights in enumerate(eta):
        out[:, c] += np.bincount(row, data * weights[indices], len(out))


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


# ---------------------------------------------------------------- threads


def threads() -> int:
    """The number of threads a kernel may use."""
    return 1 if native is None else int(native.threads())


def set_threads(n: int | None = None) -> None:
    """Let every kernel use n threads; None is one for each processor this process may use.

    The environment variable NAIVELY_THREADS sets the number at the start.

    >>> before = threads()
    >>> set_threads(1)
    >>> threads()
    1
    >>> set_threads(before)
    """
    n = _processors() if n is None else n
    if n < 1:
        raise ParameterError(f"{n} threads", "1 or more")
    if native is not None:
        native.set_threads(int(n))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _threads_asked_for() -> int | None:
    asked = os.environ.get("NAIVELY_THREADS", "")
    if asked and not asked.isdecimal():
        raise ParameterError(f"NAIVELY_THREADS={asked!r}", "a number of threads", "unset it")
    return int(asked) if asked else None


set_threads(_threads_asked_for())


# ---------------------------------------------------------------- parts of the definitions


def _count_column(
    codes: Indices, size: int, group: Indices, weight: Vector | None, n_groups: int
) -> Matrix:
    _check_range("code", codes, size, low=None)
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


def _row_of_cell(indptr: Indices, indices: Indices, data: AnyArray, n_columns: int) -> Indices:
    """The row of every stored cell of a block that is proven to be in order."""
    ends = len(indptr) > 0 and indptr[0] == 0 and indptr[-1] == len(indices) == len(data)
    if not ends or (np.diff(indptr) < 0).any():
        raise ValueError("indptr does not run from 0 to the number of stored cells")
    _check_range("column index", indices, n_columns)
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def _check_rows(n_rows: int, *arrays: AnyArray | None) -> None:
    for array in arrays:
        if array is not None and len(array) != n_rows:
            raise ValueError(f"{len(array)} rows beside {n_rows}")


def _check_range(what: str, codes: Indices, size: int, low: int | None = 0) -> None:
    if codes.dtype.kind != "i":
        raise TypeError(f"{what} of type {codes.dtype}, not of signed integers")
    if len(codes) and codes.max() >= size:
        raise ValueError(f"{what} {codes.max()} where there are {size}")
    if len(codes) and low is not None and codes.min() < low:
        raise ValueError(f"{what} {codes.min()} below {low}")


def _check_offsets(offsets: Indices, n_columns: int, n_lines: int) -> None:
    if len(offsets) != n_columns + 1:
        raise ValueError(f"{len(offsets)} offsets for {n_columns} columns")
    if offsets[0] < 0 or offsets[-1] > n_lines or (np.diff(offsets) < 0).any():
        raise ValueError(f"offsets that do not rise within the {n_lines} lines of the table")


def _check_shape(what: str, array: AnyArray, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(f"{what} of shape {array.shape}, not {shape}")


def _check_scores(values: AnyArray, out: Matrix, **parameters: Matrix) -> None:
    n_classes = out.shape[1]
    _check_shape("out", out, (len(values), n_classes))
    for name, parameter in parameters.items():
        _check_shape(name, parameter, (n_classes, values.shape[1]))
