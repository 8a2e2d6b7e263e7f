"""The one-row scorer says what the general path says, or leaves the row to it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from naively import NaiveBayes, kernels
from naively.errors import NaivelyError
from naively.families import FAMILIES, Categorical

from ..laws.tables import BY_NAME, moved_into

pytestmark = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")

TABLE = {
    "name": ["ann", "bob", "ann", "cy", "bob", "cy"],
    "size": [1, 2, 2, 3, 1, 3],
    "x": [0.5, 1.5, None, 4.5, 5.25, 6.0],
    "calls": [0, 3, 1, 7, 4, 9],
    "yes": [True, False, True, None, False, True],
    "class": ["u", "u", "u", "v", "v", "v"],
}
COLUMNS = {"calls": "poisson"}
ROWS = [
    {"name": "ann", "size": 1, "x": 0.5, "calls": 2, "yes": True},
    {"name": None, "size": 3, "x": 5, "calls": None, "yes": False},
    {"name": "bob", "size": None, "x": None, "calls": 3.0, "yes": None},
    {"more": 1, "yes": True, "calls": 0, "x": float("nan"), "size": 2, "name": "cy"},
]


@pytest.fixture(scope="module")
def model():
    return NaiveBayes(COLUMNS).fit(TABLE, "class")


@pytest.mark.parametrize("row", ROWS)
def test_a_plain_row_is_answered_as_a_table_is(model, row):
    scorer = model.model_.row_scorer
    table = {name: [cell] for name, cell in row.items()}
    posterior = scorer.posterior(row)
    np.testing.assert_allclose(posterior, model.model_.posterior(table), rtol=1e-13)
    assert model.classes_[scorer.best(row)] == model.predict(table)[0]
    np.testing.assert_array_equal(model.predict_proba(row), posterior)


@pytest.mark.parametrize(
    "odd",
    [
        {"name": "dora"},
        {"size": True},
        {"size": "1"},
        {"x": "2.5"},
        {"x": 1e9},
        {"x": float("inf")},
        {"calls": -1},
        {"calls": 1.5},
        {"yes": "yes"},
        {"x": [1.5]},
        {"x": 10**400},
    ],
)
def test_what_needs_a_second_look_goes_the_general_way(model, odd):
    row = {**ROWS[0], **odd}
    assert model.model_.row_scorer.best(row) == -1
    assert model.model_.row_scorer.posterior(row) is None


def test_a_row_that_lacks_a_column_is_refused_by_its_name(model):
    row = {name: cell for name, cell in ROWS[0].items() if name != "x"}
    with pytest.raises(NaivelyError, match="'x'"):
        model.predict(row)


@pytest.mark.parametrize("family", BY_NAME)
def test_every_family_answers_one_row_as_many(family):
    x = np.array([[1.0, 1, 0], [2, 0, 1], [3, 1, 1], [1, 0, 0], [2, 1, 1], [3, 1, 0]])
    x = moved_into(FAMILIES[family], x)
    y = [0, 0, 1, 1, 0, 1]
    model = NaiveBayes(family).fit(x, y)
    many = model.predict_proba(x)
    for i in range(len(x)):
        np.testing.assert_allclose(model.predict_proba(x[i : i + 1])[0], many[i], rtol=1e-12)


def test_answers_do_not_share_memory(model):
    first = model.predict(ROWS[0])
    first[0] = "w"
    assert model.predict(ROWS[0])[0] == "u"


def test_a_model_that_learns_more_answers_anew(model):
    table = {name: cells[:4] for name, cells in TABLE.items()}
    grown = NaiveBayes(columns=model.schema_).fit(table, "class")
    before = grown.predict_proba(ROWS[0])
    rest = {name: cells[4:] for name, cells in TABLE.items()}
    grown.partial_fit(rest, "class")
    np.testing.assert_allclose(grown.predict_proba(ROWS[0]), model.predict_proba(ROWS[0]))
    assert not np.allclose(before, grown.predict_proba(ROWS[0]))


def test_a_pickled_model_compiles_again(model):
    model.predict(ROWS[0])
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(ROWS[0]), model.predict_proba(ROWS[0]))


def test_refusing_unseen_labels_is_not_left_to_the_scorer():
    strict = NaiveBayes({"name": Categorical(unseen="error")}).fit(TABLE, "class")
    assert strict.model_.row_scorer is None
