"""Drawing rows from a model: the generative story, a class and then each column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from naively._typing import AnyArray, Indices
from naively.data.coding import steps
from naively.data.column import Codes, Real
from naively.data.schema import Column, Schema
from naively.models.scoring import Scored

__all__ = ["drawn_rows"]


def drawn_rows(
    schema: Schema, parts: Sequence[Scored], group: Indices, rng: np.random.Generator
) -> dict[str, Any]:
    """A value for every used column and drawn class."""
    values: dict[str, Any] = {}
    for part in sorted(parts, key=lambda part: not _decides(part)):
        block = part.factor.sample(group, rng)
        if part.term.coding is not None:
            block = part.term.coding.decode(block, rng)
        if isinstance(block, tuple):
            columns: Sequence[Codes] | AnyArray = block
        else:
            columns = cast(Real, block).values.T
        for name, drawn in zip(part.term.columns, columns, strict=True):
            values[name] = _filled(values.get(name), drawn)
    used = [column for column in schema if column.name in values]
    return {column.name: _typed(column, values[column.name]) for column in used}


def _decides(part: Scored) -> bool:
    return any(step.decisive for step in steps(part.term.coding))


def _filled(settled: Any, drawn: Codes | AnyArray) -> Any:
    """What was settled before, and the draw where nothing was."""
    if settled is None or isinstance(drawn, Codes):
        return drawn
    return np.where(np.isnan(settled), drawn, settled)


def _typed(column: Column, drawn: Codes | AnyArray) -> Any:
    """The drawn values in the column's own type; infinity stands for a drawn missing cell."""
    if isinstance(drawn, Codes):
        return drawn.labels()
    drawn = np.where(np.isinf(drawn), np.nan, drawn)
    if column.type == "boolean" and not np.isnan(drawn).any():
        return drawn > 0.5
    if column.type == "time":
        return (drawn * 1e6).astype("datetime64[us]")
    return drawn
