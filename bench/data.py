"""The data that the questions are asked of, by fixed seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

CLASSES = 5


def amounts(rows: int, columns: int = 30, dtype: Any = np.float64) -> tuple[Any, Any]:
    """Numbers whose mean moves with the class."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, CLASSES, rows)
    x = np.empty((rows, columns), dtype)
    for start in range(0, rows, 100_000):
        part = x[start : start + 100_000]
        part[:] = rng.standard_normal(part.shape, dtype)
    x += (y[:, None] * 0.1).astype(dtype)
    return x, y


def codes(rows: int, columns: int = 30, values: int = 10, classes: int = CLASSES) -> Any:
    """Categories as small integers, their chances moved by the class."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, classes, rows)
    x = np.empty((rows, columns), np.uint8)
    for j in range(columns):
        x[:, j] = (rng.integers(0, values, rows) + (rng.random(rows) < 0.1) * y) % values
    return x, y


WORDS = [f"value {i} of a column" for i in range(100)]


def strings(rows: int, columns: int = 30, values: int = 12) -> tuple[dict[str, Any], Any]:
    """Categories as text."""
    x, y = codes(rows, columns, values)
    words = np.array(WORDS[:values], dtype=object)
    return {f"c{j}": words[x[:, j]] for j in range(columns)}, y


def mixed(rows: int, missing: float = 0.05) -> Any:
    """An Arrow table of 24 columns and a target: numbers, integers, texts; some are missing."""
    import pyarrow as pa

    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, rows)
    table = {}
    for j in range(12):
        cells = (rng.standard_normal(rows) * (j + 1) + y).round(4)
        table[f"x{j}"] = pa.array(cells, mask=rng.random(rows) < missing)
    for j in range(4):
        table[f"k{j}"] = pa.array(rng.integers(0, 10, rows), mask=rng.random(rows) < missing)
    for j in range(8):
        words = pa.array(WORDS[: 5 + 3 * j])
        picked = pa.array(
            (rng.integers(0, 5 + 3 * j, rows) + y) % (5 + 3 * j), mask=rng.random(rows) < missing
        )
        table[f"s{j}"] = words.take(picked)
    table["y"] = pa.array(np.array(["no", "perhaps", "yes"], dtype=object)[y])
    return pa.table(table)
