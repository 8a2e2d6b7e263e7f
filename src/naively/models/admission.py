"""Which cells of a batch a term can use.

A value that a family cannot have is an error where a model learns; where it predicts, the
cell counts as one that was never seen: no evidence, or an error again with unseen="error".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from naively._typing import Flags, Vector
from naively.data.coding import steps
from naively.data.column import Batch, Block, Counts, Real
from naively.data.support import Support
from naively.errors import DataError
from naively.families.registry import counting, derived
from naively.models.structure import Term

__all__ = ["IGNORE_IT", "Admitted", "admitted"]


IGNORE_IT = "mend the cell, or let it be no evidence with unseen='ignore'"
"""What to do about a value that training never saw, where such are refused."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A term's block, coded; the cells left out of it, and the log measure of its coding."""

    block: Block
    left_out: int
    log_measure: Vector | float


def admitted(term: Term, batch: Batch, *, learning: bool, strict: bool = False) -> Admitted:
    """The part of a batch that a term can use; `strict` refuses what else is left out.

    >>> batch = Batch(2, blocks=(Real(np.array([[1.0], [-1.0]]), ("x",)),))
    >>> admitted(Term("poisson", ("x",)), batch, learning=False).block.values.ravel()
    array([ 1., nan])
    """
    block, left_out = batch.columns(term.columns), 0
    measure: Vector | float = 0.0
    path = steps(term.coding)
    supports = [*(step.support for step in path), counting(term.kind).support]
    for step, support in zip((*path, None), supports, strict=True):
        flags = None if support is None else _outside(block, support)
        if support is not None and flags is not None and flags.any():
            if learning or strict:
                fix = f"choose another family, such as {support.instead}" if learning else IGNORE_IT
                raise _refusal(term, batch, flags, support, fix)
            left_out += int(flags.sum())
            block = _without(block, flags)
        if step is not None:
            measure = 0.0 if learning else measure + step.log_measure(block)
            block = step.encode(block)
    return Admitted(block, left_out, measure)


def _outside(block: Block, support: Support) -> Flags | None:
    if isinstance(block, Real):
        return support.outside(block.values)
    return support.outside(block.data) if isinstance(block, Counts) else None


def _without(block: Block, flags: Flags) -> Block:
    """The block with the flagged cells missing."""
    if isinstance(block, Real):
        return Real(np.where(flags, np.nan, block.values), block.names)
    if isinstance(block, Counts):
        return replace(block, data=np.where(flags, 0.0, block.data))
    return block


def _refusal(term: Term, batch: Batch, flags: Flags, support: Support, fix: str) -> DataError:
    """The first cell that cannot be, by column, row and value as the user gave it."""
    raw = batch.columns(term.columns)
    if isinstance(raw, Counts):
        cell = int(np.flatnonzero(flags)[0])
        row, name = int(raw.row_of_cell()[cell]), raw.names[int(raw.indices[cell])]
        value = raw.data[cell]
    else:
        row, column = map(int, np.argwhere(flags)[0])
        value, name = raw.values[row, column], term.columns[column]  # type: ignore[union-attr]
    number = batch.row_of(row)
    found = f"column {name!r}, row {number:,}: {value:g} has no {_said(term)} likelihood"
    return DataError(found, support.says, fix).at(number, name)


def _said(term: Term) -> str:
    """The term's kind as its user would name it."""
    told = derived(term.kind, steps(term.coding))
    return term.kind if told is None else told[0].name
