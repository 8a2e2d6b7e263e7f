"""Forgetting: what cannot be answered afterwards is not forgotten."""

from __future__ import annotations

import numpy as np
import pytest

from naively import NaiveBayes
from naively.errors import DataError, UnsupportedType
from naively.families import Gaussian

X = {"x": [1.0, 2.0, 3.0, 7.0, 9.0]}
Y = ["a", "a", "a", "b", "b"]


def test_a_model_that_could_not_answer_stays_as_it_was():
    """One row of b is left: without a prior it has no variance."""
    model = NaiveBayes(Gaussian(strength=0)).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(DataError, match="variance 0 in class 'b'"):
        model.forget({"x": [9.0]}, ["b"])
    assert np.array_equal(model.predict_proba(X), before)
    assert model.class_count_.tolist() == [3.0, 2.0]


@pytest.mark.parametrize("what", [3, None, "stats", X])
def test_an_estimator_is_not_made_of_anything_else_than_statistics(what):
    with pytest.raises(UnsupportedType, match="from_stats of a"):
        NaiveBayes.from_stats(what)


def test_statistics_of_no_rows_are_said_to_be_empty():
    stats = NaiveBayes("gaussian").fit(X, Y).stats_
    with pytest.raises(DataError, match="statistics of no rows: they are empty"):
        NaiveBayes.from_stats(stats - stats)
