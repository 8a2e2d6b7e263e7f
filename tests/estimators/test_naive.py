"""`NaiveBayes` is a scikit-learn classifier, for tables as they are."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from naively import NaiveBayes
from naively.errors import (
    DataError,
    ForgetError,
    ImpossibleEvidence,
    NaivelyError,
    ParameterError,
    StructureMismatch,
    UnknownColumn,
    UnseenWarning,
)
from naively.families import Categorical, Gaussian, Inflated, LogNormal

GOLF = {
    "outlook": ["sunny", "sunny", "rainy", "rainy", "sunny", "rainy"],
    "wind": [1.5, 3.0, 2.0, None, 0.5, 4.0],
    "play": ["no", "no", "yes", "yes", "yes", "no"],
}
X = {name: GOLF[name] for name in ("outlook", "wind")}
Y = np.array(GOLF["play"])


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture
def model():
    return NaiveBayes().fit(GOLF, "play")


# ---------------------------------------------------------------- scikit-learn's conventions


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_no_fault():
    checks = check_estimator(NaiveBayes(), on_skip=None, on_fail=None)
    passed = [check for check in checks if check["status"] == "passed"]
    assert not [c["check_name"] for c in checks if c["status"] not in ("passed", "skipped")]
    assert len(passed) >= 55


def test_a_search_over_columns_alpha_and_prior_works():
    frame = pd.DataFrame({"a": ["x", "y"] * 30, "b": np.arange(60.0)})
    grid = {
        "columns": [None, {"b": "ignore"}, {"b": Gaussian(strength=2)}],
        "alpha": [0.5, 1.0],
        "prior": ["counted", "uniform", [0.3, 0.7]],
    }
    search = GridSearchCV(NaiveBayes(), grid, cv=3).fit(frame, ["no", "yes"] * 30)
    assert search.best_score_ == 1.0
    assert len(search.cv_results_["params"]) == 18


def test_cross_validation_scores_arrays_and_frames(iris):
    assert cross_val_score(NaiveBayes(), *iris, cv=5).mean() > 0.94
    frame = pd.DataFrame({"kind": np.where(iris[1] == 0, "a", "b"), "x": iris[0][:, 0]})
    assert cross_val_score(NaiveBayes(), frame, iris[1], cv=5).mean() > 0.7


def test_it_stands_in_a_pipeline_whose_steps_give_frames(iris):
    steps = make_pipeline(StandardScaler(), NaiveBayes()).set_output(transform="pandas")
    steps.fit(*iris)
    assert steps[-1].feature_names_in_.tolist() == ["x0", "x1", "x2", "x3"]
    assert steps.score(*iris) > 0.94
    polars = make_pipeline(FunctionTransformer(), NaiveBayes()).set_output(transform="polars")
    assert polars.fit(*iris).score(*iris) > 0.94


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_it_can_be_calibrated(iris, method):
    calibrated = CalibratedClassifierCV(NaiveBayes(), method=method, cv=3).fit(*iris)
    np.testing.assert_allclose(calibrated.predict_proba(iris[0]).sum(axis=1), 1)
    assert calibrated.score(*iris) > 0.9


def test_a_clone_has_the_parameters_and_no_knowledge(model):
    model.set_params(columns={"wind": "lognormal"}, alpha=2.0)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "stats_")
    assert not hasattr(copy, "classes_")


def test_a_pickled_model_answers_alike(model):
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    again.partial_fit(GOLF, "play")
    assert again.class_count_.tolist() == [6.0, 6.0]
    assert model.class_count_.tolist() == [3.0, 3.0]


def test_threads_may_ask_one_model_at_once(iris):
    model = NaiveBayes(columns="kernel").fit(*iris)
    expected = model.predict_proba(iris[0])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: model.predict_proba(iris[0]), range(32)))
    assert all(np.array_equal(answer, expected) for answer in answers)


def test_before_fit_nothing_is_known():
    for method in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(NaiveBayes(), method)(X)
    with pytest.raises(NaivelyError):
        NaiveBayes().forget(X, Y)
    for name in ("classes_", "schema_", "class_count_", "theta_", "feature_log_prob_"):
        assert not hasattr(NaiveBayes(), name)


def test_its_page_in_a_notebook_can_be_drawn(model):
    assert "NaiveBayes" in model._repr_html_()


# ---------------------------------------------------------------- equal to scikit-learn


def test_gaussian_columns_are_gaussian_nb(iris):
    ours = NaiveBayes(columns=Gaussian(strength=0)).fit(*iris)
    theirs = GaussianNB(var_smoothing=0).fit(*iris)
    np.testing.assert_allclose(ours.theta_, theirs.theta_, rtol=1e-12)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-10)
    log_proba = theirs.predict_log_proba(iris[0])
    np.testing.assert_allclose(ours.predict_log_proba(iris[0]), log_proba, atol=1e-10)


@pytest.mark.parametrize("dense", [True, False])
def test_counts_are_multinomial_nb(dense, rng):
    counts = rng.poisson(0.7, (60, 12))
    y, x = rng.integers(0, 3, 60), counts if dense else csr_matrix(counts)
    ours, theirs = NaiveBayes(columns="multinomial").fit(x, y), MultinomialNB().fit(x, y)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), atol=1e-10)


def test_truth_values_are_bernoulli_nb(rng):
    x, y = rng.random((60, 7)) < 0.4, rng.integers(0, 3, 60)
    ours, theirs = NaiveBayes().fit(x, y), BernoulliNB().fit(x, y)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), atol=1e-10)


# ---------------------------------------------------------------- the target


def test_the_target_may_be_a_column_or_an_array(model):
    other = NaiveBayes().fit(X, Y)
    assert other.schema_.names == model.schema_.names == ("outlook", "wind")
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))


def test_a_question_may_hold_the_target_and_more(model):
    assert model.predict({**GOLF, "more": [1] * 6}).tolist() == model.predict(X).tolist()
    assert model.score(GOLF, "play") == model.score(X, Y)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["z", "b", "z", "a", "a", "b"], ["a", "b", "z"]),
        ([3, 1, 2, 10, 1, 3], [1, 2, 3, 10]),
        ([True, False, True, True, False, False], [False, True]),
        (pd.Series(["u", "v", "u", "v", "u", "v"], dtype="category"), ["u", "v"]),
        (pl.Series(["u", "v", "u", "v", "u", "v"]), ["u", "v"]),
        ([1.0, 0.0, 1.0, 0.0, 1.0, 1.0], [0.0, 1.0]),
        (np.array(["u", "v"] * 3, dtype=object), ["u", "v"]),
        (["only"] * 6, ["only"]),
    ],
)
def test_classes_are_sorted_and_keep_their_type(y, classes):
    model = NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == classes
    assert model.classes_.dtype == np.array(classes).dtype
    assert model.predict(X).dtype == model.classes_.dtype
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("y", "error", "says"),
    [
        (None, ParameterError, "y is None"),
        ("plays", UnknownColumn, "no column 'plays'"),
        ([0, 1], DataError, "2 values beside 6"),
        ([1, np.nan, 0, 1, 0, 1], DataError, "NaN"),
        (["a", None, "b", "a", "b", "a"], DataError, "row 1: .* missing"),
        (np.array(["a", np.nan, "b", "a", "b", "a"], dtype=object), DataError, "row 1: .* missing"),
        (np.array(["a", 1, "b", "a", "b", "a"], dtype=object), DataError, "labels 'a' and 1"),
        ([0.5, 1.5, 0, 1, 0, 1], DataError, "continuous"),
        (np.zeros((6, 2)), DataError, "1d array"),
        ([], DataError, "0 entries"),
    ],
)
def test_a_target_that_is_none_is_refused(y, error, says):
    with pytest.raises(error, match=says):
        NaiveBayes().fit(X, y)


def test_a_column_of_amounts_is_no_target():
    with pytest.raises(DataError, match="'wind' is continuous"):
        NaiveBayes().fit({**GOLF, "wind": [1.5] * 6}, "wind")


# ---------------------------------------------------------------- columns, schemas, priors


def test_columns_are_chosen_by_name_tuple_object_and_left_out():
    table = {"a": [1.0, 2.5, 3.0], "b": [2.0, 1.5, 3.0], "c": ["p", "q", "r"], "d": [1, 2, 1]}
    joint = Gaussian(covariance="full")
    model = NaiveBayes(columns={("a", "b"): joint, "c": "ignore", "d": Categorical(alpha=2)})
    schema = model.fit(table, [0, 1, 1]).schema_
    assert schema["a"].block == schema["b"].block == ("a", "b")
    assert schema["c"].family is None
    assert schema["d"].family == Categorical(alpha=2)
    assert model.predict_proba({"a": 1.0, "b": 2.0, "d": 1}).shape == (1, 2)


def test_columns_of_arrays_are_chosen_by_position():
    model = NaiveBayes(columns={0: "poisson", -1: "ignore"}).fit([[1, 2.5], [3, 1.5]], [0, 1])
    assert [str(column.family) for column in model.schema_] == ["poisson", "None"]


def test_a_schema_can_be_used_again():
    first = NaiveBayes(columns={"wind": Inflated(LogNormal())}).fit(X, Y)
    again = NaiveBayes(columns=first.schema_).fit({**X, "more": [1] * 6}, Y)
    assert again.schema_.names == first.schema_.names
    assert np.array_equal(again.predict_proba(X), first.predict_proba(X))


@pytest.mark.parametrize(
    ("columns", "error", "says"),
    [
        ({"winds": "gaussian"}, UnknownColumn, "did you mean 'wind'"),
        ({"wind": "gausian"}, ParameterError, "did you mean 'gaussian'"),
        ({"outlook": "gaussian"}, DataError, "'outlook' holds text"),
        ({"wind": "gaussian", ("wind", "outlook"): "categorical"}, ParameterError, "chosen twice"),
        ({("wind", "outlook"): Gaussian(covariance="full")}, DataError, "holds text"),
        (3, ParameterError, "no family 3"),
        ("ignore", DataError, "no column .* can be used"),
    ],
)
def test_columns_that_make_no_sense_are_refused(columns, error, says):
    with pytest.raises(error, match=says):
        NaiveBayes(columns=columns).fit(X, Y)


@pytest.mark.parametrize(
    "parameter",
    [
        {"alpha": -1},
        {"alpha": "a"},
        {"alpha": np.nan},
        {"strength": -1},
        {"strength": None},
        {"prior": "nope"},
        {"prior": 3},
        {"prior": ["a", "b"]},
        {"prior": [0.5, 0.6]},
        {"prior": [0.2, 0.3, 0.5]},
        {"prior": [-1, 2]},
        {"prior": {"no": 1.0}},
        {"prior": {"no": 0.5, "maybe": 0.5}},
        {"unseen": "nope"},
        {"missing": "nope"},
        {"impossible": "nope"},
    ],
    ids=repr,
)
def test_parameters_that_make_no_sense_are_refused(parameter):
    with pytest.raises(ParameterError, match=next(iter(parameter)) + "|prior"):
        NaiveBayes(**parameter).fit(X, Y)


@pytest.mark.parametrize("prior", [{"yes": 0.8, "no": 0.2}, [0.2, 0.8], np.array([0.2, 0.8])])
def test_a_stated_prior_is_the_prior(prior):
    model = NaiveBayes(prior=prior).fit(X, Y)
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [0.2, 0.8])


def test_another_prior_moves_the_odds_and_nothing_else(model):
    moved = model.model_.with_prior({"no": 0.9, "yes": 0.1})
    odds = moved.log_posterior(X) - model.model_.log_posterior(X)
    np.testing.assert_allclose(odds[:, 0] - odds[:, 1], np.log(9), atol=1e-12)
    assert np.exp(model.class_log_prior_).tolist() == [0.5, 0.5]


# ---------------------------------------------------------------- batches, forgetting, merging


def test_later_batches_may_bring_and_lack_classes_and_labels():
    model = NaiveBayes(columns={"v": "categorical"}).partial_fit({"v": ["a", "b"]}, ["x", "y"])
    model.partial_fit({"v": ["c"]}, ["z"]).partial_fit({"v": ["a"]}, ["x"])
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert model.class_count_.tolist() == [2.0, 1.0, 1.0]
    assert model.stats_.domains()["v"].labels == ("a", "b", "c")


def test_declared_classes_are_the_only_ones():
    model = NaiveBayes().partial_fit(X, Y, classes=["no", "yes", "never"])
    assert model.classes_.tolist() == ["never", "no", "yes"]
    assert (model.predict_proba(X)[:, 0] == 0).all()
    with pytest.raises(DataError, match="row 0: class 'other'"):
        model.partial_fit({"outlook": ["sunny"], "wind": [1.0]}, ["other"])
    with pytest.raises(ParameterError, match="on a later call"):
        model.partial_fit(X, Y, classes=["no", "yes"])
    with pytest.raises(ParameterError, match=r"classes=\[\]"):
        NaiveBayes().partial_fit(X, Y, classes=[])
    assert model.class_count_.tolist() == [0.0, 3.0, 3.0]


def test_a_refused_batch_leaves_the_model_as_it_was(model):
    before = model.predict_proba(X)
    for odd in ({**X, "wind": ["a"] * 6}, {"outlook": X["outlook"]}):
        with pytest.raises(NaivelyError):
            model.partial_fit(odd, Y)
    with pytest.raises(StructureMismatch, match="'no' beside classes such as 0"):
        model.partial_fit(X, [0, 1, 0, 1, 0, 1])
    assert np.array_equal(model.predict_proba(X), before)


def test_one_row_does_not_decide_families():
    with pytest.raises(ParameterError, match="a single row"):
        NaiveBayes().partial_fit({"x": 1.0}, ["no"])
    model = NaiveBayes(columns="gaussian").partial_fit({"x": 1.0}, ["no"])
    assert model.predict_proba({"x": 5.0}).tolist() == [[1.0]]


def test_a_batch_is_not_cut_to_fit():
    model = NaiveBayes(columns={"x": "categorical"}).partial_fit({"x": [1, 2, 1]}, [0, 1, 1])
    with pytest.raises(DataError, match=r"column 'x', row 0: 0.9"):
        model.partial_fit({"x": [0.9, 1.0]}, [0, 1])


def test_forgetting_by_column_name_and_by_array(model):
    last = {name: column[4:] for name, column in GOLF.items()}
    model.forget(last, "play")
    first = NaiveBayes(columns=model.schema_).fit({n: c[:4] for n, c in GOLF.items()}, "play")
    np.testing.assert_allclose(model.predict_proba(X), first.predict_proba(X), atol=1e-12)
    with pytest.raises(ForgetError):
        model.forget({n: c[:4] for n, c in X.items()}, Y[:4])


def test_statistics_of_two_models_add_up(model):
    parts = [slice(0, 3), slice(3, 6)]
    halves = [
        NaiveBayes(columns=model.schema_).fit({n: c[p] for n, c in X.items()}, Y[p]) for p in parts
    ]
    both = NaiveBayes.from_stats(halves[0].stats_ + halves[1].stats_)
    assert both.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(both.predict_proba(X), model.predict_proba(X), atol=1e-12)


def test_from_stats_takes_families_and_parameters(model):
    other = NaiveBayes.from_stats(model.stats_, columns={"wind": Gaussian(strength=9)}, alpha=5)
    assert other.schema_["wind"].family.strength == 9
    assert other.schema_["outlook"].family.alpha == 5
    expected = NaiveBayes(columns={"wind": Gaussian(strength=9)}, alpha=5).fit(X, Y)
    np.testing.assert_allclose(other.predict_proba(X), expected.predict_proba(X), atol=1e-12)
    with pytest.raises(StructureMismatch):
        NaiveBayes.from_stats(model.stats_, columns={"wind": "poisson"})


def test_from_stats_learns_on(model):
    other = NaiveBayes.from_stats(model.stats_).partial_fit(GOLF, "play")
    assert other.class_count_.tolist() == [6.0, 6.0]


def test_drawn_rows_can_be_learned_again(model):
    rows = model.model_.sample(4000, random_state=1)
    assert list(rows) == ["outlook", "wind", "play"]
    again = NaiveBayes(columns=model.schema_).fit(rows, "play")
    np.testing.assert_allclose(again.theta_, model.theta_, atol=0.15)
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=0.1)


# ---------------------------------------------------------------- unseen, missing, impossible


def test_an_unseen_label_is_ignored_reserved_or_refused():
    x = {"v": ["a", "a", "b"]}
    question = {"v": "c"}
    with pytest.warns(UnseenWarning, match=r"'v': 1; 1 rows"):
        assert NaiveBayes().fit(x, [0, 0, 1]).predict_proba(question)[0, 0] == pytest.approx(2 / 3)
    reserved = NaiveBayes(unseen="reserve").fit(x, [0, 0, 1])
    likelihood = np.exp(reserved.predict_joint_log_proba(question) - reserved.class_log_prior_)
    np.testing.assert_allclose(likelihood, [[1 / 5, 1 / 4]])
    with pytest.raises(DataError, match="training never saw"):
        NaiveBayes(unseen="error").fit(x, [0, 0, 1]).predict(question)


def test_impossible_evidence_is_said_or_answered_by_the_prior():
    table, question = {"v": ["a", "b"], "w": ["c", "d"]}, {"v": "a", "w": "d"}
    model = NaiveBayes(alpha=0).fit(table, [0, 1])
    with pytest.raises(ImpossibleEvidence, match="every class has likelihood 0"):
        model.predict_proba(question)
    assert model.predict_joint_log_proba(question).tolist() == [[-np.inf, -np.inf]]
    lenient = NaiveBayes(alpha=0, impossible="prior").fit(table, [0, 1])
    with pytest.warns(UserWarning, match="1 rows are impossible"):
        answer = lenient.predict_proba(question)
    assert answer.tolist() == [[0.5, 0.5]]


def test_an_absent_column_is_an_error_that_names_it(model):
    with pytest.raises(UnknownColumn, match="'wind'"):
        model.predict({"outlook": "sunny"})


def test_arrays_may_lie_in_any_order(iris):
    x = np.hstack([iris[0], iris[0]])[::2, ::2]
    model = NaiveBayes().fit(x, iris[1][::2])
    expected = model.predict_proba(np.ascontiguousarray(x))
    assert np.array_equal(model.predict_proba(np.asfortranarray(x)), expected)
    assert np.array_equal(model.predict_proba(x[::-1])[::-1], expected)
    assert model.predict_proba(x.astype("f4")).dtype == np.float64


@pytest.mark.parametrize("prior", [[0.5, 0.5], {"a": 0.5, "b": 0.5}])
@pytest.mark.parametrize("as_array", [True, False])
def test_a_class_that_the_prior_lacks_is_refused_before_it_is_learned(prior, as_array):
    rows = np.array([[1.0], [2.0], [3.0], [4.0]])
    table = rows if as_array else {"x": rows[:, 0]}
    more = rows[:1] if as_array else {"x": [1.0]}
    model = NaiveBayes(prior=prior).fit(table, np.array(list("aabb")))
    before = model.predict_proba(table)
    for declared in (None, ["a", "b", "c"]):
        with pytest.raises(ParameterError):
            model.partial_fit(more, np.array(["c"]), classes=declared)
    assert model.predict_proba(table).tolist() == before.tolist()
    assert (model.classes_.tolist(), model.stats_.rows) == (["a", "b"], 4)
    assert model.partial_fit(more, np.array(["b"])).class_count_.tolist() == [2.0, 3.0]


def test_a_first_batch_under_a_wrong_prior_leaves_nothing_learned():
    model = NaiveBayes(prior=[0.5, 0.5])
    with pytest.raises(ParameterError, match="one for each of 3 classes"):
        model.partial_fit({"x": [1.0, 2.5, 3.0]}, list("abc"))
    with pytest.raises(NotFittedError):
        model.predict({"x": [1.0]})
    assert model.partial_fit({"x": [1.0, 2.5, 3.0]}, list("aba")).classes_.tolist() == ["a", "b"]


def test_a_kernel_density_that_keeps_only_some_values_says_so(tmp_path):
    x = np.random.default_rng(0).normal(size=12_000)
    y = np.arange(12_000) % 2
    model = NaiveBayes({"x": "kernel"}).fit({"x": x, "z": y}, y)
    assert model.schema_["x"].why == "chosen; kernel density: 10,000 of 12,000 values kept"
    assert "10,000 of 12,000 values kept" in str(model.schema_)
    grown = NaiveBayes({"x": "kernel"})
    for half in (slice(0, 6_000), slice(6_000, None), slice(0, 10)):
        grown.partial_fit({"x": x[half], "z": y[half]}, y[half])
        expected = half.stop != 6_000
        assert ("only 10,000 values kept" in grown.schema_["x"].why) is expected
    assert grown.schema_["x"].why.count("kept") == 1
    assert (
        "kept" not in NaiveBayes({"x": "kernel"}).fit({"x": x[:9_000]}, y[:9_000]).schema_["x"].why
    )
