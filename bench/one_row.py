"""How long does one row take through the public class?"""

from __future__ import annotations

from collections.abc import Iterator

from contest import Claim, Contest
from data import amounts, strings


def contests(quick: bool) -> Iterator[Contest]:
    from river.naive_bayes import GaussianNB as RiverNB
    from sklearn.naive_bayes import GaussianNB

    from naively import NaiveBayes

    x, y = amounts(10_000)
    row, ours, theirs = x[:1], NaiveBayes().fit(x, y), GaussianNB().fit(x, y)
    yield Contest(
        "predict_proba of an array of 1 x 30",
        {
            "naively": lambda: ours.predict_proba(row),
            "scikit-learn": lambda: theirs.predict_proba(row),
        },
        [Claim("naively", "scikit-learn", 30)],
        repeat=200,
    )
    names = [f"x{j}" for j in range(30)]
    table = {name: x[:, j] for j, name in enumerate(names)}
    named, river = NaiveBayes().fit(table, y), RiverNB()
    for cells, label in zip(x[:2_000].tolist(), y[:2_000].tolist(), strict=True):
        river.learn_one(dict(zip(names, cells, strict=True)), label)
    cells = dict(zip(names, x[0].tolist(), strict=True))
    yield Contest(
        "predict_proba of a dict of 30 numbers",
        {
            "naively": lambda: named.predict_proba(cells),
            "river": lambda: river.predict_proba_one(cells),
        },
        [Claim("naively", "river", 30)],
        repeat=200,
    )
    texts, y = strings(10_000)
    words = NaiveBayes().fit(texts, y)
    labels = {name: column[0] for name, column in texts.items()}
    yield Contest(
        "predict_proba of a dict of 30 texts",
        {"naively": lambda: words.predict_proba(labels)},
        repeat=200,
    )
