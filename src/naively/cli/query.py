"""`naively query`: ask a table for probabilities."""

from __future__ import annotations

import json
import re
from typing import Any

import click

from naively.cli.reading import reading, source_of

__all__ = ["query"]


@click.command()
@click.argument("source")
@click.argument("questions", nargs=-1, required=True)
@click.option("--p", metavar="COLUMN", help="The column of stated probabilities, one an outcome.")
@click.option("--normalize", is_flag=True, help="Divide stated probabilities by their sum.")
@click.option("--weights", metavar="COLUMN", help="A column of weights of the rows.")
@click.option("--explain", "-e", is_flag=True, help="Show how every answer comes about.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a question, for machines.")
@reading
def query(
    source: str,
    questions: tuple[str, ...],
    p: str | None,
    normalize: bool,
    weights: str | None,
    explain: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Answer QUESTIONS such as "P(vote=yes | college=no)" from the rows of SOURCE.

    Rows are counted; with --p they are outcomes with stated probabilities. Conditions are
    joined by , and or not; = != < <= > >= and in {a, b} compare; vote=? asks for the
    probability of every value; names and values of several words stand in quotes.
    """
    from naively.probability.asking import rows_without
    from naively.probability.joint import Joint

    if p is not None and weights is not None:
        raise click.UsageError("--p beside --weights; expected one of the two")
    if normalize and p is None:
        raise click.UsageError("--normalize without --p; expected a column of probabilities")
    table = source_of(source, options)
    joint = (
        Joint.from_rows(table, weights)
        if p is None
        else Joint.from_table(table, p, normalize=normalize)
    )
    unit = "rows" if weights is None else "by weight"
    show = _as_json if as_json else _explained if explain else _plain
    for text in questions:
        click.echo(show(text, joint.P(text), unit))
        quiet = as_json or p is not None
        for name, n in {} if quiet else rows_without(joint, text).items():
            which = f"{name} is missing in {n:,} of {joint.whole:,} rows"
            click.echo(f"note: {which}, which have none of its values", err=True)


def _plain(text: str, answer: Any, unit: str) -> str:
    """The question and its answer, with the rows that it was counted from."""
    from naively.derivation.exact import counted
    from naively.probability.answer import Distribution

    inside = text.strip()
    wrapped = inside if re.match(r"(P|p|Pr)\s*\(", inside) else f"P({inside})"
    if isinstance(answer, Distribution):
        return f"{wrapped}\n{answer!r}"
    counts = "" if answer.n is None else f" ({counted(answer.n)} of {counted(answer.of)} {unit})"
    return f"{wrapped} = {answer!r}{counts}"


def _explained(text: str, answer: Any, unit: str) -> str:
    from naively.probability.answer import Distribution

    if isinstance(answer, Distribution):
        return "\n\n".join(p.derivation.text for p in answer.values())
    return str(answer.derivation)


def _as_json(text: str, answer: Any, unit: str) -> str:
    from naively.probability.answer import Distribution

    if not isinstance(answer, Distribution):
        return json.dumps({"question": text, **_numbers(answer)}, ensure_ascii=False)
    several = len(answer.names) > 1
    rows = [
        {**dict(zip(answer.names, key if several else (key,), strict=True)), **_numbers(p)}
        for key, p in answer.items()
    ]
    return json.dumps({"question": text, "distribution": rows}, ensure_ascii=False, default=str)


def _numbers(p: Any) -> dict[str, Any]:
    found = {"p": float(p), "exact": None if p.exact is None else str(p.exact)}
    return found if p.n is None else {**found, "n": _plain_number(p.n), "of": _plain_number(p.of)}


def _plain_number(n: Any) -> int | float:
    return int(n) if n == int(n) else float(n)
