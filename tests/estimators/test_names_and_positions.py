"""Which column is which: by name where there are names, by position where there are none."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from naively import NaiveBayes
from naively.errors import DataError, ParameterError

TABLE = {"a": list("uvuvuv"), "c": [1.5, 9.5, 2.5, 8.5, 1.0, 9.0], "y": list("pqpqpq")}
NAMED = {
    "dict": dict,
    "rows": lambda t: [dict(zip(t, row, strict=True)) for row in zip(*t.values(), strict=True)],
    "arrow": pa.table,
    "batch": pa.RecordBatch.from_pydict,
    "reader": lambda t: pa.table(t).to_reader(),
    "relation": lambda t: duckdb.from_arrow(pa.table(t)),
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
}


@pytest.mark.parametrize("made", NAMED.values(), ids=NAMED)
def test_named_tables_go_by_name_with_others_beside(made):
    model = NaiveBayes().fit(made(TABLE), "y")
    assert model.feature_names_in_.tolist() == ["a", "c"]
    other = {"more": [0] * 6, "c": TABLE["c"], "a": TABLE["a"], "y": TABLE["y"]}
    np.testing.assert_array_equal(
        model.predict_proba(made(other)), model.predict_proba(dict(TABLE))
    )


@pytest.mark.parametrize("name", ["dict", "rows", "batch", "relation", "reader"])
def test_without_scikit_learns_rule_the_order_does_not_matter(name):
    made = NAMED[name]
    model = NaiveBayes().fit(made(TABLE), "y")
    turned = {"c": TABLE["c"], "a": TABLE["a"]}
    assert model.predict(made(turned)).tolist() == TABLE["y"]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_column_that_was_left_out_need_not_be_there(name):
    made = NAMED[name]
    model = NaiveBayes(columns={"a": "ignore"}).fit(made(TABLE), "y")
    assert model.predict(made({"c": TABLE["c"]})).tolist() == TABLE["y"]


def test_score_knows_classes_as_fit_does():
    days = pd.to_datetime(["2020-01-01", "2020-01-02"] * 3)
    model = NaiveBayes().fit({"c": TABLE["c"]}, days)
    assert model.score({"c": TABLE["c"]}, days) == 1.0


def test_score_takes_the_name_of_a_column_of_weights():
    table = {**TABLE, "w": [1, 1, 1, 1, 1, 0]}
    model = NaiveBayes().fit(table, "y", sample_weight="w")
    wrong = {**table, "y": [*TABLE["y"][:5], "p"]}
    assert model.score(wrong, "y", sample_weight="w") == 1.0


def test_labels_of_which_none_is_a_class_are_no_score_of_0():
    model = NaiveBayes().fit(TABLE, "y")
    with pytest.raises(DataError, match="is a class of the model"):
        model.score(TABLE, [True, False] * 3)


def test_one_row_is_too_few_to_decide_by_however_it_comes(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,c,y\nu,1.5,p\n")
    for table in (path, {name: cells[:1] for name, cells in TABLE.items()}):
        with pytest.raises(ParameterError, match="single row"):
            NaiveBayes().partial_fit(table, "y")
    two = {name: cells[:2] for name, cells in TABLE.items()}
    with pytest.raises(ParameterError, match="single row"):
        NaiveBayes().partial_fit(two, "y", sample_weight=[1, 0])


def test_counts_named_one_by_one_are_one_block():
    table = {"a": [0, 0, 9, 9], "b": [9, 9, 0, 0], "y": [0, 0, 1, 1]}
    alone = NaiveBayes({"a": "multinomial", "b": "multinomial"}).fit(table, "y")
    together = NaiveBayes({("a", "b"): "multinomial"}).fit(table, "y")
    np.testing.assert_array_equal(alone.predict_proba(table), together.predict_proba(table))
    assert alone.score(table, "y") == 1.0
