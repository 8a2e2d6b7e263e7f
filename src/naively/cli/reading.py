"""How a source of text is to be read: the options that every verb with a SOURCE has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["NAMES", "reading", "source_of"]

OPTIONS = (
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        help="A text that stands for a missing cell, once for each; without it, '' and '?'.",
    ),
    click.option("--delimiter", metavar="MARK", help="What stands between cells."),
    click.option("--header/--no-header", default=None, help="Whether the first line has names."),
    click.option("--decimal", metavar="MARK", help="The decimal mark: a point or a comma."),
    click.option("--encoding", metavar="NAME", help="The encoding of the text, such as latin-1."),
    click.option("--comment", metavar="MARK", help="What begins a comment; without it, nothing."),
    click.option("--dates", metavar="FORMAT", help="How days are written, such as %d/%m/%Y."),
)
"""The same words as those of `naively.read`."""
NAMES = ("missing", "delimiter", "header", "decimal", "encoding", "comment", "dates")


def reading(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb that takes these options."""
    for option in reversed(OPTIONS):
        verb = option(verb)
    return verb


def source_of(path: str, options: dict[str, Any]) -> Any:
    """The source of a path under the options that were given."""
    from naively.data.source import read

    if path == "-":
        raise click.UsageError("SOURCE is standard input; expected a file, which can be read twice")
    given = {name: options[name] for name in NAMES if options[name] not in (None, ())}
    if "delimiter" in given:
        given["delimiter"] = given["delimiter"].replace("\\t", "\t")
    if "missing" in given:
        given["missing"] = list(given["missing"])
    return read(path, **given)
