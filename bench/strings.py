"""How long do categories take that are text, in a frame?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contest import Claim, Contest, threads
from data import strings

ROWS = 500_000


def contests(quick: bool) -> Iterator[Contest]:
    import pandas as pd
    import polars as pl
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.preprocessing import OrdinalEncoder

    from naively import NaiveBayes

    rows = ROWS // 5 if quick else ROWS
    table, y = strings(rows)
    frame = pd.DataFrame(table)
    lists = pl.DataFrame({name: cells.tolist() for name, cells in table.items()})
    with_y = lists.with_columns(y=pl.Series(y))

    def encoded() -> Any:
        return CategoricalNB().fit(OrdinalEncoder().fit_transform(frame), y)

    def grouped() -> Any:
        return [with_y.group_by(["y", name]).len() for name in lists.columns]

    yield Contest(
        f"learn {rows:,} x 30 texts of 12 values",
        {
            "naively, pandas": threads(1, lambda: NaiveBayes().fit(frame, y)),
            "naively, Polars": threads(1, lambda: NaiveBayes().fit(lists, y)),
            "Polars group_by": grouped,
            "OrdinalEncoder + CategoricalNB": encoded,
        },
        [
            Claim("naively, pandas", "OrdinalEncoder + CategoricalNB", 12),
            Claim("naively, Polars", "OrdinalEncoder + CategoricalNB", 12),
            Claim("naively, pandas", "Polars group_by", 0.7),
            Claim("naively, Polars", "Polars group_by", 0.7),
            Claim("naively, Polars", "Polars group_by", 1.0, stretch=True),
        ],
    )
