"""The one-row scorer: a model compiled to answer a single row in microseconds.

It holds the same numbers as the factors, column by column, and hands back whatever needs a
second look (a label never seen, a value outside a support, a row far out) to the general path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from naively import kernels
from naively._typing import Vector
from naively.data.schema import Schema
from naively.factors import Linear, Quadratic, Table
from naively.factors.far import LOWEST
from naively.families.registry import counting
from naively.models.scoring import Scored

__all__ = ["compiled"]

PLAIN = ("boolean", "integer", "number", "string")
"""Types whose cells mean the same in a dict as in a table."""


def compiled(schema: Schema, log_prior: Vector, parts: tuple[Scored, ...]) -> Any:
    """A native scorer of one row, or None where the model is not one of plain columns.

    >>> compiled(Schema(()), np.log([0.5, 0.5]), ()) is None
    True
    """
    found = [step for part in parts for step in _steps(schema, part)]
    steps = [step for step in found if step is not None]
    if kernels.native is None or not steps or len(steps) < len(found):
        return None
    scorer = kernels.native.RowScorer(log_prior, LOWEST)
    for kind, *arguments in steps:
        getattr(scorer, f"add_{kind}")(*arguments)
    return scorer


def _steps(schema: Schema, part: Scored) -> Iterator[tuple[Any, ...] | None]:
    """What each column of a factor adds, as a call of the scorer; None where it has no such."""
    factor, term = part.factor, part.term
    plain = all(schema[name].type in PLAIN for name in term.columns)
    if term.coding is not None or not plain or part.family.unseen == "error":
        yield None
    elif isinstance(factor, Table):
        yield from _table_steps(schema, term.columns, factor)
    elif isinstance(factor, Quadratic) and not factor.full:
        yield from _gaussian_steps(schema, term.columns, factor)
    elif isinstance(factor, Linear) and factor.never_some is None and factor.never_none is None:
        yield from _linear_steps(schema, term.columns, factor, term.kind)
    else:
        yield None


def _table_steps(
    schema: Schema, names: tuple[str, ...], factor: Table
) -> Iterator[tuple[Any, ...]]:
    for j, name in enumerate(names):
        table = np.ascontiguousarray(factor.column(j))
        yield "table", name, schema.index[name], factor.domains[j].index, table


def _gaussian_steps(
    schema: Schema, names: tuple[str, ...], factor: Quadratic
) -> Iterator[tuple[Any, ...]]:
    inv_scale, log_norm = factor.scales()
    for j, name in enumerate(names):
        columns = (np.ascontiguousarray(a[:, j]) for a in (factor.mu, inv_scale, log_norm))
        yield "gaussian", name, schema.index[name], *columns


def _linear_steps(
    schema: Schema, names: tuple[str, ...], factor: Linear, kind: str
) -> Iterator[tuple[Any, ...] | None]:
    counted = counting(kind)
    support = counted.support
    if support is None or not counted.separable:
        yield None
        return
    for j, name in enumerate(names):
        columns = (np.ascontiguousarray(a[:, j]) for a in (factor.eta, factor.a))
        limits = (support.low, support.high, support.whole, schema[name].type == "boolean")
        yield "linear", name, schema.index[name], *columns, *limits
