"""Scoring: the sum of the factors over a batch, and which cells were no evidence."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from naively import kernels
from naively._typing import Matrix, Vector
from naively.data.casting import refuse_infinite
from naively.data.column import Batch, Block, Codes, Real
from naively.data.domain import UNSEEN
from naively.data.odd import short
from naively.data.schema import Schema
from naively.data.source import read
from naively.errors import DataError, UnseenWarning
from naively.factors import Factor, Quadratic, Table
from naively.factors.far import FARTHEST
from naively.families.base import Degenerate, Family
from naively.models.admission import IGNORE_IT, admitted
from naively.models.stats import Stats
from naively.models.structure import Place, Term

__all__ = ["Scored", "Unseen", "batches_of", "joint", "placed", "scores"]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One factor and the columns that it scores."""

    term: Term
    factor: Factor
    family: Family


@dataclass(slots=True)
class Unseen:
    """How many cells of each column had a value that training never saw."""

    cells: Counter[str] = field(default_factory=Counter)

    def warn(self, rows: int) -> None:
        """One warning for all of them."""
        if not self.cells:
            return
        shown = ", ".join(f"{name!r}: {count:,}" for name, count in self.cells.most_common(5))
        more = ", ..." if len(self.cells) > 5 else ""
        warnings.warn(
            f"values never seen in training count as no evidence ({shown}{more}; {rows:,} rows)",
            UnseenWarning,
            stacklevel=4,
        )


def batches_of(schema: Schema, x: Any) -> Iterator[Batch]:
    """The rows of x as a model reads them: in its types."""
    if isinstance(x, Batch):
        return iter((x,))
    return read(x).batches(schema, learning=False)


def placed(stats: Stats, place: Place) -> Scored:
    """The factor of some columns of a term under their family's prior."""
    term, statistic = stats.structure.terms[place.term], stats.statistics[place.term]
    if len(place.within) < len(term.columns):
        term = replace(term, columns=tuple(term.columns[j] for j in place.within))
        statistic = statistic.select(place.at)
    try:
        return Scored(term, place.family.factor(statistic), place.family)
    except Degenerate as failure:
        where = f"column {term.columns[failure.column]!r} {failure.reason}"
        if failure.group is not None:
            where += f" in class {stats.classes.labels[failure.group]!r}"
        raise DataError(
            where, f"data that the {place.family.name} family can be estimated from", failure.fix
        ) from None


def scores(
    parts: tuple[Scored, ...], batch: Batch, out: Matrix, unseen: Unseen, *, measure: bool = False
) -> Vector | None:
    """Add every factor's scores to `out`; with `measure` also return the log measure by row.

    The measure is the part of the log likelihood that no class changes.
    """
    total = np.zeros(batch.n_rows) if measure else None
    for part in parts:
        strict = part.family.unseen == "error"
        given = admitted(part.term, batch, learning=False, strict=strict)
        block = given.block
        if given.left_out:
            unseen.cells[", ".join(part.term.columns[:3])] += given.left_out
        if isinstance(part.factor, Table):
            _count_unseen(part, part.factor.score_seen(block, out), batch, unseen)
        elif isinstance(part.factor, Quadratic):
            _score_numbers(part, part.factor, block, batch, out)
        else:
            part.factor.score(block, out)
        if total is not None:
            with np.errstate(over="ignore"):  # `joint` says where far out ends
                total += part.factor.log_measure(block) + given.log_measure
    return total


def joint(
    log_prior: Vector,
    parts: tuple[Scored, ...],
    batch: Batch,
    unseen: Unseen,
    *,
    measure: bool = False,
    out: Matrix | None = None,
) -> Matrix:
    """log P(c, x) of a batch; without `measure` up to what no class changes."""
    if out is None:
        out = np.empty((batch.n_rows, len(log_prior)))
    kernels.prior_scores(log_prior, out)
    extra = scores(parts, batch, out, unseen, measure=measure)
    if extra is not None:
        out += np.maximum(extra, -0.5 * FARTHEST)[:, None]
    return out


def _score_numbers(
    part: Scored, factor: Quadratic, block: Block, batch: Batch, out: Matrix
) -> None:
    """Add the scores of numbers; an infinite one is looked for where it ends up, far out."""
    far = factor.score_near(block, out)
    if len(far) and part.term.coding is None:
        values = cast(Real, block).values[far]
        refuse_infinite(values, part.term.columns, lambda i: batch.row_of(int(far[i])))
    factor.score_far(block, far, out)


def _count_unseen(part: Scored, counts: list[int], batch: Batch, unseen: Unseen) -> None:
    policy = part.family.unseen
    for j, (name, n) in enumerate(zip(part.term.columns, counts, strict=True)):
        if n and policy == "error":
            raise _refusal(part, j, name, batch)
        if n and policy == "ignore":
            unseen.cells[name] += n


def _refusal(part: Scored, j: int, name: str, batch: Batch) -> DataError:
    """The error for the first cell of a column whose value training never saw."""
    known = cast(Table, part.factor).domains[j]
    column = cast("tuple[Codes, ...]", admitted(part.term, batch, learning=False).block)[j]
    at = int(np.argmax(column.recoded(known).codes == UNSEEN))
    code, row = int(column.codes[at]), batch.row_of(at)
    value = short(column.domain.labels[code]) if code >= 0 else "a value"
    shown = ", ".join(map(repr, known.labels[:10]))
    found = f"column {name!r}, row {row:,}: {value}, which training never saw"
    fix = f"{IGNORE_IT}, or keep a bucket for such with 'reserve'"
    return DataError(found, f"one of {shown}", fix).at(row, name)
