"""Columns and batches: codes, blocks of numbers, sparse counts."""

from __future__ import annotations

import numpy as np
import pytest

from naively.data.column import Batch, Codes, Counts, Real
from naively.data.domain import Domain
from naively.errors import UnknownColumn

SPARSE = Counts(
    np.array([0, 1, 1, 3]), np.array([2, 0, 1]), np.array([5.0, 1.0, 2.0]), tuple("abc")
)


def test_codes_mean_labels():
    codes = Codes(np.array([0, 1, -1, -2], dtype=np.int32), Domain(("a", "b")))
    assert codes.labels() == ["a", "b", None, None]
    assert codes.rows(np.array([1, 0])).labels() == ["b", "a"]


def test_recoding_keeps_missing_and_marks_unseen():
    codes = Codes(np.array([0, 1, -1, -2], dtype=np.int32), Domain(("a", "b")))
    assert codes.recoded(Domain(("b", "c"))).codes.tolist() == [-2, 0, -1, -2]
    assert codes.recoded(codes.domain) is codes


@pytest.mark.parametrize("order", ["C", "F"])
def test_neighbouring_columns_are_a_view(order):
    block = Real(np.asarray(np.arange(12.0).reshape(3, 4), order=order), tuple("abcd"))
    assert np.shares_memory(block.select(("b", "c")).values, block.values)
    assert block.select(("d", "a")).values.tolist() == [[3, 0], [7, 4], [11, 8]]
    assert block.select(block.names) is block


def test_sparse_counts_are_the_dense_ones():
    assert SPARSE.dense().tolist() == [[0, 0, 5], [0, 0, 0], [1, 2, 0]]
    assert SPARSE.row_of_cell().tolist() == [0, 2, 2]


@pytest.mark.parametrize("keep", [np.array([2, 0]), np.array([True, False, True]), slice(1, 3)])
def test_rows_of_sparse_counts_are_rows(keep):
    assert np.array_equal(SPARSE.rows(keep).dense(), SPARSE.dense()[keep])


@pytest.fixture
def batch():
    domain = Domain(("u", "v"))
    return Batch(
        3,
        {"k": Codes(np.array([0, 1, 0], dtype=np.int32), domain)},
        (Real(np.arange(6.0).reshape(3, 2), ("x", "y")), SPARSE),
        Codes(np.array([0, 0, 1], dtype=np.int32), domain),
        np.array([1.0, 2.0, 3.0]),
    )


def test_columns_come_from_one_block_or_from_several(batch):
    assert batch.columns(("k",))[0].labels() == ["u", "v", "u"]
    assert batch.columns(("y", "x")).values.tolist() == [[1, 0], [3, 2], [5, 4]]
    assert batch.columns(("a", "b", "c")) is SPARSE
    assert batch.columns(("c", "x")).values.tolist() == [[5, 0], [0, 2], [0, 4]]
    with pytest.raises(UnknownColumn, match="'z'"):
        batch.columns(("x", "z"))


def test_some_rows_of_a_batch_are_a_batch(batch):
    some = batch.rows(np.array([2, 0]))
    assert some.n_rows == 2
    assert some.columns(("x",)).values.tolist() == [[4], [0]]
    assert some.columns(("k",))[0].labels() == ["u", "u"]
    assert some.target.labels() == ["v", "u"]
    assert some.weight.tolist() == [3, 1]
