"""The native kernels compute what their NumPy definitions compute."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import kernels
from naively.errors import ParameterError
from naively.kernels.threads import processors

native = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")
both = pytest.mark.parametrize(
    "kernel_of", [kernels.definitions.get, lambda n: getattr(kernels, n)]
)

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
sizes = st.one_of(st.integers(0, 5), st.integers(0, 400))


def rows_of(rng, draw):
    return draw(sizes), draw(st.integers(1, 4)), draw(st.booleans())


def layouts(values, draw):
    """The same values in some memory order."""
    rows, columns = values.shape
    kind = draw(st.sampled_from(["C", "F", "reversed", "strided", "columns reversed", "read-only"]))
    if kind == "F":
        return np.asfortranarray(values)
    if kind == "reversed":
        return np.ascontiguousarray(values[::-1])[::-1]
    if kind == "columns reversed":
        return np.ascontiguousarray(values[:, ::-1])[:, ::-1]
    if kind == "strided":
        wide = np.zeros((2 * rows, 3 * columns), values.dtype)
        wide[::2, 1::3] = values
        return wide[::2, 1::3]
    values = np.ascontiguousarray(values)
    values.flags.writeable = kind == "C"
    return values


@st.composite
def numbers(draw):
    """Values with gaps in any layout, groups and weights."""
    rng = draw(seeds)
    n, n_groups, weighted = rows_of(rng, draw)
    n_columns = draw(st.one_of(st.integers(0, 6), st.sampled_from([40, 300])))
    values = rng.normal(draw(st.sampled_from([0, 5, 1e6])), 1, (n, n_columns))
    if draw(st.booleans()) and n:
        values = np.broadcast_to(values[:1], values.shape)  # a stride of 0
    else:
        values = layouts(values.astype(draw(st.sampled_from(["f4", "f8"]))), draw)
    if values.flags.writeable and draw(st.booleans()):
        values[rng.random(values.shape) < 0.2] = np.nan
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], n) if weighted else None
    return values, rng.integers(0, n_groups, n), weight, n_groups


@st.composite
def coded(draw, low):
    """Columns of codes of any width, groups and weights."""
    rng = draw(seeds)
    n, n_groups, weighted = rows_of(rng, draw)
    n_values = draw(st.lists(st.integers(1, 9), max_size=6))
    columns = []
    for size in n_values:
        codes = rng.integers(low, size, n).astype(draw(st.sampled_from(["i1", "i2", "i4", "i8"])))
        if codes.size and codes.min() >= 0 and draw(st.booleans()):
            codes = codes.astype(draw(st.sampled_from(["u1", "u2", "u4"])))
        columns.append(layouts(codes[:, None], draw)[:, 0])
    group = rng.integers(0, n_groups, n).astype(draw(st.sampled_from(["i1", "i4", "i8"])))
    return columns, n_values, group, rng.random(n) if weighted else None, n_groups


@st.composite
def sparse(draw):
    """A block compressed by rows, with duplicates, missing cells and empty rows."""
    rng = draw(seeds)
    n, n_groups, weighted = rows_of(rng, draw)
    n_columns = draw(st.integers(1, 50))
    width = draw(st.sampled_from(["i4", "i8"]))
    indptr = np.concatenate([[0], np.cumsum(rng.integers(0, 5, n))]).astype(width)
    indices = rng.integers(0, n_columns, indptr[-1]).astype(draw(st.sampled_from(["i4", "i8"])))
    data = rng.integers(1, 5, indptr[-1]).astype(float)
    data[rng.random(len(data)) < 0.1] = np.nan
    weight = rng.random(n) if weighted else None
    return indptr, indices, data, rng.integers(0, n_groups, n), weight, n_groups, n_columns


def agree(name, *arguments, tolerance=1e-12):
    expected = kernels.definitions[name](*arguments)
    found = getattr(kernels, name)(*arguments)
    for a, b in zip(np.atleast_1d(found), np.atleast_1d(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * 1e3)


def agree_exactly(name, *arguments):
    expected = kernels.definitions[name](*arguments)
    found = getattr(kernels, name)(*arguments)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def scores_agree(name, n_classes, *arguments, rows):
    before = np.random.default_rng(0).normal(size=(rows, n_classes))
    expected, found = before.copy(), before.copy()
    answers = (
        kernels.definitions[name](*arguments, expected),
        getattr(kernels, name)(*arguments, found),
    )
    np.testing.assert_array_equal(*answers)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
    assert not np.isnan(found).any()


@native
@given(coded(low=-2))
def test_count_codes_native_equals_numpy(case):
    agree("count_codes", *case)


@native
@given(numbers())
def test_group_weights_native_equals_numpy(case):
    agree("group_weights", *case[1:])


@native
@given(numbers())
def test_group_sums_native_equals_numpy(case):
    agree("group_sums", *case)


@native
@given(numbers())
def test_group_moments_native_equals_numpy(case):
    values, group, weight, n_groups = case
    shift = np.linspace(-1, 1, values.shape[1])
    agree("group_moments", values, group, weight, shift, n_groups, tolerance=1e-10)


@native
@given(coded(low=-2))
def test_occurring_native_equals_numpy(case):
    for codes, size in zip(*case[:2], strict=True):
        agree_exactly("occurring", codes, size)


@native
@given(seeds, st.sampled_from(["i1", "u1", "i2", "u2", "i4", "u4", "i8"]), st.integers(-1, 130))
def test_small_codes_native_equals_numpy(rng, dtype, top):
    numbers = rng.integers(0, 127, (rng.integers(0, 3000), 2)).astype(dtype)
    if len(numbers):
        numbers[-1] = np.clip(top, *(getattr(np.iinfo(dtype), end) for end in ("min", "max")))
    for one in numbers[:, 0], np.ascontiguousarray(numbers[:, 0])[::-1]:
        for size in 0, 127, 256:
            agree_exactly("small_codes", one, size)


@native
def test_numbers_that_do_not_fit_are_no_small_codes():
    for odd in 2**31, 2**32, 2**40 + 1, -1, -(2**32):
        numbers = np.zeros(200_000, np.int64)
        numbers[150_000] = odd
        agree_exactly("small_codes", numbers, 256)


@both
def test_a_code_beyond_the_labels_is_refused(kernel_of):
    with pytest.raises(ValueError, match="code 3 where there are 3"):
        kernel_of("occurring")(np.array([3]), 3)


@native
@given(numbers())
def test_outlines_native_equals_numpy(case):
    agree("outlines", case[0], tolerance=1e-10)


NUMBERS = ["f8", "f4", "i1", "i2", "i4", "i8"]


@native
@given(seeds, sizes, st.integers(0, 70), st.sampled_from(NUMBERS), st.booleans())
def test_filled_native_equals_numpy(rng, n, start, dtype, doubles):
    values = rng.integers(-100, 100, n).astype(dtype)
    bits = rng.integers(0, 256, (start + n + 7) // 8 + 1).astype(np.uint8)
    found, expected = (np.full(n, 7, "f8" if doubles else dtype) for _ in range(2))
    kernels.filled(values, bits, start, found)
    kernels.definitions["filled"](values, bits, start, expected)
    np.testing.assert_array_equal(found, expected)


@both
@pytest.mark.parametrize(("n", "n_bytes", "start", "room"), [
    (9, 1, 0, 9), (8, 1, 1, 8), (0, 1, 9, 0), (3, 1, 0, 2), (3, 1, 0, 4), (1, 1, 2**63, 1),
])  # fmt: skip
def test_numbers_without_bits_or_room_are_refused(kernel_of, n, n_bytes, start, room):
    with pytest.raises(ValueError, match=r"room|cells"):
        kernel_of("filled")(np.zeros(n), np.zeros(n_bytes, np.uint8), start, np.zeros(room))


@both
@pytest.mark.parametrize(
    ("dtype", "room"), [("u1", "u1"), ("f2", "f8"), ("i4", "i8"), ("f8", "f4")]
)
def test_numbers_or_room_of_another_type_are_refused(kernel_of, dtype, room):
    with pytest.raises(TypeError):
        kernel_of("filled")(np.zeros(3, dtype), np.zeros(1, np.uint8), 0, np.zeros(3, room))


TEXTS = st.lists(
    st.none() | st.text(max_size=4) | st.text("ab", max_size=40) | st.sampled_from(["", "é"]),
    max_size=80,
)


def flags_of(texts):
    there = np.array([text is not None for text in texts], dtype=bool)
    return None if there.all() else there


@native
@given(TEXTS, st.sampled_from(["i4", "i8"]))
def test_text_codes_native_equals_numpy(texts, width):
    cells = [(text or "").encode() for text in texts]
    offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])]).astype(width)
    data = np.frombuffer(b"".join(cells), np.uint8)
    agree_exactly("text_codes", offsets, data, flags_of(texts))


@native
@given(TEXTS)
def test_view_codes_native_equals_numpy(texts):
    pa = pytest.importorskip("pyarrow")
    array = pa.array(texts, pa.string_view())
    _, views, *buffers = array.buffers()
    raw = [np.frombuffer(b, np.uint8) if b else np.empty(0, np.uint8) for b in (views, *buffers)]
    agree_exactly("view_codes", raw[0][: 16 * len(texts)], raw[1:], flags_of(texts))


def test_many_texts_keep_their_codes_while_the_table_grows():
    cells = [f"text number {i % 9_973}".encode() for i in range(30_000)]
    offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])])
    codes, first = kernels.text_codes(offsets, np.frombuffer(b"".join(cells), np.uint8), None)
    assert codes.tolist() == [i % 9_973 for i in range(30_000)]
    assert first.tolist() == list(range(9_973))


def view(length, buffer=0, start=0):
    return np.array([length, 0, buffer, start], "<i4").view(np.uint8)


@both
@pytest.mark.parametrize(
    "case",
    [
        ("text_codes", np.array([0, 5]), np.zeros(3, np.uint8), None),
        ("text_codes", np.array([0, 2, 1]), np.zeros(3, np.uint8), None),
        ("text_codes", np.array([-1, 2]), np.zeros(3, np.uint8), None),
        ("text_codes", np.array([], np.int64), np.zeros(3, np.uint8), None),
        ("text_codes", np.array([0, 1]), np.zeros(3, np.uint8), np.array([True, True])),
        ("view_codes", np.zeros(15, np.uint8), [], None),
        ("view_codes", view(-1), [], None),
        ("view_codes", view(20), [], None),
        ("view_codes", view(20), [np.zeros(10, np.uint8)], None),
        ("view_codes", view(20, 0, -1), [np.zeros(30, np.uint8)], None),
        ("view_codes", view(20, -1), [np.zeros(30, np.uint8)], None),
        ("view_codes", view(20, 0, 2**31 - 1), [np.zeros(30, np.uint8)], None),
        ("view_codes", view(1), [], np.array([True, True])),
    ],
)
def test_texts_that_lie_beyond_their_bytes_are_refused(kernel_of, case):
    name, *arguments = case
    with pytest.raises(ValueError, match="text"):
        kernel_of(name)(*arguments)


@native
@given(sparse())
def test_sparse_sums_native_equals_numpy(case):
    agree("sparse_sums", *case)


@native
@given(coded(low=-2), seeds)
def test_table_scores_native_equals_numpy(case, rng):
    columns, n_values, group, _, n_classes = case
    offsets = np.concatenate([[0], np.cumsum(n_values)]).astype(np.int64)
    table = rng.normal(size=(offsets[-1], n_classes))
    table[rng.random(table.shape) < 0.1] = -np.inf
    scores_agree("table_scores", n_classes, columns, table, offsets, rows=len(group))


@native
@given(numbers(), seeds)
def test_gaussian_scores_native_equals_numpy(case, rng):
    values, _, _, n_classes = case
    mu, inv_scale, log_norm = rng.random((3, n_classes, values.shape[1]))
    inv_scale[rng.random(inv_scale.shape) < 0.1] = 0
    parameters = mu, inv_scale, log_norm
    for lowest in (-np.inf, -1e10):
        scores_agree("gaussian_scores", n_classes, values, *parameters, lowest, rows=len(values))


@both
def test_gaussian_scores_leave_far_rows_to_the_caller(kernel_of):
    values = np.array([[0.0], [40.0], [1e200], [np.nan], [0.5]])
    out = np.ones((5, 2))
    mu, ones = np.array([[0.0], [30.0]]), np.ones((2, 1))
    far = kernel_of("gaussian_scores")(values, mu, ones, 0 * ones, -49.0, out)
    assert far.tolist() == [1, 2]
    np.testing.assert_array_equal(out[:, 0], [1, 1, 1, 1, 1 - 0.125])


@native
@given(numbers(), seeds)
def test_linear_scores_native_equals_numpy(case, rng):
    values, _, _, n_classes = case
    eta, a = rng.normal(size=(2, n_classes, values.shape[1])) * 1e-6
    scores_agree("linear_scores", n_classes, values, eta, a, rows=len(values))


@native
@given(sparse(), seeds, st.integers(1, 9))
def test_sparse_scores_native_equals_numpy(case, rng, n_classes):
    indptr, indices, data, *_, n_columns = case
    eta = rng.normal(size=(n_classes, n_columns))
    scores_agree("sparse_scores", n_classes, indptr, indices, data, eta, rows=len(indptr) - 1)


@both
def test_a_missing_count_adds_nothing(kernel_of):
    rows = np.array([0, 2]), np.array([0, 1]), np.array([3.0, np.nan])
    sums = kernel_of("sparse_sums")(*rows, np.array([0]), None, 1, 2)
    assert sums.tolist() == [[3.0, 0.0]]
    out = np.zeros((1, 1))
    kernel_of("sparse_scores")(*rows, np.array([[2.0, 5.0]]), out)
    assert out.tolist() == [[6.0]]


@native
@given(seeds, sizes, st.integers(1, 12), st.sampled_from([1.0, 30.0, 1e5]))
def test_log_sum_exp_native_equals_numpy(rng, n, n_classes, scale):
    log_joint = rng.normal(size=(n, n_classes)) * scale
    log_joint[rng.random(log_joint.shape) < 0.2] = -np.inf
    agree("log_sum_exp", log_joint, tolerance=1e-15)


@both
def test_log_sum_exp_of_impossible_rows_is_minus_infinity(kernel_of):
    rows = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [-1e300, -np.inf], [np.nan, 0.0]])
    found = kernel_of("log_sum_exp")(rows)
    np.testing.assert_array_equal(found, [-np.inf, 0.0, -1e300, np.nan])


@both
def test_log_sum_exp_is_exact_to_an_ulp(kernel_of):
    x = np.random.default_rng(1).normal(size=(500, 3)) * 20
    with np.errstate(all="ignore"):
        wide = np.log(np.exp(x.astype(np.longdouble)).sum(axis=1))
    np.testing.assert_allclose(
        kernel_of("log_sum_exp")(x), wide.astype(float), rtol=4e-16, atol=1e-15
    )


@both
def test_a_sum_over_no_classes_is_refused(kernel_of):
    with pytest.raises(ValueError, match="no classes"):
        kernel_of("log_sum_exp")(np.zeros((3, 0)))


def exact_moments(x):
    """Mean and squared deviations in fractions."""
    exact = [Fraction(float(v)) for v in x]
    mean = sum(exact) / len(exact)
    return mean, float(sum((v - mean) ** 2 for v in exact))


@both
@pytest.mark.parametrize(
    ("mean", "shift", "tolerance"),
    [(0, 0, 1e-13), (1e8, 0, 1e-9), (1e8, 1e8, 1e-9), (1e8, -1e12, 1e-9), (-1e15, 0, 1e-9)],
)
def test_moments_keep_the_variance_far_from_zero(kernel_of, mean, shift, tolerance):
    x = np.random.default_rng(3).normal(mean, 1, (30_000, 1))
    group = np.zeros(len(x), np.int32)
    _, found_mean, m2 = kernel_of("group_moments")(x, group, None, np.array([float(shift)]), 1)
    exact_mean, exact_m2 = exact_moments(x[:, 0])
    assert m2[0, 0] == pytest.approx(exact_m2, rel=tolerance)
    assert found_mean[0, 0] == pytest.approx(
        float(exact_mean - Fraction(shift)), rel=1e-15, abs=1e-13
    )


@native
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("weighted", [False, True])
def test_many_blocks_of_rows_are_one_fold(order, weighted):
    rng = np.random.default_rng(8)
    x = np.asarray(rng.normal(1e6, 1, (150_000, 3)) + np.arange(150_000)[:, None], order=order)
    x[rng.random(x.shape) < 0.001] = np.nan
    x[:100_000, 1] = np.nan
    group = rng.integers(0, 3, len(x)).astype(np.int32)
    weight = rng.random(len(x)) if weighted else None
    agree("group_moments", x, group, weight, np.zeros(3), 3)
    agree("group_sums", x, group, weight, 3)


@native
def test_moments_survive_an_outlier_in_the_first_row():
    x = np.random.default_rng(4).normal(1e8, 1, (300_000, 2))
    x[0, 0] = 0.0
    group = np.zeros(len(x), np.int32)
    _, _, m2 = kernels.group_moments(x, group, None, np.zeros(2), 1)
    assert m2[0, 0] == pytest.approx(exact_moments(x[:, 0])[1], rel=1e-13)


@both
def test_moments_of_a_group_with_one_strange_first_value(kernel_of):
    x = np.random.default_rng(5).normal(1e8, 1, (100_000, 1))
    weight = np.ones(len(x))
    x[0], weight[0] = 0.0, 1e-30  # there, but next to nothing
    group = np.zeros(len(x), np.int32)
    _, _, m2 = kernel_of("group_moments")(x, group, weight, np.zeros(1), 1)
    rest = exact_moments(x[1:, 0])[1] + 1e-30 * 1e16
    assert m2[0, 0] == pytest.approx(rest, rel=1e-9)


@both
@pytest.mark.parametrize("value", [0.1, 1e8 + 0.1, -3.3e300, 5e-324])
def test_a_constant_column_has_no_variance_at_all(kernel_of, value):
    x = np.full((200_000, 1), value)
    group = (np.arange(len(x)) % 3).astype(np.int32)
    _, mean, m2 = kernel_of("group_moments")(x, group, None, np.array([value]), 3)
    assert (m2 == 0).all()
    assert (mean == 0).all()


@both
def test_float32_is_accumulated_in_float64(kernel_of):
    x = np.random.default_rng(6).normal(1e5, 1, (50_000, 1)).astype(np.float32)
    group = np.zeros(len(x), np.int32)
    _, _, m2 = kernel_of("group_moments")(x, group, None, np.zeros(1), 1)
    assert m2[0, 0] == pytest.approx(exact_moments(x[:, 0])[1], rel=1e-12)


@both
def test_cells_of_weight_zero_are_not_there(kernel_of):
    x = np.array([[1.0], [np.inf], [3.0]])
    weight = np.array([1.0, 0.0, 1.0])
    group = np.zeros(3, np.int32)
    n, mean, m2 = kernel_of("group_moments")(x, group, weight, np.zeros(1), 1)
    assert (n, mean, m2) == (2, 2, 2)
    n, t = kernel_of("group_sums")(x, group, weight, 1)
    assert (n, t) == (2, 4)


@both
def test_an_empty_group_has_moments_of_zero(kernel_of):
    n, mean, m2 = kernel_of("group_moments")(
        np.array([[np.nan], [1.0]]), np.array([0, 2]), None, np.array([7.0]), 3
    )
    np.testing.assert_array_equal(n[:, 0], [0, 0, 1])
    np.testing.assert_array_equal(mean[:, 0], [0, 0, -6])
    np.testing.assert_array_equal(m2[:, 0], [0, 0, 0])


@st.composite
def log_scores(draw):
    """Rows of log scores: some shared by classes, some impossible, some far below the others."""
    rng = draw(seeds)
    shape = draw(sizes), draw(st.one_of(st.integers(1, 9), st.just(40)))
    scores = rng.integers(-9, 9, shape) * 10.0 ** rng.integers(-2, 4, shape)
    scores[rng.random(shape) < 0.2] = -np.inf
    scores[rng.random(len(scores)) < 0.1] = -np.inf
    return scores


@native
@given(log_scores())
def test_best_classes_and_impossible_rows_native_equal_numpy(scores):
    agree("best_classes", scores, tolerance=0)
    agree("impossible_rows", scores, tolerance=0)


@native
@given(log_scores())
def test_posterior_native_equals_numpy(scores):
    expected = scores.copy()
    rows = kernels.definitions["posterior"](expected)
    assert kernels.posterior(scores).tolist() == rows.tolist()
    np.testing.assert_allclose(scores, expected, rtol=1e-14, atol=1e-300)


@both
def test_a_posterior_sums_to_1_and_that_of_an_impossible_row_to_0(kernel_of):
    scores = np.array([[-1e308, -1e308, -np.inf], [-np.inf] * 3, [800.0, 0.0, -800.0]])
    kernel_of("posterior")(scores)
    np.testing.assert_array_equal(scores, [[0.5, 0.5, 0], [0, 0, 0], [1, scores[2, 1], 0]])
    assert scores[2, 1] < 1e-300


@native
@given(numbers(), seeds)
def test_any_infinite_native_equals_numpy(case, rng):
    values = np.array(case[0], order="K")
    assert not kernels.any_infinite(values)
    if values.size:
        values[tuple(rng.integers(0, values.shape))] = rng.choice([-np.inf, np.inf])
        assert kernels.any_infinite(values)
        assert kernels.definitions["any_infinite"](values)


@both
def test_gaussian_scores_lose_nothing_far_from_zero(kernel_of):
    x = np.random.default_rng(7).normal(1e8, 1, (100, 4))
    out = np.zeros((100, 2))
    mu = np.array([[1e8] * 4, [1e8 + 1] * 4])
    kernel_of("gaussian_scores")(x, mu, np.ones((2, 4)), np.zeros((2, 4)), -np.inf, out)
    np.testing.assert_allclose(out[:, 0], -0.5 * ((x - 1e8) ** 2).sum(axis=1), rtol=1e-14)


@native
@settings(max_examples=5, deadline=None)
@given(seeds)
def test_no_answer_depends_on_the_number_of_threads(rng):
    x = rng.normal(size=(200_000, 5))
    x[rng.random(x.shape) < 0.01] = np.nan
    group = rng.integers(0, 3, len(x)).astype(np.int32)
    weight = rng.random(len(x))
    codes = [rng.integers(0, 4, len(x)).astype(np.int8) for _ in range(5)]
    offsets = np.arange(0, 21, 4)

    def everything():
        out = np.zeros((len(x), 3))
        kernels.table_scores(codes, rng_table, offsets, out)
        kernels.gaussian_scores(x, *parameters, -np.inf, out)
        kernels.linear_scores(x, *parameters[:2], out)
        yield kernels.count_codes(codes, [4] * 5, group, weight, 3)
        yield from kernels.group_sums(x, group, weight, 3)
        yield from kernels.group_moments(x, group, weight, np.zeros(5), 3)
        yield out
        yield kernels.log_sum_exp(out)

    rng_table, parameters = rng.normal(size=(20, 3)), rng.random((3, 3, 5))
    before = kernels.threads()
    try:
        answers = []
        for n in (1, 2, 5):
            kernels.set_threads(n)
            answers.append(b"".join(array.tobytes() for array in everything()))
    finally:
        kernels.set_threads(before)
    assert answers[0] == answers[1] == answers[2]


zero, one = np.zeros((1, 1)), np.ones(1)
table = np.zeros((2, 1))
rows, ones = np.ones((3, 1)), np.ones((1, 3))
one_group = np.zeros(3, np.int32)
hostile_calls = {
    "code too large": ("count_codes", [np.array([0, 5, 1])], [5], one_group, None, 1),
    "code that wraps": ("count_codes", [np.array([0, 2**32, 1])], [5], one_group, None, 1),
    "group too large": ("count_codes", [], [], one_group + 1, None, 1),
    "group below 0": ("count_codes", [], [], one_group - 1, None, 1),
    "group that wraps": ("group_sums", zero, np.array([2**32]), None, 1),
    "no groups": ("group_sums", rows, one_group, None, 0),
    "more rows than groups": ("group_sums", np.ones((4, 1)), one_group, None, 1),
    "fewer weights": ("group_sums", rows, one_group, np.ones(2), 1),
    "wide shift": ("group_moments", rows, one_group, None, np.zeros(2), 1),
    "hostile group": ("group_moments", rows, one_group + 9, None, np.zeros(1), 1),
    "code beyond the table": ("table_scores", [np.array([2])], table, np.array([0, 2]), zero),
    "code below unseen": ("table_scores", [np.array([-3])], table, np.array([0, 2]), zero),
    "no line for unseen": ("table_scores", [np.array([-2])], table, np.array([2, 2]), zero),
    "offsets beyond": ("table_scores", [np.array([0])], table, np.array([0, 3]), zero),
    "offsets that fall": ("table_scores", [np.array([-1])], table, np.array([2, 0]), zero),
    "offset below 0": ("table_scores", [np.array([0])], table, np.array([-1, 2]), zero),
    "table of another width": ("table_scores", [], np.zeros((2, 2)), np.zeros(1, int), table),
    "prior of other classes": ("prior_scores", np.zeros(2), zero),
    "narrow parameters": ("linear_scores", np.zeros((2, 3)), table.T, ones, table),
    "fewer scores": ("linear_scores", np.zeros((2, 3)), ones, ones, zero),
    "column too large": ("sparse_sums", np.array([0, 1]), np.array([4]), one, one_group[:1], None,
                         1, 4),
    "column below 0": ("sparse_scores", np.array([0, 1]), np.array([-1]), one, ones, zero),
    "indptr that falls": ("sparse_scores", np.array([0, 2, 1]), np.array([0]), one, ones, table),
    "indptr beyond": ("sparse_scores", np.array([0, 2]), np.array([0]), one, ones, zero),
    "empty indptr": ("sparse_scores", np.zeros(0, int), np.array([0]), one, ones, zero[:0]),
}  # fmt: skip


@both
@pytest.mark.parametrize("call", hostile_calls.values(), ids=hostile_calls)
def test_hostile_arguments_are_refused(kernel_of, call):
    name, *arguments = call
    with pytest.raises(ValueError, match=r"."):
        kernel_of(name)(*arguments)


@native
def test_refused_codes_leave_the_scores_alone():
    out = np.zeros((3, 1))
    codes = [np.array([0, 0, 0]), np.array([0, 0, 9])]
    with pytest.raises(ValueError, match="code 9"):
        kernels.table_scores(codes, np.ones((4, 1)), np.array([0, 2, 4]), out)
    assert (out == 0).all()


@native
def test_scores_that_cannot_be_written_are_refused():
    x, p = np.zeros((2, 2)), np.zeros((3, 2))
    read_only = np.zeros((2, 3))
    read_only.flags.writeable = False
    for out in (np.zeros((2, 3), np.float32), np.zeros((3, 2)).T, read_only):
        with pytest.raises(TypeError):
            kernels.linear_scores(x, p, p, out)


@both
def test_codes_that_are_no_integers_are_refused_by_type(kernel_of):
    with pytest.raises(TypeError):
        kernel_of("count_codes")([np.zeros(3)], [1], one_group, None, 1)


@both
@pytest.mark.parametrize("width", ["u1", "u2", "u4"])
def test_unsigned_codes_are_never_missing(kernel_of, width):
    codes = np.array([200, 0, 255], width)
    group = np.zeros(3, np.int32)
    (n,) = kernel_of("count_codes")([codes], [256], group, None, 1)
    assert np.flatnonzero(n).tolist() == [0, 200, 255]
    with pytest.raises(ValueError, match="255"):
        kernel_of("count_codes")([codes], [255], group, None, 1)
    out = np.zeros((3, 1))
    table = np.arange(257.0)[:, None]
    assert kernel_of("table_scores")([codes], table, np.array([0, 257]), out).tolist() == [0, 255]
    assert out.ravel().tolist() == [200, 0, 255]


def test_threads_are_set_and_refused():
    before = kernels.threads()
    kernels.set_threads(1)
    assert kernels.threads() == 1
    with pytest.raises(ParameterError, match="0 threads; expected a whole number from 1"):
        kernels.set_threads(0)
    kernels.set_threads(before)


@native
@pytest.mark.parametrize(("asked", "found"), [("3", "3"), ("", None), ("x", "ParameterError")])
def test_the_environment_sets_the_number_of_threads(asked, found):
    code = "import naively.kernels as k; print(k.threads())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NAIVELY_THREADS": asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found or str(processors())) in done.stdout + done.stderr


def test_weighted_counts_add_up_to_the_weight():
    codes, weight = np.array([0, 1, -1, 1], np.int8), np.array([0.5, 1.5, 9.0, 2.0])
    n = kernels.count_codes([codes], [2], np.zeros(4, np.int32), weight, 1)
    assert math.fsum(n[0]) == 4.0
