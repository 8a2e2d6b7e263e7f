"""NAME=VALUE,... as it is typed: names with a comma stand in quotes, as in a CSV file."""

from __future__ import annotations

import csv

import click

__all__ = ["pairs_of"]


def pairs_of(text: str, what: str, form: str, kind: str) -> dict[str, str]:
    """Values by name; `what` is where they were typed, `form` what was expected of each pair.

    >>> pairs_of('age=gaussian, "a=b, c"=ignore', "--columns", "NAME=FAMILY", "family")
    {'age': 'gaussian', 'a=b, c': 'ignore'}
    """
    found: dict[str, str] = {}
    for pair in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, value = (part.strip() for part in pair.rpartition("="))
        if not (name and equals and value):
            raise click.UsageError(f"{what} has {pair.strip()!r}; expected {form}")
        if name in found:
            raise click.UsageError(f"{what} names {name!r} twice; expected one {kind} for it")
        found[name] = value
    return found
