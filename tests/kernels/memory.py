"""Memory that ends where an array ends: whoever reads a byte too many is stopped at once."""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np
import pytest

PAGE = mmap.PAGESIZE

guarded = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for guards")


class Guarded:
    """Pages between two that may not be touched; what is put there lies against one of them."""

    def __init__(self, size=1 << 20):
        self.size = (size + PAGE - 1) // PAGE * PAGE
        self.pages = mmap.mmap(-1, self.size + 2 * PAGE)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        for page in (first, first + PAGE + self.size):
            assert protect(page, PAGE, 0) == 0

    def put(self, array, *, at_end=True):
        """The array once more, contiguous, its last byte (or its first) beside a guard."""
        flat = np.ascontiguousarray(array)
        start = PAGE + (self.size - flat.nbytes if at_end else 0)
        copy = np.frombuffer(self.pages, flat.dtype, flat.size, start).reshape(flat.shape)
        copy[...] = flat
        return copy

    def view(self, rng, dtype, shape, strides, *, at_end=True):
        """A view of numbers with these strides, in cells, that fills its memory to both ends."""
        reach = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
        low = sum(min(r, 0) for r in reach)
        cells = rng.normal(size=sum(map(abs, reach)) + 1)
        cells[rng.random(len(cells)) < 0.1] = np.nan
        whole = self.put(cells.astype(dtype), at_end=at_end)
        items = [s * whole.itemsize for s in strides]
        return np.lib.stride_tricks.as_strided(whole[-low:], shape, items, writeable=False)
