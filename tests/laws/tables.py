"""Small tables that every family can count, drawn from what the family itself says.

The registry decides what is drawn: a family's form and support say which cells its columns
may hold, so a family that is registered is tested by every law without a line here.
`VARIANTS` adds the families whose parameters change what is counted.
"""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from naively.data.schema import Schema
from naively.data.source import read
from naively.engines import local
from naively.families import (
    FAMILIES,
    Bernoulli,
    Categorical,
    Exponential,
    Family,
    Gaussian,
    Histogram,
    Inflated,
    Kernel,
    LogNormal,
    NegativeBinomial,
    Poisson,
)
from naively.models.model import Model
from naively.models.stats import Stats

VARIANTS: tuple[Family, ...] = (
    Gaussian(covariance="full"),
    Gaussian(covariance="tied"),
    Gaussian(strength=0.25, ddof=1),
    Gaussian(missing="value"),
    Histogram(bins=3, cut="frequency"),
    Histogram(missing="value"),
    Kernel(bandwidth=0.75),
    Inflated(LogNormal(), at=0),
    Inflated(Exponential(), at=-1, missing="value"),
    Inflated(Histogram(bins=4), at=0),
    Categorical(m=2.0, p="uniform"),
    Categorical(m=2.0, p="pooled"),
    Categorical(alpha=0.5, unseen="reserve"),
    Categorical(labels=("a", "z"), missing="value"),
    Bernoulli(alpha=2.0, beta=0.5),
    Bernoulli(missing="value"),
    Poisson(shape=2.0, rate=1.0),
    NegativeBinomial(r=2.5),
    LogNormal(missing="value"),
)

EXAMPLES = int(os.environ.get("NAIVELY_EXAMPLES", "15"))
"""How many tables each law sees of each family."""

MEMBERS: tuple[Family, ...] = (*(family() for family in FAMILIES.values()), *VARIANTS)


BY_NAME = [name for name, family in FAMILIES.items() if family.of_type is None]
"""The families of plain numbers or labels."""


def each(families):
    """A test for every one of the families, under its own name."""
    return pytest.mark.parametrize("family", families, ids=repr)


every_family = each(MEMBERS)
separable = [family for family in MEMBERS if family.separable]
law = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
HOURS = dt.timedelta(hours=4)
CLASSES = ("no", "perhaps", "yes")


@dataclass(frozen=True)
class Table:
    """Cells by column and row, None where missing; a class and perhaps a weight for each row."""

    cells: dict[str, list[Any]]
    y: list[str]
    weight: list[float] | None = None

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The table as a door takes it, with its target."""
        return {**self.cells, "class": self.y}

    def take(self, rows) -> Table:
        rows = [int(i) for i in rows]
        cells = {name: [column[i] for i in rows] for name, column in self.cells.items()}
        weight = None if self.weight is None else [self.weight[i] for i in rows]
        return Table(cells, [self.y[i] for i in rows], weight)

    def with_cell(self, name, row, value) -> Table:
        column = [*self.cells[name]]
        column[row] = value
        return replace(self, cells={**self.cells, name: column})


def schema_of(table: Table, family: Family, **more) -> Schema:
    """Structure and prior, decided once, before anything is counted."""
    columns = {tuple(table.cells): family}
    return local.schema_of(read(table.columns), "class", weights(table), columns, **more)


def learn(table: Table, schema: Schema, classes=None) -> Stats:
    return local.learn(read(table.columns), schema, "class", weights(table), classes)


def weights(table: Table):
    return None if table.weight is None else np.array(table.weight)


def fitted(table: Table, family: Family) -> Model:
    schema = schema_of(table, family)
    return Model(schema, learn(table, schema))


def moved_into(family, x):
    """Small whole numbers from 0 on, moved into a family's support."""
    x, support = np.asarray(x, dtype=float), family.support
    if support is None:
        return x
    low = max(0.0, np.ceil(support.low))
    return low + (x % (support.high - low + 1) if np.isfinite(support.high) else x)


