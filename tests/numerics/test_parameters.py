"""Numerical truth 15: a parameter that is unknown or does not apply is an error."""

from __future__ import annotations

import numpy as np
import pytest

import naively
from naively import families
from naively.errors import NaivelyError, ParameterError, UnknownColumn

LABELS = {"v": [*"aabb"]}
NUMBERS = {"v": [0.5, 1.5, 2.5, 4.0]}
Y = [0, 0, 1, 1]


@pytest.mark.parametrize("table", [LABELS, NUMBERS], ids=["labels", "numbers"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": -1},
        {"alpha": float("nan")},
        {"alpha": "one"},
        {"alpha": None},
        {"strength": -1},
        {"strength": float("inf")},
        {"unseen": "drop"},
        {"missing": "drop"},
        {"impossible": "warn"},
        {"prior": "empirical"},
    ],
    ids=str,
)
def test_15_a_senseless_parameter_is_refused_whether_a_column_needs_it_or_not(table, wrong):
    with pytest.raises(ParameterError):
        naively.NaiveBayes(**wrong).fit(table, Y)


@pytest.mark.parametrize("wrong", ["alhpa", "var_smoothing", "fit_prior", "binarize"])
def test_15_an_unknown_parameter_is_refused(wrong):
    with pytest.raises(TypeError, match=wrong):
        naively.NaiveBayes(**{wrong: 1})
    with pytest.raises(ValueError, match=wrong):
        naively.NaiveBayes().set_params(**{wrong: 1})


@pytest.mark.parametrize("family", families.FAMILIES.values())
def test_15_a_family_refuses_what_it_does_not_have(family):
    with pytest.raises(TypeError, match="smoothing"):
        family(smoothing=1)


