"""Where a verb may write: decided before it does any work."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

import click

from naively.data.output import check_place

__all__ = ["check_output"]


def check_output(
    path: Path, force: bool, inputs: Iterable[str | Path], endings: Iterable[str] = ()
) -> None:
    """Refuse to overwrite unless forced, and inputs even then; other endings; what is no file."""
    known = tuple(endings)
    if known and path.suffix.lower() not in known:
        endings = ", ".join(known)
        raise click.UsageError(f"output to {path.name!r}; expected a name that ends in {endings}")
    check_place(path)
    for one in inputs:
        if any(_is_same(path, file) for file in (str(one), *glob.glob(str(one), recursive=True))):
            raise click.UsageError(f"{path} is read as well; expected another name for the output")
    if path.exists() and not force:
        raise click.UsageError(f"{path} exists; overwrite it with --force, or choose another name")


def _is_same(path: Path, other: str) -> bool:
    """Whether both are one file, however they are named."""
    try:
        return os.path.samefile(path, os.path.expanduser(other))
    except (OSError, ValueError):
        return False
