"""What was learned can be forgotten: (a + b) - b = a, or it is refused in words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.errors import ForgetError
from naively.families import Categorical, Gaussian, Kernel, Poisson
from naively.statistics import sample

from .tables import (
    Table,
    each,
    every_family,
    law,
    learn,
    same_numbers,
    same_statistics,
    schema_of,
    tables,
    weights,
)

pytestmark = pytest.mark.filterwarnings("ignore::naively.errors.UnseenWarning")


@law
@every_family
@given(data=st.data())
def test_what_was_added_can_be_taken_away(family, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    cut = data.draw(st.integers(1, table.n - 1))
    before = learn(table.take(range(cut)), schema)
    added = learn(table.take(range(cut, table.n)), schema)
    for both in (before + added, added + before):
        same_statistics(both - added, before, 0.0 if both.inverse == "exact" else 1e-9)


@law
@every_family
@given(data=st.data())
def test_a_model_that_forgets_answers_as_before(family, data):
    table = data.draw(tables(family, min_rows=3))
    cut = data.draw(st.integers(2, table.n - 1))
    known, more = table.take(range(cut)), table.take(range(cut, table.n))
    model = NaiveBayes(columns=schema_of(table, family))
    model.fit(known.columns, "class", sample_weight=weights(known))
    before = model.predict_joint_log_proba(table.cells)
    model.partial_fit(more.columns, "class", sample_weight=weights(more))
    model.forget(more.columns, "class", sample_weight=weights(more))
    same_numbers(model.predict_joint_log_proba(table.cells), before, 1e-8)


@law
@every_family
@given(data=st.data())
def test_everything_forgotten_leaves_nothing(family, data):
    table = data.draw(tables(family))
    stats = learn(table, schema_of(table, family))
    left = stats - stats
    assert not left.classes.labels
    for statistic in left.statistics:
        assert statistic.n_groups == 0
        assert not any(domain.labels for domain in statistic.domains or ())


def test_labels_and_classes_without_rows_are_pruned():
    table = Table({"x": ["a", "b", "c"]}, ["no", "yes", "perhaps"])
    schema = schema_of(table, Categorical())
    left = learn(table, schema) - learn(table.take([2]), schema)
    assert left.classes.labels == ("no", "yes")
    assert left.statistics[0].domains[0].labels == ("a", "b")


def test_declared_classes_stay_when_their_rows_are_forgotten():
    model = NaiveBayes().partial_fit(
        {"x": ["a", "b", "b"]}, np.array(["no", "yes", "yes"]), classes=["no", "yes"]
    )
    model.forget({"x": ["a"]}, np.array(["no"]))
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.predict_proba({"x": "b"}).tolist() == [[0.0, 1.0]]


def statistics_of(family, *groups):
    """The statistics of each group of cells, in one structure."""
    table = Table(
        {"x": [cell for cells in groups for cell in cells]}, ["no"] * sum(map(len, groups))
    )
    schema = schema_of(table, family)
    return [learn(Table({"x": list(cells)}, ["no"] * len(cells)), schema) for cells in groups]


@each([Categorical(), Poisson(), Gaussian(), Kernel()])
def test_rows_that_were_never_learned_are_refused(family):
    a, b, c = ("a", "b", "c") if family.form == "codes" else (1.0, 2.0, 5.0)
    known, strange = statistics_of(family, [a, b], [c, c, c])
    with pytest.raises(ForgetError, match="would become negative"):
        known - strange


def test_a_class_that_was_never_learned_is_refused():
    model = NaiveBayes().fit({"x": ["a", "b"]}, np.array(["no", "yes"]))
    with pytest.raises(ForgetError, match="'perhaps' was never learned"):
        model.forget({"x": ["a"]}, np.array(["perhaps"]))
    assert model.class_count_.tolist() == [1.0, 1.0]


def test_squared_deviations_never_become_negative():
    known, strange = statistics_of(Gaussian(), [1.0, 1.5, 2.0], [0.0, 9.0])
    with pytest.raises(ForgetError, match="squared deviations would become negative"):
        known - strange


def test_a_column_that_is_constant_again_is_no_evidence():
    x, y = [0.1, 0.1, 7e5, 0.3, -1e6], ["no", "yes", "no", "yes", "yes"]
    model = NaiveBayes(columns="gaussian").fit({"x": x}, y)
    model.forget({"x": x[2:]}, y[2:])
    assert model.predict_proba({"x": 0.7}).tolist() == [[0.5, 0.5]]


def test_nothing_left_is_refused_and_the_model_stays():
    model = NaiveBayes().fit({"x": [1.0, 2.5]}, np.array([0, 1]))
    with pytest.raises(ForgetError, match="nothing would be left"):
        model.forget({"x": [1.0, 2.5]}, np.array([0, 1]))
    assert model.class_count_.tolist() == [1.0, 1.0]


def test_values_beyond_the_cap_cannot_be_forgotten(monkeypatch):
    monkeypatch.setattr(sample, "CAP", 2)
    full, one = statistics_of(Kernel(), [1.0, 2.0, 3.0, 4.0], [1.0])
    assert full.inverse == "none"
    with pytest.raises(ForgetError, match="is a sample of the rows"):
        full - one
