"""Does the time grow as the table does?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from contest import Claim, Contest, threads
from data import amounts, codes

LINEAR = 1 / 12
"""Ten times as much takes at most twelve times as long."""


def contests(quick: bool) -> Iterator[Contest]:
    from naively import NaiveBayes

    rows = 20_000 if quick else 100_000

    def grown(what: str, small: tuple, large: tuple, columns: object, ratio: float) -> Contest:
        runs = {
            name: threads(1, lambda x=x, y=y: NaiveBayes(columns).fit(x, y))
            for name, (x, y) in (("ten times", large), ("once", small))
        }
        return Contest(what, runs, [Claim("ten times", "once", ratio)])

    yield grown("rows x 10, Gaussian", amounts(rows), amounts(10 * rows), None, LINEAR)
    yield grown("columns x 10, Gaussian", amounts(rows), amounts(rows, 300), None, LINEAR)
    few, many = (_classes(rows, k) for k in (5, 50))
    yield grown("classes x 10, Gaussian", few, many, None, LINEAR)
    yield grown("rows x 10, codes", codes(rows), codes(10 * rows), "categorical", LINEAR)
    few, many = (codes(10 * rows, classes=k) for k in (5, 50))
    yield grown("classes x 10, codes: flat", few, many, "categorical", 1 / 1.5)


def _classes(rows: int, n: int) -> tuple:
    x, _ = amounts(rows)
    return x, np.random.default_rng(5).integers(0, n, rows)
