"""What callers hand over: targets of every make, names of every kind, and clear refusals."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal

import numpy as np
import pytest

from naively import NaiveBayes
from naively.errors import DataError, NaivelyError, UnsupportedType

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
sp = pytest.importorskip("scipy.sparse")

X = {"x": [1.0, 2.0, 3.0, 4.0]}
DAYS = [dt.date(2020, 1, 1), dt.date(2020, 1, 2)] * 2


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.Series([True, False, True, False], dtype="boolean"), [False, True]),
        (pd.Series(["a", "b", "a", "b"], dtype="string"), ["a", "b"]),
        (pa.array(["a", "b", "a", "b"]), ["a", "b"]),
        (pa.chunked_array([["a", "b"], ["a", "b"]]), ["a", "b"]),
        (pa.array(["a", "b", "a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array([1, 2, 1, 2]), [1, 2]),
        (pa.array([True, False, True, False]), [False, True]),
        (pl.Series(["a", "b", "a", "b"]), ["a", "b"]),
        (np.array([b"a", b"b", b"a", b"b"]), ["a", "b"]),
        ([b"a", b"b", b"a", b"b"], ["a", "b"]),
        (np.array([b"a", b"b", b"a", b"b"], dtype=object), ["a", "b"]),
        (DAYS, ["2020-01-01", "2020-01-02"]),
        (list(map(pd.Timestamp, DAYS)), ["2020-01-01", "2020-01-02"]),
        (np.array(DAYS, dtype="M8[D]"), ["2020-01-01", "2020-01-02"]),
        (
            pd.Series(pd.period_range("2020", periods=4, freq="Y")),
            [f"202{i}-01-01" for i in "0123"],
        ),
        ([Decimal(1), Decimal(2)] * 2, [1.0, 2.0]),
    ],
)
def test_a_target_may_come_from_any_library(y, classes):
    model = NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == classes
    assert set(model.predict(X).tolist()) <= set(classes)


@pytest.mark.parametrize(
    ("y", "says"),
    [
        (pd.Series([True, False, pd.NA, True], dtype="boolean"), "y, row 2: .* missing"),
        (pd.Series(["a", "b", pd.NA, "a"], dtype="string"), "y, row 2: .* missing"),
        (pa.array(["a", "b", None, "a"]), "y, row 2: .* missing"),
        (pa.array([1, 2, None, 1]), "NaN"),
        ([np.nan, "a", "b", "a"], "y, row 0: .* missing"),
        ([1, "a", 2, "b"], "y has labels 'a' and 1"),
        (["a", "b", "\ud800", "a"], "'y', row 2: .* surrogates"),
        (sp.csr_matrix([[0], [1], [1], [0]]), "dense data is required"),
        (7, "y=7, where the columns of X are 'x'; expected an array of labels, or the name"),
    ],
)
def test_a_target_that_cannot_be_learned_is_told(y, says):
    with pytest.raises(NaivelyError, match=says):
        NaiveBayes().fit(X, y)


@pytest.mark.parametrize("of", [object, int, float])
def test_a_target_may_be_named_by_what_is_no_text(of):
    frame = pd.DataFrame({0: [1.5, 2.5, 1.0, 3.0], 1: [0, 1, 0, 1]}).astype({1: of})
    frame = frame.astype(float) if of is float else frame
    model = NaiveBayes().fit(frame, 1)
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 1
    assert model.predict(frame[[0]]).tolist() == [0, 1, 0, 1]


WORDS = {
    "yes": ("yes", "no"),
    "t": ("t", "f"),
    "true": ("true", "false"),
    "True": ("True", "False"),
}


def tables(tmp_path, true, false, truth):
    """The same table as a file, a frame of texts and, of truth values, a frame of those."""
    x = [1.0, 5.0, 1.5, 5.5]
    frame = pd.DataFrame({"x": x, "y": [true, false] * 2})
    frame.to_csv(tmp_path / "t.csv", index=False)
    return [tmp_path / "t.csv", frame, *([frame.assign(y=[True, False] * 2)] if truth else [])]


@pytest.mark.parametrize("words", WORDS)
def test_labels_agree_between_sources(words, tmp_path):
    truth = words.lower() == "true"
    classes = [False, True] if truth else sorted(WORDS[words])
    made = tables(tmp_path, *WORDS[words], truth)
    for one in made:
        for other in made:
            model = NaiveBayes().fit(one, "y")
            assert model.classes_.tolist() == classes
            assert model.score(other, "y") == 1.0
            assert model.partial_fit(other, "y").classes_.tolist() == classes
            assert model.forget(other, "y").class_count_.tolist() == [2, 2]


def test_labels_beside_the_table_are_as_they_are_given(tmp_path):
    _, frame, truths = tables(tmp_path, "True", "False", True)
    model = NaiveBayes().fit(frame[["x"]], frame["y"])
    assert model.classes_.tolist() == ["False", "True"]
    assert model.score(truths, "y") == 1.0
    assert model.score(tmp_path / "t.csv", "y") == 1.0
    model = NaiveBayes().fit(truths[["x"]], truths["y"])
    assert model.score(frame, "y") == 1.0


def test_a_label_that_is_no_truth_value_is_told_by_its_row(tmp_path):
    path, *_ = tables(tmp_path, "True", "False", True)
    model = NaiveBayes().fit(path, "y")
    with pytest.raises(DataError, match="'y', row 1: 'maybe'; expected true or false"):
        model.partial_fit({"x": [1.0, 2.0], "y": ["True", "maybe"]}, "y")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda x: x[["b", "a"]], "must be in the same order"),
        (lambda x: x[["a"]], "now missing:\n- b"),
        (lambda x: x.rename(columns={"b": "q"}), "unseen at fit time:\n- q"),
    ],
)
def test_frames_with_other_columns_are_refused_in_both_tongues(change, says):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 2.0, 1.0, 2.0]})
    model = NaiveBayes().fit(frame, [0, 1, 0, 1])
    with pytest.raises(DataError, match=says) as caught:
        model.predict(change(frame))
    assert isinstance(caught.value, ValueError)
    assert "The feature names should match" in str(caught.value)


def test_names_of_several_types_are_refused_at_once():
    frame = pd.DataFrame({"a": [1.0, 2.0], 1: [2.0, 3.0]})
    with pytest.raises(UnsupportedType, match=r"\['int', 'str'\].*frame.columns.astype"):
        NaiveBayes().fit(frame, [0, 1])
    model = NaiveBayes().fit({"a": [1.0, 2.0]}, [0, 1])
    with pytest.raises(UnsupportedType, match="names of one type"):
        model.predict(frame)


@pytest.mark.parametrize("make", [dict, lambda x: pd.DataFrame(x, dtype=object)])
def test_half_a_character_is_told_by_column_and_row(make):
    with pytest.raises(DataError, match=r"column 'x', row 1: '\\ud800': half of a pair of surr"):
        NaiveBayes().fit(make({"x": ["a", "\ud800", "b", "a"]}), [0, 1, 0, 1])
    model = NaiveBayes().fit({"x": ["a", "b", "b", "a"]}, [0, 1, 0, 1])
    with pytest.raises(DataError, match="column 'x', row 0"):
        model.predict(make({"x": ["\ud800"]}))


def test_a_lazy_frame_is_not_asked_for_its_columns():
    lazy = pl.LazyFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert NaiveBayes().fit(lazy, "y").predict(lazy).shape == (4,)


@pytest.mark.parametrize("x", [[np.inf, -np.inf, 1.5, 2.0], [1e308, 1.7e308, 1e308, 0.5]])
def test_enormous_numbers_raise_no_warnings_of_numpy(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataError, match="column 'x'"):
            NaiveBayes(columns="gaussian").fit({"x": x}, [0, 1, 0, 1])
