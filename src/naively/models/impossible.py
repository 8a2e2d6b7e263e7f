"""Evidence that is impossible under every class: 0 / 0, said in words.

It can only arise without smoothing: with alpha = 0, or from a point mass.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from naively._typing import AnyArray, Flags
from naively.data.column import Batch
from naively.errors import ImpossibleEvidence, NaivelyWarning
from naively.models.admission import admitted
from naively.models.scoring import batches_of

if TYPE_CHECKING:
    from naively.models.model import Model

__all__ = ["refusal", "warn"]


def warn(rows: int, *, left_empty: bool = False) -> None:
    """The class prior answers for impossible rows, or nothing does: said once a call."""
    answer = "their answers are left empty" if left_empty else "they are given the class prior"
    warnings.warn(
        f"{rows:,} rows are impossible under every class: {answer}", NaivelyWarning, stacklevel=4
    )


def refusal(model: Model, x: Any, rows: Flags) -> ImpossibleEvidence:
    """The error for impossible rows, with their number, the first of them and the columns."""
    at = np.flatnonzero(rows)
    names = _columns(model, x, int(at[0]))
    first = x.start if isinstance(x, Batch) else 0
    shown = ", ".join(str(first + row) for row in at[:5]) + (", ..." if len(at) > 5 else "")
    return ImpossibleEvidence(
        "the evidence is impossible under this model: every class has likelihood 0 "
        f"({len(at):,} rows, first {shown}; columns {', '.join(map(repr, names))})",
        "rows that some class could have",
        "smooth with alpha > 0, or answer with the prior by impossible='prior'",
    )


def _columns(model: Model, x: Any, row: int) -> list[str]:
    """The columns that rule out a class in a row."""
    batch = _row(model, x, row)
    if batch is None:
        return []
    names: list[str] = []
    for part in model.parts:
        block, _ = admitted(part.term, batch, learning=False)
        out: AnyArray = np.zeros((1, len(model.classes)))
        part.factor.score(block, out)
        if np.isneginf(out).any():
            names.extend(part.term.columns)
    return names[:10]


def _row(model: Model, x: Any, row: int) -> Batch | None:
    """One row of a source, where it can be read again."""
    seen = 0
    for batch in batches_of(model.schema, model.stats, x):
        if seen <= row < seen + batch.n_rows:
            return batch.rows(np.array([row - seen]))
        seen += batch.n_rows
    return None
