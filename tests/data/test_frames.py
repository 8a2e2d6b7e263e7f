"""Frames of every make say the same: pandas, Polars, Arrow, dicts, DuckDB."""

from __future__ import annotations

import datetime as dt
import decimal
import uuid

import numpy as np
import pytest

import naively
from naively import NaiveBayes, errors
from naively.data.column import Real
from naively.data.source import read

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

UTC = dt.UTC
TABLE = {
    "text": ["a", "b", None, "a"],
    "flag": [True, None, False, True],
    "word": ["yes", "No", "YES", None],
    "few": [1, 2, 3, 1],
    "some": [1.5, None, 2.0, 0.25],
    "day": [dt.date(2020, 1, 1), None, dt.date(1969, 12, 31), dt.date(2021, 1, 1)],
    "moment": [dt.datetime(2020, 1, 1, 12, 30)] * 4,
    "zoned": [dt.datetime(2020, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))] * 4,
    "span": [dt.timedelta(hours=1), dt.timedelta(milliseconds=5), None, dt.timedelta(0)],
    "clock": [dt.time(1, 0, 0), dt.time(0, 0, 1), dt.time(0), None],
    "price": [decimal.Decimal("1.50"), decimal.Decimal("0.25"), None, decimal.Decimal("9")],
    "none": [None, None, None, None],
}
ARROW = pa.table({**TABLE, "clock": pa.array(TABLE["clock"]), "zoned": pa.array(TABLE["zoned"])})
MAKERS = {
    "dict": lambda: TABLE,
    "pandas": lambda: pd.DataFrame(TABLE),
    "pandas on Arrow": lambda: ARROW.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas, odd index": lambda: pd.DataFrame(TABLE, index=[9, 9, 1, 0]),
    "pandas nullable": lambda: pd.DataFrame(TABLE).convert_dtypes(),
    "polars": lambda: pl.DataFrame(TABLE),
    "polars lazy": lambda: pl.DataFrame(TABLE).lazy(),
    "table": lambda: ARROW,
    "record batch": lambda: ARROW.combine_chunks().to_batches()[0],
    "reader": lambda: ARROW.to_reader(max_chunksize=1),
    "chunks": lambda: pa.concat_tables([ARROW.slice(0, 1), ARROW.slice(1, 3)]),
    "relation": lambda: duckdb.from_arrow(ARROW),
    "stream only": lambda: Stream(ARROW),
    "rows": lambda: [
        dict(zip(TABLE, row, strict=True)) for row in zip(*TABLE.values(), strict=True)
    ],
}


