"""How long does a question to a large file take?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from contest import Claim, Contest, threads

ROWS = 20_000_000
ASKED = 1 / 1.3
"""Ours may take 1.3 times as long as the same filter and count by hand."""

MADE = """
COPY (
    SELECT CASE WHEN hash(i) % 10 < 3 THEN 'yes' ELSE 'no' END AS vote,
        CASE WHEN hash(i * 7) % 10 < 4 THEN 'yes' ELSE 'no' END AS college,
        (18 + hash(i * 13) % 70)::INTEGER AS age, (hash(i * 3) % 1000) / 10.0 AS income
    FROM range({rows}) AS numbers(i)
) TO '{path}' (FORMAT parquet)
"""

QUESTIONS = {
    "P(vote=yes | college=no)": ("vote = 'yes'", "college = 'no'"),
    "P(vote=yes, age<30 | college=no, income>50)": (
        "vote = 'yes' AND age < 30",
        "college = 'no' AND income > 50",
    ),
}


def contests(quick: bool) -> Iterator[Contest]:
    import duckdb

    from naively.probability import Joint

    rows = ROWS // 10 if quick else ROWS
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "votes.parquet")
        duckdb.sql(MADE.format(rows=rows, path=path))
        for text, (event, given) in QUESTIONS.items():
            for n in (1, 2):
                joint = threads(n, partial(Joint.from_rows, path))()
                con = duckdb.connect(config={"threads": n})
                hand = (
                    f"SELECT count(*) FILTER (WHERE {event}), count(*) FROM '{path}' WHERE {given}"
                )
                peer = f"filter and count in DuckDB, threads: {n}"
                ours = f"naively, threads: {n}"
                runs = {ours: partial(joint.P, text), peer: partial(_by_hand, con, hand)}
                yield Contest(f"{text} of {rows:,} rows", runs, [Claim(ours, peer, ASKED)])


def _by_hand(con: object, query: str) -> object:
    return con.sql(query).fetchall()  # type: ignore[attr-defined]
