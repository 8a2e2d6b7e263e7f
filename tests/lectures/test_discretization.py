"""Continuous features cut into bins, and how many parameters that takes."""

from __future__ import annotations

import numpy as np
import pytest

import naively
from naively.families import Histogram

X = {"x": [0.0, 1.0, 2.0, 3.0, 4.0, 10.0], "y": [0.0, 0.1, 0.2, 0.3, 0.9, 1.0]}
LABELS = [0, 0, 0, 1, 1, 1]


def test_bins_of_equal_width_cover_the_range_of_the_column():
    model = naively.NaiveBayes({"x": Histogram(bins=5)}).fit(X, LABELS)
    assert model.schema_["x"].family.edges == pytest.approx((0, 2, 4, 6, 8, 10))


def test_a_bin_holds_its_lower_edge_and_the_last_one_its_upper_too(log_likelihood):
    model = naively.NaiveBayes({"x": Histogram(bins=5, alpha=0), "y": "ignore"}).fit(X, LABELS)
    got = np.exp(log_likelihood(model, {"x": [0.0, 1.99, 2.0, 4.0, 10.0]}))
    width = 2
    expected = np.array([[2, 0], [2, 0], [1, 1], [0, 1], [0, 1]]) / 3 / width
    assert got == pytest.approx(expected)


def test_what_lies_beyond_the_outer_bins_belongs_to_them(log_likelihood):
    model = naively.NaiveBayes({"x": Histogram(bins=5), "y": "ignore"}).fit(X, LABELS)
    inside, beyond = (log_likelihood(model, {"x": x}) for x in ([0.5, 9.0], [-50.0, 1e9]))
    assert beyond == pytest.approx(inside)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_10_bins_a_dimension_are_10_times_d_numbers_and_not_10_to_the_d(d):
    values = np.random.default_rng(d).uniform(size=(50, d))
    labels = np.arange(50) % 2
    naive = naively.NaiveBayes(Histogram(bins=10)).fit(values, labels)
    assert sum(part.factor.column(j).shape[0] for part, j in columns_of(naive)) == 10 * d
    cells = np.array(["".join(map(str, row)) for row in np.floor(values * 10).astype(int)])
    labels_of_all = tuple("".join(map(str, cell)) for cell in np.ndindex((10,) * d))
    family = naively.families.Categorical(labels=labels_of_all)
    full = naively.NaiveBayes({"cell": family}).fit({"cell": cells}, labels)
    assert full.feature_log_prob_[0].shape[1] == 10**d


def columns_of(model):
    return [(part, j) for part in model.model_.parts for j in range(len(part.term.columns))]


def test_five_binary_attributes_and_a_class_take_22_entries_and_not_64():
    """An erratum counts 64 against 20: the prior belongs to it."""
    bits = np.array(list(np.ndindex((2,) * 6)))
    table = {f"a{j}": bits[:, j].astype(str) for j in range(5)}
    naive = naively.NaiveBayes().fit(table, bits[:, 5])
    tables = naive.feature_log_prob_
    assert naive.class_log_prior_.size + sum(t.size for t in tables) == 22
    free = (naive.class_log_prior_.size - 1) + sum(len(t) * (t.shape[1] - 1) for t in tables)
    assert free == 11
    cells = {"row": ["".join(map(str, row)) for row in bits[:, :5]]}
    joint = naively.NaiveBayes({"row": "categorical"}).fit(cells, bits[:, 5])
    entries = joint.feature_log_prob_[0].size
    assert (entries, entries - 1) == (64, 63)
