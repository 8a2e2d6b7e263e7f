"""How long does it take to learn Gaussian columns from an array?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Thread

import numpy as np

from contest import Claim, Contest, threads
from data import amounts

ROWS = 2_000_000


def contests(quick: bool) -> Iterator[Contest]:
    from sklearn.naive_bayes import GaussianNB

    from naively import NaiveBayes

    rows = ROWS // 10 if quick else ROWS
    for dtype, one, two in ((np.float64, 45, 65), (np.float32, 22, None)):
        x, y = amounts(rows, dtype=dtype)
        words = x.reshape(-1).view(np.uint64 if dtype == np.float64 else np.uint32)
        claims = [Claim("naively", "scikit-learn", one)]
        if two:
            claims += [
                Claim("naively, 2 threads", "scikit-learn", two),
                Claim("naively", "one read of the bytes", 1 / 1.8),
            ]
        yield Contest(
            f"{rows:,} x 30 {np.dtype(dtype)}, 5 classes",
            {
                "naively": threads(1, lambda x=x, y=y: NaiveBayes().fit(x, y)),
                "naively, 2 threads": threads(2, lambda x=x, y=y: NaiveBayes().fit(x, y)),
                "one read of the bytes": words.max,
                "one read of the bytes, 2 threads": partial(_read_by_two, words),
                "scikit-learn": lambda x=x, y=y: GaussianNB().fit(x, y),
            },
            [*claims, Claim("naively, 2 threads", "naively", 1.7)],
        )
    x, y = amounts(rows)
    gaps = x.copy()
    gaps[np.random.default_rng(4).random(x.shape) < 0.1] = np.nan
    yield Contest(
        f"{rows:,} x 30 float64, a tenth of the cells missing",
        {
            "naively, gaps": threads(1, lambda: NaiveBayes().fit(gaps, y)),
            "naively, no gaps": threads(1, lambda: NaiveBayes().fit(x, y)),
        },
        [Claim("naively, gaps", "naively, no gaps", 1 / 2.2)],
    )


def _read_by_two(words: np.ndarray) -> None:
    """What the memory gives two threads: no fit by two of them can be faster."""
    half = len(words) // 2
    other = Thread(target=words[half:].max)
    other.start()
    words[:half].max()
    other.join()
