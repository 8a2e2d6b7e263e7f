"""NumPy arrays, nested lists and sparse matrices: views, positions and clear refusals."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from naively import errors
from naively.data.column import Counts, Real
from naively.data.source import read
from naively.data.sparse import SparseSource


def one(source, schema=None, **options):
    (batch,) = source.batches(schema or source.schema, **options)
    return batch


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_float_arrays_give_views(dtype, order):
    x = np.asarray(np.random.default_rng(0).normal(size=(10, 3)), dtype=dtype, order=order)
    (block,) = one(read(x)).blocks
    assert isinstance(block, Real)
    assert block.values.dtype == dtype
    assert np.shares_memory(block.values, x)


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.bool_, np.float16, ">f8", ">i4"])
def test_other_numbers_become_floats(dtype):
    x = np.array([[0, 1], [1, 0], [1, 1]]).astype(dtype)
    source = read(x)
    schema = source.schema.with_columns(
        {c.name: type(c)(c.name, c.type, "gaussian", "real") for c in source.schema}
    )
    (block,) = one(source, schema).blocks
    assert block.values.dtype in (np.float32, np.float64)
    assert block.values.dtype.isnative
    np.testing.assert_array_equal(block.values, [[0, 1], [1, 0], [1, 1]])


def test_batches_are_bounded_and_numbered():
    x = np.zeros((200_000, 100), dtype=np.int64)
    starts = [(b.start, b.n_rows) for b in read(x).batches(read(x[:5]).schema)]
    assert starts[0] == (0, 41_943)
    assert sum(n for _, n in starts) == 200_000
    assert [b.n_rows for b in read(x[:7]).batches(read(x[:5]).schema, rows=3)] == [3, 3, 1]


def test_what_is_used_as_it_lies_needs_no_small_batches():
    x = np.zeros((200_000, 10), dtype=np.float32)
    schema = read(x[:5]).schema
    assert [b.n_rows for b in read(x).batches(schema)] == [200_000]
    assert [b.n_rows for b in read(x).batches(schema, learning=False)] == [200_000]


def test_a_wide_array_is_profiled_quickly():
    x = np.random.default_rng(0).integers(0, 2, (20, 20_000)).astype(bool)
    source = read(x)
    assert source.schema["x19999"].family == "bernoulli"
    assert one(source).blocks[0].values.shape == (20, 20_000)


def test_arrays_of_objects_go_by_their_values():
    x = np.array([[1, "a", 1.5, None], [2, "b", None, None]], dtype=object)
    schema = read(x).schema
    assert [c.type for c in schema] == ["integer", "string", "number", "empty"]
    batch = one(read(x))
    assert batch.codes["x1"].labels() == ["a", "b"]
    np.testing.assert_array_equal(batch.blocks[0].values[:, 0], [1.5, np.nan])


def test_nested_lists_are_arrays_where_all_cells_are_of_one_type():
    assert read([[1.0, 2.0], [2.0, 3.0]]).floats
    assert [c.type for c in read([[1, 2.5], [2, 3.0]]).schema] == ["integer", "number"]
    assert [c.type for c in read([("a", True), ("b", False)]).schema] == ["string", "boolean"]
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    assert read(rows).schema.names == ("a", "b")


def test_masked_arrays_are_missing_where_masked():
    x = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
    assert read(x).schema["x1"].missing == 1


def test_arrays_are_matched_by_position():
    schema = read({"a": [1.5, 2.5], "b": [3.5, 1.0]}).schema
    batch = one(read([[0.5, 1.5]]), schema, learning=False)
    assert batch.blocks[0].names == ("a", "b")
    with pytest.raises(errors.DataError, match="X has 1 features, but 2 features are expected"):
        one(read([[0.5]]), schema, learning=False)


@pytest.mark.parametrize(
    ("x", "error", "says"),
    [
        (np.zeros(3), errors.DataError, "Reshape your data"),
        (np.float64(3), errors.DataError, "a single value"),
        (np.zeros((2, 2, 2)), errors.DataError, "3 dimensions"),
        (np.zeros((0, 2)), errors.DataError, r"0 sample\(s\) \(shape=\(0, 2\)\)"),
        (
            np.zeros((12, 0)),
            errors.DataError,
            r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required.",
        ),
        (np.zeros((2, 2)) * 1j, errors.DataError, "Complex data not supported"),
        ([1, 2, 3], errors.DataError, "Reshape your data"),
        ([], errors.DataError, "Reshape your data"),
        ([[1, 2], [3]], errors.DataError, "row 1 has 1 cells, row 0 has 2"),
        (np.zeros(2, dtype=[("a", float)]).reshape(1, 2), errors.UnsupportedType, "dict"),
        (object(), errors.UnsupportedType, "object"),
        (7, errors.UnsupportedType, "int"),
        (None, errors.UnsupportedType, "None"),
    ],
)
def test_what_is_no_table_is_refused(x, error, says):
    with pytest.raises(error, match=says):
        read(x)


def test_a_dict_in_an_array_is_a_type_error():
    x = np.array([[1.0, 2.0], [1.0, 2.0]], dtype=object)
    x[1, 0] = {"foo": "bar"}
    with pytest.raises(TypeError, match=r"argument must be .* string.* number") as caught:
        read(x).schema  # noqa: B018
    assert "column 'x0', row 1" in str(caught.value)


def test_infinite_cells_are_refused_by_column_and_row():
    x = np.zeros((5, 3))
    schema = read(x).schema
    x[3, 1] = -np.inf
    x[0, 0] = np.nan
    with pytest.raises(errors.DataError, match="column 'x1', row 3: -inf"):
        one(read(x), schema)


def test_a_sparse_matrix_is_one_block_of_counts():
    sparse = pytest.importorskip("scipy.sparse")
    x = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 5]])
    for form in ("csr", "csc", "coo", "lil", "dok"):
        for kind in (sparse.coo_array, sparse.coo_matrix):
            source = read(kind(x).asformat(form))
            assert isinstance(source, SparseSource)
            assert {c.family for c in source.schema} == {"multinomial"}
            (block,) = one(source).blocks
            assert isinstance(block, Counts)
            np.testing.assert_array_equal(block.dense(), x)


def test_a_sparse_matrix_with_negative_numbers_is_gaussian():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse.csr_array(np.array([[0, -2.5], [1, 0]]))
    (block,) = one(read(x)).blocks
    assert isinstance(block, Real)
    np.testing.assert_array_equal(block.values, x.toarray())


def test_a_sparse_matrix_is_decoded_as_the_schema_says():
    sparse = pytest.importorskip("scipy.sparse")
    x = np.array([[0, 2.0, 0], [1, 0, 0]])
    schema = read(x.astype(int)).schema  # all categorical
    batch = one(read(sparse.csr_array(x)), schema)
    assert batch.codes["x1"].labels() == [2, 0]
    real = read(x).schema
    np.testing.assert_array_equal(one(read(sparse.csr_array(x)), real).blocks[0].values, x)


def test_sparse_rows_of_weight_0_are_not_seen():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse.csr_array(np.array([[0, 2], [1, 0], [-3, 0]]))
    assert read(x).profiles(weight=[1, 1, 0])["x0"].minimum == 0
    assert one(read(x), weight=[1, 0, 1]).n_rows == 2


def test_duplicate_cells_of_a_sparse_matrix_add_up():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse.csr_matrix((np.ones(3), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    (block,) = one(read(x)).blocks
    np.testing.assert_array_equal(block.dense(), [[0, 2], [1, 0]])


def test_arrays_need_no_pyarrow():
    code = (
        "import sys, numpy as np; from naively.data.source import read\n"
        "s = read(np.eye(3)); list(s.batches(s.schema, target=['a', 'b', 'a'], weight=[1, 2, 1]))\n"
        "s = read({'a': [1, 2]}); list(s.batches(s.schema, target=np.array([0, 1])))\n"
        "assert not {'pyarrow', 'duckdb', 'pandas', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_records_are_columns_by_name():
    table = np.array([(1.5, "a", 1), (2.5, "b", 0)], dtype=[("x", "f8"), ("y", "U1"), ("n", "i1")])
    for source in (read(table), read(table.view(np.recarray)), read({n: table[n] for n in "xyn"})):
        assert [(c.name, c.type) for c in source.schema] == [
            ("x", "number"),
            ("y", "string"),
            ("n", "integer"),
        ]
        assert source.column("x").tolist() == [1.5, 2.5]
