"""A missing cell is a column left out; with missing="value" it is evidence of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import multivariate_normal

from naively import NaiveBayes
from naively.families import Bernoulli, Categorical, Gaussian, Multinomial
from naively.models.model import Model

from .tables import (
    MEMBERS,
    Table,
    each,
    fitted,
    law,
    learn,
    same_numbers,
    same_statistics,
    schema_of,
    separable,
    tables,
)

numeric = [f for f in MEMBERS if f.form != "codes" and f.of_type is None]

pytestmark = pytest.mark.filterwarnings("ignore::naively.errors.UnseenWarning")
ignoring = [f for f in separable if f.missing == "ignore"]
valuing = [f for f in MEMBERS if f.missing == "value"]


def likelihoods(model, cells):
    """log p(x | c), rows by classes."""
    return model.log_joint(cells) - model.log_prior


def without(table, name):
    return replace(table, cells={n: c for n, c in table.cells.items() if n != name})


@law
@each(ignoring)
@given(data=st.data())
def test_a_missing_cell_of_a_question_is_a_column_left_out(family, data):
    table = data.draw(tables(family, columns=2))
    schema = schema_of(table, family)
    both = Model(schema, learn(table, schema))
    less = without(table, "x0")
    other = Model(schema.without("x0"), learn(less, schema.without("x0")))
    question = {"x0": [None] * table.n, "x1": table.cells["x1"]}
    same_numbers(both.log_joint(question), other.log_joint(less.cells))


@law
@each(ignoring)
@given(data=st.data())
def test_a_missing_cell_of_a_column_is_a_row_that_the_column_lacks(family, data):
    table = data.draw(tables(family, columns=1, min_rows=3))
    schema = schema_of(table, family)
    there = [i for i, cell in enumerate(table.cells["x0"]) if cell is not None]
    gaps, dense = learn(table, schema), learn(table.take(there), schema)
    dense = dense.under(gaps.classes)
    same_statistics(replace(gaps, class_count=dense.class_count), dense)


@law
@each([f for f in MEMBERS if f.missing == "ignore"])
@given(data=st.data())
def test_nothing_known_leaves_the_prior(family, data):
    table = data.draw(tables(family))
    model = fitted(table, family)
    nothing = {name: [np.nan if family.form != "codes" else None] for name in table.cells}
    same_numbers(np.log(model.posterior(nothing)), model.log_prior[None])


@law
@each(valuing)
@given(data=st.data())
def test_a_missing_value_is_as_probable_as_it_was_frequent(family, data):
    table = data.draw(tables(family, columns=1, weighted=False))
    model = fitted(table, family)
    gone = likelihoods(model, {"x0": [None]})[0]
    for c, label in enumerate(model.classes.labels):
        cells = [v for v, y in zip(table.cells["x0"], table.y, strict=True) if y == label]
        n, missing = len(cells), sum(v is None for v in cells)
        expected = expected_share(family, table, n, missing)
        if expected is not None:
            assert np.exp(gone[c]) == pytest.approx(expected)


def expected_share(family, table, n, missing):
    """A coin for numbers; a label of its own for labels, where one was seen missing."""
    if not isinstance(family, Categorical):
        return (missing + 1) / (n + 2)
    labels = {*family.labels, *table.cells["x0"]}
    return (missing + 1) / (n + len(labels)) if None in labels else None


@law
@each([Gaussian(covariance="full"), Gaussian(covariance="tied")])
@given(data=st.data())
def test_a_joint_gaussian_answers_by_the_marginal_of_what_is_there(family, data):
    table = data.draw(tables(family, columns=3, gaps=False, min_rows=5))
    model = fitted(table, family)
    factor = model.parts[0].factor
    hidden = data.draw(st.sets(st.integers(0, 2), min_size=1, max_size=2))
    cells = {
        n: [None] * table.n if j in hidden else c for j, (n, c) in enumerate(table.cells.items())
    }
    used = (np.array(factor.variances()) > 0).all(axis=0)
    at = [j for j in range(3) if j not in hidden and used[j]]
    x = np.column_stack([table.cells[f"x{j}"] for j in at]) if at else np.empty((table.n, 0))
    for g in range(len(model.classes)):
        expected = np.zeros(table.n)
        if at:
            mean, covariance = factor.mu[g, at], factor.var[g][np.ix_(at, at)]
            expected = multivariate_normal(mean, covariance).logpdf(x)
        same_numbers(likelihoods(model, cells)[:, g], np.reshape(expected, -1), 1e-8)


@law
@each([Gaussian(covariance="full"), Gaussian(covariance="tied")])
@given(data=st.data())
def test_a_joint_gaussian_learns_from_complete_rows(family, data):
    table = data.draw(tables(family, columns=2, min_rows=4))
    schema = schema_of(table, family)
    rows = [i for i in range(table.n) if None not in [c[i] for c in table.cells.values()]]
    gaps, complete = learn(table, schema), learn(table.take(rows), schema)
    complete = complete.under(gaps.classes)
    same_statistics(replace(gaps, class_count=complete.class_count), complete)


def test_a_missing_label_is_evidence_where_it_is_a_value():
    table = Table({"x": ["a", None, None, "a", None, "a"]}, ["no", "no", "no", "yes", "yes", "yes"])
    ignored, valued = fitted(table, Categorical()), fitted(table, Categorical(missing="value"))
    assert ignored.posterior({"x": None}).tolist() == [[0.5, 0.5]]
    assert valued.posterior({"x": None})[0].tolist() == pytest.approx([3 / 5, 2 / 5])
    assert valued.stats.domains()["x"].labels == ("a", None)


def test_a_missing_number_is_evidence_where_it_is_a_value():
    model = NaiveBayes(columns="gaussian", missing="value")
    model.fit({"x": [1.5, None, None, 2.5, 1.0, 0.5]}, ["no", "no", "no", "yes", "yes", "yes"])
    assert model.predict_proba({"x": np.nan})[0].tolist() == pytest.approx([3 / 4, 1 / 4])


@each([Categorical(missing="value"), Bernoulli(missing="value"), Gaussian(missing="value")])
def test_a_value_missing_only_in_a_question_is_an_answer_too(family):
    cells = ["a", "b"] if family.form == "codes" else [0.0, 1.0]
    model = fitted(Table({"x": cells}, ["no", "yes"]), family)
    assert np.isfinite(model.posterior({"x": [None]})).all()


def test_a_missing_count_counts_nothing():
    x = {"x0": [3.0, np.nan, 1.0], "x1": [0.0, 2.0, np.nan]}
    zeros = {name: np.nan_to_num(column) for name, column in x.items()}
    gaps, dense = (
        NaiveBayes(columns=Multinomial()).fit(t, ["no", "no", "yes"]) for t in (x, zeros)
    )
    same_numbers(gaps.predict_proba(x), dense.predict_proba(zeros))


@law
@each(numeric)
@given(data=st.data())
def test_a_sparse_matrix_with_gaps_answers_as_its_dense_form(family, data):
    table = data.draw(tables(family))
    x = np.column_stack([np.array(c, dtype=float) for c in table.cells.values()])
    gaps = data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x)))
    x[np.array(gaps), 0] = np.nan
    x[:2, 0] = np.column_stack(list(table.cells.values()))[:2, 0]  # a column has some cells
    dense, thin = (NaiveBayes(columns=family).fit(t, table.y) for t in (x, csr_matrix(x)))
    same_numbers(thin.predict_joint_log_proba(csr_matrix(x)), dense.predict_joint_log_proba(x))
    same_numbers(thin.predict_proba(csr_matrix(x)), dense.predict_proba(x))
