"""Array aliases, named by shape."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["AnyArray", "Flags", "Indices", "Label", "Matrix", "Vector"]

Vector: TypeAlias = npt.NDArray[np.float64]
"""One float64 per row, group or column."""

Matrix: TypeAlias = npt.NDArray[np.float64]
"""float64 in two dimensions: rows by classes, groups by columns."""

Indices: TypeAlias = npt.NDArray[np.integer[Any]]
"""Integers of any width: codes, groups, positions."""

Flags: TypeAlias = npt.NDArray[np.bool_]
"""One truth value per cell."""

AnyArray: TypeAlias = npt.NDArray[Any]
"""Any NumPy array."""

Label: TypeAlias = "str | int | float | bool | None"
"""A value of a categorical column or of the target; None is the missing value made a value."""
