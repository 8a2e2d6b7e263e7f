"""Play golf: 14 days, four columns of labels, two classes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import naively

QUERY = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "wind": "strong"}
VALUES = {
    "outlook": ["overcast", "rainy", "sunny"],
    "temperature": ["cool", "hot", "mild"],
    "humidity": ["high", "normal"],
    "wind": ["strong", "weak"],
}
EVERY_DAY = dict(zip(VALUES, zip(*product(*VALUES.values()), strict=True), strict=True))


@pytest.fixture(scope="module")
def golf(examples):
    return examples / "golf.csv"


@pytest.fixture(scope="module")
def counted(golf):
    return naively.NaiveBayes(alpha=0).fit(golf, "play")


@pytest.fixture(scope="module")
def smoothed(golf):
    return naively.NaiveBayes(alpha=1, prior="smoothed").fit(golf, "play")


def test_the_classes_are_counted(counted):
    assert counted.classes_.tolist() == ["no", "yes"]
    assert counted.class_count_.tolist() == [5, 9]
    assert np.exp(counted.class_log_prior_) == pytest.approx([5 / 14, 9 / 14])


def test_the_tables_are_the_counts_over_the_class(counted):
    outlook, temperature, humidity, wind = map(np.exp, counted.feature_log_prob_)
    assert outlook == pytest.approx(np.array([[0, 2 / 5, 3 / 5], [4 / 9, 3 / 9, 2 / 9]]))
    assert temperature == pytest.approx(np.array([[1 / 5, 2 / 5, 2 / 5], [3 / 9, 2 / 9, 4 / 9]]))
    assert humidity == pytest.approx(np.array([[4 / 5, 1 / 5], [3 / 9, 6 / 9]]))
    assert wind == pytest.approx(np.array([[3 / 5, 2 / 5], [3 / 9, 6 / 9]]))


def test_the_joint_of_sunny_cool_high_strong(counted):
    joint = np.exp(counted.predict_joint_log_proba(QUERY))[0]
    no = 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5 * 5 / 14
    yes = 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9 * 9 / 14
    assert joint == pytest.approx([no, yes], rel=1e-12)
    assert joint.round(7) == pytest.approx([0.0205714, 0.0052910], rel=1e-12)


def test_the_posterior_of_sunny_cool_high_strong(counted):
    assert counted.predict_proba(QUERY)[0].round(6).tolist() == [0.795417, 0.204583]
    assert counted.predict(QUERY).tolist() == ["no"]


def test_laplace_in_every_factor_and_in_the_class_prior(smoothed):
    assert np.exp(smoothed.class_log_prior_) == pytest.approx([6 / 16, 10 / 16])
    assert smoothed.predict_proba(QUERY)[0].round(6).tolist() == [0.735314, 0.264686]


def test_laplace_adds_the_number_of_values_and_not_of_classes(smoothed):
    outlook = np.exp(smoothed.feature_log_prob_[0])
    assert outlook[1] == pytest.approx([5 / 12, 4 / 12, 3 / 12])  # 9 + 3 values
    slide = (np.array([4, 3, 2]) + 1) / (9 + 2)  # 9 + 2 classes, as printed
    assert slide.sum() == pytest.approx(12 / 11)
    for table in smoothed.feature_log_prob_:
        assert np.exp(table).sum(axis=1) == pytest.approx([1, 1], abs=1e-12)


def test_one_zero_decides_without_smoothing_and_does_not_with_it(counted, smoothed):
    overcast = QUERY | {"outlook": "overcast"}
    assert counted.predict_proba(overcast).tolist() == [[0, 1]]
    assert 0 < smoothed.predict_proba(overcast)[0, 0] < 1


@pytest.mark.parametrize("alpha", [0, 1])
def test_missing_normalization_does_not_change_the_argmax(golf, alpha):
    model = naively.NaiveBayes(alpha=alpha).fit(golf, "play")
    joint = np.exp(model.predict_joint_log_proba(EVERY_DAY))
    assert joint.sum(axis=1).max() < 0.2  # far from normalized
    assert model.predict(EVERY_DAY).tolist() == model.classes_[joint.argmax(axis=1)].tolist()


def test_a_log_joint_is_a_sum_of_logs(smoothed):
    joint = smoothed.predict_joint_log_proba(EVERY_DAY)
    for row, log_joint in enumerate(joint):
        terms = smoothed.class_log_prior_.copy()
        for table, (name, values) in zip(smoothed.feature_log_prob_, VALUES.items(), strict=True):
            terms += table[:, values.index(EVERY_DAY[name][row])]
        assert log_joint == pytest.approx(terms, abs=1e-12)


@pytest.mark.parametrize("alpha", [0, 1])
def test_a_model_gives_the_probability_of_every_row_with_every_label(golf, alpha):
    model = naively.NaiveBayes(alpha=alpha).fit(golf, "play")
    assert np.exp(model.predict_joint_log_proba(EVERY_DAY)).sum() == pytest.approx(1, abs=1e-12)


def test_the_model_is_factored_into_a_prior_and_one_table_a_column(counted):
    entries = counted.class_log_prior_.size + sum(t.size for t in counted.feature_log_prob_)
    assert entries == 2 + 2 * (3 + 3 + 2 + 2)
    assert len(EVERY_DAY["wind"]) * 2 == 72  # what the full joint would need
