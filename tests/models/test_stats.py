"""Statistics: what they say of themselves, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from naively import read
from naively.engines.local import learn, schema_of
from naively.engines.one_pass import train
from naively.errors import DataError, ForgetError
from naively.families import Kernel, Poisson
from naively.models.stats import Stats
from naively.models.structure import design
from naively.statistics import Sample, Sums, sample


def stats_of(x, family=Poisson(), weight=None):  # noqa: B008
    source = read({"x": x, "y": ["no"] * len(x)})
    schema = schema_of(source, "y", weight, {"x": family})
    return learn(source, schema, "y", weight)


def test_a_batch_without_classes_is_refused_in_words():
    source = read({"x": [1.0, 2.5]})
    schema = schema_of(source, None)
    (batch,) = source.batches(schema)
    with pytest.raises(DataError, match="a batch without classes; expected a class for each row"):
        Stats.of(design(schema)[0], batch)


@pytest.mark.parametrize(
    ("x", "weight", "inverse"),
    [
        ([1.0, 2.0], None, "exact"),
        ([1e20, 1.0], None, "approximate"),  # the 1 is lost beside 1e20
        ([1.0, 2.0], np.array([0.5, 0.5]), "approximate"),
        ([1.0, 2.0], np.array([2.0, 3.0]), "exact"),
    ],
)
def test_an_inverse_is_exact_only_where_every_number_is(x, weight, inverse):
    assert stats_of(x, weight=weight).inverse == inverse


def test_a_statistic_says_what_its_inverse_is():
    whole, half = np.array([[2.0]]), np.array([[0.5]])
    assert Sums(whole, whole).inverse == "exact"
    assert Sums(half, whole).inverse == "approximate"
    assert Sums(whole, 2.0**53 * whole).inverse == "approximate"
    points = (np.array([1.5]),)
    assert Sample(points, (whole,)).inverse == "exact"
    assert Sample(points, (half,)).inverse == "approximate"
    assert Sample(points, (whole,), capped=True).inverse == "none"


def test_a_term_without_an_inverse_is_named(monkeypatch):
    monkeypatch.setattr(sample, "CAP", 2)
    stats = stats_of([1.0, 2.0, 3.0], Kernel())
    assert stats.inverse == "none"
    with pytest.raises(ForgetError, match=r"kernel\(x\) is a sample of the rows"):
        stats - stats


@pytest.mark.parametrize(
    ("names", "free"), [(["class"], "class_"), (["class", "class_"], "class__")]
)
def test_drawn_rows_have_a_column_for_the_class_beside_all_others(names, free):
    table = {name: [1.0, 2.5, 3.5] for name in names}
    rows = train(table, np.array(["u", "v", "v"])).sample(5)
    assert list(rows) == [*names, free]
    assert set(rows[free]) <= {"u", "v"}
