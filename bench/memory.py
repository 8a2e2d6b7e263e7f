"""The memory that learning from a large Parquet file needs.

Makes a file of about the asked size with fixed seeds, learns it in a fresh process by the
model alone and through the estimator, and prints the peak of each. Run it by `make bench`,
or `python bench/memory.py --gigabytes 2`.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROW = 89
"""Bytes of a row in the file, about."""

LEARN = {
    "Model": "from naively.engines.one_pass import train; train({path!r}, 'y')",
    "NaiveBayes": "from naively import NaiveBayes; NaiveBayes().fit({path!r}, 'y')",
}
BOUND = {"Model": 500, "NaiveBayes": 700}
"""Megabytes that each may need."""

PEAK = (
    "import resource; peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3;"
    "print(round(peak))"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    asked = parser.parse_args().gigabytes
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "big.parquet")
        write(path, int(asked * 1e9 / ROW))
        size = os.path.getsize(path) / 1e9
        print(f"{size:.2f} GB of Parquet; {platform.machine()}, {os.cpu_count()} cores")
        peaks = {name: peak(code.format(path=path)) for name, code in LEARN.items()}
    for name, megabytes in peaks.items():
        print(f"{name:12} peak {megabytes:5} MB, bound {BOUND[name]} MB")
    sys.exit(any(megabytes > BOUND[name] for name, megabytes in peaks.items()))


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


def peak(code: str) -> int:
    """Megabytes that a fresh process needs at most."""
    run = [sys.executable, "-c", f"{code}; {PEAK}"]
    return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
