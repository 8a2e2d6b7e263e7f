"""`evaluate` with a decision: what its actions cost, and which rows they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from naively import NaiveBayes, evaluate
from naively.errors import DataError, ParameterError


class Decision:
    """The action with the smallest expected cost."""

    def __init__(self, truths, actions, cost):
        self.truths, self.actions = tuple(truths), tuple(actions)
        self.cost = np.array(cost, dtype=float)

    def decide(self, posterior):
        risks = posterior @ self.cost
        labels = np.empty(len(self.actions), dtype=object)
        labels[:] = self.actions
        return labels[risks.argmin(axis=1)], risks


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(200, 2))
    return X, np.where(X[:, 0] + rng.normal(size=200) > 0, "sick", "well")


@pytest.fixture
def model(rows):
    return GaussianNB().fit(*rows)


def test_actions_have_their_cost_and_some_refuse(rows, model):
    X, y = rows
    names = ("sick", "well", "unsure")
    decision = Decision(("sick", "well"), names, [[0, 10, 2], [3, 0, 2]])
    said = decision.decide(model.predict_proba(X))[0]
    found = evaluate(model, X, y, decision)
    missed, feared = (y == "sick") & (said == "well"), (y == "well") & (said == "sick")
    wrong = 10 * np.sum(missed) + 3 * np.sum(feared)
    assert found.mean_cost == pytest.approx((wrong + 2 * np.sum(said == "unsure")) / 200)
    assert 0 < found.refused == np.mean(said == "unsure")
    assert found.accuracy == np.mean(said == y)
    assert found.accuracy_decided == pytest.approx(np.mean((said == y)[said != "unsure"]))
    assert found.confusion.actions == names
    assert found.confusion["well", "unsure"] == np.sum((y == "well") & (said == "unsure"))
    assert found.log_loss == evaluate(model, X, y).log_loss


def test_the_order_of_truths_and_actions_does_not_matter(rows, model):
    one = Decision(("sick", "well"), ("sick", "well", "?"), [[0, 10, 2], [3, 0, 2]])
    two = Decision(("well", "sick"), ("?", "well", "sick"), [[2, 0, 3], [2, 10, 0]])
    a, b = evaluate(model, *rows, one), evaluate(model, *rows, two)
    assert a.scores == pytest.approx(b.scores)
    assert a.confusion["sick", "?"] == b.confusion["sick", "?"] > 0


def test_truths_in_a_circle_are_found_again(rng):
    X, y = rng.normal(size=(90, 2)), np.array(list("abbccc"))[np.arange(90) % 6]
    model = GaussianNB().fit(X, y)
    cost = np.array([[0.0, 7, 9], [3.1, 0, 4], [2, 3, 0]])
    at = [1, 2, 0]
    straight = evaluate(model, X, y, Decision("abc", "abc", cost))
    circle = evaluate(model, X, y, Decision("bca", "abc", cost[at]))
    assert circle.scores == pytest.approx(straight.scores)
    said = Decision("abc", "abc", cost).decide(model.predict_proba(X))[0]
    assert len(set(said)) == 3
    expected = np.mean([cost["abc".index(t), "abc".index(a)] for t, a in zip(y, said, strict=True)])
    assert straight.mean_cost == pytest.approx(expected)


def test_the_cheapest_mistake_is_the_prediction_where_all_cost_the_same(rows, model):
    plain = Decision(("sick", "well"), ("sick", "well"), 1 - np.eye(2))
    found, expected = evaluate(model, *rows, plain), evaluate(model, *rows)
    assert found.mean_cost == pytest.approx(1 - found.accuracy)
    assert found.accuracy == expected.accuracy
    assert found.refused is None


def test_actions_of_which_none_is_a_class_leave_predictions_alone(rows, model):
    treat = Decision(("sick", "well"), ("treat", "wait"), [[1, 9], [2, 0]])
    found, expected = evaluate(model, *rows, treat), evaluate(model, *rows)
    assert found.accuracy == expected.accuracy
    assert found.refused is None
    assert found.mean_cost > 0
    assert found.confusion.actions == ("treat", "wait")


def test_refusing_everything_leaves_nothing_to_be_right_about(rows, model):
    never = Decision(("sick", "well"), ("sick", "well", "?"), [[5, 5, 1], [5, 5, 1]])
    found = evaluate(model, *rows, never)
    assert (found.refused, found.accuracy, found.mean_cost) == (1, 0, 1)
    assert math.isnan(found.accuracy_decided)


def test_labels_agree_however_they_are_stored():
    rows = {"x": list("aabbab"), "y": [0, 0, 1, 1, 1, 0]}
    model = NaiveBayes().fit(rows, "y")
    number = Decision((0, 1), (0, 1, "unsure"), [[0, 1, 0.3], [1, 0, 0.3]])
    text = Decision(("0", "1"), ("0", "1", "unsure"), [[0, 1, 0.3], [1, 0, 0.3]])
    truth = Decision((False, True), (False, True, "unsure"), [[0, 1, 0.3], [1, 0, 0.3]])
    expected = evaluate(model, rows, "y", number)
    for other in (text, truth):
        assert evaluate(model, rows, "y", other).scores == expected.scores
    assert expected.confusion.actions == (0, 1, "unsure")


def test_a_decision_on_other_truths_is_refused(rows, model):
    for truths in (("sick", "healthy"), ("sick",), ("sick", "well", "dead"), ("sick", "sick")):
        odd = Decision(truths, ("sick", "well"), np.ones((len(truths), 2)))
        with pytest.raises(ParameterError, match=r"truths 'sick'.*the classes 'sick', 'well'"):
            evaluate(model, *rows, odd)


def test_an_action_that_was_not_stated_is_refused(rows, model):
    class Odd(Decision):
        def decide(self, posterior):
            return np.full(len(posterior), "pray"), None

    with pytest.raises(DataError, match="'pray'; expected one of 'sick', 'well'"):
        evaluate(model, *rows, Odd(("sick", "well"), ("sick", "well"), 1 - np.eye(2)))


def test_left_out_rows_are_decided_too(rows):
    decision = Decision(("well", "sick"), ("well", "sick", "?"), [[0, 3, 2], [10, 0, 2]])
    found = evaluate(GaussianNB(), *rows, decision, cv=4, bootstrap=20)
    assert len(found.folds["mean_cost"]) == len(found.folds["refused"]) == 4
    assert found.folds["mean_cost"].mean() == pytest.approx(found.mean_cost)
    low, high = found.intervals["mean_cost"]
    assert low < found.mean_cost < high
    assert "\nmean cost  " in repr(found)
