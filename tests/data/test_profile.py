"""Profiles of parts add up to the profile of the whole, in any order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.data.cells import ArrayCells
from naively.data.objects import ObjectCells
from naively.data.profile import CAP, Profile, profile_cells, profile_matrix

NUMBERS = st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6, width=32), st.integers(-9, 9)))
WORDS = st.lists(st.one_of(st.none(), st.sampled_from(["t", "f", "T", "a b", "yes"])))


def profiled(cells: list[object]) -> Profile:
    return profile_cells(ObjectCells(cells))


def assert_same(a: Profile, b: Profile) -> None:
    assert (a.n, a.missing, a.distinct, a.type) == (b.n, b.missing, b.distinct, b.type)
    assert (a.minimum, a.maximum, a.characters, a.spaced) == (
        b.minimum,
        b.maximum,
        b.characters,
        b.spaced,
    )
    np.testing.assert_allclose([a.mean, a.m2], [b.mean, b.m2], rtol=1e-9, atol=1e-6)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_profiles_of_numbers_add_up_in_any_order(a, b, c):
    whole = profiled([*a, *b, *c])
    assert_same(profiled(a) + profiled(b) + profiled(c), whole)
    assert_same(profiled(c) + (profiled(a) + profiled(b)), whole)


@given(WORDS, WORDS)
def test_profiles_of_texts_add_up_in_any_order(a, b):
    assert_same(profiled(a) + profiled(b), profiled([*a, *b]))
    assert_same(profiled(b) + profiled(a), profiled([*a, *b]))


def test_an_empty_profile_is_the_identity():
    one = profiled([1, None, 3])
    assert Profile() + one == one
    assert one + Profile() == one


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1.0, 2.0, None], "integer"),
        ([1.0, 2.5], "number"),
        ([True, False], "boolean"),
        (["yes", "No", None], "boolean"),
        (["T", "f"], "boolean"),
        (["true", "no"], "string"),
        (["1", "2"], "string"),
        ([None, float("nan")], "empty"),
        ([True, 2], "integer"),
    ],
)
def test_the_type_comes_from_the_values(cells, kind):
    assert profiled(cells).type == kind


def test_distinct_values_are_exact_up_to_the_cap_then_many():
    exact = profile_cells(ArrayCells(np.arange(CAP)))
    assert exact.distinct == CAP
    assert (exact + profile_cells(ArrayCells(np.array([-1])))).distinct is None
    assert (exact + exact).distinct == CAP
    assert profile_cells(ArrayCells(np.arange(CAP + 1))).distinct is None


def test_the_variance_survives_a_large_mean():
    x = np.random.default_rng(0).normal(1e9, 1.0, 10_000)
    parts = [profile_matrix(part[:, None])[0] for part in np.array_split(x, 7)]
    total = sum(parts, Profile())
    assert total.variance == pytest.approx(x.var(), rel=1e-6)


def test_many_columns_are_profiled_at_once_as_one_by_one():
    x = np.random.default_rng(1).integers(0, 5, (50, 8)).astype(float)
    x[3, 2] = np.nan
    x[:, 5] = np.nan
    for j, profile in enumerate(profile_matrix(x)):
        assert_same(profile, profile_cells(ArrayCells(x[:, j])))
