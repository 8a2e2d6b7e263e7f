"""True, 1, 1.0 and "1" are one label of a column, in the words that were learned first."""

from __future__ import annotations

import numpy as np
import pytest

from naively import NaiveBayes, load, save
from naively.data.agreement import agreeing
from naively.data.domain import Domain
from naively.errors import NaivelyError, ParameterError, StructureMismatch

STORED = {"int": [1, 0], "float": [1.0, 0.0], "bool": [True, False], "text": ["1", "0"]}
KINDS = list(STORED)
X = {"a": ["u", "v"] * 6}

learned_as = pytest.mark.parametrize("learned", KINDS)
given_as = pytest.mark.parametrize("given", KINDS)


def fitted(kind, **more):
    return NaiveBayes(**more).fit(X, STORED[kind] * 6)


@learned_as
@given_as
def test_a_class_is_the_same_however_it_is_stored(learned, given):
    model = fitted(learned)
    again = {"a": ["u", "v"]}
    assert model.score(again, STORED[given]) == 1.0
    before = model.classes_.tolist()
    model.partial_fit(again, STORED[given])
    assert model.classes_.tolist() == before
    assert [type(c) for c in model.classes_.tolist()] == [type(c) for c in before]
    assert model.class_count_.tolist() == [7.0, 7.0]


@learned_as
@given_as
def test_statistics_add_and_subtract_in_the_words_of_the_first(learned, given):
    one, two = fitted(learned).stats_, fitted(given).stats_
    both = one + two
    assert [type(c) for c in both.classes.labels] == [type(c) for c in one.classes.labels]
    assert both.class_count.tolist() == [12.0, 12.0]
    assert (both - two).class_count.tolist() == [6.0, 6.0]


def test_sums_of_statistics_follow_the_order_of_the_words_that_stay():
    numbers, texts = [9, 10], ["9", "10"]
    one = NaiveBayes().fit({"a": ["u", "v"]}, numbers).stats_
    two = NaiveBayes().fit({"a": ["u", "v", "v"]}, [*texts, "11"]).stats_
    assert (one + two).classes.labels == (9, 10, 11)
    assert (one + two).class_count.tolist() == [2.0, 2.0, 1.0]
    assert NaiveBayes.from_stats(one + two).predict({"a": "u"}).tolist() == [9]


def test_two_classes_that_are_one_in_other_words_do_not_add():
    one = NaiveBayes().fit({"a": ["u", "v"]}, [1, 2]).stats_
    two = NaiveBayes().fit({"a": ["u", "v"]}, ["1", "01"]).stats_
    with pytest.raises(StructureMismatch, match="of which two are one"):
        one + two


@learned_as
@given_as
def test_a_prior_names_classes_in_any_words(learned, given):
    yes, no = STORED[given]
    model = fitted(learned, prior={yes: 0.9, no: 0.1})
    assert np.exp(model.class_log_prior_).round(12).tolist() == [0.1, 0.9]


def test_a_prior_that_names_a_class_twice_is_refused():
    with pytest.raises(ParameterError, match="names a class twice"):
        fitted("int", prior={1: 0.5, "1": 0.4, 0: 0.1})


@learned_as
@given_as
def test_declared_classes_decide_the_words(learned, given):
    model = NaiveBayes().partial_fit(X, STORED[given] * 6, classes=STORED[learned])
    model.partial_fit(X, STORED[given] * 6, classes=STORED[given])
    assert model.classes_.tolist() == sorted(STORED[learned])
    assert model.class_count_.tolist() == [12.0, 12.0]


@pytest.mark.parametrize(("known", "label"), [(["no", "yes"], 1), ([0, 1], "maybe"), (["0"], 2)])
def test_a_label_that_cannot_be_one_of_the_classes_words_is_an_error(known, label):
    model = NaiveBayes().fit({"a": ["u"] * len(known)}, known)
    before = model.class_count_.tolist()
    with pytest.raises(NaivelyError):
        model.partial_fit({"a": ["u"]}, [label])
    assert model.class_count_.tolist() == before
    with pytest.raises(ValueError, match=r"."):
        agreeing(label, Domain(tuple(known)), Domain(tuple(known)).type)


@learned_as
def test_a_label_of_a_feature_is_the_same_however_it_is_stored(learned):
    model = NaiveBayes("categorical").fit({"v": STORED[learned] * 6}, ["p", "q"] * 6)
    expected = model.predict_proba({"v": STORED[learned]})
    assert expected[0, 0] > 0.8
    for given in STORED.values():
        assert model.predict_proba({"v": given}).tolist() == expected.tolist()
        assert model.predict_proba({"v": given[0]}).tolist() == expected[:1].tolist()
    for given in STORED.values():
        model.partial_fit({"v": given}, ["p", "q"])
    (domain,) = model.stats_.statistics[0].domains
    assert len(domain) == 2


@pytest.mark.parametrize("yes", ["True", "true", "TRUE"])
def test_a_truth_value_among_texts_is_written_as_they_write_it(yes, tmp_path):
    table = {"v": [yes, "unknown"] * 4, "y": ["p", "q"] * 4}
    model = NaiveBayes().fit(table, "y")
    save(model, tmp_path / "m.naively")
    for one in (model, load(tmp_path / "m.naively")):
        assert one.predict_proba({"v": [True]})[0, 0] == one.predict_proba({"v": [yes]})[0, 0] > 0.8
    model.partial_fit({"v": [True, True]}, ["p", "q"])
    assert model.stats_.domains()["v"].labels == tuple(sorted((yes, "unknown")))
