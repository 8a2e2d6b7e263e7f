"""The generative story: draw a label, then each feature given the label."""

from __future__ import annotations

import numpy as np
import pytest

import naively

N = 20_000


@pytest.fixture(scope="module")
def fruit():
    table = {
        "color": ["red", "green", "red", "yellow", "green", "yellow", "yellow"],
        "leaf": [True, False, True, False, False, True, False],
        "ounces": [3.0, 4.0, 3.5, 4.0, 5.0, 5.5, 4.5],
        "seeds": [5, 7, 6, 0, 1, 0, 2],
        "label": ["apple"] * 3 + ["banana"] * 4,
    }
    families = {"seeds": "poisson", "ounces": "gaussian", "color": "categorical"}
    return naively.NaiveBayes(families).fit(table, "label")


@pytest.fixture(scope="module")
def drawn(fruit):
    return fruit.model_.sample(N, random_state=4)


def test_a_drawn_table_has_the_columns_of_the_learned_one(drawn):
    assert set(drawn) == {"color", "leaf", "ounces", "seeds", "label"}
    assert {len(column) for column in drawn.values()} == {N}


def test_labels_come_up_as_often_as_their_prior(drawn, fruit):
    share = np.mean(np.array(drawn["label"]) == "apple")
    assert share == pytest.approx(np.exp(fruit.class_log_prior_[0]), abs=0.015)


def test_a_model_of_drawn_rows_is_the_model_that_they_were_drawn_from(drawn, fruit):
    again = naively.NaiveBayes(fruit.schema_).fit(drawn, "label")
    assert again.theta_ == pytest.approx(fruit.theta_, abs=0.05)
    assert again.var_ == pytest.approx(fruit.var_, rel=0.06)
    rows = {
        "color": ["red", "green", "yellow"],
        "leaf": [True, True, False],
        "ounces": [3.0, 4.5, 5.0],
        "seeds": [5, 2, 0],
    }
    assert again.predict_joint_log_proba(rows) == pytest.approx(
        fruit.predict_joint_log_proba(rows), abs=0.2
    )


def test_given_the_label_the_features_are_independent(drawn):
    apples = np.array(drawn["label"]) == "apple"
    red = np.array(drawn["color"]) == "red"
    for other in (np.array(drawn["leaf"]), np.array(drawn["ounces"]), np.array(drawn["seeds"])):
        assert abs(np.corrcoef(red[apples], other[apples].astype(float))[0, 1]) < 0.04
    everyone = np.corrcoef(red, np.array(drawn["seeds"]))[0, 1]
    assert everyone > 0.2  # through the label they are not


def test_a_model_predicts_labels_of_its_own_rows_as_surely_as_it_says(drawn, fruit):
    posterior = fruit.predict_proba(drawn)
    right = fruit.classes_[posterior.argmax(axis=1)] == np.array(drawn["label"])
    assert right.mean() == pytest.approx(posterior.max(axis=1).mean(), abs=0.01)


def test_a_document_is_a_length_and_then_words():
    words = np.array([[6, 3, 1], [5, 4, 1], [1, 2, 7], [0, 1, 9]])
    model = naively.NaiveBayes("multinomial").fit(words, ["sport", "sport", "law", "law"])
    drawn = model.model_.sample(500, random_state=5)
    counts = np.column_stack([drawn[name] for name in model.schema_.names])
    labels = np.array(drawn["class"])
    assert len(set(counts.sum(axis=1))) == 1
    for c, name in enumerate(model.classes_):
        mine = counts[labels == name].sum(axis=0)
        assert mine / mine.sum() == pytest.approx(np.exp(model.feature_log_prob_[c]), abs=0.02)


def test_the_same_seed_draws_the_same_rows(fruit):
    assert fruit.model_.sample(5, random_state=1) == {
        name: pytest.approx(values) if name in ("ounces", "seeds", "leaf") else values
        for name, values in fruit.model_.sample(5, random_state=1).items()
    }
