"""Files of every format say what a frame says, stream in order, and name what is wrong."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import errors
from naively.data.source import read

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")


def written(tmp_path, text, name="t.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def one(source, schema=None, **options):
    (batch,) = source.batches(schema or source.schema, **options)
    return batch


def categorical(source):
    """The schema with every column as labels."""
    columns = {c.name: type(c)(c.name, c.type, "categorical", "codes") for c in source.schema}
    return source.schema.with_columns(columns)


def labels(source):
    return {name: c.labels() for name, c in one(source, categorical(source)).codes.items()}


def test_empty_cells_and_question_marks_are_missing(tmp_path):
    text = 'n,word,none\n1,a,NA\n?,?,none\n,"",null\n2.5," ?",x\n'
    source = read(written(tmp_path, text))
    assert [c.type for c in source.schema] == ["number", "string", "string"]
    assert [c.missing for c in source.schema] == [2, 3, 0]
    assert labels(source)["none"] == ["NA", "none", "null", "x"]


def test_the_markers_of_missing_cells_can_be_said(tmp_path):
    source = read(written(tmp_path, "n,word\n1,a\n-9,NA\n3,?\n"), missing=["NA", "-9"])
    assert labels(source) == {"n": [1, None, 3], "word": ["a", None, "?"]}


def test_truth_values_are_those_of_a_frame(tmp_path):
    text = "tf,yn,mixed,bits\nt,yes,t,1\nF,NO,true,0\n"
    source = read(written(tmp_path, text))
    frame = read({"tf": ["t", "F"], "yn": ["yes", "NO"], "mixed": ["t", "true"], "bits": [1, 0]})
    for one_source in (source, frame):
        assert [c.type for c in one_source.schema] == ["boolean", "boolean", "string", "integer"]
    assert labels(source) == labels(frame)
    assert labels(source)["tf"] == [True, False]


def test_a_target_keeps_its_words(tmp_path):
    text = "x,flag,play\n1.5,t,yes\n2.5,f,no\n"
    path = written(tmp_path, text)
    frame = {"x": [1.5, 2.5], "flag": ["t", "f"], "play": ["yes", "no"]}
    for x in (path, frame):
        batch = one(read(x), target="play")
        assert batch.target.labels() == ["yes", "no"]
        assert one(read(x), target="flag").target.labels() == ["t", "f"]
    assert one(read({"x": [1.5, 2.0], "y": [True, False]}), target="y").target.labels() == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "name", "encoding"),
    [
        ("a,b c\n1.5,x\n2.5,y\n", "t.csv", "utf-8"),
        ("\ufeffa,b c\r\n1.5,x\r\n2.5,y\r\n", "t.csv", "utf-8"),
        ("a;b c\n1.5;x\n2.5;y\n", "t.csv", "utf-8"),
        ("a\tb c\n1.5\tx\n2.5\ty\n", "t.tsv", "utf-8"),
        ("a|b c\n1.5|x\n2.5|y", "t.txt", "utf-8"),
        ('"a","b c"\n"1.5","x"\n"2.5","y"\n', "t.csv", "utf-8"),
        ("a, b c\n1.5, x\n2.5, y\n", "t.csv", "utf-8"),
        ('{"a": 1.5, "b c": "x"}\n{"a": 2.5, "b c": "y"}\n', "t.jsonl", "utf-8"),
        ('[{"a": 1.5, "b c": "x"}, {"b c": "y", "a": 2.5}]', "t.json", "utf-8"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_text_may_come_in_many_dialects(tmp_path, text, name, encoding, zipped):
    path = written(tmp_path, text, name, encoding)
    if zipped:
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress(text.encode(encoding)))
    source = read(path)
    assert source.names == ("a", "b c")
    batch = one(source)
    np.testing.assert_array_equal(batch.blocks[0].values[:, 0], [1.5, 2.5])
    assert batch.codes["b c"].labels() == ["x", "y"]


def test_latin_1_is_read_when_said(tmp_path):
    path = written(tmp_path, "a,b\nà,1.5\né,2.5\n", encoding="latin-1")
    with pytest.raises(errors.DataError, match=r"UTF-8.*encoding='latin-1'"):
        read(path).schema  # noqa: B018
    assert labels(read(path, encoding="latin-1"))["a"] == ["à", "é"]


def test_delimiter_and_header_can_be_said(tmp_path):
    path = written(tmp_path, "1:x\n2:y\n")
    assert labels(read(path, delimiter=":", header=False)) == {
        "column0": [1, 2],
        "column1": ["x", "y"],
    }


def test_quotes_that_begin_below_the_first_rows_are_quotes(tmp_path):
    text = "a,b\n" + "1.5,x\n" * 70_000 + '2.5,"y, z"\n'
    batches = list(read(written(tmp_path, text)).batches(read(written(tmp_path, text)).schema))
    assert batches[-1].codes["b"].labels()[-1] == "y, z"


def test_types_that_fail_further_down_are_sniffed_again(tmp_path):
    text = "a,b\n" + "1,2\n" * 70_000 + "x,2.5\n"
    source = read(written(tmp_path, text))
    assert [c.type for c in source.schema] == ["string", "number"]
    assert source.column("b")[-1] == 2.5
    assert list(read(written(tmp_path, text)).column("a")[-2:]) == ["1", "x"]
    total = sum(b.n_rows for b in source.batches(source.schema))
    assert total == 70_001


def test_dates_and_times_are_known(tmp_path):
    text = (
        "day,moment,zoned,clock\n"
        "2020-01-01,2020-01-01 12:00:00,2020-01-01T12:00:00+02:00,01:00:00\n"
        "1969-12-31,2020-01-02 00:00:00,2020-01-01T12:00:00Z,00:00:01\n"
    )
    source = read(written(tmp_path, text))
    assert [c.type for c in source.schema] == ["time", "time", "time", "duration"]
    np.testing.assert_array_equal(
        one(source).blocks[0].values,
        [
            [1577836800, 1577880000, 1577872800, 3600],
            [-86400, 1577923200, 1577880000, 1],
        ],
    )
    assert labels(source)["moment"] == ["2020-01-01T12:00:00", "2020-01-02"]


def test_labels_are_the_same_from_another_storage(tmp_path):
    schema = categorical(read(written(tmp_path, "n,s,b\n1,x,t\n2,7,f\n")))
    domains = {n: c.domain.sorted() for n, c in one(read(tmp_path / "t.csv"), schema).codes.items()}
    again = read(written(tmp_path, "n,s,b\n1.0,7,true\n02,7,no\n3.5,7,maybe\n", "u.csv"))
    codes = one(again, schema, domains=domains, learning=False).codes
    assert codes["n"].codes.tolist() == [0, 1, -2]
    assert codes["s"].labels() == ["7", "7", "7"]
    assert codes["b"].codes.tolist() == [1, 0, -2]


def test_a_word_among_numbers_is_named_when_the_type_is_settled(tmp_path):
    schema = read({"a": [1.5, 2.5], "b": [1.5, 2.5]}).schema
    path = written(tmp_path, "a,b\n" + "1,2\n" * 70_000 + "3,oops\n")
    with pytest.raises(errors.DataError, match=r"column 'b', row 70,000: 'oops'.*a number"):
        list(read(path).batches(schema))
    with pytest.raises(errors.DataError, match="column 'b', row 70,000: 'oops'"):
        list(read(path).batches(schema, learning=False))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1,2\n3\n", "line 3: 1 cells; expected 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 cells; expected 2"),
        ("a,b\n" + "1,2\n" * 70_000 + "3\n", "line 70002: 1 cells; expected 2"),
        ("a,a\n1,2\n", "two columns are named 'a'"),
        ("a,b\n", r"0 sample\(s\)"),
        ("", r"0 sample\(s\)"),
        ("a,b\ninf,1\n2,1\n", "column 'a', row 0: '?inf"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, text, says):
    path = written(tmp_path, text)
    with pytest.raises(errors.DataError, match=says):
        list(read(path).batches(read(path).schema))


def test_a_missing_file_offers_the_nearest(tmp_path):
    written(tmp_path, "a\n1\n", "train.csv")
    with pytest.raises(errors.SourceNotFound, match=r"did you mean 'train.csv'\?"):
        read(tmp_path / "trian.csv")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        read(tmp_path / "nowhere" / "train.csv")
    with pytest.raises(errors.DataError, match="is a folder"):
        read(tmp_path)
    with pytest.raises(errors.DataError, match="a pipe or a device; expected a file"):
        read("/dev/null")
    with pytest.raises(
        errors.DataError, match=r"unknown format; expected a name that ends in .csv"
    ):
        read(written(tmp_path, "a\n1\n", "train.xls"))


def test_a_pattern_reads_its_files_in_order(tmp_path):
    written(tmp_path, "a,b\n1,x\n", "p1.csv")
    written(tmp_path, "b,a\ny,2.5\n", "p2.csv")
    written(tmp_path, "a,b\n,z\n", "p3.csv")
    source = read(str(tmp_path / "p*.csv"))
    assert [c.type for c in source.schema] == ["number", "string"]
    batches = list(source.batches(source.schema))
    a = np.concatenate([b.blocks[0].values[:, 0] for b in batches])
    np.testing.assert_array_equal(a, [1, 2.5, np.nan])
    assert [v for b in batches for v in b.codes["b"].labels()] == ["x", "y", "z"]
    written(tmp_path, "a,c\n1,x\n", "p4.csv")
    with pytest.raises(errors.DataError, match=r"p4.csv: columns \['b', 'c'\]"):
        read(str(tmp_path / "p*.csv"))


def test_a_column_that_is_text_in_one_file_is_text_in_all(tmp_path):
    written(tmp_path, "a\n1\n2\n", "p1.csv")
    written(tmp_path, "a\nx\n?\n", "p2.csv")
    source = read(str(tmp_path / "p*.csv"))
    assert source.schema["a"].type == "string"
    assert source.column("a") == ["1", "2", "x", None]


def test_parquet_is_as_the_frame(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    n = 200_000
    rng = np.random.default_rng(0)
    words = np.array(["a", "?", "b c"], dtype=object)[rng.integers(0, 3, n)]
    table = pa.table({"x": rng.normal(size=n), "home.dest": words, "b": rng.integers(0, 2, n) > 0})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=70_000)
    source = read(tmp_path / "t.parquet")
    assert source.n_rows == n
    assert [c.type for c in source.schema] == ["number", "string", "boolean"]
    assert source.schema["home.dest"].missing == (words == "?").sum()
    x = np.concatenate([b.blocks[0].values[:, 0] for b in source.batches(source.schema)])
    np.testing.assert_array_equal(x, table["x"])
    assert read(tmp_path / "t.parquet", missing=[]).schema["home.dest"].missing == 0
    (tmp_path / "bad.parquet").write_bytes(b"nothing")
    with pytest.raises(errors.DataError, match="a Parquet file"):
        read(tmp_path / "bad.parquet")


@pytest.mark.parametrize("kept", [["a", "b"], ["a", "f", "i", "b"], ["f", "i"]])
def test_numbers_with_gaps_are_the_same_from_a_stream_and_from_a_table(tmp_path, kept):
    rng, n = np.random.default_rng(5), 70_003
    gaps = rng.random((4, n)) < 0.1
    table = pa.table({
        "a": pa.array(rng.normal(size=n), mask=gaps[0]),
        "f": pa.array(rng.normal(size=n).astype("f4"), mask=gaps[1]),
        "i": pa.array(rng.integers(0, 999, n).astype("u2"), mask=gaps[2]),
        "b": pa.array(np.where(gaps[3], np.nan, rng.normal(size=n))),
    }).select(kept)  # fmt: skip
    path = tmp_path / "t.parquet"
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    weight = (rng.random(n) < 0.5).astype(float)
    for w in (None, weight):
        both = [read(x).batches(read(x).schema, weight=w) for x in (str(path), table)]
        found, expected = (
            [np.vstack([b.columns((name,)).values for b in batches]) for name in kept]
            for batches in (list(one) for one in both)
        )
        np.testing.assert_array_equal(found, expected)


def test_json_lines_may_lack_keys_and_may_not_nest(tmp_path):
    source = read(written(tmp_path, '{"a": 1}\n{"b": true, "a": null}\n{"a": 2.5}\n', "t.jsonl"))
    assert [(c.name, c.type, c.missing) for c in source.schema] == [
        ("a", "number", 1),
        ("b", "boolean", 2),
    ]
    with pytest.raises(errors.DataError, match="column 'a', row 0"):
        read(written(tmp_path, '{"a": [1, 2]}\n', "u.jsonl")).schema  # noqa: B018
    with pytest.raises(errors.DataError, match="JSON"):
        read(written(tmp_path, '{"a": \n{"a"', "v.jsonl")).schema  # noqa: B018


def test_a_query_is_a_source(tmp_path):
    path = written(tmp_path, "a,b\n3,x\n1,y\n2,z\n")
    source = read(f"duckdb:SELECT * FROM '{path}' ORDER BY a")
    assert labels(source) == {"a": [1, 2, 3], "b": ["y", "z", "x"]}
    with pytest.raises(errors.DataError, match="the query fails"):
        read("duckdb:SELEKT 1")


def test_rows_of_a_large_file_keep_their_order(tmp_path):
    n = 500_000
    lines = "\n".join(f"{i},{'abc'[i % 3]}" for i in range(n))
    source = read(written(tmp_path, f"i,s\n{lines}\n"))
    starts, seen = [], []
    for batch in source.batches(source.schema, target="s"):
        starts.append(batch.start)
        seen.append(batch.blocks[0].values[:, 0])
        assert batch.n_rows <= 131_072
    np.testing.assert_array_equal(np.concatenate(seen), np.arange(n))
    assert starts[0] == 0
    assert len(starts) > 3


def test_reading_may_stop_early_and_begin_anew(tmp_path):
    lines = "\n".join(f"{i / 7}" for i in range(200_000))
    source = read(written(tmp_path, f"x\n{lines}\n"))
    first = next(source.batches(source.schema))
    again = next(source.batches(source.schema))
    np.testing.assert_array_equal(first.blocks[0].values, again.blocks[0].values)


def test_adult_reads_as_its_description_says(shared):
    schema = read(shared / "adult" / "adult_train.csv.gz").schema
    assert {c.name: c.missing for c in schema if c.missing} == {
        "workclass": 1836,
        "occupation": 1843,
        "native-country": 583,
    }
    gaussian = {c.name for c in schema if c.family == "gaussian"}
    assert gaussian == {
        *["age", "fnlwgt", "capital-gain", "capital-loss", "hours-per-week"],
    }
    assert all(c.rows == 32_561 for c in schema)


def test_heart_reads_question_marks_in_numbers(shared):
    schema = read(shared / "heart_cleveland" / "heart_cleveland.csv").schema
    assert (schema["ca"].missing, schema["thal"].missing) == (4, 2)
    assert schema["oldpeak"].type == "number"


def test_titanic_leaves_out_names_and_tickets(shared):
    schema = read(shared / "titanic" / "titanic_kaggle_train.csv").schema
    assert {c.name for c in schema if c.family == "ignore"} == {"Name", "Ticket", "Cabin"}
    assert schema["Name"].why.startswith("text-like: 891 of 891 distinct, with spaces")
    assert sum(c.missing for c in schema) == 866


def test_a_file_and_a_frame_of_it_have_one_schema(shared):
    pd = pytest.importorskip("pandas")
    for path in sorted(shared.glob("*/*.csv*")):
        frame = pd.read_csv(path, keep_default_na=False, na_values=["?", ""])
        a, b = read(path).schema, read(frame).schema
        assert [(c.name, c.type, c.family, c.distinct, c.missing) for c in a] == [
            (c.name, c.type, c.family, c.distinct, c.missing) for c in b
        ], path


def test_numbers_in_letters_are_numbers(tmp_path):
    source = read(written(tmp_path, "n,x\n1,nan\nnan,1.5\n3,-0\n"))
    assert [(c.type, c.missing) for c in source.schema] == [("integer", 1), ("number", 1)]
    assert read(written(tmp_path, "n\n1\nnan\nx\n")).schema["n"].type == "string"


CELLS = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6),
    st.sampled_from(['"', '""', "a,b", "a;b", " x", "x ", "NA", "null", "nan", "?x", "#", "\\"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, st.one_of(st.none(), st.integers(-9, 9))), min_size=1))
def test_text_goes_through_a_file_unchanged(rows):
    rows = [('some, quoted "text"', 1), *rows]  # so that the dialect can be sniffed
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            writer.writerow(["word", "n"])
            writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
        source = read(path)
        gone = ("", "?", " ?")
        assert source.column("word") == [None if word in gone else word for word, _ in rows]
        assert [None if n != n else n for n in source.column("n")] == [n for _, n in rows]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_memory_does_not_grow_with_the_rows(tmp_path, form):
    parquet = pytest.importorskip("pyarrow.parquet")
    from pyarrow import csv as arrow_csv

    rng = np.random.default_rng(0)
    part = pa.table({f"x{j}": rng.normal(size=100_000) for j in range(20)})
    peaks = []
    for n in (5, 40):
        path = tmp_path / f"{n}.{form}"
        of = parquet.ParquetWriter if form == "parquet" else arrow_csv.CSVWriter
        with of(path, part.schema) as writer:
            for _ in range(n):
                writer.write_table(part)
        code = (
            "import sys, resource; from naively.data.source import read\n"
            "s = read(sys.argv[1]); n = sum(b.n_rows for b in s.batches(s.schema))\n"
            "print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
        )
        rows, peak = map(int, done.stdout.split())
        assert rows == n * 100_000
        peaks.append(peak)
    assert peaks[1] < min(400, peaks[0] + 80), peaks


@pytest.mark.parametrize("path", ["https://localhost:1/x.csv", "https://localhost:1/x.jsonl"])
def test_what_lies_elsewhere_and_cannot_be_had_is_said(path):
    with pytest.raises(errors.DataError, match=r"x\..*copy it here"):
        read(path)
    with pytest.raises(errors.DataError, match="Parquet in the web"):
        read("https://localhost:1/x.parquet")
