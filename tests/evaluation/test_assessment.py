"""`evaluate`: any classifier, any table, one set of scores."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn import metrics as theirs
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GroupKFold, ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from naively import JointBayes, NaiveBayes, evaluate, read
from naively.errors import (
    DataError,
    ImpossibleEvidence,
    MissingDependency,
    ParameterError,
    UnseenWarning,
    UnsupportedType,
)
from naively.evaluation import Evaluation, intervals
from naively.evaluation.folds import splits
from naively.evaluation.replies import replies_of
from naively.evaluation.rows import held, taken, without
from naively.evaluation.sides import sides_of

GOLF = "examples/golf.csv"


@pytest.fixture(scope="module")
def titanic(examples):
    return str(examples / "titanic3.csv")


@pytest.fixture(scope="module")
def model(titanic):
    return NaiveBayes({"boat": "ignore", "body": "ignore"}).fit(titanic, "survived")


@pytest.fixture
def numbers(rng):
    X = rng.normal(size=(120, 3))
    noisy = X[:, 0] + rng.normal(size=120)
    return X, np.array(["lo", "mid", "hi"])[(noisy > 0).astype(int) + (X[:, 1] > 1)]


def same(a, b):
    assert a.scores == pytest.approx(b.scores, rel=1e-12, nan_ok=True)
    np.testing.assert_allclose(a.confusion.weight, b.confusion.weight, rtol=1e-12)
    assert a.by_class.labels == b.by_class.labels


# What is asked


def test_any_door_gives_the_same_scores(model, titanic):
    from_path = evaluate(model, titanic, "survived")
    frame = pd.read_csv(titanic)
    source = read(titanic)
    columns = {name: source.column(name) for name in source.names}
    for X in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), columns, source):
        same(evaluate(model, X, "survived"), from_path)
        same(evaluate(model.model_, X, "survived"), from_path)
        same(evaluate(model, X, frame["survived"]), from_path)
    assert from_path.accuracy == model.score(titanic, "survived")
    assert from_path.rows == 1309
    assert from_path.name == "NaiveBayes"
    assert evaluate(model.model_, frame, "survived").name == "Model"


def test_scores_of_their_classifier_are_those_of_their_functions(numbers):
    X, y = numbers
    fitted = GaussianNB().fit(X, y)
    p, said = fitted.predict_proba(X), fitted.predict(X)
    found = evaluate(fitted, X, y)
    assert found.accuracy == pytest.approx(theirs.accuracy_score(y, said), rel=1e-12)
    assert found.log_loss == pytest.approx(theirs.log_loss(y, p), rel=1e-12)
    assert found.auc == pytest.approx(theirs.roc_auc_score(y, p, multi_class="ovr"), rel=1e-12)
    assert found.confusion.weight.tolist() == theirs.confusion_matrix(y, said).tolist()
    assert found.confusion.truths == found.confusion.actions == ("hi", "lo", "mid")
    assert found.unseen is None
    assert found.missing is None
    assert found.impossible is None


def test_their_classifier_gets_a_named_target_out_of_its_table(numbers):
    X, y = numbers
    fitted = LogisticRegression().fit(pd.DataFrame(X, columns=list("abc")), y)
    expected = evaluate(fitted, pd.DataFrame(X, columns=list("abc")), y)
    frame = pd.DataFrame(X, columns=list("abc"))
    frame.insert(1, "kind", y)
    same(evaluate(fitted, frame, "kind"), expected)
    same(evaluate(fitted, pl.from_pandas(frame), "kind"), expected)


def test_their_tables_of_any_kind_are_passed_on(numbers):
    X, y = numbers
    sparse = csr_matrix(np.round(np.abs(X)))
    fitted = LogisticRegression().fit(sparse, y)
    same(evaluate(fitted, sparse, y), evaluate(fitted, sparse.toarray(), y))
    assert evaluate(LogisticRegression(), sparse, y, cv=3).accuracy > 0.3


def test_predictions_are_those_of_the_model(numbers):
    X, y = numbers

    class Stubborn(GaussianNB):
        def predict(self, X):
            return np.full(len(X), "lo")

    found = evaluate(Stubborn().fit(X, y), X, y)
    assert found.accuracy == np.mean(y == "lo")
    assert found.auc > 0.6


def test_a_prediction_that_is_no_class_is_refused_and_not_right(numbers):
    X, y = numbers

    class Careful(GaussianNB):
        def predict(self, X):
            said = super().predict(X).astype(object)
            said[:30] = "unsure"
            return said

    found = evaluate(Careful().fit(X, y), X, y)
    right = GaussianNB().fit(X, y).predict(X) == y
    assert found.refused == 0.25
    assert found.accuracy == pytest.approx(right[30:].sum() / 120)
    assert found.accuracy_decided == pytest.approx(right[30:].mean())
    assert found.confusion.actions == ("hi", "lo", "mid", "unsure")
    assert found.mean_cost is None


# Probabilities


def test_our_log_loss_does_not_end_where_probabilities_do():
    rows = {"x": [0.0, 1.0] * 5, "y": ["a", "b"] * 5}
    fitted = NaiveBayes("gaussian").fit(rows, "y")
    far = {"x": [500.0], "y": ["a"]}
    assert fitted.predict_proba(far)[0, 0] == 0
    found = evaluate(fitted, far, "y")
    assert found.log_loss == pytest.approx(-fitted.predict_log_proba(far)[0, 0], rel=1e-12)
    assert 700 < found.log_loss < math.inf
    assert found.ruled_out == 0


def test_a_truth_of_probability_0_is_infinite_and_counted():
    rows = {"x": list("aabb"), "z": list("cdcd"), "y": list("nnyy")}
    found = evaluate(
        NaiveBayes(alpha=0).fit(rows, "y"), {"x": ["a", "b"], "z": ["c", "c"], "y": ["y", "y"]}, "y"
    )
    assert found.log_loss == math.inf
    assert found.ruled_out == 1
    assert "1 of 2 rows (50 %) had a truth of probability 0: log loss inf" in repr(found)


def test_a_truth_that_is_no_class_of_the_model_had_probability_0(numbers):
    X, y = numbers
    some = y != "mid"
    fitted = GaussianNB().fit(X[some], y[some])
    found = evaluate(fitted, X, y)
    assert found.ruled_out == (~some).sum()
    assert found.by_class.recall[2] == 0
    assert found.accuracy == pytest.approx(fitted.score(X, y))


def test_classes_agree_however_they_are_stored(model, titanic):
    y = np.array(read(titanic).column("survived"))
    expected = evaluate(model, titanic, y)
    for other in (y == 1, y.astype(float), y.astype(str)):
        same(evaluate(model, titanic, other), expected)


def test_probabilities_that_are_none_are_refused(numbers):
    X, y = numbers

    class Broken(GaussianNB):
        def predict_proba(self, X):
            p = super().predict_proba(X)
            p[7, 0] = np.nan
            return p

    with pytest.raises(DataError, match=r"Broken, row 7: .* expected probabilities that sum to 1"):
        evaluate(Broken().fit(X, y), X, y)
    with pytest.raises(UnsupportedType, match=r"has no predict_proba.*CalibratedClassifierCV"):
        evaluate(RidgeClassifier().fit(X, y), X, y)


def test_what_is_not_fitted_says_so(numbers):
    for one in (GaussianNB(), NaiveBayes()):
        with pytest.raises(ValueError, match="not fitted yet"):
            evaluate(one, *numbers)


def test_truths_are_needed(model, titanic):
    with pytest.raises(ParameterError, match="evaluate requires y"):
        evaluate(model, titanic)
    with pytest.raises(LookupError, match="did you mean 'survived'"):
        evaluate(model, titanic, "surviving")
    for more in ({}, {"cv": 2}, {"sample_weight": [1, 1, 0, 1, 1]}):
        with pytest.raises(DataError, match="5 truths beside 1,309 rows"):
            evaluate(model, titanic, [0, 1, 0, 1, 0], **more)


def test_a_missing_truth_is_named():
    rows = {"x": ["a", "b"], "y": ["n", None]}
    fitted = NaiveBayes().fit({"x": ["a", "b"], "y": ["n", "y"]}, "y")
    with pytest.raises(DataError, match="row 1"):
        evaluate(fitted, rows, "y")


def test_a_stream_that_is_gone_once_read_is_refused(model, titanic):
    reader = pa.Table.from_pandas(pd.read_csv(titanic)).to_reader()
    with pytest.raises(ParameterError, match="only once"):
        evaluate(model, reader, "survived")
    with pytest.raises(ParameterError, match="only once"):
        evaluate(model, reader, "survived", cv=3)


# Weights


@given(st.lists(st.integers(0, 3), min_size=14, max_size=14).filter(any))
def test_a_weight_is_as_many_rows(weights):
    source = read(GOLF)
    golf = {name: source.column(name) for name in source.names}
    fitted, at = NaiveBayes().fit(golf, "play"), np.repeat(np.arange(14), weights)
    weighted = evaluate(fitted, golf, "play", sample_weight=weights)
    same(weighted, evaluate(fitted, taken(golf, at), "play"))
    assert weighted.rows == np.count_nonzero(weights)
    assert weighted.confusion.weight.sum() == sum(weights)


def test_weights_may_be_a_column(model, titanic):
    frame = pd.read_csv(titanic)
    expected = evaluate(model, titanic, "survived", sample_weight=frame["pclass"])
    same(evaluate(model, titanic, "survived", sample_weight="pclass"), expected)
    assert expected.by_class.n.sum() == frame["pclass"].sum()


def test_odd_weights_are_refused(model, titanic):
    for bad, words in ((-1.0, "not negative"), (math.nan, "finite"), (0.0, "every row is zero")):
        with pytest.raises(DataError, match=words):
            evaluate(model, titanic, "survived", sample_weight=np.full(1309, bad))


# Odd cells


def test_unseen_and_missing_cells_are_counted_and_not_warned_of():
    fitted = NaiveBayes().fit(
        {"x": list("abab"), "n": [0.5, 1.5, 2.5, 3.5], "y": [0, 1, 0, 1]}, "y"
    )
    rows = {"x": ["a", "c", None], "n": [math.nan, 1.0, 2.0], "y": [0, 1, 0]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found in (evaluate(fitted, rows, "y"), evaluate(fitted.model_, rows, "y")):
            assert found.unseen == {"x": 1}
            assert found.missing == {"x": 1, "n": 1}
            assert found.impossible == 0
            assert "values never seen in training: x 1" in repr(found)


def test_unseen_cells_of_a_model_that_does_not_count_are_warned_of_once():
    learned = {"x": list("abab"), "n": [0.5, 1.5, 2.5, 3.5], "y": [0, 1, 0, 1]}

    class Own(NaiveBayes):
        pass

    rows = {"x": ["c"], "n": [1.0], "y": [0]}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = evaluate(Own().fit(learned, "y"), rows, "y")
    assert found.unseen is None
    assert [one.category for one in said] == [UnseenWarning]


def test_impossible_rows_raise_or_are_counted():
    rows = {"x": list("aabb"), "z": list("ccdd"), "y": list("nnyy")}
    odd = {"x": ["a"], "z": ["d"], "y": ["n"]}
    with pytest.raises(ImpossibleEvidence):
        evaluate(NaiveBayes(alpha=0).fit(rows, "y"), odd, "y")
    for kind in (NaiveBayes(alpha=0, impossible="prior"), JointBayes(impossible="prior")):
        found = evaluate(kind.fit(rows, "y"), odd, "y")
        assert found.impossible == 1
        assert found.log_loss == pytest.approx(math.log(2))
        assert "1 of 1 rows (100 %) were impossible: the class prior answered" in repr(found)


# Cross-validation


def test_left_out_rows_are_answered_as_they_would(numbers):
    X, y = numbers
    sides = sides_of(X, y)
    folds = splits(sides, 5)
    found = evaluate(GaussianNB(), X, y, cv=folds)
    p = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")
    assert found.log_loss == pytest.approx(theirs.log_loss(y, p), rel=1e-12)
    assert found.accuracy == np.mean(np.unique(y)[p.argmax(axis=1)] == y)
    by_fold = [
        theirs.accuracy_score(y[test], GaussianNB().fit(X[train], y[train]).predict(X[test]))
        for train, test in folds
    ]
    assert found.folds["accuracy"].tolist() == pytest.approx(by_fold)
    same(evaluate(GaussianNB(), X, y, cv=5), found)
    other = evaluate(GaussianNB(), X, y, cv=5, random_state=1)
    assert other.log_loss != found.log_loss


def test_folds_of_a_file_are_those_of_its_frame(titanic):
    left_out = dict.fromkeys(("boat", "body", "name", "ticket", "cabin"), "ignore")
    plain = NaiveBayes({**left_out, "home.dest": "categorical"})
    found = evaluate(plain, titanic, "survived", cv=5)
    frame = pd.read_csv(titanic)
    same(evaluate(plain, frame, "survived", cv=5), found)
    same(evaluate(plain, frame.drop(columns="survived"), frame["survived"], cv=5), found)
    assert found.rows == found.confusion.weight.sum() == 1309
    assert found.missing["age"] == frame["age"].isna().sum()
    assert found.unseen["home.dest"] > 0


def test_a_row_of_weight_0_is_in_no_fold(numbers):
    X, y = numbers
    w = np.ones(120)
    w[::4] = 0
    kept = w > 0
    expected = evaluate(NaiveBayes(), X[kept], y[kept], cv=3)
    same(evaluate(NaiveBayes(), X, y, cv=3, sample_weight=w), expected)
    halves = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
    found = evaluate(NaiveBayes(), X, y, cv=halves, sample_weight=w)
    half = [(np.arange(45), np.arange(45, 90)), (np.arange(45, 90), np.arange(45))]
    same(found, evaluate(NaiveBayes(), X[kept], y[kept], cv=half))


def test_weights_are_learned_with_or_refused(numbers, rng):
    X, y = numbers
    w = rng.random(120)
    folds = splits(sides_of(X, y), 4)
    found = evaluate(GaussianNB(), X, y, cv=folds, sample_weight=w)
    p = np.empty((120, 3))
    for train, test in folds:
        p[test] = GaussianNB().fit(X[train], y[train], w[train]).predict_proba(X[test])
    truth = np.searchsorted(["hi", "lo", "mid"], y)  # their log loss clips, and some p are 1e-20
    assert found.log_loss == pytest.approx(
        np.average(-np.log(p[np.arange(120), truth]), weights=w), rel=1e-12
    )
    with pytest.raises(ParameterError, match="whose fit takes none"):
        evaluate(make_pipeline(OrdinalEncoder(), GaussianNB()), X, y, cv=2, sample_weight=w)


def test_any_splitter_will_do(numbers):
    X, y = numbers
    groups = list(GroupKFold(4).split(X, y, np.arange(120) // 10))
    assert len(evaluate(NaiveBayes(), X, y, cv=groups).folds["auc"]) == 4
    shuffled = evaluate(NaiveBayes(), X, y, cv=ShuffleSplit(6, test_size=0.5, random_state=0))
    assert len(shuffled.folds["accuracy"]) == 6
    assert shuffled.confusion.weight.sum() == pytest.approx(shuffled.rows)
    assert shuffled.rows <= 120
    once = evaluate(NaiveBayes(), X, y, cv=groups[:1])
    assert "±" not in repr(once)
    with pytest.raises(ParameterError, match="repeats"):
        splits(sides_of(X, y), groups, repeats=2)


def test_a_class_that_a_fold_did_not_learn_had_probability_0(numbers):
    X, y = numbers
    rare = np.where(np.arange(120) == 5, "rare", y)
    found = evaluate(GaussianNB(), X, rare, cv=[(np.arange(60, 120), np.arange(60))])
    assert found.ruled_out == 1
    assert found.by_class.labels == ("hi", "lo", "mid", "rare")


def test_odd_numbers_of_folds_are_refused(numbers, model):
    for cv in (1, 1000):
        with pytest.raises(ParameterError, match=f"cv={cv}"):
            evaluate(NaiveBayes(), *numbers, cv=cv)
    with pytest.raises(UnsupportedType, match=r"Model, which cannot learn anew.*NaiveBayes\(\)"):
        evaluate(model.model_, *numbers, cv=2)


def test_the_estimator_stays_as_it_was(numbers):
    plain = NaiveBayes(alpha=0)
    evaluate(plain, *numbers, cv=2)
    assert plain.impossible == "raise"
    assert not hasattr(plain, "stats_")


# Intervals


def test_intervals_hold_the_score_and_shrink_with_the_rows(numbers):
    X, y = numbers
    fitted = GaussianNB().fit(X, y)
    few = evaluate(fitted, X[:60], y[:60], bootstrap=200)
    many = evaluate(fitted, np.tile(X[:60], (25, 1)), np.tile(y[:60], 25), bootstrap=200)
    for name, (low, high) in few.intervals.items():
        if name != "calibration_error":  # a mean of distances, which rises with the noise
            assert low <= few.scores[name] <= high
    width = [np.subtract(*one.intervals["accuracy"][::-1]) for one in (few, many)]
    assert width[1] == pytest.approx(width[0] / 5, rel=0.4)
    assert width[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 60), rel=0.4)


def test_intervals_are_the_same_each_time_and_off_unless_asked(numbers):
    X, y = numbers
    fitted = GaussianNB().fit(X, y)
    one, two = (evaluate(fitted, X, y, bootstrap=20) for _ in range(2))
    assert one.intervals == two.intervals
    assert evaluate(fitted, X, y).intervals == {}
    assert evaluate(fitted, X, y, bootstrap=20, random_state=1).intervals != one.intervals
    with pytest.raises(ParameterError, match="bootstrap=-1"):
        evaluate(fitted, X, y, bootstrap=-1)


def test_intervals_of_infinite_losses_are_infinite(numbers):
    X, y = numbers
    fitted = GaussianNB().fit(X[y != "hi"], y[y != "hi"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(fitted, X, y, bootstrap=50)
    assert found.intervals["log_loss"] == (math.inf, math.inf)


def test_the_answers_to_one_row_are_drawn_together(numbers):
    """Asking every row three times is no more evidence."""
    from naively.evaluation.answers import answers_of

    X, y = numbers
    sides = sides_of(X, y)
    reply = replies_of(GaussianNB().fit(X, y), X)
    rows = np.arange(120)
    once = answers_of([reply], sides.classes, sides.truth, sides.weight, [rows])
    thrice = answers_of([reply] * 3, sides.classes, sides.truth, sides.weight, [rows] * 3)
    expected = intervals(once, 50)
    for name, found in intervals(thrice.each_row_once(), 50).items():
        assert found == pytest.approx(expected[name], rel=1e-12)


# What is shown


def test_an_evaluation_is_shown_as_tables(model, titanic):
    found = evaluate(model, titanic, "survived", bootstrap=10)
    shown = repr(found)
    assert shown.startswith("NaiveBayes on 1,309 rows\n\nscore")
    for name in ("accuracy", "log loss (nats)", "log loss of the base rate", "Brier score", "AUC"):
        assert f"\n{name}  " in shown
    html = found._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 5
    assert "truth \\ said" in html


def test_an_evaluation_is_a_dict_a_frame_and_a_pickle(model, titanic):
    found = evaluate(NaiveBayes(), titanic, "survived", cv=3, bootstrap=10)
    plain = found.to_dict()
    assert json.loads(json.dumps(plain))["accuracy"] == found.accuracy
    assert plain["by_class"][1]["recall"] == found.by_class.recall[1]
    scores = found.to_frame()
    assert list(scores.columns) == ["value", "fold_mean", "fold_std", "low", "high"]
    assert scores.loc["log_loss", "value"] == found.log_loss
    assert found.to_frame("confusion").loc[0, 1] == found.confusion[0, 1]
    assert found.to_frame("by_class").loc[1, "n"] == 500
    assert found.to_frame("folds")["auc"].tolist() == found.folds["auc"].tolist()
    with pytest.raises(ParameterError, match="'by_class'"):
        found.to_frame("nonsense")
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, Evaluation)
    assert repr(again) == repr(found)


def test_a_frame_without_pandas_is_refused_in_words(model, titanic, monkeypatch):
    found = evaluate(model, titanic, "survived")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match="pip install pandas"):
        found.to_frame()


# The tables


def test_rows_are_taken_from_any_table():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": list("xyz")}, index=[9, 8, 7])
    at = np.array([2, 0])
    expected = {"a": [3, 1], "b": ["z", "x"]}
    tables = (
        frame,
        pl.from_pandas(frame),
        pa.table(dict(frame)),
        dict(frame),
        frame.to_dict("list"),
    )
    for X in tables:
        source = read(taken(held(X), at))
        assert {name: list(source.column(name)) for name in source.names} == expected
        assert list(read(without(held(X), ["a"])).names) == ["b"]
    numbers = np.arange(6).reshape(3, 2)
    for X in (numbers, csr_matrix(numbers), numbers.tolist()):
        assert np.array_equal(np.asarray(read(taken(X, at)).column("x1")), [5, 1])
        assert np.array_equal(np.asarray(read(without(X, ["x0"])).column("x0")), [1, 3, 5])
    assert held(pl.from_pandas(frame).lazy())["b"] == ["x", "y", "z"]


def test_the_measures_need_no_scikit_learn():
    code = "import sys, naively.evaluation; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sklearn", "pandas", "scipy", "pyarrow"} & set(done.stdout.split())
