"""`compare`: the same folds for all, and a test of whether the best is better by chance."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from naively import JointBayes, NaiveBayes, compare, evaluate
from naively.errors import ParameterError, UnsupportedType
from naively.evaluation import Comparison, corrected_t, holm


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(200, 3))
    return X, np.where(X[:, 0] + rng.normal(size=200) / 2 > 0, "b", "a")


@pytest.fixture
def found(rows):
    models = {"nb": GaussianNB(), "lr": LogisticRegression(), "dummy": DummyClassifier()}
    return compare(models, *rows, cv=5)


# The tests


def test_the_corrected_t_is_the_formula(rng):
    d = rng.normal(0.3, 1, 10)
    t = d.mean() / math.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    found = corrected_t(d, 1 / 9)
    assert found == pytest.approx((t, 2 * stats.t.sf(abs(t), 9)), rel=1e-12)


def test_without_the_overlap_it_is_the_ordinary_t(rng):
    d = rng.normal(0.3, 1, 10)
    assert corrected_t(d, 0.0) == pytest.approx(tuple(stats.ttest_1samp(d, 0)), rel=1e-12)


def test_the_correction_takes_evidence_away(rng):
    d = rng.normal(0.3, 1, 10)
    assert corrected_t(d, 1 / 9)[1] > corrected_t(d, 0.0)[1]


def test_differences_without_spread_or_bounds_have_their_own_answers():
    assert corrected_t(np.zeros(5), 0.25) == (0.0, 1.0)
    assert corrected_t(np.full(5, -0.1), 0.25) == (-math.inf, 0.0)
    for d in (np.array([0.1]), np.array([0.1, math.inf, 0.2]), np.array([0.1, math.nan])):
        assert np.isnan(corrected_t(d, 0.25)).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_makes_a_p_smaller_and_keeps_their_order(p):
    p = np.array(p)
    found = holm(p)
    assert (found >= p).all()
    assert (found <= 1).all()
    assert (np.diff(found[np.argsort(p, kind="stable")]) >= 0).all()
    assert found.min() == min(1, p.min() * len(p))


# The comparison


def test_all_models_meet_the_same_folds(rows, found):
    X, y = rows
    for name, model in (("nb", GaussianNB()), ("lr", LogisticRegression())):
        alone = evaluate(model, X, y, cv=5)
        assert found[name].folds["log_loss"].tolist() == alone.folds["log_loss"].tolist()
        assert found[name].scores == alone.scores


def test_the_best_has_the_best_mean_over_the_folds(found):
    for score, sign in (("accuracy", 1), ("log_loss", -1)):
        means = {name: sign * one.folds[score].mean() for name, one in found.evaluations.items()}
        assert means[found.best(score)] == max(means.values())
    assert found.best() == found.best("log_loss") != "dummy"
    with pytest.raises(ParameterError, match="one of accuracy, log_loss"):
        found.best("beauty")


def test_p_values_are_those_of_the_corrected_test(found):
    best = found.best("log_loss")
    others = [name for name in ("nb", "lr", "dummy") if name != best]
    raw = [
        corrected_t(found[best].folds["log_loss"] - found[name].folds["log_loss"], 1 / 4)[1]
        for name in others
    ]
    expected = dict(zip(others, holm(np.array(raw)), strict=True))
    assert found.p_values("log_loss") == pytest.approx(expected, rel=1e-12)
    assert found.p_values("log_loss")["dummy"] < 0.05
    d = found.difference("nb", "lr", "accuracy")
    assert d.tolist() == (found["nb"].folds["accuracy"] - found["lr"].folds["accuracy"]).tolist()


def test_a_model_is_not_better_than_itself(rows):
    found = compare([NaiveBayes(), NaiveBayes()], *rows, cv=3)
    assert list(found.evaluations) == ["NaiveBayes 1", "NaiveBayes 2"]
    assert found.p_values("accuracy") == found.p_values("log_loss") == {"NaiveBayes 2": 1.0}
    assert "is best; ahead of NaiveBayes 2 by no more than chance" in repr(found)


def test_repeats_are_more_folds_of_the_same_rows(rows):
    X, y = rows
    found = compare([NaiveBayes(), DummyClassifier()], X, y, cv=4, repeats=3)
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    again = compare([NaiveBayes(), DummyClassifier()], X, y, cv=splitter)
    one = found["NaiveBayes"]
    assert len(one.folds["accuracy"]) == 12
    assert one.folds["log_loss"].tolist() == again["NaiveBayes"].folds["log_loss"].tolist()
    assert one.rows == 200
    assert one.confusion.weight.sum() == pytest.approx(200)
    assert found.test_over_train == pytest.approx(1 / 3)


def test_folds_of_ones_own_are_kept(rows):
    X, y = rows
    folds = list(GroupKFold(4).split(X, y, np.arange(200) // 10))
    found = compare([NaiveBayes()], X, y, cv=folds)
    assert found["NaiveBayes"].rows == 200
    assert repr(found).startswith("1 model on 200 rows, the same 4 folds")
    assert "is best" not in repr(found)


def test_costs_are_compared_where_there_are_some(rows):
    class Decision:
        truths, actions = ("a", "b"), ("a", "b")
        cost = np.array([[0.0, 1.0], [20.0, 0.0]])

        def decide(self, posterior):
            risks = posterior @ self.cost
            return np.array(self.actions)[risks.argmin(axis=1)], risks

    found = compare([NaiveBayes(), DummyClassifier()], *rows, cv=4, decision=Decision())
    assert found.compared == ("accuracy", "log_loss", "mean_cost")
    assert found.best("mean_cost") == "NaiveBayes"
    assert "mean cost: NaiveBayes is best" in repr(found)


def test_impossible_rows_cost_the_base_rate_and_are_counted(rng):
    table = {name: rng.choice(list("pqrstuvw"), 60).tolist() for name in "abc"}
    table["y"] = rng.choice(["n", "y"], 60).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare([NaiveBayes(), JointBayes(), NaiveBayes(alpha=0)], table, "y", cv=3)
        shown = repr(found)
    assert found["JointBayes"].impossible > 30
    share = 100 * found["JointBayes"].impossible / 60
    assert f"JointBayes: {found['JointBayes'].impossible} of 60 rows ({share:.3g} %)" in shown
    assert found["JointBayes"].log_loss > 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twice = compare([JointBayes()], table, "y", cv=3, repeats=2)
    assert f"{twice['JointBayes'].impossible} of 120 answers" in repr(twice)
    assert found["NaiveBayes 1"].impossible == 0
    assert "NaiveBayes 1" not in shown.splitlines()[-1]


def test_an_infinite_loss_is_not_tested_against():
    table = {"x": [*"aaaaaabbbbbb"], "y": [*"nnnnnynyyyyy"]}
    folds = [(np.arange(0, 12, 2), np.arange(1, 12, 2)), (np.arange(1, 12, 2), np.arange(0, 12, 2))]
    found = compare({"one": NaiveBayes(), "zero": NaiveBayes(alpha=0)}, table, "y", cv=folds)
    assert found["zero"].log_loss == math.inf
    assert math.isnan(found.p_values("log_loss")["zero"])
    assert "one is best; not tested against zero" in repr(found)


def test_a_comparison_is_shown_as_a_table_a_dict_and_a_frame(found):
    assert isinstance(found, Comparison)
    lines = repr(found).splitlines()
    assert lines[0] == "3 models on 200 rows, the same 5 folds"
    assert lines[2].split()[:3] == ["model", "accuracy", "p"]
    assert sum("best" in line.split() for line in lines[3:6]) in (1, 2)
    assert found._repr_html_().count("<table>") == 3
    plain = found.to_dict()["log_loss"]
    assert plain["mean"]["nb"] == found["nb"].folds["log_loss"].mean()
    assert plain["std"]["nb"] == pytest.approx(found["nb"].folds["log_loss"].std(ddof=1))
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.index) == ["nb", "lr", "dummy"]
    assert frame.loc["dummy", "log_loss_p"] == plain["p"]["dummy"]
    assert np.isnan(frame.loc[plain["best"], "log_loss_p"])


def test_what_cannot_be_compared_is_refused(rows):
    with pytest.raises(ParameterError, match="no models"):
        compare([], *rows)
    with pytest.raises(UnsupportedType, match="which cannot learn anew"):
        compare([NaiveBayes().fit(*rows).model_], *rows)
