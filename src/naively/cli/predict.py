"""`naively predict`: answer for every row of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from naively.cli.place import check_output
from naively.cli.reading import reading, source_of

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
@reading
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def predict(model: Path, source: str, output: Path | None, force: bool, **options: Any) -> None:
    """The prediction of MODEL and the probability of each class for every row of SOURCE."""
    from naively.data.output import WRITERS, write_rows
    from naively.engines.local import answers
    from naively.models.model import Model

    if output is not None:
        check_output(output, force, [source, model], WRITERS)
    table = source_of(source, options)
    write_rows(answers(Model.load(model), table), output)
