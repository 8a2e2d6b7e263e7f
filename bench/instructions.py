"""The instructions that every kernel needs, counted under valgrind.

Times differ from run to run and from machine to machine; the instructions of one compiler's
code for one generation of processors hardly do. Each kernel runs on a small fixed input, once
unseen and once counted; only what the native module itself executes is counted, so neither
Python nor the C library matters. The numbers are compared with those in instructions.json.

valgrind knows no AVX-512: what is counted is at best the clone for x86-64-v3. Which one it is,
and the compiler, stand beside the numbers; others are not compared with.

Run it by `make bench-instructions`; `ARGS=--update` keeps the new numbers. It ends with 0, with
1 where a kernel needs over 5 % more than before, with 2 where that cannot be known.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from naively import kernels

KEPT = Path(__file__).with_suffix(".json")
MORE = 1.05
"""How many times its instructions a kernel may need."""

SWITCH = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_ZERO_STATS; CALLGRIND_TOGGLE_COLLECT; }
void end(const char* name) { CALLGRIND_TOGGLE_COLLECT; CALLGRIND_DUMP_STATS_AT(name); }
int clone(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("x86-64-v4") ? 4 : __builtin_cpu_supports("x86-64-v3") ? 3 : 2;
}
"""

Call = Callable[[], Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="keep the new numbers")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        run_all(asked.inside)
        return
    found = counted()
    if asked.update:
        KEPT.write_text(json.dumps(found, indent=2) + "\n")
        print(f"kept in {KEPT.name}")
    sys.exit(compared(found, json.loads(KEPT.read_text()) if KEPT.exists() else {}))


def counted() -> dict[str, Any]:
    """What was counted, and of which code."""
    if kernels.native is None:
        cannot("the native module is not built")
    valgrind, compiler = shutil.which("valgrind"), shutil.which("cc")
    if valgrind is None or compiler is None:
        cannot("valgrind and a C compiler are needed: apt-get install valgrind gcc")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "counts")
        switch = built(compiler, Path(folder))
        tool = [valgrind, "--tool=callgrind", "--collect-atstart=no", "--compress-strings=no"]
        command = [*tool, f"--callgrind-out-file={out}", sys.executable, __file__]
        fixed = {**os.environ, "PYTHONHASHSEED": "0", "NAIVELY_THREADS": "1"}
        run = subprocess.run(
            [*command, "--inside", switch], env=fixed, capture_output=True, text=True, check=False
        )
        if run.returncode:
            cannot(f"valgrind failed:\n{run.stderr[-2000:]}")
        numbers = dict(own(part) for part in Path(folder).glob("counts.*"))
    return {
        "clone": f"x86-64-v{run.stdout.strip()}",
        "compiler": compiler_of(kernels.native.__file__),
        "instructions": dict(sorted(numbers.items())),
    }


def cannot(why: str) -> NoReturn:
    print(f"instructions cannot be counted: {why}", file=sys.stderr)
    sys.exit(2)


