"""Codings: derived columns, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from naively.data.coding import (
    CODINGS,
    Bins,
    Except,
    Is,
    IsMissing,
    Log,
    MissingIsValue,
    Then,
    TimePart,
    steps,
)
from naively.data.column import Codes, Real
from naively.data.domain import Domain


def real(*values):
    return Real(np.array(values, dtype=float)[:, None], ("x",))


def codes_of(coding, *values):
    return coding.encode(real(*values))[0].codes.tolist()


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_bins_hold_their_lower_edge_and_all_beyond():
    assert codes_of(Bins((0.0, 1.0, 4.0)), -9, 0, 0.5, 1, 3.9, 4, 99, np.nan) == [
        0,
        0,
        0,
        1,
        1,
        1,
        1,
        -1,
    ]
    assert codes_of(Bins((0.0, 1.0)), -1, 0.5, 2) == [0, 0, 0]


def test_a_density_over_bins_is_divided_by_their_widths():
    measure = Bins((0.0, 1.0, 4.0)).log_measure(real(0.5, 2.0, np.nan))
    np.testing.assert_allclose(np.exp(measure), [1, 1 / 3, 1])


def test_the_density_of_a_logarithm_is_divided_by_the_value():
    measure = Log().log_measure(real(2.0, 0.5, np.nan))
    np.testing.assert_allclose(np.exp(measure), [1 / 2, 2, 1])


def test_a_point_is_told_apart_and_left_out():
    x = real(0.0, 2.0, np.nan, -0.0)
    np.testing.assert_array_equal(Is(0.0).encode(x).values.ravel(), [1, 0, np.nan, 1])
    np.testing.assert_array_equal(Except(0.0).encode(x).values.ravel(), [np.nan, 2, np.nan, np.nan])


def test_missingness_is_a_truth_value_or_a_label():
    assert IsMissing().encode(real(1.0, np.nan)).values.ravel().tolist() == [0, 1]
    column = Codes(np.array([0, -1], dtype=np.int32), Domain(("a",)))
    assert MissingIsValue().encode((column,))[0].labels() == ["a", None]
    assert MissingIsValue().encode((column,))[0].domain.labels == ("a", None)


def test_a_missing_label_that_a_model_does_not_know_is_unseen():
    column = Codes(np.array([0, -1], dtype=np.int32), Domain(("a",)), open=False)
    assert MissingIsValue().encode((column,))[0].codes.tolist() == [0, -2]


def test_codings_follow_each_other():
    coding = Then(Except(0.0), Then(Log(), Bins((0.0, 1.0, 2.0))))
    assert [step.name for step in steps(coding)] == ["except", "log", "bins"]
    assert codes_of(coding, 0.0, 1.5, 6.0) == [-1, 0, 1]
    x = real(1.5)
    expected = Log().log_measure(x) + Bins((0.0, 1.0, 2.0)).log_measure(Log().encode(x))
    np.testing.assert_allclose(coding.log_measure(x), expected)


@pytest.mark.parametrize(
    "coding", [Log(), Bins((0.0, 1.0, 4.0)), Then(Log(), Bins((0.0, 1.0, 4.0)))]
)
def test_what_is_decoded_is_encoded_back(coding, rng):
    derived = coding.encode(real(0.5, 1.5, 3.0, 40.0))
    again = coding.encode(coding.decode(derived, rng))
    if isinstance(derived, Real):
        np.testing.assert_allclose(again.values, derived.values)
    else:
        assert again[0].codes.tolist() == derived[0].codes.tolist()


@pytest.mark.parametrize(
    ("part", "value"), [("hour", 13), ("weekday", 1), ("day", 29), ("month", 2), ("quarter", 1)]
)
def test_parts_of_a_time_are_read_off_the_calendar(part, value):
    moment = np.datetime64("2000-02-29T13:59:59").astype("datetime64[s]").astype(float)
    (column,) = TimePart(part).encode(real(moment, np.nan, 1e200))
    assert column.labels() == [value, None, None]


@pytest.mark.parametrize("moment", ["1969-12-31T23:59:59", "1600-03-01T00:00:00"])
def test_parts_of_times_before_1970_are_right_too(moment):
    time = np.datetime64(moment)
    seconds = time.astype("datetime64[s]").astype(float)
    expected = time.astype(object)
    parts = {
        "hour": expected.hour,
        "day": expected.day,
        "month": expected.month,
        "weekday": expected.weekday(),
    }
    for part, value in parts.items():
        assert TimePart(part).encode(real(seconds))[0].labels() == [value]


def test_codings_are_known_by_name():
    assert all(coding.name == name for name, coding in CODINGS.items())
    assert len(CODINGS) >= 7
