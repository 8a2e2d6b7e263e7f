"""Statistics are a commutative monoid: identity, commutativity, associativity."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.data.domain import Domain
from naively.errors import StructureMismatch
from naively.families import Gaussian, Poisson

from .tables import (
    Table,
    each,
    every_family,
    law,
    learn,
    same_statistics,
    schema_of,
    separable,
    tables,
)


def parts_of(table, schema, *bounds):
    """The statistics of consecutive rows."""
    edges = (0, *bounds, table.n)
    return [learn(table.take(range(a, b)), schema) for a, b in pairwise(edges)]


def nothing_of(stats):
    """The identity: the statistics of no rows."""
    return stats.under(Domain())


@law
@every_family
@given(data=st.data())
def test_nothing_added_changes_nothing(family, data):
    table = data.draw(tables(family))
    stats = learn(table, schema_of(table, family))
    nothing = nothing_of(stats)
    assert not nothing.class_count.any()
    same_statistics(stats + nothing, stats)
    same_statistics(nothing + stats, stats)


@law
@every_family
@given(data=st.data())
def test_the_order_of_two_summands_is_free(family, data):
    table = data.draw(tables(family))
    a, b = parts_of(table, schema_of(table, family), data.draw(st.integers(1, table.n - 1)))
    same_statistics(a + b, b + a)


@law
@every_family
@given(data=st.data())
def test_the_grouping_of_three_summands_is_free(family, data):
    table = data.draw(tables(family, min_rows=4))
    first, second = sorted(data.draw(st.sets(st.integers(1, table.n - 1), min_size=2, max_size=2)))
    a, b, c = parts_of(table, schema_of(table, family), first, second)
    same_statistics((a + b) + c, a + (b + c))


@law
@every_family
@given(data=st.data())
def test_shards_sum_to_the_whole(family, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    same_statistics(sum(parts_of(table, schema, 1)), learn(table, schema))


@law
@each(separable)
@given(data=st.data())
def test_a_column_counts_the_same_beside_others_and_alone(family, data):
    table = data.draw(tables(family, columns=2))
    schema = schema_of(table, family)
    alone = learn(Table({"x1": table.cells["x1"]}, table.y, table.weight), schema.without("x0"))
    beside = learn(table, schema)
    one = [term.columns.index("x1") for term in beside.structure.terms if "x1" in term.columns]
    kept = [
        s
        for s, t in zip(beside.statistics, beside.structure.terms, strict=True)
        if "x1" in t.columns
    ]
    selected = [s.select(np.array([j])) for s, j in zip(kept, one, strict=True)]
    same_statistics(replace(alone, statistics=tuple(selected)), alone)


def test_different_structures_do_not_add():
    table = Table({"x": [1.0, 2.0]}, ["no", "yes"])
    a, b = (learn(table, schema_of(table, family)) for family in (Gaussian(), Poisson()))
    with pytest.raises(StructureMismatch, match=r"gaussian\(x\) against poisson\(x\)"):
        a + b
    with pytest.raises(StructureMismatch):
        a - b


def test_priors_are_no_part_of_the_structure():
    table = Table({"x": [1.0, 2.0]}, ["no", "yes"])
    a, b = (learn(table, schema_of(table, Gaussian(strength=s))) for s in (1.0, 5.0))
    assert (a + b).class_count.tolist() == [2.0, 2.0]
