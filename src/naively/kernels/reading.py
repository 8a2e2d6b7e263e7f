"""Kernels that look at cells before they are counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Matrix
from naively.kernels.proofs import check_range, falls
from naively.kernels.registry import kernel

__all__ = [
    "any_infinite",
    "filled",
    "occurring",
    "outlines",
    "small_codes",
    "text_codes",
    "view_codes",
]

FILLED = tuple(map(np.dtype, ("f8", "f4", "i1", "i2", "i4", "i8")))
"""Numbers that may have gaps."""
VIEW, INSIDE = 16, 12
"""Bytes of a view, and of the longest text that stands in one."""


@kernel
def any_infinite(values: AnyArray) -> bool:
    """Whether a block of numbers holds an infinite one.

    >>> any_infinite(np.array([[1.0, np.nan]])), any_infinite(np.array([[1.0], [-np.inf]]))
    (False, True)
    """
    _check_floats(values)
    return bool(np.isinf(values).any())


@kernel
def filled(values: AnyArray, bits: AnyArray, start: int, out: AnyArray) -> None:
    """Write numbers where their bits are set, the first of which is bit `start`, NaN elsewhere.

    Elsewhere in integers is -1. What is written to is of the same type, or of doubles.

    >>> out = np.empty(3)
    >>> filled(np.array([2.5, 0.0, 4.0]), np.array([0b1010], np.uint8), 1, out)
    >>> out
    array([2.5, nan, 4. ])
    """
    if values.dtype not in FILLED or out.dtype not in (values.dtype, np.float64):
        raise TypeError("numbers that are neither floats nor signed integers, or room for others")
    if len(out) != len(values) or not 0 <= start <= 8 * len(bits) - len(values):
        raise ValueError("bits or room for another number of cells")
    there = np.unpackbits(bits, bitorder="little")[start : start + len(values)] == 1
    out[:] = np.nan if out.dtype.kind == "f" else -1
    out[there] = values[there]


@kernel
def outlines(values: AnyArray) -> Matrix:
    """By column: cells, least, largest, mean, squared deviations, and how many are fractions.

    >>> outlines(np.array([[1.0], [4.0], [np.nan], [2.5]]))
    array([[3. , 1. , 4. , 2.5, 4.5, 1. ]])
    """
    _check_floats(values)
    lines = np.zeros((values.shape[1], 6))
    for line, column in zip(lines, values.T, strict=True):
        x = column[~np.isnan(column)].astype(np.float64)
        line[:] = len(x), np.nan, np.nan, 0, 0, 0
        if len(x):
            with np.errstate(all="ignore"):
                mean = x.mean()
                line[1:5] = x.min(), x.max(), mean, ((x - mean) ** 2).sum()
                line[5] = (np.floor(x) != x).sum()
    return lines


@kernel
def occurring(codes: Indices, size: int) -> Flags:
    """Which of the codes 0 .. size - 1 occur; negative ones say nothing.

    >>> occurring(np.array([2, -1, 0]), 3)
    array([ True, False,  True])
    """
    check_range("code", codes, size, low=None)
    seen = np.zeros(size, dtype=bool)
    seen[codes[codes >= 0]] = True
    return seen


@kernel
def small_codes(numbers: Indices, size: int) -> tuple[Indices, int]:
    """Whole numbers from 0 up to `size` - 1 as codes of themselves, and 1 + the largest.

    Where one of them is another number, there are no codes, and 0.

    >>> small_codes(np.array([2, 0]), 256), small_codes(np.array([2, -1]), 256)
    ((array([2, 0], dtype=int32), 3), (array([], dtype=int32), 0))
    """
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"codes of type {numbers.dtype}, not of integers")
    if not len(numbers) or numbers.min() < 0 or numbers.max() >= min(size, 2**31):
        return np.zeros(0, dtype=np.int32), 0
    return numbers.astype(np.int32), int(numbers.max()) + 1


@kernel
def text_codes(offsets: Indices, data: AnyArray, there: Flags | None) -> tuple[Indices, Indices]:
    """The codes of texts in order of their first occurrence, and the rows where that is.

    Text i are the bytes offsets[i] .. offsets[i + 1] - 1; where it is not `there` it has
    the code -1.

    >>> codes, first = text_codes(np.array([0, 1, 3, 4]), np.frombuffer(b"abba", np.uint8), None)
    >>> codes.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    if not len(offsets):
        raise ValueError("texts without offsets")
    if offsets[0] < 0 or offsets[-1] > len(data) or falls(offsets):
        raise ValueError("offsets that do not rise within the texts")
    ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return _coded([data[a:b].tobytes() for a, b in ends], there)


@kernel
def view_codes(
    views: AnyArray, buffers: Sequence[AnyArray], there: Flags | None
) -> tuple[Indices, Indices]:
    """As `text_codes`, of Arrow's views: 16 bytes each, long texts in other buffers.

    >>> short = np.array([1, ord("a"), 0, 0], "<i4").view(np.uint8)
    >>> view_codes(np.tile(short, 2), [], None)[0].tolist()
    [0, 0]
    """
    if len(views) % VIEW:
        raise ValueError("texts whose views are not 16 bytes each")
    lines = views.reshape(-1, VIEW)
    if there is not None and len(there) != len(lines):
        raise ValueError("flags for another number of texts")
    gone = np.zeros(len(lines), dtype=bool) if there is None else ~there
    pairs = zip(lines, gone.tolist(), strict=True)
    return _coded([b"" if absent else _viewed(v, buffers) for v, absent in pairs], there)


def _viewed(view: AnyArray, buffers: Sequence[AnyArray]) -> bytes:
    """The text that a view shows."""
    length, _, buffer, start = np.ascontiguousarray(view).view("<i4").tolist()
    if length < 0:
        raise ValueError("a text of negative length")
    if length <= INSIDE:
        return bytes(view[4 : 4 + length].tobytes())
    known = 0 <= buffer < len(buffers) and start >= 0
    if not known or start + length > len(buffers[buffer]):
        raise ValueError("a text beyond its buffer")
    return bytes(buffers[buffer][start : start + length].tobytes())


def _coded(texts: list[bytes], there: Flags | None) -> tuple[Indices, Indices]:
    if there is not None and len(there) != len(texts):
        raise ValueError("flags for another number of texts")
    index: dict[bytes, int] = {}
    codes, first = np.full(len(texts), -1, dtype=np.int32), list[int]()
    for i, text in enumerate(texts):
        if there is None or there[i]:
            codes[i] = index.setdefault(text, len(index))
            if len(index) > len(first):
                first.append(i)
    return codes, np.array(first, dtype=np.int64)


def _check_floats(values: AnyArray) -> None:
    if values.dtype not in (np.float64, np.float32):
        raise TypeError("values that are neither float32 nor float64")
