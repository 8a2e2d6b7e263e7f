"""A structure states its size, and is refused in words where it would find no room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.data.domain import Domain
from naively.errors import DataError
from naively.families import Gaussian
from naively.models import structure
from naively.models.stats import Stats
from naively.models.structure import Structure, Term
from naively.statistics import Sums

from .tables import every_family, fitted, law, learn, schema_of, tables

SHARED = ("shift", "points", "capped")
"""Arrays that do not grow with the groups."""


@law
@every_family
@given(data=st.data())
def test_a_term_says_how_large_its_statistic_is(family, data):
    stats = fitted(data.draw(tables(family)), family).stats
    for term, statistic in zip(stats.structure.terms, stats.statistics, strict=True):
        arrays = statistic.arrays().items()
        held = sum(a.nbytes for name, a in arrays if not name.startswith(SHARED))
        labels = sum(len(domain) for domain in statistic.domains or ())
        values = labels or sum(len(p) for p in getattr(statistic, "points", ()))
        assert term.size(len(stats.classes), values) == held


@law
@every_family
@given(data=st.data())
def test_what_is_too_large_is_refused_where_it_is_counted_or_added(family, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    stats = learn(table, schema)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure, "LARGEST", 1)
        with pytest.raises(DataError, match=r"the statistic of .* would take .* at most"):
            stats + stats
        if not any(term.size(1) for term in stats.structure.terms):
            return  # the size shows in values that are known once they are counted
        with pytest.raises(DataError, match=r"the statistic of .* would take .* at most"):
            learn(table, schema)


def test_a_covariance_of_very_many_columns_is_refused():
    x = np.zeros((4, 40_000))
    with pytest.raises(DataError, match=r"gaussian.joint\(x0, .*GB.*use covariance='diagonal'"):
        NaiveBayes(columns=Gaussian(covariance="full")).fit(x, [0, 1, 0, 1])


def test_very_many_labels_of_very_many_classes_are_refused_before_they_are_added():
    one = Structure((Term("categorical", ("v",)),), (("v", "integer"),))

    def stats(first):
        classes = Domain(tuple(range(first, first + 10_000)))
        labels = Domain(tuple(range(first, first + 150_000)))
        empty = np.broadcast_to(0.0, (10_000, 150_000))
        return Stats(one, classes, np.ones(10_000), (Sums(empty[:, :1], empty, (labels,)),))

    words = r"categorical\(v\) would take 48.0 GB \(20,000 classes, 1 columns, 300,000 values\)"
    with pytest.raises(DataError, match=words):
        stats(0) + stats(1_000_000)
