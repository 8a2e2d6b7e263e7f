"""Dating: 8 people, three columns of labels, and a query that no class could have."""

from __future__ import annotations

import numpy as np
import pytest

import naively
from naively.errors import ImpossibleEvidence, NaivelyError

TALL_BLOND_LIGHT = {"height": "tall", "hair": "blond", "eyes": "light"}
TALL_RED_WEIRD = {"height": "tall", "hair": "red", "eyes": "weird"}


@pytest.fixture(scope="module")
def dating(examples):
    return examples / "dating.csv"


@pytest.fixture(scope="module")
def counted(dating):
    return naively.NaiveBayes(alpha=0).fit(dating, "date")


def test_the_tables_are_as_counted(counted):
    assert counted.classes_.tolist() == ["+", "-"]
    assert np.exp(counted.class_log_prior_) == pytest.approx([5 / 8, 3 / 8])
    height, hair, eyes = map(np.exp, counted.feature_log_prob_)
    assert height == pytest.approx(np.array([[2 / 5, 3 / 5], [1 / 3, 2 / 3]]))  # short, tall
    assert hair == pytest.approx(np.array([[2 / 5, 3 / 5, 0], [2 / 3, 0, 1 / 3]]))  # b, d, r
    assert eyes == pytest.approx(np.array([[2 / 5, 3 / 5], [1, 0]]))  # light, weird


def test_tall_blond_light_is_no_date(counted):
    joint = np.exp(counted.predict_joint_log_proba(TALL_BLOND_LIGHT))
    assert joint == pytest.approx(np.array([[0.06, 1 / 6]]), rel=1e-12)
    posterior = counted.predict_proba(TALL_BLOND_LIGHT)
    assert posterior == pytest.approx(np.array([[9 / 34, 25 / 34]]), rel=1e-12)
    assert counted.predict(TALL_BLOND_LIGHT).tolist() == ["-"]


def test_tall_red_weird_has_probability_0_under_both_classes(counted):
    assert np.exp(counted.predict_joint_log_proba(TALL_RED_WEIRD)).tolist() == [[0, 0]]


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "predict_log_proba"])
def test_0_over_0_is_an_error_in_words(counted, ask):
    with pytest.raises(ImpossibleEvidence, match="every class has likelihood 0") as caught:
        getattr(counted, ask)(TALL_RED_WEIRD)
    assert "alpha > 0" in str(caught.value)
    assert "hair" in str(caught.value)
    assert "eyes" in str(caught.value)
    assert isinstance(caught.value, NaivelyError)
    assert isinstance(caught.value, ValueError)


def test_0_over_0_takes_the_prior_only_where_that_was_asked_for(dating):
    model = naively.NaiveBayes(alpha=0, impossible="prior").fit(dating, "date")
    with pytest.warns(naively.errors.NaivelyWarning, match="impossible under every class"):
        assert model.predict_proba(TALL_RED_WEIRD) == pytest.approx(np.array([[5 / 8, 3 / 8]]))


@pytest.mark.parametrize(
    ("prior", "plus", "minus"),
    [("counted", 0.629723, 0.370277), ("smoothed", 0.604839, 0.395161)],
)
def test_laplace_gives_tall_red_weird_a_posterior(dating, prior, plus, minus):
    model = naively.NaiveBayes(alpha=1, prior=prior).fit(dating, "date")
    assert model.predict_proba(TALL_RED_WEIRD)[0].round(6).tolist() == [plus, minus]


def test_a_value_that_no_class_has_seen_is_no_evidence(dating):
    """Laplace gives its pseudo-counts to the values of the column; a new one is not among them."""
    model = naively.NaiveBayes(alpha=1).fit(dating, "date")
    with pytest.warns(naively.errors.UnseenWarning, match="hair"):
        green = model.predict_proba(TALL_BLOND_LIGHT | {"hair": "green"})
    without = TALL_BLOND_LIGHT | {"hair": None}
    assert green == pytest.approx(model.predict_proba(without), abs=1e-15)
