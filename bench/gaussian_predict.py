"""How long do posteriors under Gaussian columns take?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from contest import Claim, Contest, threads
from data import amounts

ROWS = 2_000_000


def contests(quick: bool) -> Iterator[Contest]:
    from sklearn.naive_bayes import GaussianNB

    from naively import NaiveBayes

    rows = ROWS // 10 if quick else ROWS
    for dtype, one, two in ((np.float64, 11, 19), (np.float32, 7, 13)):
        x, y = amounts(rows, dtype=dtype)
        ours, theirs = NaiveBayes().fit(x, y), GaussianNB().fit(x, y)
        yield Contest(
            f"{rows:,} x 30 {np.dtype(dtype)}, 5 classes",
            {
                "naively": threads(1, lambda m=ours, x=x: m.predict_proba(x)),
                "naively, 2 threads": threads(2, lambda m=ours, x=x: m.predict_proba(x)),
                "scikit-learn": lambda m=theirs, x=x: m.predict_proba(x),
            },
            [
                Claim("naively", "scikit-learn", one),
                Claim("naively, 2 threads", "scikit-learn", two),
                Claim("naively, 2 threads", "naively", 1.7),
            ],
        )
