"""Ask the questions: each in a fresh process, its results kept in bench/results/.

python bench/run.py                all of them, minutes
python bench/run.py --quick        smaller data, and nothing is kept
python bench/run.py files strings  some of them
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE / "results"
QUESTIONS = (
    "gaussian_fit",
    "gaussian_predict",
    "categorical",
    "strings",
    "files",
    "questions",
    "one_row",
    "partial_fit",
    "growth",
    "start",
    "precision",
    "memory",
)
PEERS = ("numpy", "scikit-learn", "pandas", "polars", "duckdb", "pyarrow", "river")
PINNED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
"""One thread for everybody; ours are set contest by contest."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", choices=[[], *QUESTIONS], default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        ask(given.questions[0], given.quick)
        return
    failed = [name for name in given.questions or QUESTIONS if not asked(name, given.quick)]
    if failed:
        sys.exit(f"not reached: {', '.join(failed)}")


def asked(name: str, quick: bool) -> bool:
    """Ask a question in a process of its own; whether all of its claims hold."""
    words = [sys.executable, __file__, "--here", name, *(["--quick"] if quick else [])]
    return subprocess.run(words, env={**os.environ, **PINNED}).returncode == 0


def ask(name: str, quick: bool) -> None:
    warnings.simplefilter("ignore")
    module = importlib.import_module(name)
    print(f"\n{module.__doc__}")
    if hasattr(module, "contests"):
        found = timed(module, quick)
    else:
        found = [amount(*line) for line in module.errors()]
    if not quick:
        RESULTS.mkdir(exist_ok=True)
        known = {"question": module.__doc__, "machine": machine(), "results": found}
        (RESULTS / f"{name}.json").write_text(json.dumps(known, indent=1) + "\n")
    claims = [ratio for one in found for ratio in one["ratios"] if not ratio["stretch"]]
    sys.exit(any(one["measured"] < one["ratio"] for one in claims))


def timed(module: Any, quick: bool) -> list[dict[str, Any]]:
    from contest import held

    found = []
    for contest in module.contests(quick):
        result = held(contest).plain()
        found.append(result)
        print(f"  {result['job']}")
        for who, seconds in result["seconds"].items():
            print(f"    {who:40} {shown(seconds)}")
        for one in result["ratios"]:
            print(f"    {said(one)}")
        sys.stdout.flush()
    return found


def amount(what: str, measured: float, most: float) -> dict[str, Any]:
    """A number that may be so large at most, as a result."""
    print(f"  {what:50} {measured:10.3g}   at most {most:g}")
    held = 1.0 if measured <= most else 0.0
    ratio = {"ours": what, "peer": "", "ratio": 1.0, "measured": held, "stretch": False}
    return {"job": what, "amount": measured, "most": most, "ratios": [ratio]}


def said(one: dict[str, Any]) -> str:
    wanted = f"{'would like' if one['stretch'] else 'wanted'} {one['ratio']:.3g}"
    verdict = "" if one["measured"] >= one["ratio"] else "   NOT REACHED"
    return f"{one['ours']} against {one['peer']}: {one['measured']:.3g} ({wanted}){verdict}"


def shown(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:9.2f} {unit}"
    return f"{seconds / 1e-6:9.2f} µs"


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in _lines("/proc/cpuinfo")
            if "model name" in line
        ),
        platform.processor(),
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE
    ).stdout.strip()
    return {
        "processor": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "commit": commit,
        "versions": {name: _version(name) for name in PEERS},
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main()
