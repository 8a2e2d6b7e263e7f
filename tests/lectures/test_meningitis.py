"""Meningitis: 10 patients, three symptoms. The naive part of the example."""

from __future__ import annotations

import numpy as np
import pytest

import naively

SYMPTOMS = ["headache", "fever", "vomiting"]


@pytest.fixture(scope="module")
def counted(examples):
    """Without smoothing, and classes in the order: not m, m."""
    return naively.NaiveBayes(alpha=0).fit(examples / "meningitis.csv", "meningitis")


def test_the_naive_factors(counted):
    assert list(counted.schema_.names) == SYMPTOMS
    theta = np.exp(counted.feature_log_prob_)
    assert theta[1] == pytest.approx([2 / 3, 1 / 3, 2 / 3])  # h, f, v given m
    assert theta[0] == pytest.approx([5 / 7, 3 / 7, 4 / 7])  # h, f, v given not m
    assert np.exp(counted.class_log_prior_) == pytest.approx([7 / 10, 3 / 10])


def test_headache_and_fever_without_vomiting(counted):
    posterior = counted.predict_proba({"headache": True, "fever": True, "vomiting": False})[0]
    assert posterior == pytest.approx([405 / 503, 98 / 503], abs=1e-12)
    assert posterior.round(6).tolist() == [0.805169, 0.194831]


def test_the_joint_table_of_the_naive_model_sums_to_1(counted):
    cells = np.array(np.meshgrid(*[[True, False]] * 3)).reshape(3, -1)
    rows = dict(zip(SYMPTOMS, cells, strict=True))
    assert np.exp(counted.predict_joint_log_proba(rows)).sum() == pytest.approx(1, abs=1e-12)


def test_truth_values_may_be_written_in_any_way(examples, counted):
    table = np.genfromtxt(examples / "meningitis.csv", delimiter=",", dtype=str, skip_header=1)
    letters = [dict(zip(SYMPTOMS, row, strict=True)) for row in table[:, :3] == "true"]
    query = {"headache": ["t"], "fever": ["t"], "vomiting": ["f"]}
    written = {name: ["t" if row[name] else "f" for row in letters] for name in SYMPTOMS}
    model = naively.NaiveBayes(alpha=0).fit(written, table[:, 3])
    assert model.predict_proba(query)[0, 1] == pytest.approx(98 / 503, abs=1e-12)
