"""Evidence that is impossible under every class: 0 / 0, said in words.

It can only arise without smoothing: with alpha = 0, or from a point mass.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from naively import bayes, kernels
from naively._typing import AnyArray, Indices, Matrix, Vector
from naively.data.column import Batch
from naively.errors import ImpossibleEvidence, NaivelyWarning
from naively.models.admission import admitted
from naively.models.scoring import Scored

__all__ = ["Impossible", "warn"]

SHOWN = 5
"""How many rows the error names."""


def warn(rows: int, *, left_empty: bool = False) -> None:
    """The class prior answers for impossible rows, or nothing does: said once a call."""
    answer = "their answers are left empty" if left_empty else "they are given the class prior"
    warnings.warn(
        f"{rows:,} rows are impossible under every class: {answer}", NaivelyWarning, stacklevel=4
    )


@dataclass(slots=True)
class Impossible:
    """The impossible rows of one call: how many, the first of them, and one to look into."""

    rows: list[int] = field(default_factory=list)
    count: int = 0
    first: Batch | None = None

    def take(self, batch: Batch, scores: Matrix, log_prior: Vector) -> Indices:
        """Remember the impossible rows of a batch, whose scores become the prior's."""
        at = kernels.impossible_rows(scores)
        if len(at):
            self._note(batch, at)
            scores[at] = log_prior
        return at

    def posterior(self, batch: Batch, scores: Matrix, log_prior: Vector) -> Matrix:
        """The posteriors of a batch in the place of its scores: the prior for impossible rows."""
        at = kernels.posterior(scores)
        if len(at):
            self._note(batch, at)
            scores[at] = bayes.posterior(log_prior[None].copy())
        return scores

    def _note(self, batch: Batch, at: Indices) -> None:
        self.count += len(at)
        self.rows.extend(batch.row_of(int(row)) for row in at[: SHOWN - len(self.rows)])
        if self.first is None:
            self.first = batch.rows(at[:1])

    def refusal(self, parts: tuple[Scored, ...], n_classes: int) -> ImpossibleEvidence:
        """The error, with the columns that rule a class out in the first row."""
        shown = ", ".join(map(str, self.rows)) + (", ..." if self.count > len(self.rows) else "")
        names = ", ".join(map(repr, self._columns(parts, n_classes)))
        return ImpossibleEvidence(
            "the evidence is impossible under this model: every class has likelihood 0 "
            f"({self.count:,} rows, first {shown}; columns {names})",
            "rows that some class could have",
            "smooth with alpha > 0, or answer with the prior by impossible='prior'",
        )

    def _columns(self, parts: tuple[Scored, ...], n_classes: int) -> list[str]:
        names: list[str] = []
        for part in parts if self.first is not None else ():
            out: AnyArray = np.zeros((1, n_classes))
            block = admitted(part.term, cast(Batch, self.first), learning=False).block
            part.factor.score(block, out)
            if np.isneginf(out).any():
                names.extend(part.term.columns)
        return names[:10]
