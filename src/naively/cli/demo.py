"""`naively demo`: the whole way from a file to one answer, on the Titanic's passengers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

__all__ = ["demo"]

CHOICES = {"boat": "ignore", "body": "ignore", "fare": "ignore"}
"""The lifeboat and the body's number give the outcome away; a fare is the price of its class.

Fare and class in one product would count the same evidence twice.
"""

PASSENGER = {
    "pclass": 3,
    "sex": "female",
    "age": 22,
    "sibsp": 0,
    "parch": 0,
    "embarked": "Q",
}


@click.command()
def demo() -> None:
    """Learn who survived the Titanic, and answer for one passenger."""
    from naively.data.source import read
    from naively.engines.one_pass import train

    source = read(example("titanic3.csv"))
    table = {name: list(source.column(name)) for name in source.names}
    held_out = np.arange(len(table["survived"])) % 5 == 0
    model = train(_rows(table, ~held_out), "survived", columns=CHOICES)
    click.echo(model.schema)
    test = _rows(table, held_out)
    posterior = model.posterior(test)
    truth = model.classes.encode(test["survived"])
    right = (posterior.argmax(axis=1) == truth).mean()
    loss = -np.log(posterior[np.arange(len(truth)), truth]).mean()
    click.echo(
        f"\nlearned {model.stats.rows:,} passengers, tested on {len(truth):,} others: "
        f"accuracy {right:.3f}, log loss {loss:.3f}\n"
    )
    nobody = {name: None for name in model.schema.names if name not in PASSENGER}
    ((died, survived),) = model.posterior({**PASSENGER, **nobody})
    shown = ", ".join(f"{name} {value}" for name, value in PASSENGER.items())
    click.echo(f"a passenger: {shown}\nP(survived) = {survived:.3f}, P(died) = {died:.3f}")


def example(name: str) -> Path:
    """A bundled example: installed beside the package, or in a checkout's examples/."""
    places = (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples")
    return next((place / name for place in places if (place / name).is_file()), places[0] / name)


def _rows(table: dict[str, list[Any]], keep: Any) -> dict[str, list[Any]]:
    at = np.flatnonzero(keep).tolist()
    return {name: [values[i] for i in at] for name, values in table.items()}
