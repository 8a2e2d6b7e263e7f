"""What every column adds to the log joint: the terms of a naive Bayes model, one by one.

    log P(c, x) = log P(c) + sum over columns of log p(x_j | c)

Each term is worked out by the column's own factor, so the terms are those that predict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from naively._typing import Label, Vector
from naively.data.coding import IsMissing, MissingIsValue, steps
from naively.data.column import Batch, Codes, Counts
from naively.data.domain import MISSING, Domain
from naively.errors import DataError
from naively.factors import Linear, Table
from naively.models.admission import Admitted, admitted
from naively.models.model import Model
from naively.models.scoring import Scored, batches_of, placed
from naively.models.structure import Place, design
from naively.statistics import Statistic, Sums

__all__ = ["Contribution", "contributions", "parts_by_column", "single_row"]


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """The log likelihoods of one column (or of a block that goes together) under every class."""

    columns: tuple[str, ...]
    values: tuple[Any, ...]
    log_likelihood: Vector
    note: str
    """Why it is no evidence, where it is none."""
    part: Scored
    statistic: Statistic | None = None
    """What was counted of the column, where it is one of labels."""

    @property
    def name(self) -> str:
        return ", ".join(self.columns)

    def counts(self, g: int) -> tuple[float, float] | None:
        """The counts behind a likelihood of labels, smoothed: n_gv + alpha and n_g + alpha K."""
        factor, alpha = self.part.factor, getattr(self.part.family, "alpha", None)
        coded = isinstance(factor, Table) and len(self.columns) == 1
        if self.statistic is None or not coded or not isinstance(alpha, (int, float)):
            return None
        counted = cast(Sums, self.statistic)
        (known,), (domain,) = counted.domains or (Domain(),), cast(Table, factor).domains
        code = known.code(self.values[0])
        n = float(counted.counts(0)[g, code]) if code >= 0 else 0.0
        whole = float(counted.n[g, 0]) + alpha * len(domain)
        share = (n + alpha) / whole if whole > 0 else math.nan
        same = math.isclose(share, math.exp(self.log_likelihood[g]), rel_tol=1e-9)
        return (n + alpha, whole) if same else None


def parts_by_column(model: Model) -> Iterator[Scored]:
    """The factors of a model, one for each column; blocks that go together stay whole."""
    for place in _places(model):
        yield placed(model.stats, place)


def _places(model: Model) -> Iterator[Place]:
    for place in design(model.schema)[1]:
        each = [(j,) for j in place.within] if place.family.separable else [place.within]
        for within in each:
            yield Place(place.term, within, place.family)


def single_row(model: Model, row: Any) -> Batch:
    """One row as the model reads it."""
    batches = [batch for batch in batches_of(model.schema, row) if batch.n_rows]
    rows = sum(batch.n_rows for batch in batches)
    if rows != 1:
        raise DataError(f"{rows:,} rows to explain", "one", "give them one by one")
    return batches[0]


def contributions(model: Model, row: Any) -> list[Contribution]:
    """Every column's log likelihoods of one row, in the order of the columns.

    >>> from naively.engines.one_pass import train
    >>> golf = {"wind": ["weak", "strong", "weak", "weak"], "play": ["yes", "no", "yes", "no"]}
    >>> (wind,) = contributions(train(golf, "play"), {"wind": "weak"})
    >>> np.exp(wind.log_likelihood)
    array([0.5 , 0.75])
    """
    batch = single_row(model, row)
    found = [one for place in _places(model) for one in _of_place(model, place, batch)]
    order = {name: i for i, name in enumerate(model.schema.names)}
    return sorted(_by_column(found), key=lambda one: order[one.columns[0]])


def _of_place(model: Model, place: Place, batch: Batch) -> list[Contribution]:
    """What a factor adds: as one, or by its columns where each adds to the score by itself."""
    part = placed(model.stats, place)
    given = admitted(part.term, batch, learning=False)
    plain = isinstance(part.factor, Linear) and part.factor.never_some is None
    if len(part.term.columns) > 1 and plain:
        return _of_counts(model, part, batch)
    return [_contribution(model, place, part, given, batch)]


def _of_counts(model: Model, part: Scored, batch: Batch) -> list[Contribution]:
    """x_j eta_gj - A_gj of every column that is there; words that do not occur are left out."""
    factor, names = cast(Linear, part.factor), part.term.columns
    values = [_value(model, batch, name) for name in names]
    scores = np.array([v or 0 for v in values]) * factor.eta - factor.a
    said = [j for j in range(len(names)) if np.ptp(scores[:, j]) > 0]
    return [Contribution((names[j],), (values[j],), scores[:, j], "", part) for j in said]


def _contribution(
    model: Model, place: Place, part: Scored, given: Admitted, batch: Batch
) -> Contribution:
    out = np.zeros((1, len(model.classes)))
    part.factor.score(given.block, out)
    measure = part.factor.log_measure(given.block) + given.log_measure
    out += np.asarray(measure).reshape(-1)[:1] if np.ndim(measure) else float(cast(float, measure))
    values = tuple(_value(model, batch, name) for name in part.term.columns)
    coded = isinstance(part.factor, Table)
    counted = model.stats.statistics[place.term].select(place.at) if coded else None
    note = _note(part, out[0], values, given)
    return Contribution(part.term.columns, values, out[0], note, part, counted)


def _by_column(found: list[Contribution]) -> list[Contribution]:
    """Terms of the same column under different codings are one."""
    known: dict[tuple[str, ...], Contribution] = {}
    for one in found:
        before = known.get(one.columns)
        if before is not None:
            both = before.log_likelihood + one.log_likelihood
            note = one.note and before.note
            one = Contribution(one.columns, one.values, both, note, one.part)
        known[one.columns] = one
    return list(known.values())


def _value(model: Model, batch: Batch, name: str) -> Any:
    """A cell as the table has it; None where it is missing."""
    block = batch.columns((name,))
    if isinstance(block, tuple):
        return block[0].labels()[0]
    cells = block.dense() if isinstance(block, Counts) else block.values
    number = float(cells[0, 0])
    if np.isnan(number):
        return None
    kind = model.schema[name].type
    if kind == "time":
        return str(np.datetime64(round(number), "s"))
    if kind == "boolean" and number in (0.0, 1.0):
        return bool(number)
    return int(number) if kind == "integer" and number.is_integer() else number


def _note(part: Scored, log: Vector, values: tuple[Label, ...], given: Any) -> str:
    """Why a column says nothing: its cell is missing, or its value was never seen."""
    told = any(isinstance(step, (IsMissing, MissingIsValue)) for step in steps(part.term.coding))
    if told or np.ptp(log) > 0:
        return ""
    if all(value is None for value in values):
        return "missing: no evidence"
    if given.left_out:
        return "cannot be: no evidence"
    if isinstance(part.factor, Table) and part.family.unseen == "ignore":
        column = cast("tuple[Codes, ...]", given.block)[0]
        code = int(column.codes[0])
        label = column.domain.labels[code] if code >= 0 else None
        unseen = code < MISSING or (code >= 0 and part.factor.domains[0].code(label) < 0)
        return "never seen: no evidence" if unseen else ""
    return ""
