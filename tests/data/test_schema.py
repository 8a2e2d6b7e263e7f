"""The inference rule of the contract, and the table that shows it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from naively import errors
from naively.data.schema import THRESHOLDS, Column, Schema, infer
from naively.data.source import read

RNG = np.random.default_rng(0)
WORDS = ["lorem", "ipsum", "dolor", "sit", "amet", "consectetur"]
SENTENCES = [" ".join(RNG.choice(WORDS, 6)) + f" {i}" for i in range(60)]


def column(values) -> Column:
    return read({"x": values}).schema["x"]


@pytest.mark.parametrize(
    ("values", "family", "form", "why"),
    [
        ([True, False, None], "bernoulli", "real", "true or false"),
        (["yes", "no", "YES"], "bernoulli", "real", "true or false"),
        (["a", "b", "a"], "categorical", "codes", "2 distinct texts"),
        (list(range(20)), "categorical", "codes", "20 distinct integers (at most 20)"),
        (list(range(21)), "gaussian", "real", "21 distinct integers"),
        ([1.0, 2.0, 2.0], "categorical", "codes", "2 distinct integers (at most 20)"),
        ([1.5, 2.0], "gaussian", "real", "numbers"),
        ([None, None], "ignore", "none", "no values"),
        ([f"id{i}" for i in range(51)], "ignore", "none", "identifier-like: 51 of 51"),
        ([f"id{i}" for i in range(50)], "categorical", "codes", "50 distinct texts"),
        ([f"id{i}" for i in range(60)] * 2, "categorical", "codes", "60 distinct texts"),
        (SENTENCES, "ignore", "none", "text-like: 60 of 60 distinct, with spaces: left out"),
        (np.array(["2020-01-01", "2021-05-05"], "M8[D]"), "gaussian", "real", "times, in seconds"),
        (np.array([1, 2], "m8[h]"), "gaussian", "real", "durations, in seconds"),
    ],
)
def test_the_family_follows_from_the_values(values, family, form, why):
    found = column(values)
    assert (found.family, found.form) == (family, form)
    assert found.why.startswith(why)


def test_counts_with_variance_near_the_mean_are_poisson():
    assert column(RNG.poisson(40, 5000)).family == "poisson"
    assert column(RNG.poisson(40, 5000) - 100).family == "gaussian"
    assert column(RNG.integers(0, 200, 5000)).family == "gaussian"


def test_float_arrays_are_gaussian_by_scikit_learns_habit():
    x = np.array([[0.0, 1.0], [1.0, 1.0]])
    assert {c.family for c in read(x).schema} == {"gaussian"}
    assert {c.family for c in read(x.tolist()).schema} == {"gaussian"}
    assert {c.family for c in read(x.astype(int)).schema} == {"categorical"}
    assert {c.family for c in read(x.astype(bool)).schema} == {"bernoulli"}
    assert {c.family for c in read({"a": x[:, 0]}).schema} == {"categorical"}


def test_declared_categories_stay_categories():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": pd.Categorical(list(range(30)))})
    assert read(frame).schema["x"].family == "categorical"


def test_thresholds_stand_in_one_table():
    assert THRESHOLDS.categories == 20


def test_a_table_without_columns_is_refused():
    with pytest.raises(errors.DataError, match="without columns"):
        infer({})


def test_the_schema_is_drawn_as_an_aligned_table():
    schema = read({"Pclass": [1, 2, 3], "Name": ["x" * 99, "b", None]}).schema
    lines = str(schema).splitlines()
    assert lines[0].split() == [
        "column",
        "kind",
        "family",
        "why",
        "distinct",
        "missing",
        "example",
    ]
    assert lines[1].startswith("Pclass  integer  categorical  3 distinct integers (at most 20)")
    assert "..." in lines[2]
    assert len({line.find("categorical") for line in lines[1:]}) == 1
    assert "<table>" in schema._repr_html_()


def test_a_wide_schema_is_drawn_by_its_ends():
    schema = read(np.zeros((2, 1000))).schema
    assert len(str(schema).splitlines()) < 250


def test_schema_goes_through_json_and_pickle():
    schema = read({"a": [1, 2], "b": ["x", "y"], "y": [0, 1]}).schema.with_target("y")
    assert Schema.from_dict(json.loads(json.dumps(schema.to_dict()))) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema
    assert schema["a"].family == "categorical"


def test_an_unknown_column_offers_the_nearest():
    schema = read({"Age": [1], "Fare": [2]}).schema
    with pytest.raises(errors.UnknownColumn, match="did you mean 'Age'"):
        schema["Agee"]
    assert schema.without("Age").names == ("Fare",)


def test_a_block_of_many_columns_is_written_once():
    names = tuple(f"w{j}" for j in range(3000))
    columns = tuple(Column(n, "integer", "multinomial", "counts", block=names) for n in names)
    schema = Schema((*columns, Column("x", "number", "gaussian", "real", block=("x",))))
    text = json.dumps(schema.to_dict())
    assert len(text) < 1_000_000
    again = Schema.from_dict(json.loads(text))
    assert again == schema
    assert len({id(c.block) for c in again}) == 2
    assert hash(again["w1"].block) == hash(names)
    assert pickle.loads(pickle.dumps(again)) == schema


def test_a_schema_shows_itself_as_a_table():
    schema = read({"x": [1.5, 2.5]}).schema
    assert repr(schema) == str(schema)