def built(compiler: str, folder: Path) -> str:
    """A library that tells valgrind when to count."""
    source, library = folder / "switch.c", folder / "switch.so"
    source.write_text(SWITCH)
    command = [compiler, "-shared", "-fPIC", "-O1", str(source), "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        cannot(f"valgrind's headers are needed:\n{done.stderr}")
    return str(library)


def own(part: Path) -> tuple[str, int]:
    """The name of a part of the counts, and what the native module itself executed in it."""
    name, total, ours, passed = "", 0, False, False
    for line in part.read_text().splitlines():
        if line.startswith("desc: Trigger: Client Request: "):
            name = line.rpartition("Request: ")[2]
        elif line.startswith("ob="):
            ours = "_native." in line
        elif line.startswith("calls="):
            passed = True  # the next line counts what was called
        elif line[:1] in "+-*0123456789" and line:
            total += 0 if passed or not ours else int(line.split()[1])
            passed = False
    return name, total


def compiler_of(library: str) -> str:
    """The compiler's own word for itself, as it stands in the library."""
    found = re.search(
        rb"GCC: \([^)]*\) ([\d.]+)|clang version ([\d.]+)", Path(library).read_bytes()
    )
    if found is None:
        return "unknown"
    return ("GCC " if found[1] else "clang ") + (found[1] or found[2]).decode()


def compared(found: dict[str, Any], kept: dict[str, Any]) -> int:
    """The exit code: 1 where a kernel needs more than it did."""
    for what in ("clone", "compiler"):
        if kept.get(what) != found[what]:
            cannot(f"they are kept for {what} {kept.get(what)}, here is {found[what]}: --update")
    before, worse = kept["instructions"], False
    print(f"counted is the clone {found['clone']} by {found['compiler']}")
    for name in sorted({*before, *found["instructions"]}):
        was, now = before.get(name), found["instructions"].get(name)
        change = (
            f"{now / was - 1:+7.1%}" if was and now else "  not kept" if now else "  not counted"
        )
        bad = was is None or now is None or now > MORE * was
        print(f"{name:34} {now or 0:12,} {change}{'  <-' if bad else ''}")
        worse |= bad
    return int(worse)


def run_all(switch: str) -> None:
    """Inside valgrind: every kernel once unseen and once counted."""
    library = ctypes.CDLL(switch)
    for name, call in cases().items():
        call()
        library.begin()
        call()
        library.end(name.encode())
    print(library.clone())


def cases() -> dict[str, Call]:
    rng = np.random.default_rng(0)
    return {
        **learning(rng),
        **learning_codes(rng),
        **scoring(rng),
        **deciding(rng),
        **reading(rng),
        **single_rows(rng),
    }


def learning(rng: np.random.Generator) -> dict[str, Call]:
    """Numbers: in rows, in columns, with gaps, weights, in few groups and in many."""
    x = rng.normal(size=(2048, 18))
    gaps = np.where(rng.random(x.shape) < 0.1, np.nan, x)
    plain, single, by_columns = x.copy(), x.astype(np.float32), np.asfortranarray(x)
    weight, shift = rng.random(len(x)), np.zeros(x.shape[1])
    found: dict[str, Call] = {}
    for n in (3, 40, 300):
        group = rng.integers(0, n, len(x)).astype(np.int32)
        found[f"group_moments {n} groups"] = moments(plain, group, None, shift, n)
    group = rng.integers(0, 3, len(x)).astype(np.int32)
    found["group_moments by columns"] = moments(by_columns, group, None, shift, 3)
    found["group_moments float32"] = moments(single, group, None, shift, 3)
    found["group_moments with gaps"] = moments(gaps, group, None, shift, 3)
    found["group_moments weighted"] = moments(plain, group, weight, shift, 3)
    found["group_sums"] = lambda: kernels.group_sums(plain, group, None, 3)
    found["group_sums weighted"] = lambda: kernels.group_sums(plain, group, weight, 3)
    return found


def moments(*arguments: Any) -> Call:
    return lambda: kernels.group_moments(*arguments)


def learning_codes(rng: np.random.Generator) -> dict[str, Call]:
    """Codes of few and of many values, and counts of words."""
    few = [rng.integers(-1, 4, 8192).astype(np.int8) for _ in range(4)]
    many = [rng.integers(0, 900, 8192).astype(np.int32) for _ in range(4)]
    group, weight = rng.integers(0, 3, 8192).astype(np.int32), rng.random(8192)
    sparse = np.arange(0, 8193, 8), rng.integers(0, 500, 8192), rng.random(8192)
    lines, rows = group[:1024], list(rng.integers(0, 4, (8192, 30)).astype(np.uint8).T)
    long = group.astype(np.int64)
    return {
        "group_weights": lambda: kernels.group_weights(group, None, 3),
        "small_codes": lambda: kernels.small_codes(long, 256),
        "count_codes few": lambda: kernels.count_codes(few, [4] * 4, group, None, 3),
        "count_codes many": lambda: kernels.count_codes(many, [900] * 4, group, None, 3),
        "count_codes rows": lambda: kernels.count_codes(rows, [4] * 30, group, None, 3),
        "count_codes weighted": lambda: kernels.count_codes(few, [4] * 4, group, weight, 3),
        "sparse_sums": lambda: kernels.sparse_sums(*sparse, lines, None, 3, 500),
    }


def scoring(rng: np.random.Generator) -> dict[str, Call]:
    """Every kind of factor, over three classes and over twenty."""
    x = rng.normal(size=(2048, 18))
    gaps = np.where(rng.random(x.shape) < 0.1, np.nan, x)
    codes = [rng.integers(-2, 5, 2048).astype(np.int8) for _ in range(18)]
    offsets = np.arange(19) * 5
    sparse = np.arange(0, 8193, 4), rng.integers(0, 500, 8192), rng.random(8192)
    found: dict[str, Call] = {}
    for n in (3, 20):
        found |= {f"{name} {n} classes": call for name, call in of_classes(
            rng, n, x, gaps, codes, offsets, sparse).items()}  # fmt: skip
    return found


def of_classes(
    rng: np.random.Generator, n: int, x: Any, gaps: Any, codes: Any, offsets: Any, sparse: Any
) -> dict[str, Call]:
    out = np.zeros((len(x), n))
    p, table = rng.random((3, n, x.shape[1])), rng.normal(size=(offsets[-1], n))
    eta = rng.normal(size=(n, 500))
    return {
        "prior_scores": lambda: kernels.prior_scores(p[0, :, 0].copy(), out),
        "gaussian_scores": lambda: kernels.gaussian_scores(x, *p, -1e10, out),
        "gaussian_scores with gaps": lambda: kernels.gaussian_scores(gaps, *p, -1e10, out),
        "linear_scores": lambda: kernels.linear_scores(x, p[0], p[1], out),
        "table_scores": lambda: kernels.table_scores(codes, table, offsets, out),
        "sparse_scores": lambda: kernels.sparse_scores(*sparse, eta, out),
    }


def deciding(rng: np.random.Generator) -> dict[str, Call]:
    scores = rng.normal(size=(4096, 5)) * 9
    return {
        "best_classes": lambda: kernels.best_classes(scores),
        "impossible_rows": lambda: kernels.impossible_rows(scores),
        "log_sum_exp": lambda: kernels.log_sum_exp(scores),
        "posterior": lambda: kernels.posterior(scores.copy()),
    }


def reading(rng: np.random.Generator) -> dict[str, Call]:
    x, texts = rng.normal(size=(4096, 8)), [b"value %d" % k for k in rng.integers(0, 300, 4096)]
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    data = np.frombuffer(b"".join(texts), np.uint8)
    views = np.zeros((4096, 4), "<i4")
    views[:, 0], views[:, 1] = 8, rng.integers(0, 300, 4096)
    shown = views.view(np.uint8).ravel()
    column, bits = x[:, 0].copy(), rng.integers(0, 256, 513).astype(np.uint8)
    room = np.empty_like(column)
    return {
        "any_infinite": lambda: kernels.any_infinite(x),
        "filled": lambda: kernels.filled(column, bits, 3, room),
        "outlines": lambda: kernels.outlines(x),
        "text_codes": lambda: kernels.text_codes(offsets, data, None),
        "view_codes": lambda: kernels.view_codes(shown, [], None),
    }


def single_rows(rng: np.random.Generator) -> dict[str, Call]:
    """A row that is answered, and one that is learned: a hundred times."""
    native, names = kernels.native, [f"x{j}" for j in range(8)]
    scorer = native.RowScorer(np.zeros(3), -1e9)
    for j, name in enumerate(names):
        scorer.add_gaussian(name, j, *rng.random((3, 3)))
    lines = [np.zeros((3, 8)) for _ in range(3)]
    learner = native.Learner(np.zeros(8), np.zeros(3), *lines)
    row, x = dict.fromkeys(names, 1.0), rng.normal(size=(1, 8))
    return {
        "RowScorer a dict": lambda: [scorer.best(row) for _ in range(100)],
        "RowScorer an array": lambda: [scorer.posterior(x) for _ in range(100)],
        "Learner": lambda: [learner.learn(x, [1]) for _ in range(100)],
    }


if __name__ == "__main__":
    main()
