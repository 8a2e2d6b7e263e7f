"""One row by itself has the posterior that it has in a table, however extreme its cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes, kernels
from naively.errors import ImpossibleEvidence

from .tables import cells_of, each, every_family, fitted, law, separable, tables

pytestmark = [
    pytest.mark.skipif(kernels.native is None, reason="the native module is not built"),
    pytest.mark.filterwarnings("ignore::naively.errors.UnseenWarning"),
]
EXTREME = [1e308, 1e300, 1e200, 1e154, 1e20, 1e16, 1e8, 1e5, 0.0, 1e-8, 1e-200, 5e-324]


def numbers():
    """Numbers near the ends of what a cell can hold, of either sign."""
    return st.sampled_from([*EXTREME, *(-x for x in EXTREME)])


def rows_of(table, family):
    """A row of a table's columns; where they are numbers, of extreme ones too."""
    plain = cells_of(family)
    cell = plain if family.form == "codes" or family.of_type else st.one_of(plain, numbers())
    return st.fixed_dictionaries({name: st.one_of(st.none(), cell) for name in table.cells})


def by_itself(scorer, row):
    """The posterior and the best class by the one-row scorer; None where it hands the row back."""
    posterior, best = scorer.posterior(row), scorer.best(row)
    assert (posterior is None) == (best < 0)
    return posterior, best


@law
@each(separable)
@given(data=st.data())
def test_a_row_alone_is_answered_as_in_a_table(family, data):
    table = data.draw(tables(family))
    model = fitted(table, family)
    row = data.draw(rows_of(table, family))
    if model.row_scorer is None:
        return
    posterior, best = by_itself(model.row_scorer, row)
    if posterior is None:
        return
    among = model.posterior({name: [cell] for name, cell in row.items()})
    np.testing.assert_allclose(posterior, among, rtol=1e-6, atol=1e-9)
    assert among[0, best] >= among.max() - 1e-9


@law
@every_family
@given(data=st.data())
def test_every_answer_to_a_row_is_a_probability(family, data):
    table = data.draw(tables(family))
    model = NaiveBayes(columns=fitted(table, family).schema).fit(table.columns, "class")
    try:
        posterior = model.predict_proba(data.draw(rows_of(table, family)))
    except ImpossibleEvidence:
        return
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(), 1)


@pytest.mark.parametrize("x", [1e308, 1e300, 1e16, 1e9])
def test_amounts_whose_scores_are_enormous_are_left_to_the_general_path(x):
    """x log lam is infinite for several classes: their difference would be no number."""
    calls = {"x": [3.0, 4.0, 90.0, 110.0], "y": ["few", "few", "many", "many"]}
    model = NaiveBayes(columns="poisson").fit(calls, "y")
    assert by_itself(model.model_.row_scorer, {"x": x}) == (None, -1)
    assert model.predict_proba({"x": x}).tolist() == [[0.0, 1.0]]
    assert model.predict({"x": x}).tolist() == ["many"]