def numbers_within(support, fine=8):
    """Eighths (or whole numbers) in a family's support: sums of them are exact."""
    whole = support is not None and support.whole
    low = -6 if support is None or support.low == -np.inf else support.low
    high = 6 if support is None or support.high == np.inf else support.high
    if whole:
        return st.integers(int(low), int(high)).map(float)
    first = 1 if 0 < low < 1 / fine else int(low * fine)
    return st.integers(first, int(high * fine)).map(lambda k: k / fine)


def cells_of(family: Family):
    """What a cell of the family's columns may be."""
    if isinstance(family, Inflated):
        return st.one_of(st.just(family.at), cells_of(family.density))
    if family.form == "codes":
        return st.sampled_from(["a", "b", "c", "d"])
    if family.form == "counts":
        return st.integers(0, 5).map(float)
    if family.of_type == "time":
        return st.integers(-600, 600).map(lambda k: dt.datetime(1970, 1, 1, 8) + k * HOURS)
    return numbers_within(family.support)


@st.composite
def tables(
    draw, family: Family, *, min_rows=2, max_rows=12, weighted=None, gaps=True, columns=None
):
    """A table of a family's columns; every class has a row, every column two cells or more."""
    cell = cells_of(family)
    n_columns = draw(st.integers(1, 3)) if columns is None else columns
    n = draw(st.integers(max(min_rows, 2), max_rows))
    y = [*CLASSES[:2], *draw(st.lists(st.sampled_from(CLASSES), min_size=n - 2, max_size=n - 2))]
    some = st.one_of(st.none(), cell, cell, cell) if gaps and family.form != "counts" else cell
    cells = {}
    for j in range(n_columns):
        rest = draw(st.lists(some, min_size=n - 2, max_size=n - 2))
        cells[f"x{j}"] = [*draw(st.lists(cell, min_size=2, max_size=2)), *rest]
    heavy = draw(st.booleans()) if weighted is None else weighted
    weights = st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.0])
    weight = draw(st.lists(weights, min_size=n, max_size=n)) if heavy else None
    return Table(cells, y, weight)


def partitions(n):
    """A grouping of n rows into batches, in any order."""

    def cut(order_and_cuts):
        order, cuts = order_and_cuts
        bounds = [0, *sorted(cuts), n]
        parts = [order[a:b] for a, b in pairwise(bounds)]
        return [part for part in parts if part]

    cuts = st.sets(st.integers(1, n - 1), max_size=4)
    return st.tuples(st.permutations(range(n)), cuts).map(cut)


def same_numbers(a, b, tolerance=1e-9):
    """Equal to the tolerance, relative to the size of what is compared."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def same_statistics(a: Stats, b: Stats, tolerance=1e-9):
    """The same classes, labels and numbers; counts of whole rows exactly."""
    assert a.classes.labels == b.classes.labels
    assert a.structure == b.structure
    for mine, theirs in zip(a.statistics, b.statistics, strict=True):
        assert mine.domains == theirs.domains
        same_arrays(mine, theirs, tolerance)
    same_numbers(a.class_count, b.class_count, tolerance)


def same_arrays(a, b, tolerance=1e-9):
    """The same statistic, whatever shift its moments are kept by."""
    ours, theirs = kept(a), kept(b)
    assert ours.keys() == theirs.keys()
    for name in ours:
        if is_whole(ours[name]) and is_whole(theirs[name]):
            assert np.array_equal(ours[name], theirs[name]), name
        else:
            same_numbers(ours[name], theirs[name], tolerance)


def kept(statistic):
    """A statistic's arrays; means in the units of the data, where there are cells."""
    arrays = dict(statistic.arrays())
    if statistic.name != "moments":
        return arrays
    there = np.broadcast_to(statistic.n > 0, statistic.mean.shape)
    return {"n": arrays["n"], "m2": arrays["m2"], "means": np.where(there, statistic.means(), 0.0)}


def is_whole(array):
    return bool((np.asarray(array) == np.rint(array)).all())
