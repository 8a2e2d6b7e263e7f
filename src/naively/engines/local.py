"""The local engine: batches in, statistics out, in one pass and bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from naively import bayes, kernels
from naively._typing import AnyArray, Indices
from naively.data.column import Batch
from naively.data.domain import Domain
from naively.data.schema import Column, Schema
from naively.data.source import Source
from naively.errors import DataError
from naively.families.choice import chosen
from naively.families.registry import resolve
from naively.models.impossible import Impossible, warn
from naively.models.model import Model
from naively.models.scoring import Unseen, batches_of, joint
from naively.models.stats import Stats
from naively.models.structure import Structure, design
from naively.statistics import Moments, Sample
from naively.statistics.sample import CAP

__all__ = [
    "answers",
    "fold",
    "learn",
    "learn_whole",
    "refuse_incomplete",
    "schema_from",
    "schema_of",
    "told",
]

SETTLING = 1_000_000
"""How many cells of a column decide its bins, at most."""


def fold(
    structure: Structure,
    batches: Iterable[Batch],
    target: Any = None,
    classes: Domain | None = None,
) -> Stats:
    """The sum of the statistics of all batches; they remember the name of the target."""
    total: Stats | None = None
    for batch in batches:
        if batch.n_rows:
            part = Stats.of(structure, batch, classes)
            total = part if total is None else total + part
    if total is None:
        raise DataError("no row with a weight above 0", "at least one")
    return replace(total, target=target if isinstance(target, str) else None)


def schema_of(
    source: Source, target: Any, weight: Any = None, columns: object = None, **defaults: Any
) -> Schema:
    """The schema of a source: inferred, with the user's choices, and its bins settled."""
    inferred = source.inferred(weight, habit=_is_habitual(source, columns))
    return _settled(source, schema_from(source, inferred, target, columns, **defaults), weight)


def _is_habitual(source: Source, columns: object) -> bool:
    """Whether the families need no look at the values: an array of floats has one for all."""
    if not source.floats or isinstance(columns, (Mapping, Schema)):
        return False
    family = resolve("gaussian" if columns is None else columns)
    return family is not None and family.form == "real" and family.is_settled


def schema_from(
    source: Source, schema: Schema, target: Any, columns: object = None, **defaults: Any
) -> Schema:
    """What inference proposed, changed by what the user chose, the target set apart."""
    if isinstance(target, str):
        schema = schema.with_target(target)
        _refuse_amounts(schema)
    schema = chosen(schema, columns, **defaults)
    if all(column.family is None for column in schema):
        whys = "; ".join(f"{column.name!r}: {column.why}" for column in schema.columns[:3])
        raise DataError(
            f"no column of {source.description} can be used ({whys})",
            "a column of labels or numbers",
            "see print(naively.read(...).schema), and choose families with columns=",
        )
    return schema


def _refuse_amounts(schema: Schema) -> None:
    """Fractions are no classes."""
    target = schema.target
    if target is not None and target.type == "number":
        raise DataError(
            f"the target {target.name!r} is continuous (such as {target.example!r})",
            "a column of labels",
            "cut it into classes first",
        )


def learn(
    source: Source, schema: Schema, target: Any, weight: Any = None, classes: Domain | None = None
) -> Stats:
    """The statistics of a source under a schema; `classes` declares the only ones allowed."""
    structure, _ = design(schema)
    batches = source.batches(schema, target=target, weight=weight, classes=classes)
    return seen_in(source, schema, fold(structure, batches, target, classes).pruned(classes))


def seen_in(source: Source, schema: Schema, stats: Stats) -> Stats:
    """The statistics with the columns of the table that they were counted in."""
    return replace(stats, columns=schema.names, named=source.named)


def learn_whole(source: Source, schema: Schema, target: Any, weight: Any = None) -> Stats:
    """The statistics of a table that is all there is to learn from."""
    stats = learn(source, schema, target, weight)
    refuse_incomplete(stats)
    return stats


def told(schema: Schema, stats: Stats) -> Schema:
    """The schema, which says of a kernel density that it keeps only some of the values."""
    changed: dict[str, Column] = {}
    for term, statistic in zip(stats.structure.terms, stats.statistics, strict=True):
        if isinstance(statistic, Sample) and statistic.capped:
            kept = zip(term.columns, statistic.points, strict=True)
            changed |= {n: _capped(schema[n]) for n, points in kept if len(points) == CAP}
    return schema.with_columns(changed) if changed else schema


def _capped(column: Column) -> Column:
    distinct = column.distinct or 0
    share = f"{CAP:,} of {distinct:,}" if distinct > CAP else f"only {CAP:,}"
    note = f"kernel density: {share} values kept"
    return (
        column if "kernel density:" in column.why else replace(column, why=f"{column.why}; {note}")
    )


def refuse_incomplete(stats: Stats) -> None:
    """A block of which no row is complete says nothing."""
    for term, statistic in zip(stats.structure.terms, stats.statistics, strict=True):
        if isinstance(statistic, Moments) and statistic.joint and not statistic.n.any():
            raise DataError(
                f"no row is complete in the block {', '.join(term.columns)}",
                "rows that have a cell in each of its columns",
                "leave out what is hardly ever there, or use covariance='diagonal'",
            )


def answers(model: Model, x: Any) -> Iterator[dict[str, AnyArray]]:
    """The prediction and the posterior of every row, a batch at a time.

    What is odd is said once, at the end. Rows that no class could have are left empty, with
    the status "impossible", since a file that is half written helps nobody;
    `impossible="prior"` answers them.
    """
    labels, unseen = model.classes.array(), Unseen()
    names = [f"p_{label}" for label in labels.tolist()]
    rows, odd = 0, Impossible()
    for batch in batches_of(model.schema, x):
        scores = joint(model.log_prior, model.parts, batch, unseen)
        at = odd.take(batch, scores, model.log_prior)
        rows += batch.n_rows
        best = labels[kernels.best_classes(scores)]
        columns = zip(("prediction", *names), (best, *bayes.posterior(scores).T), strict=True)
        hidden = at if model.impossible == "raise" else at[:0]
        status = np.full(batch.n_rows, "ok", dtype="<U10")
        status[at] = "impossible"
        yield {**{n: _hidden(v, hidden) for n, v in columns}, "status": status}
    unseen.warn(rows)
    if odd.count:
        warn(odd.count, left_empty=model.impossible == "raise")


def _hidden(values: AnyArray, rows: Indices) -> AnyArray:
    """The values, empty in some rows."""
    if not len(rows):
        return values
    mask = np.zeros(len(values), dtype=bool)
    mask[rows] = True
    return np.ma.array(values, mask=mask)


def _settled(source: Source, schema: Schema, weight: Any) -> Schema:
    """The schema with the bins of its histograms cut, from the values of their columns."""
    changed = {}
    for column in schema:
        if column.family is not None and not column.family.is_settled:
            values: AnyArray = _values(source, schema, column.name, weight)
            changed[column.name] = replace(column, family=column.family.settled(values))
    return schema.with_columns(changed)


def _values(source: Source, schema: Schema, name: str, weight: Any) -> AnyArray:
    """The first cells of a numeric column; rows of weight 0 are not seen."""
    only = Schema((schema[name],)) if source.named else schema
    parts, seen = [], 0
    for batch in source.batches(only, weight=weight, inferring=True):
        parts.append(np.asarray(batch.columns((name,)).values[:, 0], dtype=np.float64))  # type: ignore[union-attr]
        seen += batch.n_rows
        if seen >= SETTLING:
            break
    return np.concatenate(parts)
