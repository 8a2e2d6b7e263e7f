"""Any split, order and grouping of the rows gives the same posterior."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.models.model import Model

from .tables import (
    CLASSES,
    every_family,
    is_whole,
    law,
    learn,
    partitions,
    same_numbers,
    same_statistics,
    schema_of,
    tables,
    weights,
)


def answers(schema, stats, table):
    """log P(c, x) of every row."""
    return Model(schema, stats).log_joint(table.cells)


@law
@every_family
@given(data=st.data())
def test_any_partition_in_any_order_gives_the_same_posterior(family, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    whole = learn(table, schema)
    parts = [learn(table.take(rows), schema) for rows in data.draw(partitions(table.n))]
    same_statistics(sum(parts), whole)
    same_numbers(answers(schema, sum(parts), table), answers(schema, whole, table))


@law
@every_family
@given(data=st.data())
def test_counts_of_whole_rows_are_exact(family, data):
    table = data.draw(tables(family, weighted=False))
    schema = schema_of(table, family)
    whole = learn(table, schema)
    total = sum(learn(table.take(rows), schema) for rows in data.draw(partitions(table.n)))
    assert np.array_equal(total.class_count, whole.class_count)
    for a, b in zip(total.statistics, whole.statistics, strict=True):
        for name in ("n", "t"):
            counts = a.arrays().get(name)
            if counts is not None and is_whole(counts):
                assert np.array_equal(counts, b.arrays()[name])


@law
@every_family
@given(data=st.data())
def test_partial_fit_row_by_row_is_fit(family, data):
    table = data.draw(tables(family, weighted=data.draw(st.booleans())))
    schema = schema_of(table, family)
    at_once = NaiveBayes(columns=schema).fit(table.columns, "class", sample_weight=weights(table))
    bit_by_bit = NaiveBayes(columns=schema)
    for i in data.draw(st.permutations(range(table.n))):
        row = table.take([i])
        bit_by_bit.partial_fit(row.columns, "class", sample_weight=weights(row))
    assert bit_by_bit.classes_.tolist() == at_once.classes_.tolist()
    same_numbers(
        bit_by_bit.predict_joint_log_proba(table.cells),
        at_once.predict_joint_log_proba(table.cells),
    )


@law
@every_family
@given(data=st.data())
def test_declared_classes_may_come_late_or_never(family, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    model = NaiveBayes(columns=schema, prior="smoothed")
    order = sorted(range(table.n), key=lambda i: table.y[i])  # one class after the other
    for i in order:
        row = table.take([i])
        model.partial_fit(
            row.columns, "class", classes=[*CLASSES, "zero"], sample_weight=weights(row)
        )
    assert model.classes_.tolist() == [*CLASSES, "zero"]
    same_numbers(model.predict_proba(table.cells).sum(axis=1), np.ones(table.n))
    assert np.isfinite(model.predict_log_proba(table.cells)).all()
