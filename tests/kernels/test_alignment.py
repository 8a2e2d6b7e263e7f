"""Numbers that do not lie at multiples of their size: parts of records, of files, of messages."""

from __future__ import annotations

import numpy as np
import pytest

from naively import NaiveBayes, kernels
from naively.kernels.registry import aligned

pytestmark = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")


def odd(array):
    """The same numbers, one byte further than numbers lie."""
    array = np.asarray(array)
    bytes_ = np.zeros(array.nbytes + 1, np.uint8)
    there = bytes_[1:].view(array.dtype).reshape(array.shape)
    there[...] = array
    assert not there.flags.aligned
    return there


X, GROUP = np.random.default_rng(3).normal(size=(40, 5)), np.arange(40, dtype=np.int32) % 2
CODES, ONES = np.arange(40) % 3, np.ones(40)
INDPTR = np.arange(41)
CALLS = {
    "any_infinite": (X,),
    "count_codes": ([CODES, CODES], [3, 3], GROUP, ONES, 2),
    "group_moments": (X, GROUP, ONES, np.zeros(5), 2),
    "group_sums": (X.astype(np.float32), GROUP, ONES, 2),
    "log_sum_exp": (X,),
    "outlines": (X,),
    "small_codes": (CODES, 9),
    "sparse_sums": (INDPTR, CODES, ONES, GROUP, None, 2, 3),
    "text_codes": (INDPTR, np.arange(40, dtype=np.uint8) % 3, None),
}


def moved(argument):
    if isinstance(argument, list):
        return [moved(one) if isinstance(one, np.ndarray) else one for one in argument]
    plain = not isinstance(argument, np.ndarray) or argument.itemsize == 1
    return argument if plain else odd(argument)


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


@pytest.mark.parametrize("name", CALLS)
def test_a_kernel_answers_alike_wherever_numbers_lie(name):
    found = getattr(kernels, name)(*map(moved, CALLS[name]))
    expected = getattr(kernels, name)(*CALLS[name])
    for a, b in zip(parts(found), parts(expected), strict=True):
        np.testing.assert_array_equal(a, b)


def test_gaps_are_filled_wherever_numbers_lie_but_not_into_a_copy():
    out, bits = np.empty(40), np.full(5, 0b11, np.uint8)
    kernels.filled(odd(X[:, 0]), bits, 0, out)
    np.testing.assert_array_equal(out[:2], X[:2, 0])
    with pytest.raises(ValueError, match="aligned"):
        kernels.filled(X[:, 0].copy(), bits, 0, odd(out))


def test_scores_are_never_written_into_a_copy():
    p = np.ones((2, 5))
    with pytest.raises(ValueError, match="aligned"):
        kernels.linear_scores(odd(X), p, p, odd(np.zeros((40, 2))))
    out = np.zeros((40, 2))
    kernels.linear_scores(odd(X), p, p, out)
    assert out.any()


def test_models_learn_and_answer_alike():
    plain, other = NaiveBayes().fit(X, GROUP), NaiveBayes().fit(odd(X), odd(GROUP))
    np.testing.assert_array_equal(plain.predict_proba(X), other.predict_proba(odd(X)))
    np.testing.assert_array_equal(plain.predict_proba(X[:1]), other.predict_proba(odd(X[:1])))
    for _ in range(2):
        plain.partial_fit(X[:1], GROUP[:1])
        other.partial_fit(odd(X[:1]), odd(GROUP[:1]))
    np.testing.assert_allclose(plain.predict_proba(X), other.predict_proba(X), rtol=1e-12)


def test_what_lies_well_is_not_copied():
    assert aligned(X) is X
