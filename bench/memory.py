"""How much memory do learning and answering add?"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROW = 89
"""Bytes of a row in the file, about."""

PRELUDE = """
import resource, warnings
warnings.simplefilter("ignore")
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
"""
ARRAYS = """
import sys; sys.path.insert(0, {here!r})
from data import amounts
from naively import NaiveBayes
x, y = amounts(2_000_000)
NaiveBayes().fit(x[:1000], y[:1000]).predict_proba(x[:1000])
"""
JOBS = {
    "fit": ARRAYS + "before = peak(); NaiveBayes().fit(x, y); print(peak() - before)",
    "predict": ARRAYS
    + "m = NaiveBayes().fit(x, y); before = peak(); p = m.predict_proba(x); print(peak() - before)",
    "Model": "from naively.engines.one_pass import train; train({path!r}, 'y'); print(peak())",
    "NaiveBayes": "from naively import NaiveBayes; NaiveBayes().fit({path!r}, 'y'); print(peak())",
    "import": "import naively, sklearn, pyarrow.parquet, naively.estimators.naive; print(peak())",
    "DuckDB": """
import duckdb
con = duckdb.connect(config={{"threads": 1}})
names = [r[0] for r in con.sql("DESCRIBE FROM {path!r}").fetchall() if r[0][0] == "x"]
parts = ", ".join(f"count({{n}}), avg({{n}}), var_pop({{n}})" for n in names)
con.sql(f"SELECT y, count(*), {{parts}} FROM {path!r} GROUP BY y").fetchall()
for n in ("k", "s"):
    con.sql(f"SELECT y, {{n}}, count(*) FROM {path!r} GROUP BY ALL").fetchall()
print(peak())
""",
}
FIT, PREDICT = 0.05, 1.1
"""What learning may add, as a share of the data, and answering, of the answers."""
BOUND = {"Model": 500, "NaiveBayes": 700}
"""Megabytes that learning a file of any length may need."""
DATA, ANSWERS = 480.0, 80.0
"""Megabytes of the arrays, and of their posteriors."""


def errors() -> Iterator[tuple[str, float, float]]:
    """What is measured, the megabytes, and the most that they may be."""
    yield "MB added by fit, arrays of 480 MB", megabytes("fit"), FIT * DATA
    yield "MB added by predict_proba, answers of 80 MB", megabytes("predict"), PREDICT * ANSWERS
    with tempfile.TemporaryDirectory() as folder:
        yield from from_file(str(Path(folder) / "big.parquet"), 0.5)


def from_file(path: str, gigabytes: float) -> Iterator[tuple[str, float, float]]:
    """The same for a Parquet file, against DuckDB's statistics of it."""
    write(path, int(gigabytes * 1e9 / ROW))
    size = os.path.getsize(path) / 1e9
    for name, most in BOUND.items():
        yield f"MB at the peak, {name} from {size:.2f} GB of Parquet", megabytes(name, path), most
    ours = megabytes("NaiveBayes", path)
    theirs = megabytes("DuckDB", path)
    added = ours - megabytes("import")
    yield "MB added by NaiveBayes, over DuckDB's peak", added / theirs, 1.5
    yield "peak of NaiveBayes over DuckDB's", ours / theirs, 1.5


def megabytes(job: str, path: str = "") -> float:
    """What a fresh process prints."""
    here = str(Path(__file__).parent)
    code = PRELUDE + JOBS[job].format(path=path, here=here)
    run = [sys.executable, "-c", code]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def write(path: str, rows: int) -> None:
    """Ten numbers, a small integer, a label, a column with missing cells, and the target."""
    import duckdb

    numbers = ", ".join(f"random() * {i + 1} + i % 3 AS x{i}" for i in range(10))
    duckdb.sql("SET memory_limit = '2GB'; SELECT setseed(0.5)")
    duckdb.sql(
        f"COPY (SELECT {numbers}, (hash(i) % 7)::INT AS k, 'v' || hash(i + 1) % 12 AS s, "
        "CASE WHEN random() < .05 THEN NULL ELSE random() END AS m, "
        f"chr(97 + (i % 3)::INT) AS y FROM range({rows}) t(i)) "
        f"TO '{path}' (FORMAT parquet, COMPRESSION uncompressed)"
    )


def main() -> None:
    """By itself: a file of any size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    gigabytes = parser.parse_args().gigabytes
    with tempfile.TemporaryDirectory() as folder:
        for what, found, most in from_file(str(Path(folder) / "big.parquet"), gigabytes):
            print(f"{what:55} {found:8.2f}   at most {most:g}")


if __name__ == "__main__":
    main()
