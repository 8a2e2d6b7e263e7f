"""What others would do with a mixed file of numbers, integers and texts, some missing."""

from __future__ import annotations

from typing import Any

TARGET = "y"


def _frame(path: str) -> Any:
    import pandas as pd

    if path.endswith(".csv"):
        return pd.read_csv(path)
    return pd.read_parquet(path)


def _sides(frame: Any) -> tuple[list[str], list[str]]:
    """The columns of numbers, and those of categories (texts and small integers)."""
    numbers = [name for name in frame.columns if name.startswith("x")]
    return numbers, [name for name in frame.columns if name[0] in "ks"]


def pipeline(path: str) -> Any:
    """the pipeline of pandas and scikit-learn as documented"""
    import pandas as pd
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = _frame(path)
    y = frame.pop(TARGET)
    numbers, labels = _sides(frame)
    frame[labels] = frame[labels].astype(object).where(pd.notna(frame[labels]), None)
    steps = ColumnTransformer(
        [
            ("numbers", SimpleImputer(), numbers),
            (
                "labels",
                make_pipeline(
                    SimpleImputer(strategy="most_frequent", missing_values=None),
                    OneHotEncoder(sparse_output=False),
                ),
                labels,
            ),
        ]
    )
    return make_pipeline(steps, GaussianNB()).fit(frame, y)


def tuned(path: str) -> Any:
    """pandas and scikit-learn tuned by hand"""
    import numpy as np
    import pandas as pd
    import pyarrow.csv as pc
    import pyarrow.parquet as pq
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    if path.endswith(".csv"):
        frame = pc.read_csv(path).to_pandas()
    else:
        names = [f"s{j}" for j in range(8)]
        frame = pq.read_table(path, read_dictionary=[*names, TARGET]).to_pandas()
    y, _ = pd.factorize(frame.pop(TARGET))
    numbers, labels = _sides(frame)
    x = frame[numbers].to_numpy()
    means = np.nanmean(x, axis=0)
    x = np.where(np.isnan(x), means, x)
    codes = np.column_stack([pd.factorize(frame[name])[0] + 1 for name in labels])
    return GaussianNB().fit(x, y), CategoricalNB().fit(codes, y)


def duckdb_sql(path: str) -> Any:
    """the statistics in DuckDB's SQL"""
    import duckdb

    con = duckdb.connect(config={"threads": 1})
    kind = "read_csv" if path.endswith(".csv") else "read_parquet"
    source = f"{kind}('{path}')"
    names = [row[0] for row in con.sql(f"DESCRIBE FROM {source}").fetchall()]
    numbers = [name for name in names if name.startswith("x")]
    labels = [name for name in names if name[0] in "ks"]
    con.sql(
        f"CREATE TEMP TABLE t AS FROM {source}"
        if kind == "read_csv"
        else f"CREATE TEMP VIEW t AS FROM {source}"
    )
    moments = ", ".join(f"count({n}), avg({n}), var_pop({n})" for n in numbers)
    found = con.sql(f"SELECT {TARGET}, count(*), {moments} FROM t GROUP BY {TARGET}").fetchall()
    sets = ", ".join(f"({TARGET}, {n})" for n in labels)
    keys = ", ".join(labels)
    counts = con.sql(
        f"SELECT {TARGET}, {keys}, count(*) FROM t GROUP BY GROUPING SETS ({sets})"
    ).fetchall()
    return found, counts


def polars(path: str) -> Any:
    """the statistics in Polars"""
    import polars as pl

    frame = pl.read_csv(path) if path.endswith(".csv") else pl.read_parquet(path)
    numbers = [name for name in frame.columns if name.startswith("x")]
    labels = [name for name in frame.columns if name[0] in "ks"]
    moments = [
        part
        for n in numbers
        for part in (
            pl.col(n).count().alias(f"n{n}"),
            pl.col(n).mean().alias(f"m{n}"),
            pl.col(n).var(ddof=0).alias(f"v{n}"),
        )
    ]
    found = frame.group_by(TARGET).agg(moments)
    return found, [frame.group_by([TARGET, name]).len() for name in labels]