@pytest.mark.parametrize(
    ("family", "wrong"),
    [
        (families.Bernoulli, {"alpha": -1}),
        (families.Bernoulli, {"beta": -1}),
        (families.Complement, {"norm": "l2"}),
        (families.Exponential, {"shape": 1}),
        (families.Gaussian, {"covariance": "spherical"}),
        (families.Gaussian, {"ddof": 2}),
        (families.Gaussian, {"strength": -1}),
        (families.Geometric, {"alpha": 1}),
        (families.Histogram, {"alpha": -1}),
        (families.Histogram, {"bins": 0}),
        (families.Histogram, {"bins": 2.5}),
        (families.Histogram, {"cut": "entropy"}),
        (families.Histogram, {"edges": (0, 2, 1)}),
        (families.Inflated, {"alpha": -1}),
        (families.Inflated, {"at": float("nan")}),
        (families.Inflated, {"density": families.Multinomial()}),
        (families.Kernel, {"adjust": 0}),
        (families.Kernel, {"bandwidth": 0}),
        (families.LogNormal, {"strength": -1}),
        (families.Multinomial, {"alpha": -1}),
        (families.NegativeBinomial, {"r": 0}),
        (families.PartOfTime, {"part": "century"}),
        (families.Poisson, {"rate": 1}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_15_a_family_refuses_a_senseless_value_when_it_is_stated(family, wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        family(**wrong)


@pytest.mark.parametrize("family", [families.Gaussian, families.Categorical])
def test_15_missing_cells_are_ignored_or_a_value(family):
    with pytest.raises(ParameterError, match="missing='drop'"):
        family(missing="drop")


@pytest.mark.parametrize("family", [families.Multinomial, families.Complement])
def test_15_counts_cannot_be_missing(family):
    with pytest.raises(ParameterError, match="missing='value'"):
        naively.NaiveBayes(family(missing="value")).fit(np.eye(4), Y)


def test_15_an_unknown_family_is_refused_with_the_nearest_name():
    with pytest.raises(ParameterError, match="did you mean 'gaussian'"):
        naively.NaiveBayes({"v": "gausian"}).fit(NUMBERS, Y)


@pytest.mark.parametrize("family", sorted(families.FAMILIES))
def test_15_every_family_may_be_named(family):
    x = np.ones((4, 1))
    if families.FAMILIES[family].of_type == "time":
        x = x.astype("datetime64[D]")
    posterior = naively.NaiveBayes(family).fit(x, Y).predict_proba(x)
    assert posterior == pytest.approx(np.full((4, 2), 0.5))


def test_15_a_family_of_times_refuses_numbers():
    with pytest.raises(NaivelyError, match=r"'v' holds numbers .* expected times"):
        naively.NaiveBayes({"v": "part_of_time"}).fit(NUMBERS, Y)


def test_15_a_column_that_is_not_there_is_refused_by_name():
    with pytest.raises(UnknownColumn, match="'w'"):
        naively.NaiveBayes({"w": "gaussian"}).fit(NUMBERS, Y)
    with pytest.raises(UnknownColumn, match="'target'"):
        naively.NaiveBayes().fit(NUMBERS, "target")
    with pytest.raises(UnknownColumn, match="'weight'"):
        naively.NaiveBayes().fit(NUMBERS, Y, sample_weight="weight")
    model = naively.NaiveBayes().fit(NUMBERS, Y)
    with pytest.raises(UnknownColumn, match="'v'"):
        model.predict({"w": [1.0]})


def test_15_a_column_is_chosen_once():
    table = {"v": NUMBERS["v"], "w": NUMBERS["v"]}
    with pytest.raises(ParameterError, match="twice"):
        naively.NaiveBayes({"v": "kernel", ("v", "w"): "gaussian"}).fit(table, Y)


def test_15_an_unknown_option_of_a_source_is_refused():
    with pytest.raises(NaivelyError, match="separator"):
        naively.read(NUMBERS, separator=";")


@pytest.mark.parametrize("family", sorted(set(families.FAMILIES) - {"part_of_time"}))
def test_15_weights_are_used_by_every_family(family):
    x = np.array([[1.0, 2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [1.0, 3.0]])
    x = (x > 1).astype(float) if family == "bernoulli" else x
    y = [0, 0, 1, 1, 1]
    weight = np.array([1.0, 3.0, 2.0, 1.0, 2.0])
    chosen = families.Histogram(edges=(0, 1.5, 4)) if family == "histogram" else family
    weighted = naively.NaiveBayes(chosen).fit(x, y, sample_weight=weight)
    repeated = naively.NaiveBayes(chosen).fit(
        np.repeat(x, weight.astype(int), axis=0), np.repeat(y, weight.astype(int))
    )
    plain = naively.NaiveBayes(chosen).fit(x, y)
    assert weighted.predict_proba(x) == pytest.approx(repeated.predict_proba(x), abs=1e-12)
    assert np.abs(weighted.predict_proba(x) - plain.predict_proba(x)).max() > 1e-3


@pytest.mark.parametrize(
    "changed", [{"alpha": 9.0}, {"strength": 2}, {"unseen": "error"}, {"missing": "value"}], ids=str
)
def test_15_a_parameter_with_nothing_to_apply_to_is_refused(changed):
    table, y = {"c": ["a", "b"] * 3, "d": [1.5, 2.0, 0.5] * 2}, [0, 1] * 3
    schema = naively.NaiveBayes().fit(table, y).schema_
    objects = {"c": naively.families.Categorical(), "d": naively.families.Gaussian()}
    (name,) = changed
    for columns in (objects, schema, {"c": objects["c"], "d": "ignore"}):
        with pytest.raises(ParameterError, match=f"{name}=.*objects or from a schema"):
            naively.NaiveBayes(columns, **changed).fit(table, y)
        naively.NaiveBayes(columns).fit(table, y)
    for columns in (None, {"c": objects["c"]}, {"c": "categorical", "d": "ignore"}, "gaussian"):
        rows = {"d": table["d"]} if columns == "gaussian" else table
        naively.NaiveBayes(columns, **changed).fit(rows, y)


def test_parameters_reach_the_families_that_a_schema_names():
    table, y = {"c": ["a", "b"] * 3}, [0, 1] * 3
    model = naively.NaiveBayes(naively.read(table).schema, alpha=3.0).fit(table, y)
    assert model.schema_["c"].family == naively.families.Categorical(alpha=3.0)
