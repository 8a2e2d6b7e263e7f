"""`naively fit`: learn a model from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naively.cli.pairs import pairs_of
from naively.cli.place import check_output
from naively.cli.reading import reading, source_of

__all__ = ["fit"]


@click.command()
@click.argument("source")
@click.option("--target", "-t", required=True, help="The column to predict.")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="The model file to write.",
)
@click.option(
    "--columns",
    default="",
    metavar="NAME=FAMILY,...",
    help="Families for some columns, such as age=gaussian,ticket=ignore. "
    'A name with a comma stands in quotes: "a, b"=gaussian.',
)
@click.option("--weights", help="A column of weights.")
@click.option(
    "--prior",
    default="counted",
    show_default=True,
    type=click.Choice(["counted", "smoothed", "uniform"]),
    help="The class prior.",
)
@reading
@click.option("--force", is_flag=True, help="Overwrite the model file.")
@click.option("--quiet", "-q", is_flag=True, help="Do not show the schema.")
def fit(
    source: str,
    target: str,
    output: Path,
    columns: str,
    weights: str | None,
    prior: str,
    force: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn a model from SOURCE: a CSV, TSV, Parquet or JSON lines file, or duckdb:SELECT ..."""
    from naively.engines.one_pass import train
    from naively.persist import save

    check_output(output, force, [source])
    choices = pairs_of(columns, "--columns", "NAME=FAMILY", "family")
    table = source_of(source, options)
    model = train(table, target, columns=choices or None, weight=weights, prior=prior)
    save(model, output)
    if not quiet:
        click.echo(str(model.schema))
    click.echo(f"learned {model.stats.rows:,} rows; wrote {output}", err=True)
