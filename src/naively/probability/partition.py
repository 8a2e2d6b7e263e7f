"""What is crossed in a test of independence: a variable's values, or an event and its contrary.

Numbers of many values are cut into bins of equal frequency first: a rank correlation would
see nothing where one of two numbers only limits the other, as on a disc.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from naively._typing import AnyArray, Flags, Indices, Label
from naively.data.schema import THRESHOLDS
from naively.errors import DataError, TooManyOutcomes
from naively.probability.event import Event, mask
from naively.probability.table import Table
from naively.probability.variable import Variable
from naively.probability.wording import quoted

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["ROWS", "Partition", "crossed", "partition_of", "sampled"]

ROWS = 20_000
"""Rows that are permuted, or cut into bins, at most."""
CELLS = 2_000_000
"""Cells of a table that is crossed, at most."""
NUMERIC = ("integer", "number", "duration")
BINS = (2, 16)
"""The fewest and most bins of a column of numbers."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Something with values: a variable, an event, or the bins of a column of numbers."""

    name: str
    columns: tuple[str, ...]
    event: Event | None = None
    variable: Variable | None = None
    cuts: tuple[float, ...] | None = None
    many: bool = False
    """Whether it has more values than anybody keeps."""

    @property
    def is_continuous(self) -> bool:
        """Whether its values are too many to be crossed one by one."""
        v = self.variable
        if v is None or self.cuts is not None or v.type not in NUMERIC:
            return False
        return self.many or len(v.labels) > THRESHOLDS.categories

    @property
    def size(self) -> int:
        """How many values it has."""
        if self.cuts is not None:
            return len(self.cuts) + 1
        return 2 if self.variable is None else len(self.variable.labels)

    def codes(self, table: Table) -> Indices:
        """The value of every outcome of a table."""
        if self.event is not None:
            happens: Flags = mask(self.event, table.cells, len(table.codes))
            return happens.astype(np.int64)
        labels, codes = table.cells(self.columns[0])
        if self.cuts is not None:
            numbers = np.array([float(label) for label in labels])  # type: ignore[arg-type]
            return np.searchsorted(self.cuts, numbers, side="right")[codes]
        at = {label: i for i, label in enumerate(self.variable.labels)}  # type: ignore[union-attr]
        return np.array([at[label] for label in labels], dtype=np.int64)[codes]

    def word(self, k: int) -> str:
        """A value as an event."""
        if self.event is not None:
            return self.name if k else f"not {self.name}"
        if self.cuts is not None:
            return f"{quoted(self.name)} in {_interval(self.cuts, k)}"
        label: Label = self.variable.labels[k]  # type: ignore[union-attr]
        return f"{quoted(self.name)}={quoted(label)}"


def _interval(cuts: Sequence[float], k: int) -> str:
    low = f"[{cuts[k - 1]:g}" if k else "(-inf"
    return f"{low}, {cuts[k]:g})" if k < len(cuts) else f"{low}, inf)"


def partition_of(joint: Joint, name: str) -> Partition:
    """A variable of a joint distribution."""
    joint.marginal(name)
    try:
        return Partition(name, (name,), variable=joint.outcomes.variable(name))
    except TooManyOutcomes as error:
        if error.type not in NUMERIC:
            raise
        return Partition(name, (name,), variable=Variable(name, error.type, ()), many=True)


def crossed(table: Table, parts: Sequence[Partition], strata: Sequence[Partition]) -> AnyArray:
    """The weights by stratum and by the value of each part."""
    sizes = [part.size for part in strata]
    shape = (math.prod(sizes), *(part.size for part in parts))
    if math.prod(shape) > CELLS:
        names = ", ".join(part.name for part in (*parts, *strata))
        found = f"a table of {names} with {math.prod(shape):,} cells"
        raise DataError(found, f"at most {CELLS:,}", "ask about fewer variables, or about events")
    stratum = np.zeros(len(table.codes), dtype=np.int64)
    for part, size in zip(strata, sizes, strict=True):
        stratum = stratum * size + part.codes(table)
    counts = np.zeros(shape, dtype=table.weight.dtype)
    np.add.at(counts, (stratum, *(part.codes(table) for part in parts)), table.weight)
    return counts


def sampled(
    joint: Joint, parts: Sequence[Partition], where: Event
) -> tuple[Table, list[Partition], str]:
    """Some rows, and the parts with columns of numbers cut into bins of equal frequency."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.columns))
    table = joint.outcomes.sample(names, where, ROWS)
    n = float(table.weight.sum())
    few, many = BINS
    bins = min(many, max(few, round((n / 5) ** (1 / max(2, len(parts))))))
    cut = [_cut(part, table, bins) if part.is_continuous else part for part in parts]
    shown = ", ".join(part.name for part in parts if part.is_continuous)
    rows = f"; {n:,.0f} rows drawn" if n < float(joint.whole) / 2 else ""
    return table, cut, f"{shown} in {bins} bins of equal frequency{rows}"


def _cut(part: Partition, table: Table, bins: int) -> Partition:
    labels, codes = table.cells(part.columns[0])
    numbers = np.array([float(label) for label in labels])[codes]  # type: ignore[arg-type]
    order = np.argsort(numbers, kind="stable")
    reached = np.cumsum(table.weight[order].astype(np.float64))
    wanted = np.arange(1, bins) / bins * reached[-1]
    at = np.minimum(np.searchsorted(reached, wanted), len(order) - 1)
    cuts = np.unique(numbers[order][at])
    return replace(part, cuts=tuple(cuts[cuts > numbers.min()].tolist()))
