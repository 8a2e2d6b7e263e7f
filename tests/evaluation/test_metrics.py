"""Each measure equals its formula, scikit-learn's function, and what must hold of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs
from sklearn.calibration import calibration_curve

from naively.derivation.layout import as_html
from naively.errors import ParameterError
from naively.evaluation import (
    Confusion,
    accuracy,
    auc,
    balanced_accuracy,
    base_rate,
    brier_score,
    by_class,
    calibration_error,
    confusion,
    log_loss,
    mean_auc,
    mean_cost,
    reliability,
)

K = 3


def table(rng, n=400, k=K, ties=False):
    """Truths, a posterior and weights."""
    p = rng.dirichlet(np.ones(k), n)
    if ties:
        p = np.round(p * 4 + 0.2) + 0.5
        p /= p.sum(axis=1, keepdims=True)
    return rng.integers(k, size=n), p, rng.random(n) * 3


@pytest.fixture(params=["weighted", "plain"])
def rows(request, rng):
    truth, p, w = table(rng)
    return truth, p, w if request.param == "weighted" else None


close = pytest.approx


def test_accuracy_is_theirs(rows):
    truth, p, w = rows
    said = p.argmax(axis=1)
    expected = theirs.accuracy_score(truth, said, sample_weight=w)
    assert accuracy(truth, said, w) == close(expected, rel=1e-12)


def test_balanced_accuracy_is_theirs(rows):
    truth, p, w = rows
    said = p.argmax(axis=1)
    expected = theirs.balanced_accuracy_score(truth, said, sample_weight=w)
    assert balanced_accuracy(truth, said, w) == close(expected, rel=1e-12)


def test_log_loss_is_theirs(rows):
    truth, p, w = rows
    expected = theirs.log_loss(truth, p, sample_weight=w)
    assert log_loss(truth, np.log(p), w) == close(expected, rel=1e-12)


def test_the_base_rate_is_the_log_loss_of_the_shares(rows):
    truth, _, w = rows
    share = np.bincount(truth, w) / np.bincount(truth, w).sum()
    expected = theirs.log_loss(truth, np.tile(share, (len(truth), 1)), sample_weight=w)
    assert base_rate(truth, w) == close(expected, rel=1e-12)


def test_the_brier_score_is_the_squared_distance(rows):
    truth, p, w = rows
    expected = np.average(np.square(p - np.eye(K)[truth]).sum(axis=1), weights=w)
    assert brier_score(truth, p, w) == close(expected, rel=1e-12)


def test_the_brier_score_of_two_classes_is_twice_theirs(rng):
    truth, p, w = table(rng, k=2)
    expected = theirs.brier_score_loss(truth, p[:, 1], sample_weight=w)
    assert brier_score(truth, p, w) == close(2 * expected, rel=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_the_auc_is_theirs(rng, ties):
    truth, p, w = table(rng, k=2, ties=ties)
    for weight in (None, w):
        expected = theirs.roc_auc_score(truth, p[:, 1], sample_weight=weight)
        assert auc(truth == 1, p[:, 1], weight) == close(expected, rel=1e-12)
        assert mean_auc(truth, p, weight) == close(expected, rel=1e-12)


def test_the_auc_of_several_classes_is_theirs(rows):
    truth, p, w = rows
    expected = theirs.roc_auc_score(truth, p, multi_class="ovr", sample_weight=w)
    assert mean_auc(truth, p, w) == close(expected, rel=1e-12)


def test_a_class_that_no_row_has_is_left_out_of_the_auc(rng):
    truth, p, _ = table(rng)
    some = truth < 2
    areas = [auc(truth[some] == c, p[some, c]) for c in range(2)]
    assert mean_auc(truth[some], p[some]) == close(np.mean(areas), rel=1e-12)
    assert math.isnan(mean_auc(np.zeros(3, dtype=int), p[:3]))


def test_the_calibration_error_is_that_of_their_curve(rng):
    truth, p, _ = table(rng, n=500, k=2)
    top, right = p.max(axis=1), p.argmax(axis=1) == truth
    share, confidence = calibration_curve(right, top, n_bins=10, strategy="quantile")
    expected = np.mean(np.abs(share - confidence))
    assert calibration_error(truth, p) == close(expected, rel=1e-12)


def test_bins_are_of_equal_frequency_and_equal_probabilities_share_one(rng):
    truth, p, _ = table(rng, n=500)
    assert reliability(truth, p, bins=5).weight.tolist() == [100] * 5
    same = np.tile([0.7, 0.3], (10, 1))
    assert reliability(np.arange(10) % 2, same).weight.tolist() == [10]
    assert calibration_error(np.arange(10) % 2, same) == close(0.2)
    with pytest.raises(ParameterError, match="at least one bin"):
        reliability(truth, p, bins=0)


def test_confusion_is_theirs(rows):
    truth, p, w = rows
    said = p.argmax(axis=1)
    expected = theirs.confusion_matrix(truth, said, sample_weight=w)
    np.testing.assert_allclose(confusion(truth, said, (K, K), w), expected, rtol=1e-12)


def test_each_class_has_their_precision_recall_and_f1(rows):
    truth, p, w = rows
    said = p.argmax(axis=1)
    found = by_class(("a", "b", "c"), truth, said, p, w)
    expected = theirs.precision_recall_fscore_support(truth, said, sample_weight=w)
    for ours, other in zip(
        (found.precision, found.recall, found.f1, found.n), expected, strict=True
    ):
        np.testing.assert_allclose(ours, other, rtol=1e-12)
    areas = [theirs.roc_auc_score(truth == c, p[:, c], sample_weight=w) for c in range(K)]
    np.testing.assert_allclose(found.auc, areas, rtol=1e-12)


def test_what_is_nothing_by_nothing_is_no_number():
    p = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = by_class(("a", "b"), np.array([0, 0]), np.array([0, -1]), p)
    assert math.isnan(found.precision[1])
    assert math.isnan(found.recall[1])
    assert found.to_dict()["a"]["recall"] == 0.5
    assert found.lines()[2] == ("b", "0", "-", "-", "-", "-")


def test_tables_are_shown_with_their_labels():
    found = Confusion(("no", "yes"), ("no", "<5"), np.array([[1.0, 2.0], [3.0, 1234567.0]]))
    assert found["yes", "<5"] == 1234567
    assert found.to_dict() == {"no": {"no": 1.0, "<5": 2.0}, "yes": {"no": 3.0, "<5": 1234567.0}}
    assert repr(found).splitlines()[2] == "yes           3   1,234,567"
    assert "<th>&lt;5</th>" in found._repr_html_()
    one = by_class(("a",), np.array([0]), np.array([0]), np.array([[1.0]]))
    assert one._repr_html_() == as_html(one.lines())


def test_costs_are_read_truths_by_actions():
    cost = np.array([[0.0, 1.0, 9.0], [5.0, 0.0, 2.0]])
    truth, action, w = np.array([0, 1, 1]), np.array([2, 0, 1]), np.array([1.0, 2.0, 1.0])
    assert mean_cost(truth, action, cost, w) == (9 + 2 * 5 + 0) / 4


MEASURES = {
    "accuracy": lambda t, p, w: accuracy(t, p.argmax(axis=1), w),
    "balanced accuracy": lambda t, p, w: balanced_accuracy(t, p.argmax(axis=1), w),
    "log loss": lambda t, p, w: log_loss(t, np.log(p), w),
    "base rate": lambda t, p, w: base_rate(t, w),
    "Brier": brier_score,
    "calibration": calibration_error,
    "AUC": mean_auc,
    "cost": lambda t, p, w: mean_cost(t, p.argmax(axis=1), np.arange(9.0).reshape(3, 3), w),
}
every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())
some_rows = st.lists(
    st.tuples(
        st.integers(0, K - 1),
        st.lists(st.integers(1, 5), min_size=K, max_size=K),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=30,
)


def arrays(found):
    truth, p = np.array([t for t, _, _ in found]), np.array([p for _, p, _ in found], dtype=float)
    p /= p.sum(axis=1, keepdims=True)
    return truth, p, np.array([w for _, _, w in found], dtype=float)


@every_measure
@given(found=some_rows, seed=st.integers(0, 99))
def test_the_order_of_the_rows_does_not_matter(measure, found, seed):
    truth, p, w = arrays(found)
    at = np.random.default_rng(seed).permutation(len(truth))
    expected = measure(truth, p, w)
    assert measure(truth[at], p[at], w[at]) == close(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@every_measure
@given(found=some_rows)
def test_a_weight_is_as_many_rows(measure, found):
    truth, p, w = arrays(found)
    at = np.repeat(np.arange(len(truth)), w.astype(int))
    expected = measure(truth[at], p[at], None)
    assert measure(truth, p, w) == close(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@given(st.lists(st.integers(0, K - 1), min_size=1, max_size=20))
def test_a_perfect_posterior_has_perfect_scores(truths):
    truth = np.array(truths)
    p = np.eye(K)[truth]
    assert accuracy(truth, truth) == balanced_accuracy(truth, truth) == 1
    with np.errstate(divide="ignore"):
        assert log_loss(truth, np.log(p)) == 0
    assert brier_score(truth, p) == calibration_error(truth, p) == 0
    assert mean_auc(truth, p) == 1 or len(set(truths)) == 1
    assert np.nanmin(by_class(("a", "b", "c"), truth, truth, p).f1) == 1


@given(some_rows)
def test_scores_stay_within_their_bounds(found):
    truth, p, w = arrays(found)
    assert 0 <= accuracy(truth, p.argmax(axis=1), w) <= 1
    assert 0 <= brier_score(truth, p, w) <= 2
    assert 0 <= calibration_error(truth, p, w) <= 1
    assert 0 <= base_rate(truth, w) <= math.log(K) + 1e-12
    assert log_loss(truth, np.log(p), w) > 0


@given(some_rows)
def test_no_constant_guess_beats_the_base_rate(found):
    truth, p, w = arrays(found)
    guess = np.log(np.tile(p[0], (len(truth), 1)))
    assert log_loss(truth, guess, w) >= base_rate(truth, w) - 1e-12


def test_a_truth_that_was_ruled_out_costs_infinitely_much():
    with np.errstate(divide="ignore"):
        assert log_loss(np.array([0, 1]), np.log([[1.0, 0.0], [1.0, 0.0]])) == math.inf
    assert log_loss(np.array([0]), np.array([[-900.0, 0.0]])) == 900
