"""The page of the documentation that shows the results: python bench/page.py."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from run import shown

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
CHART = HERE.parent / "docs" / "benchmarks.svg"

HEAD = """# Benchmarks

Made from `bench/results/` by `python bench/page.py`; `make bench` measures anew, `make
bench-quick` in a minute on smaller data. Each question is a file of `bench/`. Contenders run in
turns in one process, and the best of at least five turns counts. Peers have one thread; ours are
set contest by contest. What counts is the ratio: how many times as fast we are as the peer, in the
same run on the same data. Beside it stands what we want to reach, and whether it is; a stretch is
what nobody has reached yet.

![Ratios against peers, on a logarithmic scale](benchmarks.svg)
"""
WIDTH, LINE, LEFT = 860, 22, 470
"""Pixels of the chart, of a line of it, and of the names at its left."""


def main() -> None:
    found = [json.loads(path.read_text()) for path in sorted((HERE / "results").glob("*.json"))]
    PAGE.write_text("\n".join([HEAD, *map(section, found)]) + "\n")
    CHART.write_text(chart([bar for one in found for bar in bars(one)]))


def section(known: dict[str, Any]) -> str:
    lines = [f"## {known['question']}", ""]
    for result in known["results"]:
        lines += list(amounts(result)) if "amount" in result else list(contest(result))
    return "\n".join([*lines, machine(known)])


def amounts(result: dict[str, Any]) -> Iterator[str]:
    yield f"- {result['job']}: {result['amount']:.3g} (at most {result['most']:g})"


def contest(result: dict[str, Any]) -> Iterator[str]:
    yield f"\n**{result['job']}**\n"
    yield "| contender | best time |\n|---|---:|"
    for who, seconds in result["seconds"].items():
        yield f"| {who} | {shown(seconds)} |"
    if result["ratios"]:
        yield "\n| ours | against | ratio | wanted | |\n|---|---|---:|---:|---|"
    for one in result["ratios"]:
        held = "reached" if one["measured"] >= one["ratio"] else "not reached"
        wanted = f"{one['ratio']:.3g}" + (" (stretch)" if one["stretch"] else "")
        yield f"| {one['ours']} | {one['peer']} | {one['measured']:.3g} | {wanted} | {held} |"


def machine(known: dict[str, Any]) -> str:
    of = known["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in of["versions"].items())
    return (
        f"\nMeasured on {of['processor']}, {of['cores']} cores, Python {of['python']}, "
        f"commit {of['commit']}; {versions}."
    )


def bars(known: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """A name and a ratio for every peer that is not one of ours."""
    for result in known["results"]:
        for one in result["ratios"]:
            ours = {name for name in result.get("seconds", {}) if name.startswith("naively")}
            if one["peer"] and one["peer"] not in ours and not one["stretch"]:
                yield f"{result['job']}: {one['ours']} / {one['peer']}", one["measured"]


def chart(found: list[tuple[str, float]]) -> str:
    """Bars from 1 to the right where we are faster, on a logarithmic scale."""
    most = max(2.0, *(abs(math.log10(ratio)) for _, ratio in found))
    unit = (WIDTH - LEFT - 90) / most
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
        f'height="{LINE * len(found) + 10}" font-family="sans-serif" font-size="11">'
    ]
    for i, (name, ratio) in enumerate(found):
        y, length = LINE * i + 4, abs(math.log10(ratio)) * unit
        color = "#4878a8" if ratio >= 1 else "#b85450"
        lines.append(f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{_cut(name)}</text>')
        lines.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="15" fill="{color}"/>')
        lines.append(f'<text x="{LEFT + length + 5:.1f}" y="{y + 12}">{ratio:.3g}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _cut(name: str) -> str:
    plain = name.replace("&", "&amp;").replace("<", "&lt;")
    return plain if len(plain) <= 80 else plain[:77] + "..."


if __name__ == "__main__":
    main()
