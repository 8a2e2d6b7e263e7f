"""`MinimumRisk`: any classifier acts by costs."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils.estimator_checks import check_estimator

from naively import Decision, MinimumRisk, NaiveBayes
from naively.errors import DataError

COSTS = {("ill", "send home"): 50, ("well", "treat"): 5}
TABLE = {
    "fever": [36.5, 36.8, 39.1, 38.9, 36.6, 37.0],
    "state": ["well"] * 2 + ["ill"] * 2 + ["well"] * 2,
}


@pytest.mark.parametrize("estimator", [None, LogisticRegression()])
def test_it_is_a_classifier_of_scikit_learn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(MinimumRisk(estimator))


def test_without_costs_it_predicts_as_its_classifier():
    x = np.random.default_rng(0).normal(size=(50, 3))
    y = (x[:, 0] > 0).astype(int)
    one = MinimumRisk(LogisticRegression()).fit(x, y)
    assert (one.predict(x) == LogisticRegression().fit(x, y).predict(x)).all()


def test_actions_need_not_be_classes():
    model = MinimumRisk(NaiveBayes(), costs=COSTS, default=0).fit(TABLE, "state")
    assert model.actions_.tolist() == ["send home", "treat"]
    assert model.classes_.tolist() == ["ill", "well"]
    actions = model.predict(TABLE)
    assert set(actions) <= set(model.actions_)
    risks = model.risk(TABLE)
    assert (risks.argmin(axis=1) == [model.actions_.tolist().index(a) for a in actions]).all()
    assert model.mean_cost(TABLE, TABLE["state"]) <= 50
    assert pickle.loads(pickle.dumps(model)).predict(TABLE).tolist() == actions.tolist()


def test_costs_for_other_classes_are_refused():
    with pytest.raises(DataError, match="on one side only"):
        MinimumRisk(costs=Decision.minimum_error(["ill", "dead"])).fit(TABLE, "state")


def test_german_credit_with_its_matrix(shared):
    """Refusing a good customer costs 1, trusting a bad one 5; the mean over ten times ten folds."""
    frame = pd.read_csv(shared / "german_credit" / "german_credit.csv")
    target = frame.columns[-1]
    y, x = frame[target].to_numpy(), frame.drop(columns=[target])
    good, bad = pd.Series(y).value_counts().index
    decision = Decision({(good, bad): 1, (bad, good): 5}, default=0)
    costs = []
    for seed in range(10):
        folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=seed)
        p = cross_val_predict(NaiveBayes(), x, y, cv=folds, method="predict_proba")
        order = NaiveBayes().fit(x, y).classes_
        actions = decision.for_classes(order).decide(p).actions
        costs.append(decision.cost_of(y.tolist(), actions.tolist()).mean())
    assert np.mean(costs) <= 0.54
    fixed = {a: decision.cost_of(y.tolist(), [a] * len(y)).mean() for a in (good, bad)}
    assert np.mean(costs) < min(fixed.values())


def test_its_score_is_what_it_costs():
    model = MinimumRisk(NaiveBayes(), costs=COSTS, default=0).fit(TABLE, "state")
    assert model.score(TABLE, "state") == -model.mean_cost(TABLE, TABLE["state"])
    plain = MinimumRisk(NaiveBayes()).fit(TABLE, "state")
    assert plain.score(TABLE, "state") == NaiveBayes().fit(TABLE, "state").score(TABLE, "state")
