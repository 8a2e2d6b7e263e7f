"""No kernel reads or writes beyond its arrays, however they lie in memory.

The arrays fill the pages between two guards: one byte too many ends the process. The
generations of processors that a kernel is compiled for are tested as they are loaded.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import kernels

from .memory import Guarded, guarded

pytestmark = [
    pytest.mark.skipif(kernels.native is None, reason="the native module is not built"),
    guarded,
]

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
edges = st.sampled_from([1, 2, 3, 4, 5, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 513])
widths = st.one_of(st.integers(1, 9), st.sampled_from([15, 16, 17, 127, 129, 255, 256, 257]))
ends = st.booleans()


@pytest.fixture(scope="module")
def places():
    """One guarded place for each argument of a kernel."""
    return [Guarded(8 << 20)] + [Guarded() for _ in range(4)]


@st.composite
def laid_out(draw, rows, columns):
    """Strides of a matrix: rows or columns side by side, apart, overlapping, turned or the same."""
    gap = draw(st.sampled_from([0, 0, 1, 2, 3, 4]))
    by_rows = columns + gap, 1
    by_columns = 1, rows + gap
    skipping = 2 * columns + gap, 2
    overlapping = draw(st.integers(0, 3)), 1
    kind = draw(st.sampled_from([by_rows, by_rows, by_columns, skipping, overlapping, (1, 0)]))
    return tuple(s * draw(st.sampled_from([1, 1, 1, -1])) for s in kind)


@st.composite
def blocks(draw):
    """The shape, strides and type of a matrix of numbers, and the end that it lies against."""
    shape = draw(edges), draw(widths)
    strides = draw(laid_out(*shape))
    return draw(st.sampled_from(["f8", "f4"])), shape, strides, draw(ends)


def block(place, rng, case):
    dtype, shape, strides, at_end = case
    return place.view(rng, dtype, shape, strides, at_end=at_end)


def same(found, expected, tolerance=1e-9):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@settings(max_examples=200, deadline=None)
@given(seeds, blocks(), st.sampled_from([1, 3, 32, 33, 256, 257]), st.booleans(), ends)
def test_learning_numbers_stays_within_them(places, rng, case, n_groups, weighted, at_end):
    x = block(places[0], rng, case)
    group = places[1].put(rng.integers(0, n_groups, len(x), np.int32), at_end=at_end)
    weight = None
    if weighted:
        weight = places[2].put(rng.choice([0.0, 0.5, 2.0], len(x)), at_end=at_end)
    shift = places[3].put(np.zeros(x.shape[1]), at_end=at_end)
    for name, arguments in (
        ("group_sums", (x, group, weight, n_groups)),
        ("group_moments", (x, group, weight, shift, n_groups)),
    ):
        found = getattr(kernels, name)(*arguments)
        same(found, kernels.definitions[name](*arguments))
        copy = getattr(kernels, name)(x.copy(), *arguments[1:])
        np.testing.assert_array_equal(found[0], copy[0])
        same(found[1:], copy[1:], 1e-13)


@settings(max_examples=200, deadline=None)
@given(seeds, blocks(), st.integers(1, 9), ends)
def test_scoring_numbers_stays_within_them(places, rng, case, n_classes, at_end):
    x = block(places[0], rng, case)
    mu, ones = rng.normal(size=(n_classes, x.shape[1])), np.ones((n_classes, x.shape[1]))
    parameters = [
        place.put(p, at_end=at_end) for place, p in zip(places[1:4], (mu, ones, ones), strict=True)
    ]
    for name, arguments in (
        ("gaussian_scores", (x, *parameters, -np.inf)),
        ("linear_scores", (x, *parameters[:2])),
    ):
        out = places[4].put(np.zeros((len(x), n_classes)), at_end=at_end)
        expected = out.copy()
        kernels.definitions[name](*arguments, expected)
        getattr(kernels, name)(*arguments, out)
        same([out], [expected])


@settings(max_examples=100, deadline=None)
@given(seeds, blocks())
def test_looking_at_numbers_stays_within_them(places, rng, case):
    x = block(places[0], rng, case)
    assert not kernels.any_infinite(x)
    same([kernels.outlines(x)], [kernels.definitions["outlines"](x)])


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.one_of(edges, st.sampled_from([4095, 4096, 4097])),
    st.lists(st.tuples(st.sampled_from(["i1", "u2", "i4", "i8"]), st.integers(-3, 3)), max_size=3),
    st.integers(1, 9),
    st.booleans(),
    ends,
)
def test_codes_are_counted_and_looked_up_within_them(
    places, rng, rows, kinds, n_classes, weighted, at_end
):
    size, columns = 7, []
    for (dtype, step), place in zip(kinds, places, strict=False):
        codes = rng.integers(0, size, (rows - 1) * abs(step) + 1).astype(dtype)
        whole = place.put(codes, at_end=at_end)
        low = (rows - 1) * max(-step, 0)
        strides = (step * whole.itemsize,)
        columns.append(np.lib.stride_tricks.as_strided(whole[low:], (rows,), strides))
    group = places[3].put(rng.integers(0, 3, rows, np.int32), at_end=at_end)
    weight = rng.random(rows) if weighted else None
    sizes = [size] * len(columns)
    case = columns, sizes, group, weight, 3
    same([kernels.count_codes(*case)], [kernels.definitions["count_codes"](*case)])
    for codes in columns:
        same(kernels.small_codes(codes, 9), kernels.definitions["small_codes"](codes, 9))
    table = places[3].put(rng.normal(size=(size * len(columns), n_classes)), at_end=at_end)
    out = places[4].put(np.zeros((rows, n_classes)), at_end=at_end)
    expected, offsets = out.copy(), np.arange(len(columns) + 1) * size
    kernels.definitions["table_scores"](columns, table, offsets, expected)
    kernels.table_scores(columns, table, offsets, out)
    same([out], [expected])


@settings(max_examples=60, deadline=None)
@given(seeds, edges, widths, ends)
def test_rows_of_codes_are_read_within_them(places, rng, rows, n_columns, at_end):
    plain = rng.integers(0, 4, (rows, n_columns)).astype(np.uint8)
    whole = places[0].put(plain, at_end=at_end)
    table, offsets = rng.normal(size=(4 * n_columns, 3)), np.arange(n_columns + 1) * 4
    out, expected = np.zeros((2, rows, 3))
    kernels.table_scores(list(whole.T), table, offsets, out)
    kernels.definitions["table_scores"](list(plain.T), table, offsets, expected)
    same([out], [expected])


@settings(max_examples=60, deadline=None)
@given(seeds, st.one_of(st.integers(0, 3), edges), widths, st.integers(1, 9), ends)
def test_sparse_blocks_stay_within_them(places, rng, rows, n_columns, n_classes, at_end):
    width = rng.choice(["i4", "i8"])
    indptr = np.concatenate([[0], np.cumsum(rng.integers(0, 4, rows))]).astype(width)
    indices = rng.integers(0, n_columns, indptr[-1]).astype(width)
    parts = indptr, indices, rng.random(len(indices))
    csr = [place.put(part, at_end=at_end) for place, part in zip(places[1:4], parts, strict=True)]
    eta = places[0].put(rng.normal(size=(n_classes, n_columns)), at_end=at_end)
    out = places[4].put(np.zeros((rows, n_classes)), at_end=at_end)
    expected = out.copy()
    kernels.definitions["sparse_scores"](*csr, eta, expected)
    kernels.sparse_scores(*csr, eta, out)
    same([out], [expected])
    group = places[4].put(rng.integers(0, 3, rows, np.int32), at_end=at_end)
    case = *csr, group, None, 3, n_columns
    same([kernels.sparse_sums(*case)], [kernels.definitions["sparse_sums"](*case)])


@settings(max_examples=60, deadline=None)
@given(seeds, edges, widths, ends)
def test_deciding_stays_within_the_scores(places, rng, rows, n_classes, at_end):
    plain = rng.normal(size=(rows, n_classes))
    plain[rng.random(plain.shape) < 0.3] = -np.inf
    scores = places[0].put(plain, at_end=at_end)
    for name in ("log_sum_exp", "best_classes", "impossible_rows"):
        same([getattr(kernels, name)(scores)], [kernels.definitions[name](plain)])
    kernels.definitions["posterior"](plain)
    kernels.posterior(scores)
    same([scores], [plain])
    line = places[1].put(rng.normal(size=n_classes), at_end=at_end)
    kernels.definitions["prior_scores"](line, plain)
    kernels.prior_scores(line, scores)
    same([scores], [plain])


@settings(max_examples=100, deadline=None)
@given(
    seeds, edges, st.integers(0, 20), st.sampled_from(["f8", "f4", "i1", "i2", "i4", "i8"]), ends
)
def test_numbers_and_their_bits_stay_within_their_places(places, rng, n, start, dtype, at_end):
    values = places[0].put(rng.integers(-9, 9, n).astype(dtype), at_end=at_end)
    bits = places[1].put(rng.integers(0, 256, (start + n + 7) // 8).astype(np.uint8), at_end=at_end)
    for room in (dtype, "f8"):
        found, expected = places[2].put(np.zeros(n, room), at_end=at_end), np.zeros(n, room)
        kernels.filled(values, bits, start, found)
        kernels.definitions["filled"](values, bits, start, expected)
        same([found], [expected])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=30), ends)
def test_texts_are_read_within_their_bytes(places, texts, at_end):
    sizes = [len(text) for text in texts]
    offsets = places[0].put(np.concatenate([[0], np.cumsum(sizes)]), at_end=at_end)
    data = places[1].put(np.frombuffer(b"".join(texts), np.uint8), at_end=at_end)
    expected = kernels.definitions["text_codes"](offsets, data, None)
    same(kernels.text_codes(offsets, data, None), expected)
    views = np.zeros((len(texts), 4), "<i4")
    for line, text, start in zip(views, texts, offsets[:-1], strict=True):
        line[0], line[2:] = len(text), (0, start)
        if len(text) <= 12:
            line.view(np.uint8)[4 : 4 + len(text)] = np.frombuffer(text, np.uint8)
    shown = places[2].put(views.view(np.uint8).ravel(), at_end=at_end)
    same(kernels.view_codes(shown, [data], None), expected)


@pytest.mark.parametrize("shape", [(1, 9), (15, 8), (16, 7), (16, 8), (33, 30), (2050, 17)])
def test_codes_that_stand_row_by_row_are_counted_within_them(places, shape):
    codes = np.random.default_rng(5).integers(0, 9, shape).astype(np.uint8)
    group = np.zeros(len(codes), np.int32)
    for at_end in (False, True):
        columns = list(places[0].put(codes, at_end=at_end).T)
        case = columns, [9] * len(columns), group, None, 1
        same([kernels.count_codes(*case)], [kernels.definitions["count_codes"](*case)])
