"""What is loaded is what was saved: numbers, labels, choices, and the way it goes on learning."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import zipfile

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import Model, NaiveBayes, Schema, load, read, save
from naively.engines.local import learn, schema_of
from naively.engines.one_pass import train
from naively.errors import ModelFileError, NaivelyError, ParameterError
from naively.families import (
    FAMILIES,
    Categorical,
    Gaussian,
    Histogram,
    Inflated,
    Kernel,
    LogNormal,
)
from naively.models.stats import Stats

from ..laws.tables import MEMBERS, each, fitted, law, tables

TABLE = {
    "sky": ["sun", "rain", "rain", None, "sun", "sun"],
    "height": [1.5, 2.25, 0.5, 1.0, None, 4.0],
    "weight": [10.0, 20.5, 3.0, 8.5, 7.0, 60.0],
    "fare": [0.0, 7.5, 0.0, 12.25, 80.0, 7.5],
    "flag": [True, False, True, True, False, None],
    "many": [3, 0, 1, 7, 2, 2],
    "when": [dt.datetime(2020, 1, day, day) for day in range(1, 7)],
    "odd, =\n\"'ø": ["x", "y", "x", "y", "x", "y"],
    "class": ["no", "yes", "no", "yes", "no", "perhaps"],
}

CHOICES = {
    "default": {},
    "every coding": {
        "columns": {
            ("height", "weight"): Gaussian(covariance="full", strength=2),
            "fare": Inflated(LogNormal(), at=0, missing="value"),
            "many": "poisson",
            "when": "part_of_time",
            "flag": "ignore",
        },
        "missing": "value",
    },
    "tied": {"columns": {("height", "weight", "fare"): Gaussian(covariance="tied")}},
    "learned edges": {"columns": {"height": Histogram(bins=3, cut="frequency"), "many": Kernel}},
    "numbers by label": {
        "columns": {"sky": Categorical(alpha={"sun": 1.0, "rain": 2.5}, labels=("sun", "rain"))}
    },
    "prior by class": {"prior": {"no": 0.5, "yes": 0.25, "perhaps": 0.25}},
    "prior in order": {"prior": np.array([0.5, 0.25, 0.25])},
    "all parameters": {
        "alpha": 0.5,
        "strength": 0.25,
        "prior": "smoothed",
        "unseen": "reserve",
        "missing": "value",
        "impossible": "prior",
    },
}
every_choice = pytest.mark.parametrize("choice", CHOICES)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.naively"


def again(x, path):
    save(x, path)
    return load(path)


def same_stats(a: Stats, b: Stats):
    assert a.structure == b.structure
    assert a.classes.labels == b.classes.labels
    assert [*map(type, a.classes.labels)] == [*map(type, b.classes.labels)]
    assert (a.rows, a.target) == (b.rows, b.target)
    assert np.array_equal(a.class_count, b.class_count)
    for mine, theirs in zip(a.statistics, b.statistics, strict=True):
        assert type(mine) is type(theirs)
        assert mine.domains == theirs.domains
        ours, others = mine.arrays(), theirs.arrays()
        assert ours.keys() == others.keys()
        assert all(np.array_equal(np.atleast_1d(ours[k]), np.atleast_1d(others[k])) for k in ours)


def same_model(a: Model, b: Model, x):
    same_stats(a.stats, b.stats)
    assert a.impossible == b.impossible
    assert [(c.name, c.type, c.family, c.form, c.why, c.block) for c in a.schema] == [
        (c.name, c.type, c.family, c.form, c.why, c.block) for c in b.schema
    ]
    assert str(a.schema) == str(b.schema)
    assert np.array_equal(a.log_joint(x), b.log_joint(x))


@pytest.mark.filterwarnings("ignore:values never seen")
@each(MEMBERS)
def test_every_family_comes_back(family, tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")

    @settings(law, max_examples=5)
    @given(tables(family))
    def holds(table):
        model = fitted(table, family)
        save(model, folder / "m.naively")
        same_model(model, load(folder / "m.naively"), table.cells)

    holds()


def test_every_registered_family_is_among_them():
    assert {family.name for family in MEMBERS} == set(FAMILIES)


@every_choice
def test_an_estimator_comes_back(choice, path):
    model = NaiveBayes(**CHOICES[choice]).fit(TABLE, "class")
    loaded = again(model, path)
    assert type(loaded) is NaiveBayes
    same_model(model.model_, loaded.model_, TABLE)
    assert loaded.stats_ is loaded.model_.stats
    assert loaded.n_features_in_ == model.n_features_in_ == 8
    assert loaded.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    assert loaded.predict(TABLE).tolist() == model.predict(TABLE).tolist()
    mine, theirs = model.get_params(), loaded.get_params()
    assert mine.keys() == theirs.keys()
    for name, value in mine.items():
        named = (
            {k: getattr(v, "name", v) for k, v in value.items()}
            if name == "columns" and value
            else None
        )
        if named is not None:  # a class of families comes back by its name
            assert {k: getattr(v, "name", v) for k, v in theirs[name].items()} == named
        else:
            assert np.array_equal(value, theirs[name])


@every_choice
def test_a_loaded_estimator_goes_on_learning_as_the_original_would(choice, path):
    more = {name: values[1:4] for name, values in TABLE.items()}
    model = NaiveBayes(**CHOICES[choice]).fit(TABLE, "class")
    loaded = again(model, path)
    for estimator in (model, loaded):
        estimator.partial_fit(more, "class")
    same_model(model.model_, loaded.model_, TABLE)
    for estimator in (model, loaded):
        estimator.forget(more, "class")
    same_model(model.model_, loaded.model_, TABLE)


def test_declared_classes_stay_declared(path):
    model = NaiveBayes().partial_fit(TABLE, "class", classes=["no", "perhaps", "yes", "never"])
    loaded = again(model, path)
    assert loaded.classes_.tolist() == ["never", "no", "perhaps", "yes"]
    other = {name: values[:1] for name, values in TABLE.items()} | {"class": ["other"]}
    with pytest.raises(NaivelyError, match="'other'"):
        loaded.partial_fit(other, "class")


def test_a_schema_as_columns_comes_back(path):
    schema = NaiveBayes(CHOICES["every coding"]["columns"]).fit(TABLE, "class").schema_
    model = NaiveBayes(columns=schema).fit(TABLE, "class")
    loaded = again(model, path)
    assert isinstance(loaded.columns, Schema)
    assert [(c.name, c.family) for c in loaded.columns] == [(c.name, c.family) for c in schema]
    same_model(model.model_, loaded.model_, TABLE)
    again_learned = loaded.fit(TABLE, "class")
    assert np.array_equal(again_learned.predict_proba(TABLE), model.predict_proba(TABLE))


def test_statistics_come_back_and_still_add(path):
    stats = NaiveBayes(CHOICES["every coding"]["columns"]).fit(TABLE, "class").stats_
    loaded = again(stats, path)
    assert isinstance(loaded, Stats)
    same_stats(stats, loaded)
    same_stats(stats + stats, loaded + stats)


def test_an_array_without_names_comes_back(path, rng):
    x = rng.normal(size=(20, 3))
    model = NaiveBayes().fit(x, np.arange(20) % 2)
    loaded = again(model, path)
    assert loaded.n_features_in_ == 3
    assert not hasattr(loaded, "feature_names_in_")
    assert np.array_equal(loaded.predict_proba(x), model.predict_proba(x))
    assert loaded.classes_.dtype.kind == "i"


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        [0, 1],
        [-(2**62), 2**62],
        [0.5, 1.5],
        [1e-300, 1e300],
        ["", " "],
        ['a"b,c\n', "p_ø\\🎲"],
        ["1", "01"],
    ],
    ids=repr,
)
def test_class_labels_keep_their_type_and_value(labels, path):
    model = train({"x": [1.5, 2.0, 4.5, 1.25]}, np.array(labels * 2, dtype=object))
    loaded = again(model, path)
    assert loaded.classes.labels == model.classes.labels
    assert [*map(type, loaded.classes.labels)] == [*map(type, model.classes.labels)]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, unique=True, max_size=6)
)
def test_any_text_may_name_a_column_or_a_label(tmp_path_factory, names):
    folder = tmp_path_factory.mktemp("names")
    table = {name: [*names[:2]] for name in names}
    model = train(table, np.array(["u", "v"]), columns="categorical")
    save(model, folder / "m.naively")
    same_model(model, load(folder / "m.naively"), table)


def test_numbers_come_back_to_the_last_bit(path):
    x = np.array([1e-310, 1e100, 0.1, 1 / 3, -0.0, 5e-324])
    model = train({"x": x}, np.array(["a", "b"] * 3), columns={"x": Inflated(at=0.1)})
    same_model(model, again(model, path), {"x": x})


def test_statistics_that_could_not_be_loaded_are_not_written(path):
    source = read({"x": [1e300, -1e300, 1e299]})
    target = np.array(["a", "b", "a"])
    with np.errstate(over="ignore"):
        stats = learn(source, schema_of(source, target, columns="gaussian"), target)
    with pytest.raises(ModelFileError, match=r"gaussian\(x\) holds numbers that are not finite"):
        save(stats, path)
    assert not os.listdir(path.parent)


def test_saving_twice_gives_the_same_numbers(path, tmp_path):
    model = train(TABLE, "class")
    same_model(model, again(again(model, path), tmp_path / "n.naively"), TABLE)


def test_the_model_in_an_estimators_file_needs_no_scikit_learn(path):
    save(NaiveBayes(CHOICES["every coding"]["columns"]).fit(TABLE, "class"), path)
    program = (
        "import sys, naively\n"
        f"model = naively.Model.load({str(path)!r})\n"
        "model.posterior({n: None for n in model.schema.names})\n"
        "print([n for n in ('sklearn', 'pandas', 'scipy', 'polars') if n in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr


def test_the_file_is_a_plain_zip(path):
    save(train(TABLE, "class"), path)
    with zipfile.ZipFile(path) as bundle:
        assert bundle.testzip() is None
        header = msgspec.json.decode(bundle.read("header.json"))
        names = {info.filename for info in bundle.infolist()}
        counts = np.load(bundle.open("class_count.npy"), allow_pickle=False)
    assert header["format"] == 1
    assert header["classes"] == ["no", "perhaps", "yes"]
    assert names == {"header.json"} | {
        f"{name}.npy" for part in header["statistics"] for name in part["arrays"]
    }
    assert counts.tolist() == [3, 1, 2]


def test_the_file_has_the_rights_of_any_new_file(path, tmp_path):
    save(train(TABLE, "class"), path)
    (tmp_path / "plain").write_text("")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("thing", [NaiveBayes(), "model", None, {}, np.zeros(3)], ids=repr)
def test_only_what_was_learned_can_be_saved(thing, path):
    with pytest.raises(ParameterError, match=r"save of a \w+; expected a Model"):
        save(thing, path)
    assert not os.listdir(path.parent)


@pytest.mark.parametrize(
    "params",
    [
        {"alpha": float("inf")},
        {"strength": float("nan")},
        {"prior": dict},
        {"columns": Histogram(edges=(0, float("inf")))},
        {"columns": {"x": "gaussian", "y\ud800": "ignore"}},
    ],
    ids=repr,
)
def test_a_parameter_that_no_file_can_hold_is_refused_before_writing(params, path):
    model = NaiveBayes().fit({"x": [1.5, 2.0, 4.5], "c": ["u", "v", "v"]}, "c").set_params(**params)
    with pytest.raises(ParameterError):
        save(model, path)
    assert not os.listdir(path.parent)


def test_a_class_of_ones_own_is_saved_by_its_model(path):
    class Mine(NaiveBayes):
        pass

    model = Mine().fit(TABLE, "class")
    with pytest.raises(ParameterError, match="save its model_"):
        save(model, path)
    same_model(model.model_, again(model.model_, path), TABLE)


def test_what_cannot_be_saved_is_told_what_can(tmp_path):
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(NaiveBayes("gaussian")).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match=r"save of a Pipeline.*save the part of it"):
        save(pipeline, tmp_path / "m")
    with pytest.raises(ParameterError, match=r"save of a NaiveBayes.*fit it first"):
        save(NaiveBayes(), tmp_path / "m")
    save(pipeline[-1], tmp_path / "m")


def test_a_schema_is_saved_by_itself(tmp_path):
    table = {"a": [1.5, 2.5, 0.5, 3.0], "b": [*"uvuv"], "n": [1, 0, 2, 1], "y": [*"pqpq"]}
    columns = {"a": Inflated(LogNormal(), at=0), ("n",): "multinomial", "b": "ignore"}
    model = NaiveBayes(columns).fit(table, "y")
    save(model.schema_, tmp_path / "schema.naively")
    schema = load(tmp_path / "schema.naively")
    assert schema == model.schema_
    again = NaiveBayes(schema).fit(table, "y")
    assert again.predict_proba(table).tolist() == model.predict_proba(table).tolist()
    assert (again.stats_ + model.stats_).rows == 8


def test_an_inferred_schema_is_saved_with_its_families(tmp_path):
    save(read("examples/golf.csv").schema, tmp_path / "s")
    assert [str(column.family) for column in load(tmp_path / "s")][:2] == ["categorical"] * 2


def test_a_structure_is_saved_by_itself(tmp_path):
    table = {"a": [0.5, 2.5, 0.5, 3.0], "b": [*"uvuv"], "y": [*"pqpq"]}
    stats = NaiveBayes({"a": Inflated(LogNormal(), at=0)}).fit(table, "y").stats_
    save(stats.structure, tmp_path / "structure.naively")
    assert load(tmp_path / "structure.naively") == stats.structure
    with pytest.raises(ModelFileError, match="structure without a model"):
        Model.load(tmp_path / "structure.naively")
