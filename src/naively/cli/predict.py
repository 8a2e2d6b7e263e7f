"""`naively predict`: answer for every row of a table."""

from __future__ import annotations

from pathlib import Path

import click

from naively.cli.place import check_output

__all__ = ["predict"]


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("source")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="A .csv, .parquet or .jsonl file; CSV on stdout without it.",
)
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def predict(model: Path, source: str, output: Path | None, force: bool) -> None:
    """The prediction of MODEL and the probability of each class for every row of SOURCE."""
    from naively.data.output import WRITERS, write_rows
    from naively.engines.local import answers
    from naively.models.model import Model

    if output is not None:
        check_output(output, force, WRITERS)
    write_rows(answers(Model.load(model), source), output)
