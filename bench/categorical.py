"""How long do categories take that are small integers already?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from contest import Claim, Contest, threads
from data import codes

ROWS, VALUES = 2_000_000, 10


def contests(quick: bool) -> Iterator[Contest]:
    from sklearn.naive_bayes import CategoricalNB

    from naively import NaiveBayes

    rows = ROWS // 10 if quick else ROWS
    by_row, y = codes(rows, values=VALUES)
    x = np.asfortranarray(by_row)

    def bincount() -> object:
        return [np.bincount(y * VALUES + column, minlength=5 * VALUES) for column in x.T]

    yield Contest(
        f"learn {rows:,} x 30 codes",
        {
            "naively": threads(1, lambda: NaiveBayes("categorical").fit(x, y)),
            "naively, 2 threads": threads(2, lambda: NaiveBayes("categorical").fit(x, y)),
            "naively, rows side by side": threads(
                1, lambda: NaiveBayes("categorical").fit(by_row, y)
            ),
            "NumPy bincount": bincount,
            "scikit-learn": lambda: CategoricalNB().fit(x, y),
        },
        [
            Claim("naively", "scikit-learn", 90),
            Claim("naively", "NumPy bincount", 4),
            Claim("naively, 2 threads", "naively", 1.7),
        ],
    )
    ours, theirs = NaiveBayes("categorical").fit(x, y), CategoricalNB().fit(x, y)
    yield Contest(
        f"posteriors of {rows:,} x 30 codes",
        {
            "naively": threads(1, lambda: ours.predict_proba(x)),
            "naively, 2 threads": threads(2, lambda: ours.predict_proba(x)),
            "naively, rows side by side": threads(1, lambda: ours.predict_proba(by_row)),
            "scikit-learn": lambda: theirs.predict_proba(x),
        },
        [Claim("naively", "scikit-learn", 30), Claim("naively, 2 threads", "naively", 1.7)],
    )
