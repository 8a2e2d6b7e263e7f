"""An integer weight is repeated rows; a row of weight 0 is not there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.errors import NaivelyError

from .tables import (
    MEMBERS,
    cells_of,
    each,
    every_family,
    fitted,
    law,
    learn,
    same_numbers,
    same_statistics,
    schema_of,
    tables,
)


@law
@every_family
@given(data=st.data())
def test_an_integer_weight_is_repeated_rows(family, data):
    table = data.draw(tables(family, weighted=False))
    times = data.draw(st.lists(st.integers(1, 4), min_size=table.n, max_size=table.n))
    schema = schema_of(table, family)
    repeated = table.take(np.repeat(np.arange(table.n), times))
    same_statistics(
        learn(replace(table, weight=[float(t) for t in times]), schema), learn(repeated, schema)
    )


@law
@every_family
@given(data=st.data())
def test_equal_weights_of_any_size_share_one_mean(family, data):
    table = data.draw(tables(family, weighted=False))
    schema = schema_of(table, family)
    light = learn(table, schema)
    heavy = learn(replace(table, weight=[0.5] * table.n), schema)
    same_statistics(heavy + heavy, light)


@law
@every_family
@given(data=st.data())
def test_a_row_of_weight_0_is_not_there(family, data):
    table = data.draw(tables(family, weighted=True))
    odd = data.draw(st.tuples(*(cells_of(family) for _ in table.cells)))
    at = data.draw(st.integers(0, table.n))
    more = replace(
        table,
        cells={
            name: with_row(c, at, v) for (name, c), v in zip(table.cells.items(), odd, strict=True)
        },
        y=with_row(table.y, at, "never"),
        weight=with_row(table.weight, at, 0.0),
    )
    a, b = fitted(more, family), fitted(table, family)
    assert a.schema.columns == b.schema.columns
    assert a.classes.labels == b.classes.labels
    same_statistics(a.stats, b.stats)
    same_numbers(a.log_joint(table.cells), b.log_joint(table.cells))


def with_row(column, at, value):
    return [*column[:at], value, *column[at:]]


@pytest.mark.parametrize("odd", [1e300, -5.5, "text", None])
def test_inference_does_not_see_rows_of_weight_0(odd):
    x = [1, 2, 3, 1] if not isinstance(odd, str) else ["a", "b", "c", "a"]
    y = np.array(["no", "yes", "no", "yes", "other"])
    model = NaiveBayes().fit({"x": [*x, odd]}, y, sample_weight=[1, 1, 1, 1, 0])
    alone = NaiveBayes().fit({"x": x}, y[:4])
    assert model.schema_.columns == alone.schema_.columns
    assert model.stats_.domains() == alone.stats_.domains()
    assert model.classes_.tolist() == ["no", "yes"]


@each([f for f in MEMBERS if not f.is_settled])
def test_bins_are_not_cut_at_rows_of_weight_0(family):
    x, y = [1.0, 2.0, 3.0, 4.0, 900.0], ["no", "yes", "no", "yes", "yes"]
    weighted = NaiveBayes(columns=family).fit({"x": x}, y, sample_weight=[1, 1, 1, 1, 0])
    assert (
        weighted.schema_["x"].family
        == NaiveBayes(columns=family).fit({"x": x[:4]}, y[:4]).schema_["x"].family
    )


@pytest.mark.parametrize("weight", [[1.0, -1.0], [1.0, np.nan], [1.0, np.inf], [1.0], [0.0, 0.0]])
def test_odd_weights_are_refused(weight):
    with pytest.raises(NaivelyError):
        NaiveBayes().fit({"x": [1.5, 2.5]}, ["no", "yes"], sample_weight=weight)


@pytest.mark.parametrize("size", [1e-12, 1e12, 1e200])
def test_huge_and_tiny_weights_are_numbers_too(size):
    table = {"x": [1.5, 2.5, 4.0, 4.5], "v": ["a", "b", "b", "b"]}
    model = NaiveBayes().fit(table, ["no", "no", "yes", "yes"], sample_weight=[size] * 4)
    assert np.isfinite(model.predict_proba(table)).all()
