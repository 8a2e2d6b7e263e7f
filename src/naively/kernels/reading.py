"""Kernels that look at cells before they are counted."""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray
from naively.kernels.registry import kernel

__all__ = [
    "any_infinite",
]


@kernel
def any_infinite(values: AnyArray) -> bool:
    """Whether a block of numbers holds an infinite one.

    >>> any_infinite(np.array([[1.0, np.nan]])), any_infinite(np.array([[1.0], [-np.inf]]))
    (False, True)
    """
    if values.dtype not in (np.float64, np.float32):
        raise TypeError("values that are neither float32 nor float64")
    return bool(np.isinf(values).any())
