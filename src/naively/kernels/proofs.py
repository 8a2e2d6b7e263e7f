"""What is proven of the arguments of a kernel before its loop begins."""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray, Indices, Matrix

__all__ = [
    "check_offsets",
    "check_range",
    "check_rows",
    "check_scores",
    "check_shape",
    "falls",
    "row_of_cell",
]


def row_of_cell(indptr: Indices, indices: Indices, data: AnyArray, n_columns: int) -> Indices:
    """The row of every stored cell of a block that is proven to be in order."""
    ends = len(indptr) > 0 and indptr[0] == 0 and indptr[-1] == len(indices) == len(data)
    if not ends or falls(indptr):
        raise ValueError("indptr does not run from 0 to the number of stored cells")
    check_range("column index", indices, n_columns)
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def falls(numbers: Indices) -> bool:
    """Whether one of the numbers is less than the one before it.

    >>> falls(np.array([0, 2, 2])), falls(np.array([1, 0], np.uint8))
    (False, True)
    """
    return bool((numbers[1:] < numbers[:-1]).any())  # a difference would wrap around


def check_rows(n_rows: int, *arrays: AnyArray | None) -> None:
    """Every array that is there has this many rows."""
    for array in arrays:
        if array is not None and len(array) != n_rows:
            raise ValueError(f"{len(array)} rows beside {n_rows}")


def check_range(what: str, codes: Indices, size: int, low: int | None = 0) -> None:
    """Integers, each below `size` and, where `low` is given, not below it."""
    if codes.dtype.kind not in "iu":
        raise TypeError(f"{what} of type {codes.dtype}, not of integers")
    if len(codes) and codes.max() >= size:
        raise ValueError(f"{what} {codes.max()} where there are {size}")
    if len(codes) and low is not None and codes.min() < low:
        raise ValueError(f"{what} {codes.min()} below {low}")


def check_offsets(offsets: Indices, n_columns: int, n_lines: int) -> None:
    """Where each column's lines of a table begin, in order and within it."""
    if len(offsets) != n_columns + 1:
        raise ValueError(f"{len(offsets)} offsets for {n_columns} columns")
    if offsets[0] < 0 or offsets[-1] > n_lines or falls(offsets):
        raise ValueError(f"offsets that do not rise within the {n_lines} lines of the table")


def check_shape(what: str, array: AnyArray, shape: tuple[int, ...]) -> None:
    """An array has exactly this shape."""
    if array.shape != shape:
        raise ValueError(f"{what} of shape {array.shape}, not {shape}")


def check_scores(values: AnyArray, out: Matrix, **parameters: Matrix) -> None:
    """Scores are rows by classes, the parameters that make them classes by columns."""
    n_classes = out.shape[1]
    check_shape("out", out, (len(values), n_classes))
    for name, parameter in parameters.items():
        check_shape(name, parameter, (n_classes, values.shape[1]))
