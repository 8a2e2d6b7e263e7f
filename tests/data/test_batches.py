"""What comes out of every door: targets, weights, domains, rows and their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import errors
from naively.data.casting import cast_label
from naively.data.domain import MISSING, UNSEEN, Domain
from naively.data.schema import Column, Schema
from naively.data.source import read

GOLF = {
    "outlook": ["sunny", "overcast", "rainy", None, "sunny"],
    "degrees": [25.0, 21.5, None, 10.0, 30.0],
    "windy": [False, True, True, None, False],
    "play": ["no", "yes", "yes", "no", "no"],
    "w": [1, 0, 2, 0.5, 0],
}


def one(source, schema=None, **options):
    (batch,) = source.batches(schema or source.schema, **options)
    return batch


def test_the_target_is_a_column_or_an_array():
    source = read(GOLF)
    for target in ("play", GOLF["play"], np.array(GOLF["play"])):
        batch = one(source, target=target)
        assert batch.target.labels() == GOLF["play"]
        assert batch.target.domain.labels == ("no", "yes")
    assert "play" not in one(source, target="play").codes


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([1, 2, 1], [1, 2, 1]),
        (np.array([1.5, 2.0, 1.5]), [1.5, 2.0, 1.5]),
        (np.array([True, False, True]), [True, False, True]),
        (np.array(["b", "a", "b"]), ["b", "a", "b"]),
        (np.array(["b", "a", "b"], dtype=object), ["b", "a", "b"]),
        ((3, 4, 3), [3, 4, 3]),
        (np.array([[1], [2], [1]]), [1, 2, 1]),
    ],
)
def test_labels_of_the_target_are_python_scalars(values, labels):
    target = one(read({"x": [1, 2, 3]}), target=values).target
    assert target.labels() == labels
    assert {type(v) for v in target.domain.labels} == {type(v) for v in labels}


def test_a_target_may_be_of_any_library():
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    y = ["a", "b", "a"]
    for values in (pd.Series(y), pd.Categorical(y), pd.Index(y), pl.Series(y), pa.array(y)):
        assert one(read({"x": [1, 2, 3]}), target=values).target.labels() == y
    assert one(read({"x": [1, 2, 3]}), target=pd.DataFrame({"y": y})).target.labels() == y


def test_a_missing_target_is_refused_when_learning():
    source = read({"x": [1, 2, 3], "y": ["a", None, "b"]})
    with pytest.raises(errors.DataError, match="y, row 1: Input y contains NaN"):
        one(source, target="y")
    assert one(source, target="y", learning=False).target.codes.tolist() == [0, -1, 1]
    with pytest.raises(errors.DataError, match="y, row 2"):
        one(source, target=np.array([0, 1, np.nan]))


def test_declared_classes_allow_no_other():
    source = read({"x": [1, 2], "y": ["a", "c"]})
    classes = Domain(("a", "b"))
    with pytest.raises(errors.DataError, match="y, row 1: class 'c'; expected one of 'a', 'b'"):
        one(source, target="y", classes=classes)
    target = one(source, target="y", classes=classes, learning=False).target
    assert target.codes.tolist() == [0, UNSEEN]
    assert not target.open


@pytest.mark.parametrize("what", ["target", "weight"])
@pytest.mark.parametrize("n", [2, 4])
def test_lengths_must_agree(what, n):
    pa = pytest.importorskip("pyarrow")
    table = {"x": [1, 2, 3]}
    for source in (read(table), read(pa.table(table).to_reader(max_chunksize=1))):
        schema = read(table).schema
        with pytest.raises(errors.DataError, match="inconsistent numbers of samples"):
            list(source.batches(schema, **{what: np.ones(n)}))


def test_rows_of_weight_0_are_not_there():
    source = read(GOLF)
    batch = one(source, target="play", weight="w")
    assert batch.n_rows == 3
    assert batch.weight.tolist() == [1, 2, 0.5]
    assert batch.codes["outlook"].labels() == ["sunny", "rainy", None]
    assert set(batch.codes["outlook"].domain.labels) == {"rainy", "sunny"}
    assert batch.target.labels() == ["no", "yes", "no"]
    assert "w" not in {name for block in batch.blocks for name in block.names}
    profiles = source.profiles("w")
    assert set(profiles) == {"outlook", "degrees", "windy", "play"}
    assert (profiles["degrees"].n, profiles["degrees"].maximum) == (3, 25)


@pytest.mark.parametrize("w", [-1.0, np.nan, np.inf])
def test_odd_weights_are_refused_by_row(w):
    with pytest.raises(errors.DataError, match="sample_weight, row 1:"):
        one(read({"x": [1, 2, 3]}), weight=np.array([1, w, 1]))
    with pytest.raises(errors.DataError, match="w, row 1:"):
        one(read({"x": [1, 2, 3], "w": [1, w, 1]}), Schema(()), weight="w")


def test_errors_name_the_row_of_the_source_even_where_rows_are_left_out():
    x = np.array([[0.0], [1.0], [2.0], [np.inf]])
    with pytest.raises(errors.DataError, match="row 3"):
        one(read(x), read(x[:3]).schema, weight=[0, 1, 0, 1])
    one(read(x), read(x[:3]).schema, weight=[0, 1, 1, 0])
    with pytest.raises(errors.DataError, match="row 3"):
        one(read({"x": [1.5, 2, 3, 4]}), target=["a", "b", None, None], weight=[1, 0, 0, 1])


def test_without_domains_a_batch_has_the_labels_that_occur_in_it():
    source = read({"x": ["b", "a", "c", "c"]})
    first, second = source.batches(source.schema, rows=2)
    assert set(first.codes["x"].domain.labels) == {"a", "b"}
    assert second.codes["x"].domain.labels == ("c",)
    assert first.codes["x"].open


def test_with_domains_other_labels_are_unseen():
    source = read({"x": ["b", "z", None]})
    domain = Domain(("a", "b"))
    codes = one(source, domains={"x": domain}, learning=False).codes["x"]
    assert codes.codes.tolist() == [1, UNSEEN, MISSING]
    assert codes.domain is domain
    assert not codes.open


def column(kind, form):
    family = "categorical" if form == "codes" else "gaussian"
    return Schema((Column("x", kind, family, form),))


@pytest.mark.parametrize(
    ("kind", "cells", "labels"),
    [
        ("integer", [True, 1.0, 2], [1, 1, 2]),
        ("integer", ["1", "2.0", " 3"], [1, 2, 3]),
        ("number", ["0.5", "1", "2"], [0.5, 1, 2]),
        ("boolean", [1, 0, None], [True, False, None]),
        ("boolean", ["T", "no", "1"], [True, False, True]),
        ("string", [1.0, 2.5, None], ["1", "2.5", None]),
        ("string", [True, False], ["1", "0"]),
        (
            "time",
            ["2020-01-01T00:00:00", "2020-01-02 12:00"],
            ["2020-01-01", "2020-01-02T12:00:00"],
        ),
    ],
)
def test_labels_are_those_of_the_schemas_type(kind, cells, labels):
    assert one(read({"x": cells}), column(kind, "codes")).codes["x"].labels() == labels


@given(st.integers(-(2**53), 2**53))
def test_an_integer_is_one_label_however_it_is_written(n):
    spelled = [n, float(n), str(n), f" {n} ", np.int64(n)]
    assert {cast_label(v, "integer") for v in spelled} == {n}


@pytest.mark.parametrize(
    ("kind", "form", "cell", "says"),
    [
        ("integer", "codes", 0.9, "column 'x', row 1: 0.9; expected an integer"),
        ("number", "codes", "abc", "column 'x', row 1: 'abc'; expected a number"),
        ("boolean", "codes", 2, "column 'x', row 1: 2; expected true or false"),
        ("boolean", "real", 2, "column 'x', row 1: 2.0; expected true or false"),
        ("boolean", "real", "maybe", "column 'x', row 1: 'maybe'; expected true or false"),
        ("number", "real", "abc", "column 'x', row 1: 'abc'; expected a number"),
        ("string", "real", "abc", "column 'x', row 1: 'abc'; expected a number"),
    ],
)
def test_a_cell_that_would_lose_something_is_refused_when_learning(kind, form, cell, says):
    cells = [cell if isinstance(cell, str) else type(cell)(1), cell]
    cells[0] = None
    with pytest.raises(errors.DataError, match=says):
        one(read({"x": cells}), column(kind, form))


def test_a_cell_that_cannot_be_cast_is_unseen_when_predicting():
    domains = {"x": Domain((1, 2))}
    for cells in ([0.9, 1.0], ["abc", "1"]):
        batch = one(read({"x": cells}), column("integer", "codes"), domains=domains, learning=False)
        assert batch.codes["x"].codes.tolist() == [UNSEEN, 0]
    schema = Schema((Column("x", "boolean", "bernoulli", "real"),))
    real = one(read({"x": ["maybe", "yes"]}), schema, learning=False)
    np.testing.assert_array_equal(real.blocks[0].values[:, 0], [2, 1])  # 2: outside the support
    with pytest.raises(errors.DataError, match="row 0: 'abc'"):
        one(read({"x": ["abc"]}), column("number", "real"), learning=False)


def test_numbers_written_as_text_can_be_read_as_numbers():
    block = one(read({"x": ["1.5", None, "-2"]}), column("string", "real")).blocks[0]
    np.testing.assert_array_equal(block.values[:, 0], [1.5, np.nan, -2])


def test_extra_columns_are_ignored_and_absent_ones_are_named():
    schema = read(GOLF).schema.with_target("play").without("w")
    table = {name: GOLF[name] for name in ("windy", "degrees", "outlook", "play")} | {"z": [[]] * 5}
    batch = one(read(table), schema, learning=False)
    assert set(batch.codes) == {"outlook"}
    assert batch.blocks[0].names == ("degrees", "windy")
    del table["outlook"]
    table["outlok"] = ["a"] * 5
    with pytest.raises(errors.UnknownColumn, match=r"'outlook'.*did you mean 'outlok'\?"):
        one(read(table), schema, learning=False)
    with pytest.raises(errors.UnknownColumn, match="did you mean 'play'"):
        one(read(GOLF), target="plays")
    with pytest.raises(errors.UnknownColumn, match="no column 'weights'"):
        read(GOLF).profiles("weights")


def test_columns_of_counts_stand_in_a_block_of_their_own():
    block = ("a", "b")
    schema = Schema(
        (
            Column("a", "integer", "multinomial", "counts", block=block),
            Column("x", "number", "gaussian", "real"),
            Column("b", "integer", "multinomial", "counts", block=block),
        )
    )
    source = read({"a": [1, 0], "b": [2, 3], "x": [0.5, 1.5]})
    assert [b.names for b in one(source, schema).blocks] == [("x",), block]


def test_infinite_cells_are_refused_always():
    for learning in (True, False):
        with pytest.raises(errors.DataError, match="column 'x', row 1: inf; expected a finite"):
            one(read({"x": [0.5, np.inf]}), column("number", "real"), learning=learning)


def test_a_schema_of_another_kind_of_cell_is_refused():
    times = np.array(["2020-01-01"], "M8[D]")
    with pytest.raises(
        errors.DataError, match="column 'x', row 0: '2020-01-01'; expected a number"
    ):
        one(read({"x": times}), column("number", "real"))