class Stream:
    """Something that speaks the protocol, and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def one(source, schema=None, **options):
    (batch,) = source.batches(schema or source.schema, **options)
    return batch


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_every_frame_tells_the_same(make):
    source = read(make())
    assert source.names == tuple(TABLE)
    schema = source.schema
    assert {c.name: c.type for c in schema} == {
        "text": "string",
        "flag": "boolean",
        "word": "boolean",
        "few": "integer",
        "some": "number",
        "day": "time",
        "moment": "time",
        "zoned": "time",
        "span": "duration",
        "clock": "duration",
        "price": "number",
        "none": "empty",
    }
    assert [c.missing for c in schema] == [1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 4]
    assert [c.distinct for c in schema] == [2, 2, 2, 3, 3, 3, 1, 1, 3, 3, 3, 0]
    batch = one(source)
    assert batch.codes["text"].labels() == ["a", "b", None, "a"]
    assert batch.codes["few"].labels() == [1, 2, 3, 1]
    (block,) = batch.blocks
    assert isinstance(block, Real)
    wanted = {
        "flag": [1, np.nan, 0, 1],
        "word": [1, 0, 1, np.nan],
        "some": [1.5, np.nan, 2, 0.25],
        "day": [1577836800, np.nan, -86400, 1609459200],
        "moment": [1577881800] * 4,
        "zoned": [1577872800] * 4,
        "span": [3600, 0.005, np.nan, 0],
        "clock": [3600, 1, 0, np.nan],
        "price": [1.5, 0.25, np.nan, 9],
    }
    assert block.names == tuple(wanted)
    np.testing.assert_allclose(block.values, np.column_stack(list(wanted.values())))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_every_frame_codes_every_type_as_labels(make):
    source = read(make())
    names = [name for name in TABLE if name != "none"]
    schema = source.schema.with_columns(
        {n: type(source.schema[n])(n, source.schema[n].type, "categorical", "codes") for n in names}
    )
    codes = one(source, schema).codes
    assert codes["day"].labels() == ["2020-01-01", None, "1969-12-31", "2021-01-01"]
    assert codes["moment"].labels() == ["2020-01-01T12:30:00"] * 4
    assert codes["zoned"].labels() == ["2020-01-01T10:00:00"] * 4
    assert codes["flag"].labels() == [True, None, False, True]
    assert codes["word"].labels() == [True, False, True, None]
    assert codes["span"].labels() == [3600, 0.005, None, 0]
    assert codes["price"].labels() == [1.5, 0.25, None, 9]
    assert set(codes["few"].labels()) == {1, 2, 3}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_every_source_is_an_arrow_stream(make):
    table = pa.table(read(make()))
    assert table.column_names == list(TABLE)
    assert table.num_rows == 4
    assert table["text"].to_pylist() == TABLE["text"]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_one_column_can_be_had(make):
    source = read(make())
    assert list(source.column("text")) == ["a", "b", None, "a"]
    few = source.column("few") if source.reiterable else read(make()).column("few")
    assert list(few) == [1, 2, 3, 1]


def test_unused_and_ordered_levels_are_not_labels():
    levels = pd.Categorical(["a", "b", None], categories=["z", "b", "a"], ordered=True)
    for x in (
        pd.DataFrame({"x": levels}),
        pl.DataFrame({"x": pl.Series(["a", "b", None], dtype=pl.Enum(["z", "b", "a"]))}),
        pa.table({"x": pa.DictionaryArray.from_arrays([2, 1, None], ["z", "b", "a"])}),
    ):
        source = read(x)
        assert source.schema["x"].distinct == 2
        assert set(one(source).codes["x"].domain.labels) == {"a", "b"}
        assert one(source).codes["x"].labels() == ["a", "b", None]


def test_dictionaries_may_change_from_batch_to_batch():
    first = pa.array(["a", "b"]).dictionary_encode()
    second = pa.array(["c", None, "a"]).dictionary_encode()
    table = pa.table({"x": pa.chunked_array([first, second])})
    for source in (read(table), read(table.to_reader())):
        assert one(source).codes["x"].labels() == ["a", "b", "c", None, "a"]
        parts = source.batches(source.schema, rows=2)
        assert [label for part in parts for label in part.codes["x"].labels()] == [
            *["a", "b", "c"],
            *[None, "a"],
        ]


@pytest.mark.parametrize(
    "array",
    [
        pa.array(["a", "b", None], pa.large_string()),
        pa.array(["a", "b", None], pa.string_view()),
        pa.array(["a", "b", None]).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.string())),
        pa.RunEndEncodedArray.from_arrays([1, 2, 3], ["a", "b", None]),
        pa.DictionaryArray.from_arrays([0, 1, 2], ["a", "b", None]),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int64()), ["a", "b"]),
    ],
    ids=lambda array: str(array.type),
)
def test_text_may_be_encoded_in_any_way(array):
    source = read(pa.table({"x": array}))
    assert source.schema["x"].missing == 1
    assert one(source).codes["x"].labels() == ["a", "b", None]


@pytest.mark.parametrize(
    "of",
    [
        *[pa.uint64(), pa.int8(), pa.float16(), pa.float32(), pa.decimal128(30, 2)],
        *[pa.dictionary(pa.int8(), pa.int64()), pa.run_end_encoded(pa.int32(), pa.float64())],
    ],
    ids=str,
)
def test_numbers_may_be_stored_in_any_way(of):
    plain = pa.array([1, None, 3])
    if pa.types.is_dictionary(of):
        array = plain.dictionary_encode()
    elif pa.types.is_run_end_encoded(of):
        array = pa.RunEndEncodedArray.from_arrays([1, 2, 3], pa.array([1.0, None, 3.0]))
    else:
        array = pa.array(np.array([1, 0, 3]), mask=np.array([0, 1, 0], bool)).cast(of)
    source = read(pa.table({"x": array}))
    assert source.schema["x"].type == "integer"
    assert one(source).codes["x"].labels() == [1, None, 3]


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (pa.table({"x": [[1], [2]]}), r"column 'x', row 0: \[1\] \(list\)"),
        (pl.DataFrame({"x": [None, {"a": 1}]}), r"column 'x', row 1: \{'a': 1\}"),
        (pd.DataFrame({"x": [{"a": 1}, {"a": 2}]}), r"column 'x', row 0: \{'a': 1\}"),
        (pd.DataFrame({"x": [1, "a"]}), r"column 'x', row 1: 'a' \(str\) among cells"),
        ({"x": [1, None, "a"]}, r"column 'x', row 2: 'a' \(str\) among cells"),
        ({"x": ["a", "b", 2.5]}, r"column 'x', row 2: 2.5 \(float\) among cells"),
        ({"x": [1, dt.date(2020, 1, 1)]}, "column 'x', row 1"),
        (pa.table({"x": pa.array([b"abc"])}), r"column 'x', row 0: b'abc'"),
        ({"x": [1, 2 + 3j]}, "Complex data not supported"),
    ],
)
def test_cells_that_do_not_belong_are_named(x, says):
    with pytest.raises(errors.DataError, match=says):
        read(x).schema  # noqa: B018


def test_a_column_that_changes_kind_between_slices_is_refused():
    cells = [1] * 65_536 + [None, "a"]
    with pytest.raises(errors.DataError, match=r"row 65,537: 'a' after cells such as 1"):
        read({"x": cells}).schema  # noqa: B018


@pytest.mark.parametrize(
    "x",
    [
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pa.table([[1], [2]], names=["a", "a"]),
        pd.DataFrame([[1, 2]], columns=[1, "1"]),
    ],
)
def test_duplicate_names_are_refused(x):
    with pytest.raises(errors.DataError, match="two columns are named"):
        read(x)


@pytest.mark.parametrize("x", [pd.DataFrame(), {}, pa.table({}), pl.DataFrame()])
def test_a_table_without_columns_is_refused(x):
    with pytest.raises(errors.DataError, match=r"without columns|0 feature\(s\)"):
        read(x)


@pytest.mark.parametrize(
    "x", [pd.DataFrame({"a": []}), {"a": []}, pl.DataFrame({"a": []}), pa.table({"a": pa.nulls(0)})]
)
def test_a_table_without_rows_is_refused(x):
    with pytest.raises(errors.DataError, match=r"0 sample\(s\)"):
        read(x).schema  # noqa: B018


@pytest.mark.parametrize(
    "x", [pd.Series([1, 2]), pl.Series("a", [1, 2]), pa.array([1, 2]), pa.chunked_array([[1]])]
)
def test_a_single_column_is_no_table(x):
    with pytest.raises(errors.DataError, match="Reshape your data"):
        read(x)


def test_names_of_columns_become_text():
    assert read(pd.DataFrame({1: ["a"], "b": ["b"]})).names == ("1", "b")
    assert read({1: [2], "b": [3]}).names == ("1", "b")


def test_a_dict_of_scalars_is_one_row():
    source = read({"outlook": "sunny", "windy": True, "n": 3, "gone": None})
    assert source.n_rows == 1
    assert one(source).codes["outlook"].labels() == ["sunny"]
    with pytest.raises(errors.DataError, match="column 'b' is the single value 3"):
        read({"a": [1, 2], "b": 3})
    with pytest.raises(errors.DataError, match="column 'b' has 1 values, column 'a' has 2"):
        read({"a": [1, 2], "b": [3]})
    with pytest.raises(errors.UnsupportedType, match="column 'a': dict"):
        read({"a": {"b": 1}})


def test_a_reader_can_be_read_once_and_its_schema_says_what_it_saw():
    table = pa.table({"x": np.arange(300_000.0), "y": ["a", "b", "c"] * 100_000})
    source = read(table.to_reader(max_chunksize=40_000))
    assert source.schema.note == "inferred from the first 120,000 rows"
    seen = [value for b in source.batches(source.schema) for value in b.blocks[0].values[:, 0]]
    np.testing.assert_array_equal(seen, np.arange(300_000.0))
    with pytest.raises(errors.DataError, match="was read already"):
        next(source.batches(source.schema))


def test_a_reader_without_a_question_for_its_schema_streams_too():
    table = pa.table({"x": np.arange(300_000.0)})
    schema = read(table).schema
    source = read(table.to_reader(max_chunksize=40_000))
    assert sum(b.n_rows for b in source.batches(schema)) == 300_000


def test_a_short_reader_is_kept():
    source = read(pa.table({"x": [1, 2, 3]}).to_reader())
    assert source.schema.note == ""
    assert source.reiterable
    assert one(source).n_rows == one(source).n_rows == 3


def test_markers_of_missing_cells_are_told():
    source = read({"x": ["a", "?", "b"], "n": [1, 2, 3]}, missing=["?"])
    assert source.schema["x"].missing == 1
    assert one(source).codes["x"].labels() == ["a", None, "b"]
    assert read({"x": ["a", "?", "b"]}).schema["x"].missing == 0
    assert pa.table(source)["x"].to_pylist() == ["a", None, "b"]


def test_options_of_files_are_refused_elsewhere():
    with pytest.raises(errors.ParameterError, match="encoding"):
        read({"x": [1]}, encoding="latin-1")


def test_a_source_passes_through_the_door():
    source = read({"x": [1]})
    assert read(source) is source


def test_a_large_frame_is_never_copied_whole():
    tracemalloc = pytest.importorskip("tracemalloc")
    x = pd.DataFrame({f"c{j}": np.random.default_rng(j).normal(size=800_000) for j in range(10)})
    source = read(x)
    schema = source.schema
    tracemalloc.start()
    for _ in source.batches(schema):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32_000_000  # the frame has 64 MB


def test_pandas_own_types_are_labels_and_times():
    frame = pd.DataFrame(
        {
            "bins": pd.cut([1.0, 2.0, 3.0], [0, 1.5, 3]),
            "month": pd.period_range("2020-01", periods=3, freq="M"),
            "between": pd.interval_range(0, 3),
            "rare": pd.arrays.SparseArray([0.0, 0.0, 1.5]),
            "id": [uuid.UUID(int=i) for i in range(3)],
        }
    )
    source = read(frame)
    assert [c.type for c in source.schema] == ["string", "time", "string", "number", "string"]
    batch = one(source)
    assert batch.codes["bins"].labels() == ["(0.0, 1.5]", "(1.5, 3.0]", "(1.5, 3.0]"]
    np.testing.assert_array_equal(
        batch.blocks[0].values[:, 0], [1577836800, 1580515200, 1583020800]
    )


def test_a_frame_without_names_keeps_its_types():
    large = 2**60 + 1
    plain = pd.DataFrame({0: [1, 2, large], 1: [1.5, 2.0, 0.25], 2: [True, False, True]})
    source, named = read(plain), read(plain.set_axis(["a", "b", "c"], axis=1))
    assert (source.named, named.named) == (False, True)
    assert source.column("0").tolist() == [1, 2, large]
    kinds = [[(c.type, str(c.family)) for c in one.schema] for one in (source, named)]
    assert kinds[0] == kinds[1]


def test_a_frame_of_floats_without_names_is_an_array():
    for dtype in (np.float32, np.float64):
        frame = pd.DataFrame(np.eye(3, dtype=dtype))
        (batch,) = read(frame).batches(read(frame).schema)
        assert read(frame).named is False
        assert np.shares_memory(batch.blocks[0].values, frame.to_numpy(copy=False))


def test_only_categories_that_occur_are_counted():
    frame = pd.DataFrame({"c": pd.Categorical([3, 4, 3], categories=[1, 2, 3, 4])})
    assert read(frame).schema["c"].why == "2 distinct categories that occur"


def test_names_of_several_levels_are_shown_as_they_are():
    columns = pd.MultiIndex.from_product([["a", "b"], [1, 2]])
    frame = pd.DataFrame(np.eye(4), columns=columns)
    assert read(frame).names[0] == "('a', 1)"
    with pytest.raises(errors.UnknownColumn, match=r"\('a', 1\)"):
        NaiveBayes(columns={("a", 1): "gaussian"}).fit(frame, [0, 1, 0, 1])


@pytest.mark.parametrize("width", ["uint8", "uint16", "uint32", "uint64", "int8", "int32"])
def test_missing_integers_of_any_width_are_missing(width):
    cells = pa.array([1, 2, None, 1], getattr(pa, width)())
    table = pa.table({"x": cells, "y": ["a", "b", "a", "b"]})
    model = naively.NaiveBayes().fit(table, "y")
    assert model.stats_.statistics[0].domains[0].labels == (1, 2)
    with pytest.raises(errors.DataError, match="missing value"):
        naively.NaiveBayes().fit(table.append_column("z", cells), "z")


def test_a_target_of_bytes_has_no_more_classes_than_it_has():
    source = read({"x": [1.5, 2.5]})
    batch = one(source, target=np.array([0, 1], np.uint8))
    assert len(batch.target.domain) == 2


@pytest.mark.parametrize("of", [pa.int8(), pa.int16(), pa.int64()])
def test_minus_one_beside_a_missing_integer_is_a_value(of):
    table = pa.table({"a": pa.array([0, -1, None, -1], of), "y": ["u", "v", "u", "v"]})
    model = naively.NaiveBayes(columns="categorical").fit(table, "y")
    assert model.schema_["a"].missing == 1
    assert model.stats_.statistics[0].domains[0].labels == (-1, 0)


def test_a_decimal_is_the_nearest_double():
    cells = [decimal.Decimal("19.99"), decimal.Decimal("5.00"), None]
    table = pa.table({"p": cells, "y": ["u", "v", "u"]})
    assert read(table).column("p")[0] == 19.99
    batch = next(read(table).batches(read(table).schema))
    assert 19.99 in [*np.asarray(batch.columns(("p",)).values).ravel().tolist()]
