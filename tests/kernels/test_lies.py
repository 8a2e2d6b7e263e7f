"""Arguments that lie: refused before anything is read, or answered as they are defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import kernels

pytestmark = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")

REFUSED = ValueError, TypeError

FAR = [-(2**63), -(2**32), -(2**31), -129, -3, -2, -1, 255, 2**31 - 1, 2**31, 2**32, 2**63 - 1]
integers = st.one_of(st.integers(0, 4), st.sampled_from(FAR))
widths = st.sampled_from(["i1", "i2", "i4", "i8", "u1", "u2", "u4"])


@st.composite
def vectors(draw, most=6):
    """Integers of any type, near and far."""
    numbers = draw(st.lists(integers, max_size=most))
    dtype = draw(widths)
    limits = np.iinfo(dtype)
    fitting = [n for n in numbers if limits.min <= n <= limits.max]
    return np.array(fitting, dtype)[:: draw(st.sampled_from([1, 1, -1, 2]))]


def answer(kernel, arguments):
    """What a kernel says: numbers, or that it refuses."""
    out = arguments[-1]
    try:
        found = kernel(*arguments)
    except REFUSED:
        return None
    return out.tolist() if found is None else [np.asarray(part).tolist() for part in found]


def both_answer_alike(name, *arguments):
    again = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    expected = answer(kernels.definitions[name], again)
    assert answer(getattr(kernels, name), arguments) == expected
    if expected is not None and isinstance(arguments[-1], np.ndarray):
        np.testing.assert_array_equal(arguments[-1], again[-1])


@settings(max_examples=200, deadline=None)
@given(st.lists(vectors(), max_size=2), st.lists(st.integers(0, 4), max_size=2), vectors(),
       st.integers(0, 4), st.integers(0, 6))  # fmt: skip
def test_codes_sizes_and_groups_that_lie(columns, sizes, group, n_groups, n_weights):
    weight = np.ones(n_weights) if n_weights < 6 else None
    both_answer_alike("count_codes", columns, sizes, group, weight, n_groups)


@settings(max_examples=200, deadline=None)
@given(vectors(), st.integers(0, 6), st.integers(0, 3), st.integers(0, 4))
def test_groups_of_numbers_that_lie(group, rows, columns, n_groups):
    x = np.ones((rows, columns))
    both_answer_alike("group_sums", x, group, None, n_groups)
    both_answer_alike("group_moments", x, group, None, np.zeros(columns), n_groups)
    both_answer_alike("group_moments", x, group, None, np.zeros(2), n_groups)


@settings(max_examples=300, deadline=None)
@given(vectors(), vectors(), st.integers(0, 6), vectors(), st.integers(0, 4), st.integers(0, 4))
def test_pointers_and_indices_that_lie(indptr, indices, stored, group, n_groups, n_columns):
    csr = indptr, indices, np.ones(stored)
    both_answer_alike("sparse_sums", *csr, group, None, n_groups, n_columns)
    out = np.zeros((max(len(indptr) - 1, 0), n_groups))
    both_answer_alike("sparse_scores", *csr, np.ones((n_groups, n_columns)), out)


@settings(max_examples=300, deadline=None)
@given(st.lists(vectors(), max_size=2), vectors(), st.integers(0, 4), st.integers(0, 4))
def test_offsets_of_lines_that_lie(columns, offsets, n_lines, rows):
    table, out = np.ones((n_lines, 2)), np.zeros((rows, 2))
    both_answer_alike("table_scores", columns, table, offsets, out)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(integers, max_size=6), st.sampled_from(["i4", "i8", "i2", "u4"]), st.integers(0, 6),
    st.integers(0, 6),
)  # fmt: skip
def test_offsets_of_texts_that_lie(offsets, dtype, n_bytes, n_flags):
    limits = np.iinfo(dtype)
    offsets = np.array([o for o in offsets if limits.min <= o <= limits.max], dtype)
    there = np.ones(n_flags, bool) if n_flags < 6 else None
    data = np.arange(n_bytes, dtype=np.uint8)
    if dtype in ("i4", "i8"):
        both_answer_alike("text_codes", offsets, data, there)
    else:
        with pytest.raises(REFUSED):
            kernels.text_codes(offsets, data, there)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(*[st.one_of(st.integers(0, 20), st.sampled_from(
        [n for n in FAR if -(2**31) <= n < 2**31]))] * 4), max_size=4),
    st.lists(st.integers(0, 30), max_size=2),
    st.lists(st.booleans(), max_size=4) | st.none(),
)  # fmt: skip
def test_views_of_texts_that_lie(views, buffers, there):
    shown = np.array(views, "<i4").reshape(-1, 4).view(np.uint8).ravel()
    data = [np.arange(n, dtype=np.uint8) for n in buffers]
    flags = None if there is None else np.array(there, bool)
    both_answer_alike("view_codes", shown, data, flags)


@pytest.mark.parametrize(
    "call",
    [
        ("group_sums", np.zeros((1, 8)), np.zeros(1, np.int32), None, 2**61),
        ("group_sums", np.zeros((1, 8)), np.zeros(1, np.int64), None, 2**61),
        ("group_sums", np.zeros((1, 1)), np.array([2**32]), None, 2**33),
        ("group_moments", np.zeros((1, 8)), np.zeros(1, np.int32), None, np.zeros(8), 2**61),
        ("count_codes", [np.zeros(3, int)], [2**62], np.zeros(3, np.int32), None, 4),
        ("count_codes", [np.zeros(3, int)] * 2, [2**63] * 2, np.zeros(3, np.int32), None, 2),
        ("sparse_sums", np.array([0, 1]), np.array([5]), np.ones(1), np.zeros(1, np.int32), None,
         2**31 - 1, 2**34),
        ("outlines", np.empty((0, 2**59))),
    ],
)  # fmt: skip
def test_a_size_that_wraps_around_is_refused(call):
    name, *arguments = call
    with pytest.raises((ValueError, MemoryError)):
        getattr(kernels, name)(*arguments)


@pytest.mark.parametrize("dtype", [">f8", ">f4", "f2", "g", "c16", "i8", "O", "U3", "M8[s]"])
def test_numbers_of_another_type_are_refused(dtype):
    x, group = np.zeros((2, 2)).astype(dtype), np.zeros(2, np.int32)
    with pytest.raises(TypeError):
        kernels.any_infinite(x)
    with pytest.raises(TypeError):
        kernels.group_moments(x, group, None, np.zeros(2), 1)


@pytest.mark.parametrize("dtype", [">i4", "f8", "?", "O", "U3", "m8[s]"])
def test_codes_of_another_type_are_refused(dtype):
    codes = np.zeros(2, np.int64).astype(dtype)
    with pytest.raises(TypeError):
        kernels.count_codes([codes], [1], np.zeros(2, np.int32), None, 1)
    with pytest.raises(TypeError):
        kernels.count_codes([], [], codes, None, 1)


@pytest.mark.parametrize("name", sorted(kernels.definitions))
@pytest.mark.parametrize("odd", [None, 3, "x", [[1.0]], object(), np.zeros((2, 2, 2))])
def test_what_is_no_array_is_refused_by_type(name, odd):
    if name == "text_codes" and odd is None:
        pytest.skip("no flags are all flags")
    count = kernels.definitions[name].__code__.co_argcount
    with pytest.raises(TypeError):
        getattr(kernels, name)(*[odd] * count)
