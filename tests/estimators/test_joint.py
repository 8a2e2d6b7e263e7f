"""`JointBayes`: whole rows are counted."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from naively import JointBayes, NaiveBayes
from naively.errors import ImpossibleEvidence, NaivelyWarning, ParameterError, UnsupportedType
from naively.families import Histogram

rows = st.lists(
    st.tuples(st.sampled_from("xy"), st.sampled_from([1, 2, None]), st.sampled_from(["no", "yes"])),
    min_size=2,
    max_size=20,
).filter(lambda found: len({row[2] for row in found}) == 2 and any(row[1] for row in found))


def columns(found):
    return {name: [row[j] for row in found] for j, name in enumerate(("a", "b", "c"))}


@given(rows)
def test_a_posterior_is_the_share_of_equal_rows(found):
    model = JointBayes(columns="categorical").fit(columns(found), "c")
    table = columns(found)
    for i, (row, p) in enumerate(zip(found, model.predict_proba(table), strict=True)):
        same = [other[2] for other in found if other[:2] == row[:2]]
        assert p[1] == pytest.approx(same.count("yes") / len(same))
        assert model.predict(table)[i] == model.classes_[p.argmax()]
    assert model.empty_share(table) == 0
    assert model.n_cells_ == len({row[:2] for row in found})


@given(rows)
def test_a_weight_is_so_many_rows(found):
    weights = [i % 3 for i in range(len(found))]
    kept = {row[2] for row, w in zip(found, weights, strict=True) if w}
    if len(kept) < 2:
        return
    some = [row for row, w in zip(found, weights, strict=True) for _ in range(w)]
    if not any(row[1] for row in some):
        return
    one = JointBayes(columns="categorical").fit(columns(some), "c")
    other = JointBayes(columns="categorical").fit(columns(found), "c", sample_weight=weights)
    assert one.predict_proba(columns(some)) == pytest.approx(other.predict_proba(columns(some)))


def test_meningitis_is_over_fitted(examples):
    model = JointBayes().fit(examples / "meningitis.csv", "meningitis")
    seen = {"headache": True, "fever": True, "vomiting": False}
    assert model.predict_proba(seen).tolist() == [[1.0, 0.0]]
    often = {"headache": True, "fever": False, "vomiting": True}
    assert model.predict_proba(often)[0] == pytest.approx([2 / 3, 1 / 3])
    assert (model.n_cells_, model.n_possible_cells_) == (3, 8)
    assert model.joint_.P("meningitis | headache, !fever").exact == Fraction(1, 3)


def test_a_row_that_was_never_seen_is_refused_or_given_the_prior(examples):
    path = examples / "meningitis.csv"
    never = {"headache": [False, True], "fever": [False, False], "vomiting": [True, True]}
    with pytest.raises(ImpossibleEvidence, match=r"1 of 2 rows \(50%\).*3 of 8 possible"):
        JointBayes().fit(path, "meningitis").predict(never)
    model = JointBayes(impossible="prior").fit(path, "meningitis")
    with pytest.warns(NaivelyWarning, match="given the class prior"):
        posterior = model.predict_proba(never)
    assert posterior[0] == pytest.approx([0.7, 0.3])
    assert model.empty_share(never) == 0.5


def test_the_curse_of_dimensionality_in_a_number():
    rng = np.random.default_rng(0)
    shares = []
    for m in (2, 6, 12, 20):
        train, test = rng.integers(0, 2, (2, 500, m))
        y = rng.integers(0, 2, 500)
        shares.append(JointBayes(columns="categorical").fit(train, y).empty_share(test))
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] > 0.99


def test_numbers_are_cut_into_bins():
    x = np.arange(100.0)[:, None]
    model = JointBayes(bins=4).fit(x, (x[:, 0] > 49).astype(int))
    assert model.n_cells_ == 4
    assert model.predict([[3.0], [80.0]]).tolist() == [0, 1]
    assert next(iter(model.joint_.distribution("x0"))) == "0 to 24.75"
    stated = JointBayes({"x0": Histogram(edges=(0, 50, 99))}).fit(x, (x[:, 0] > 49).astype(int))
    assert stated.n_cells_ == 2
    with pytest.raises(ParameterError, match="count values"):
        JointBayes("gaussian").fit(x, (x[:, 0] > 49).astype(int))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict])
def test_any_door_gives_the_same(make):
    table = {"a": ["x", "y", "x", None], "b": [1, 1, 2, 2], "c": [0, 1, 0, 1]}
    model = JointBayes().fit(make(table), "c")
    assert model.predict(make({"a": ["x", None], "b": [2, 2]})).tolist() == [0, 1]
    assert model.score(make(table), "c") == 1


def test_it_is_the_naive_model_where_there_is_one_column(examples):
    path = examples / "golf.csv"
    only = dict.fromkeys(("temperature", "humidity", "wind"), "ignore")
    joint = JointBayes(only).fit(path, "play")
    naive = NaiveBayes(only, alpha=0).fit(path, "play")
    outlook = {"outlook": ["sunny", "rainy", "overcast"]}
    assert joint.predict_proba(outlook) == pytest.approx(naive.predict_proba(outlook))


def test_it_is_a_classifier_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(JointBayes(columns="categorical", impossible="prior"))
    model = JointBayes().fit({"a": ["x", "y"], "b": ["u", "v"]}, ["no", "yes"])
    assert pickle.loads(pickle.dumps(model)).predict({"a": "x", "b": "u"}) == ["no"]
    assert clone(model).impossible == "raise"
    x = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 20, axis=0)
    xor = JointBayes(columns="categorical")
    assert cross_val_score(xor, x, x[:, 0] ^ x[:, 1], cv=4).mean() == 1


def test_what_it_cannot_count_is_refused():
    with pytest.raises(UnsupportedType, match="sparse"):
        JointBayes().fit(csr_matrix(np.eye(3)), [0, 1, 1])
    with pytest.raises(ParameterError, match="impossible="):
        JointBayes(impossible="guess").fit({"a": [1, 2]}, [0, 1])


def test_a_feature_may_be_called_as_the_target_would_be():
    for name in ("y", "class"):
        table = {name: ["u", "v"], "z": ["p", "q"]}
        assert JointBayes().fit(table, ["+", "-"]).predict(table).tolist() == ["+", "-"]


def test_a_missing_cell_is_one_more_possible_value():
    model = JointBayes().fit({"a": ["x", None, "y"], "b": [1, 1, 1]}, [0, 1, 0])
    assert (model.n_cells_, model.n_possible_cells_) == (3, 3)
