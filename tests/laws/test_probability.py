"""A generative family is a probability: it sums to 1, and its draws follow it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.data.coding import steps
from naively.errors import ParameterError
from naively.families import Complement, Gaussian, Histogram, Inflated, Multinomial

from .tables import MEMBERS, Table, each, fitted, law, tables

one_by_one = [f for f in MEMBERS if f.generative and f.form != "counts"]
DRAWS = 3000


def grid(model, family):
    """Points that cover a column: the cells, how much of it they stand for, and up to where."""
    points = present(model, family)
    if family.missing == "value" and family.form == "real":
        return with_point(points, np.nan, np.inf)
    return points


def with_point(points, x, end):
    return tuple(np.append(column, v) for column, v in zip(points, (x, 1.0, end), strict=True))


def present(model, family):
    if isinstance(family, Inflated):
        x, width, end = present(model, family.density)
        others = x != family.at
        return with_point((x[others], width[others], end[others]), family.at, family.at)
    if family.form == "codes":
        labels = model.parts[0].factor.domains[0].labels
        return list(labels), np.ones(len(labels)), np.arange(len(labels))
    if isinstance(family, Histogram):
        return between_edges(model)
    if family.support is not None and family.support.whole:
        x = np.arange(family.support.low, min(family.support.high, 3000.0) + 1)
        return x, np.ones(len(x)), x
    return over_the_line(above_0=family.support is not None)


def between_edges(model):
    """A point for every bin; not its middle, which may be a point mass."""
    codings = [step for part in model.parts for step in steps(part.term.coding)]
    edges = next(np.array(step.edges) for step in codings if step.name == "bins")
    return edges[:-1] + 0.618 * np.diff(edges), np.diff(edges), edges[1:]


def over_the_line(above_0):
    """A grid that is fine everywhere, by x = exp(u) above 0 or x = sinh(u)."""
    u = np.linspace(-45, 45, 30_000) if above_0 else np.linspace(-12, 12, 30_000)
    x, slope = (np.exp(u), np.exp(u)) if above_0 else (np.sinh(u), np.cosh(u))
    width = slope * (u[1] - u[0])
    return x, width, x + width / 2


def densities(model, x):
    return np.exp(model.log_joint({"x0": x}) - model.log_prior)


def varied(table, family):
    """Whether the column differs from itself: one that does not is no evidence."""
    values = {v for v in table.cells["x0"] if v is not None}
    others = values - {family.at} if isinstance(family, Inflated) else values
    return len(others) > 1


@law
@each(one_by_one)
@given(data=st.data())
def test_the_probabilities_of_a_column_sum_to_1(family, data):
    table = data.draw(tables(family, columns=1))
    assume(varied(table, family))
    model = fitted(table, family)
    x, width, _ = grid(model, family)
    total = width @ densities(model, x)
    if getattr(family, "unseen", "") == "reserve":
        total += densities(model, ["never seen"])[0]
    np.testing.assert_allclose(total, 1, atol=2e-6)


@law
@given(data=st.data())
def test_the_probabilities_of_all_counts_with_one_total_sum_to_1(data):
    table = data.draw(tables(Multinomial()))
    model = fitted(table, Multinomial())
    rows = [row for row in product(range(5), repeat=len(table.cells)) if sum(row) == 4]
    cells = {name: [float(row[j]) for row in rows] for j, name in enumerate(table.cells)}
    total = np.exp(model.log_joint(cells) - model.log_prior).sum(axis=0)
    np.testing.assert_allclose(total, 1, atol=1e-9)


def example_of(family):
    """A column of a family with cells of every sort, in two classes."""
    if family.form == "codes":
        cells = ["a", "b", "c", "a", None, "b", "a", "c"]
    elif family.support is not None and family.support.high == 1:
        cells = [0.0, 1.0, 1.0, 1.0, None, 0.0, 0.0, 1.0]
    else:
        cells = [1.0, 2.0, 4.0, 3.0, None, 5.0, 2.0, 6.0]
    if isinstance(family, Inflated):
        cells[3] = cells[6] = family.at
    return Table({"x0": cells}, ["no", "no", "yes", "no", "yes", "yes", "no", "yes"])


@each([f for f in one_by_one if getattr(f, "unseen", "") != "reserve"])
def test_drawn_rows_follow_the_density(family):
    model = fitted(example_of(family), family)
    rows = model.sample(DRAWS, random_state=4)
    x, width, end = grid(model, family)
    mass = width[:, None] * densities(model, x)
    where = positions(rows["x0"], model, family)
    for c, label in enumerate(model.classes.labels):
        mine = where[np.array(rows["class"]) == label]
        assert distance(mine, end, mass[:, c]) < 2.7 / np.sqrt(len(mine))


def positions(drawn, model, family):
    """Where each drawn cell lies on the line of the grid; a missing one at its end."""
    if family.form == "codes":
        domain = model.parts[0].factor.domains[0]
        return np.array([domain.code(v) for v in drawn], dtype=float)
    drawn = np.asarray(drawn, dtype=np.float64)
    return np.where(np.isnan(drawn), np.inf, drawn)


def distance(drawn, end, mass):
    """The largest difference between the two cumulative distributions."""
    order = np.argsort(end, kind="stable")
    empirical = np.searchsorted(np.sort(drawn), end[order], side="right") / len(drawn)
    return np.abs(np.cumsum(mass[order]) - empirical).max()


def test_drawn_counts_follow_their_probabilities():
    table = Table({"a": [3.0, 1.0], "b": [0.0, 5.0], "c": [1.0, 0.0]}, ["no", "yes"])
    model = fitted(table, Multinomial())
    rows = model.sample(2000, random_state=1)
    counts = np.column_stack([rows[name] for name in "abc"])
    for c, label in enumerate(("no", "yes")):
        mine = counts[np.array(rows["class"]) == label]
        share = mine.sum(axis=0) / mine.sum()
        np.testing.assert_allclose(share, np.exp(model.parts[0].factor.eta[c]), atol=0.01)


def test_drawn_rows_of_a_joint_gaussian_have_its_covariance():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2)) @ np.array([[1.0, 0.8], [0.0, 0.5]])
    model = NaiveBayes(columns=Gaussian(covariance="full")).fit(
        {"a": x[:, 0], "b": x[:, 1]}, [0, 1] * 30
    )
    rows = model.model_.sample(20_000, random_state=3)
    for c in (0, 1):
        mine = np.array(rows["class"]) == c
        drawn = np.column_stack([rows["a"], rows["b"]])[mine]
        np.testing.assert_allclose(np.cov(drawn.T), model.var_[c], atol=0.06)


def test_classes_are_drawn_by_the_prior():
    model = fitted(example_of(Histogram()), Histogram()).with_prior({"no": 0.2, "yes": 0.8})
    drawn = model.sample(DRAWS, random_state=0)["class"]
    assert drawn.count("no") / DRAWS == pytest.approx(0.2, abs=0.03)


def test_a_family_that_is_no_probability_is_not_drawn_from():
    model = fitted(Table({"a": [1.0, 2.0], "b": [2.0, 1.0]}, ["no", "yes"]), Complement())
    with pytest.raises(ParameterError, match="not generative"):
        model.sample(3)
