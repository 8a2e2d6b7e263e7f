"""The paths that only some shapes take: many groups, wide bands, the edges of tiles, threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import kernels

pytestmark = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
edges = st.sampled_from([0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 300, 511, 700])
groups = st.sampled_from([1, 2, 3, 31, 32, 33, 40, 255, 256, 257, 300])
widths = st.one_of(st.integers(1, 18), st.sampled_from([31, 33, 255, 256, 257, 258, 300]))


@st.composite
def learnable(draw):
    """Numbers, groups and weights at the edges of tiles, bands and tables of groups."""
    rng, rows, columns, n_groups = draw(seeds), draw(edges), draw(widths), draw(groups)
    x = rng.normal(draw(st.sampled_from([0, 1e6])), 1, (rows, columns))
    x = x.astype(draw(st.sampled_from(["f4", "f8"])), order=draw(st.sampled_from("CF")))
    x[rng.random(x.shape) < draw(st.sampled_from([0, 0.01, 0.5, 1]))] = np.nan
    some = rng.integers(0, n_groups, max(1, draw(st.sampled_from([1, 5, n_groups]))))
    group = rng.choice(some, rows).astype(draw(st.sampled_from(["i4", "i2", "u4", "i8"])))
    weight = rng.choice([0.0, 1e-9, 0.1, 1.0, 3.0], rows) if draw(st.booleans()) else None
    return x, group, weight, n_groups


def agree(found, expected, tolerance=1e-10):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@settings(max_examples=150, deadline=None)
@given(learnable())
def test_numbers_are_learned_as_they_are_defined(case):
    x, group, weight, n_groups = case
    agree(kernels.group_sums(*case), kernels.definitions["group_sums"](*case))
    case = x, group, weight, np.linspace(-1, 1, x.shape[1]), n_groups
    agree(kernels.group_moments(*case), kernels.definitions["group_moments"](*case), 1e-9)


@settings(max_examples=100, deadline=None)
@given(learnable())
def test_the_weight_of_a_cell_is_its_own_whatever_its_neighbours_are(case):
    x, group, weight, n_groups = case
    whole, _, _ = kernels.group_moments(x, group, weight, np.zeros(x.shape[1]), n_groups)
    alone, _, _ = kernels.group_moments(x[:, :1], group, weight, np.zeros(1), n_groups)
    np.testing.assert_array_equal(whole[:, :1], alone)


@settings(max_examples=100, deadline=None)
@given(learnable(), seeds)
def test_an_infinite_cell_spoils_its_own_group_and_column_only(case, rng):
    x, group, weight, n_groups = case
    if not x.size:
        return
    shift = np.zeros(x.shape[1])
    row, column = rng.integers(0, x.shape)
    before = kernels.group_moments(x, group, weight, shift, n_groups)
    x[row, column] = rng.choice([-np.inf, np.inf])
    after = kernels.group_moments(x, group, weight, shift, n_groups)
    for a, b in zip(after, before, strict=True):
        a[group[row], column] = b[group[row], column] = 0
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(seeds, edges, widths, st.sampled_from([1, 2, 8, 9, 40, 257]))
def test_numbers_are_scored_as_they_are_defined(rng, rows, columns, n_classes):
    x = rng.normal(size=(rows, columns))
    x[rng.random(x.shape) < 0.1] = np.nan
    mu, inv_scale, log_norm = rng.random((3, n_classes, columns))
    expected, found = np.zeros((2, rows, n_classes))
    kernels.definitions["gaussian_scores"](x, mu, inv_scale, log_norm, -np.inf, expected)
    kernels.gaussian_scores(x, mu, inv_scale, log_norm, -np.inf, found)
    agree([found], [expected])


@settings(max_examples=60, deadline=None)
@given(seeds, edges, st.sampled_from([-np.inf, np.inf, 1e300, -1e300]), st.integers(1, 9))
def test_scores_of_odd_numbers_are_left_to_the_caller_or_agree(rng, rows, odd, n_classes):
    x = rng.normal(size=(rows, 5))
    x[rng.random(x.shape) < 0.05] = odd
    parameters = rng.random((3, n_classes, 5))
    expected, found = np.zeros((2, rows, n_classes))
    left = kernels.definitions["gaussian_scores"](x, *parameters, -1e10, expected)
    assert kernels.gaussian_scores(x, *parameters, -1e10, found).tolist() == left.tolist()
    agree([found], [expected])


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.sampled_from([0, 1, 4095, 4096, 4097, 9000]),
    st.lists(st.sampled_from([1, 2, 3, 100, 300, 5000]), max_size=5),
    groups,
    st.booleans(),
)
def test_codes_are_counted_as_they_are_defined(rng, rows, sizes, n_groups, weighted):
    columns = [rng.integers(-2, rng.integers(1, size + 1), rows) for size in sizes]
    group = rng.integers(0, n_groups, rows).astype(np.int32)
    case = columns, sizes, group, rng.random(rows) if weighted else None, n_groups
    agree([kernels.count_codes(*case)], [kernels.definitions["count_codes"](*case)])


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.sampled_from([0, 1, 15, 16, 17, 2047, 2048, 2049, 5000]),
    st.integers(1, 40),
    st.sampled_from([np.int8, np.uint8, np.int16, np.int64]),
    groups,
)
def test_codes_that_stand_row_by_row_are_counted_as_they_are_defined(
    rng, rows, columns, dtype, n_groups
):
    codes = rng.integers(0, rng.integers(1, 100), (rows, columns)).astype(dtype)
    parts = list(codes.T), list(codes[:, ::2].T), list(codes[::-1].T)
    group = rng.integers(0, n_groups, rows).astype(np.int32)
    for part in parts:
        case = part, [100] * len(part), group, None, n_groups
        agree([kernels.count_codes(*case)], [kernels.definitions["count_codes"](*case)])


def test_codes_that_rise_with_the_rows_are_counted_as_they_are_defined():
    row = np.arange(200_000)
    group = (row % 3).astype(np.int32)
    for steps in (1, 7, 9, 200_000), (9_000, 30_000, 70_000, 200_000):
        rising = [row // step for step in steps]
        case = rising, [int(codes[-1]) + 1 for codes in rising], group, None, 3
        expected = kernels.definitions["count_codes"](*case)
        before = kernels.threads()
        try:
            for n in (1, 2, 3):
                kernels.set_threads(n)
                assert np.array_equal(kernels.count_codes(*case), expected)
        finally:
            kernels.set_threads(before)


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.sampled_from([0, 1, 63, 64, 65, 200]),
    st.integers(0, 70),
    st.sampled_from([1, 2, 3, 8, 9, 17]),
)
def test_codes_are_scored_as_they_are_defined(rng, rows, n_columns, n_classes):
    sizes = rng.integers(1, 5, n_columns)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    columns = [rng.integers(-2, size, rows).astype(rng.choice(["i1", "i8"])) for size in sizes]
    table = rng.normal(size=(offsets[-1], n_classes))
    expected, found = np.zeros((2, rows, n_classes))
    ranges = kernels.definitions["table_scores"](columns, table, offsets, expected)
    assert kernels.table_scores(columns, table, offsets, found).tolist() == ranges.tolist()
    agree([found], [expected])


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.sampled_from([1, 15, 16, 17, 64, 65, 200]),
    st.sampled_from([1, 2, 15, 16, 17, 30, 33, 70]),
    st.integers(0, 2),
    st.sampled_from([1, -1]),
)
def test_rows_of_codes_are_scored_as_columns_are(rng, rows, n_columns, beside, step):
    whole = rng.integers(0, 4, (rows, n_columns + beside)).astype(np.uint8)[::step]
    table, offsets = rng.normal(size=(4 * n_columns, 3)), np.arange(n_columns + 1) * 4
    by_row, by_column = np.zeros((2, rows, 3))
    side_by_side = list(whole[:, :n_columns].T)
    kernels.table_scores(side_by_side, table, offsets, by_row)
    kernels.table_scores([column.copy() for column in side_by_side], table, offsets, by_column)
    assert (by_row == by_column).all()
    agree([by_row], [lines_of(side_by_side, table)])


def lines_of(columns, table):
    return sum(table[4 * j + codes.astype(int)] for j, codes in enumerate(columns))


@settings(max_examples=50, deadline=None)
@given(seeds, st.sampled_from([0, 1, 700, 5000, 400_001]), st.sampled_from([1, 2, 5, 3000]))
def test_every_row_begins_with_the_prior(rng, rows, n_classes):
    line = rng.normal(size=n_classes)
    out = np.empty((rows if n_classes < 9 else rows % 997, n_classes))
    kernels.prior_scores(line, out)
    assert (out == line).all()


def learned(rng, rows, columns, n_groups, order):
    x = np.asarray(rng.normal(size=(rows, columns)), order=order)
    x[rng.random(x.shape) < 0.01] = np.nan
    group, weight = rng.integers(0, n_groups, rows).astype(np.int32), rng.random(rows)
    codes = [rng.integers(-1, 9, rows).astype(np.int16) for _ in range(columns)]
    offsets, table = np.arange(columns + 1) * 9, rng.normal(size=(columns * 9, n_groups))
    parameters = rng.random((3, n_groups, columns))
    indptr = np.arange(0, 3 * rows + 1, 3)
    sparse = indptr, rng.integers(0, columns, indptr[-1]), rng.random(indptr[-1])

    def answers():
        out = np.empty((rows, n_groups))
        kernels.prior_scores(weight[:n_groups], out)
        yield kernels.table_scores(codes, table, offsets, out)
        yield kernels.gaussian_scores(x, *parameters, -np.inf, out)
        kernels.linear_scores(x, *parameters[:2], out)
        kernels.sparse_scores(*sparse, parameters[0], out)
        yield out
        for w in (None, weight):
            yield kernels.count_codes(codes, [9] * columns, group, w, n_groups)
            yield from kernels.group_sums(x, group, w, n_groups)
            yield from kernels.group_moments(x, group, w, np.zeros(columns), n_groups)
            yield kernels.sparse_sums(*sparse, group, w, n_groups, columns)
        yield kernels.outlines(x)
        yield kernels.log_sum_exp(out)
        yield kernels.best_classes(out)
        yield kernels.impossible_rows(out)
        kernels.posterior(out)
        yield out
        yield np.array(kernels.any_infinite(x))

    return answers


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("rows", "columns", "n_groups"), [(3_001, 300, 40), (3_001, 260, 300), (200_003, 5, 3)]
)
def test_threads_change_no_bit(rng, rows, columns, n_groups, order):
    before, found = kernels.threads(), {}
    answers = learned(rng, rows, columns, n_groups, order)
    try:
        for n in (1, 2, 4):
            kernels.set_threads(n)
            found[n] = [answer.tobytes() for answer in answers()]
    finally:
        kernels.set_threads(before)
    assert found[1] == found[2] == found[4]
