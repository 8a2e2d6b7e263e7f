"""A structure is the identity of statistics, and can be read back from them."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from naively.data.coding import Bins, Except, Is, Log, Then
from naively.data.source import read
from naively.engines import one_pass
from naively.errors import DataError, NaivelyError, StructureMismatch
from naively.families import (
    FAMILIES,
    Categorical,
    Exponential,
    Gaussian,
    Histogram,
    Inflated,
    Kernel,
    LogNormal,
    Multinomial,
)
from naively.families.choice import chosen
from naively.models.model import Model
from naively.models.recovered import schema_of
from naively.models.stats import Stats
from naively.models.structure import Term, design

from ..laws.tables import moved_into

TABLE = {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 1.0, 1.0, 3.0], "y": ["no", "yes", "yes", "no"]}
WORDS = {"a": ["p", "q", "p", "r"], "b": ["u", "u", "v", "v"], "y": TABLE["y"]}

RECOVERABLE = [
    *(family() for name, family in FAMILIES.items() if family().kind == name),
    Gaussian(covariance="full"),
    Gaussian(missing="value"),
    Histogram(bins=3, missing="value"),
    Inflated(LogNormal()),
    Inflated(Kernel(), at=2),
    Inflated(Histogram(bins=2), at=1, missing="value"),
    Inflated(Exponential(), at=1),
    Categorical(missing="value"),
    LogNormal(missing="value"),
]


def table_of(family):
    if family.form == "codes":
        return WORDS
    if family.of_type == "time":
        days = [dt.date(2020, 1, int(day)) for day in TABLE["a"]]
        return {**TABLE, "a": days, "b": days[::-1]}
    return {**TABLE, **{name: moved_into(family, TABLE[name]) for name in "ab"}}


@pytest.mark.parametrize("family", RECOVERABLE, ids=repr)
def test_statistics_tell_the_schema_that_designed_them(family):
    table = table_of(family)
    model = one_pass.train(table, "y", columns=family)
    recovered = schema_of(model.stats.structure)
    assert design(recovered)[0] == model.stats.structure
    answers = Model(recovered, model.stats).posterior(table)
    np.testing.assert_allclose(answers.sum(axis=1), 1)


@pytest.mark.parametrize("family", ["gaussian", "categorical", "poisson", "kernel", "multinomial"])
def test_default_families_are_recovered_with_their_answers(family):
    table = WORDS if family == "categorical" else TABLE
    model = one_pass.train(table, "y", columns=family)
    again = Model(schema_of(model.stats.structure), model.stats)
    np.testing.assert_allclose(again.log_joint(table), model.log_joint(table))


def test_columns_of_one_kind_and_coding_stand_in_one_term():
    columns = {"a": Gaussian(), "b": Gaussian(strength=5)}
    schema = chosen(read(TABLE).schema.with_target("y"), columns)
    structure, places = design(schema)
    assert structure.terms == (Term("gaussian", ("a", "b")),)
    assert [(place.within, place.family.strength) for place in places] == [((0,), 1.0), ((1,), 5.0)]


def test_a_point_mass_is_two_terms_of_one_column():
    structure, _ = design(chosen(read(TABLE).schema.with_target("y"), Inflated(LogNormal())))
    assert [term.coding for term in structure.terms] == [Is(0.0), Then(Except(0.0), Log())]


def test_columns_that_go_together_stand_in_one_block():
    structure, _ = design(chosen(read(TABLE).schema.with_target("y"), Multinomial()))
    assert structure.terms == (Term("multinomial", ("a", "b")),)


def test_the_term_that_differs_is_named():
    one = one_pass.train(TABLE, "y", columns=Histogram(edges=(0, 2, 5))).stats
    two = one_pass.train(TABLE, "y", columns=Histogram(edges=(0, 3, 5))).stats
    with pytest.raises(StructureMismatch, match=r"after Bins\(edges=\(0.0, 2.0, 5.0\)\) against"):
        one + two
    third = one_pass.train(
        {**TABLE, "a": WORDS["a"]}, "y", columns={"b": Histogram(edges=(0, 2, 5))}
    )
    with pytest.raises(StructureMismatch):
        one + third.stats
    assert Bins((0.0, 2.0, 5.0)) == one.structure.terms[0].coding


def test_statistics_of_something_else_are_no_summand():
    stats = one_pass.train(TABLE, "y", columns="gaussian").stats
    assert isinstance(sum([stats, stats]), Stats)
    for other in (1, "a", None):
        with pytest.raises(TypeError):
            stats + other
        with pytest.raises(TypeError):
            stats - other


def test_a_model_wants_the_statistics_of_its_schema():
    model = one_pass.train(TABLE, "y", columns="gaussian")
    with pytest.raises(StructureMismatch):
        Model(one_pass.train(TABLE, "y", columns="poisson").schema, model.stats)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"a": Gaussian(strength=0)}, r"column 'a' has variance 0 in class 'yes'.*strength > 0"),
        ({"a": Kernel(), "b": Gaussian(covariance="full", strength=0)}, "singular covariance"),
    ],
)
def test_what_cannot_be_estimated_is_said_by_column_and_class(columns, says):
    table = {"a": [1.0, 2.0, 2.0, 4.0], "b": [1.0, 2.0, 2.0, 4.0], "y": TABLE["y"]}
    with pytest.raises(DataError, match=says):
        one_pass.train(table, "y", columns=columns)


@pytest.mark.parametrize(
    ("family", "value"),
    [("poisson", 1.5), ("lognormal", 0.0), ("exponential", -1.0), ("bernoulli", 2)],
)
def test_a_value_outside_the_support_is_refused_by_row_and_value(family, value):
    table = {"a": [1.0, 1.0, value, 1.0], "y": TABLE["y"]}
    with pytest.raises(
        NaivelyError, match=rf"column 'a', row 2: {value:g} .*choose another family"
    ):
        one_pass.train(table, "y", columns=family)
    model = one_pass.train(
        {"a": [1.0, 1.0, 0.0 if family == "bernoulli" else 3.0, 1.0], "y": TABLE["y"]},
        "y",
        columns=family,
    )
    with pytest.warns(UserWarning, match="never seen"):
        assert model.posterior({"a": value}).tolist() == [[0.5, 0.5]]
