"""Domains: labels, their union and their codes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.data.domain import UNSEEN, Domain, sorted_labels

labels = st.lists(st.sampled_from("abcdefgh"), unique=True).map(sorted_labels).map(Domain)


@given(labels, labels, labels)
def test_union_is_a_union(a, b, c):
    assert a.union(b).labels == b.union(a).labels == tuple(sorted({*a.labels, *b.labels}))
    assert a.union(b).union(c) == a.union(b.union(c))
    assert a.union(a) is a
    assert a.union(Domain()) == Domain().union(a) == a


@given(labels, labels)
def test_positions_lead_to_the_same_labels(a, b):
    for label, at in zip(a.labels, a.positions_in(b).tolist(), strict=True):
        assert (at == UNSEEN) == (label not in b.labels)
        assert at == UNSEEN or b.labels[at] == label


@pytest.mark.parametrize(
    ("some", "ordered"),
    [
        (["b", "a"], ("a", "b")),
        ([10, 9, 2], (2, 9, 10)),
        (["b", None, "a"], ("a", "b", None)),
        ([True, False], (False, True)),
        (["a", 1, None], (1, "a", None)),
        ([], ()),
    ],
)
def test_labels_have_a_natural_order(some, ordered):
    assert sorted_labels(some) == ordered
    assert Domain(tuple(some)).sorted().labels == ordered


def test_codes_are_positions():
    domain = Domain(("a", "b"))
    assert domain.encode(["b", "z", "a"]).tolist() == [1, UNSEEN, 0]
    assert domain.code("z") == UNSEEN


@pytest.mark.parametrize(
    ("domain", "dtype"),
    [
        (("a", "b"), "U"),
        ((1, 2), "i"),
        ((0.5,), "f"),
        ((False, True), "b"),
        (("a", None), "O"),
        ((), "O"),
    ],
)
def test_an_array_of_labels_has_their_own_type(domain, dtype):
    array = Domain(domain).array()
    assert array.dtype.kind == dtype
    assert tuple(array.tolist()) == domain


def test_kept_labels_keep_their_order():
    domain = Domain(("a", "b", "c"))
    assert domain.keep([True, False, True]).labels == ("a", "c")
    assert domain.keep([True] * 3) is domain


def test_a_pickled_domain_is_equal_and_light():
    domain = Domain(tuple(map(str, range(1000))))
    assert domain.code("7") == 7
    again = pickle.loads(pickle.dumps(domain))
    assert again == domain
    assert np.array_equal(again.encode(["7"]), [7])
