"""How long does it take from a mixed file to a fitted model?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import peers
from contest import Claim, Contest, threads
from data import mixed

ROWS = 1_000_000

ASKED = {
    "parquet": {peers.pipeline: 45, peers.tuned: 5, peers.duckdb_sql: 1.2, peers.polars: 1.1},
    "csv": {peers.pipeline: 9, peers.tuned: 1.8, peers.duckdb_sql: 1.2, peers.polars: 0.9},
}
"""How many times as fast as each peer, for each format."""


def contests(quick: bool) -> Iterator[Contest]:
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    from naively import NaiveBayes

    rows = ROWS // 10 if quick else ROWS
    table = mixed(rows)
    with tempfile.TemporaryDirectory() as folder:
        paths = {kind: str(Path(folder) / f"mixed.{kind}") for kind in ASKED}
        pq.write_table(table, paths["parquet"])
        pc.write_csv(table, paths["csv"], pc.WriteOptions(quoting_style="needed"))
        del table
        for kind, asked in ASKED.items():
            path = paths[kind]
            learn: Callable[[], Any] = partial(_learn, NaiveBayes, path)
            others = {peer.__doc__: partial(peer, path) for peer in asked}
            claims = [Claim("naively", str(p.__doc__), ratio) for p, ratio in asked.items()]
            if kind == "csv":
                claims.append(Claim("naively", str(peers.polars.__doc__), 1.0, stretch=True))
            ours = {"naively": threads(1, learn), "naively, 2 threads": threads(2, learn)}
            yield Contest(f"{rows:,} x 24 from {kind}", {**ours, **others}, claims)


def _learn(estimator: Any, path: str) -> Any:
    return estimator().fit(path, "y")
