"""How long does it take to learn a few rows more?"""

from __future__ import annotations

from collections.abc import Iterator

from contest import Claim, Contest
from data import amounts

ASKED = {1: (10, 15), 100: (15, 25)}
"""By rows of the batch: what is claimed, and what it would like to be."""


def contests(quick: bool) -> Iterator[Contest]:
    from sklearn.naive_bayes import GaussianNB

    from naively import NaiveBayes

    x, y = amounts(10_000)
    ours, theirs = NaiveBayes().fit(x, y), GaussianNB().fit(x, y)
    for rows, (claimed, liked) in ASKED.items():
        some, labels = x[:rows].copy(), y[:rows].copy()
        yield Contest(
            f"partial_fit of {rows} x 30",
            {
                "naively": lambda x=some, y=labels: ours.partial_fit(x, y),
                "scikit-learn": lambda x=some, y=labels: theirs.partial_fit(x, y),
            },
            [
                Claim("naively", "scikit-learn", claimed),
                Claim("naively", "scikit-learn", liked, stretch=True),
            ],
            repeat=200,
        )
