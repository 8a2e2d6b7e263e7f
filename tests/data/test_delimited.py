"""Delimited text says what a frame of it would say, or in which line it cannot be read."""

from __future__ import annotations

import gc
import gzip
import warnings

import numpy as np
import pytest

from naively import errors
from naively.data.source import read
from naively.engines.one_pass import train

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")


@pytest.fixture
def written(tmp_path):
    """Writes a file of text or bytes, and gives its path."""

    def write(text, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def schema_of(x, **options):
    return read(x, **options).schema


@pytest.mark.parametrize("first", ["#{}", "#N/A", "# {}", "#"])
def test_a_row_that_begins_with_a_hash_is_a_row(first, written):
    rows = [(first.format(i) if i % 7 == 0 else str(i), i) for i in range(100)]
    path = written("id,n\n" + "".join(f"{a},{b}\n" for a, b in rows))
    source = read(path)
    assert source.column("id") == [a for a, _ in rows]
    assert source.column("n").tolist() == [b for _, b in rows]


def test_comments_are_what_the_user_says(written):
    path = written("# made by hand, today\na,b\n1,x\n# 5,y\n2,z\n")
    source = read(path, comment="#")
    assert source.names == ("a", "b")
    assert source.column("a").tolist() == [1, 2]
    with pytest.raises(errors.ParameterError, match="comment='##'; expected one character"):
        read(path, comment="##")
    with pytest.raises(errors.ParameterError, match="delimiter=';' and comment=';'"):
        read(path, comment=";", delimiter=";")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b,y\n1,"x,p\n2,z,q\n', 2),
        ('a,b\n1,"x\n2,z\n', 2),
        ('a,b\n1,"x"\n2,"z\n', 3),
        ('a,b\n"Foo" bar,1\n2,z\n', 2),
        ('a;b\n1;2\n"5" pipe;1\n6" pipe;2\n', 3),
        ("a,b\n" + "1,x\n" * 30_000 + '1,"x\n' + "2,y\n" * 10, 30_002),
        ("a,b\n" + "1,x\n" * 30_000 + '1,"x\n2,"y\n', 30_002),
        ("a,b\n" + "1,x\n" * 30_000 + '1,"x"y\n', 30_002),
    ],
)
def test_a_quotation_mark_that_is_not_closed_is_an_error_of_its_line(text, line, written):
    says = f"line {line}: a quotation mark .* not closed"
    with pytest.raises(errors.DataError, match=says):
        schema_of(written(text))
    with pytest.raises(errors.DataError, match=says):
        train(written(text), read(written(text)).names[-1])


def test_quotation_marks_within_cells_are_text(written):
    source = read(written('a,b\n5" pipe,1\n6" pipe,2\n'))
    assert source.column("a") == ['5" pipe', '6" pipe']
    assert source.column("b").tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1,2\n3\n", "line 3: 1 cells; expected 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 cells; expected 2"),
        ("a\tb\n1\t2\n3\t4\t5\n", "line 3: 3 cells; expected 2"),
        ("a,b\n1,2\n" + "3,4\n" * 100 + "5,6,7\n", "line 103: 3 cells; expected 2"),
        ("\n\n\n", r"Found array with 0 sample\(s\)"),
    ],
)
def test_rows_of_unequal_length_are_told_by_their_line(text, says, written):
    with pytest.raises(errors.DataError, match=says):
        schema_of(written(text))


@pytest.mark.parametrize(
    "text",
    [
        "a,b\r\n1,x\n2,z\r\n3,w",
        "a,b\n1,x\r\n2,z\n3,w\n",
        "a,b\r\n1,x\n2,z\n3,w\r\n",
    ],
)
def test_lines_may_end_in_several_ways(text, written):
    source = read(written(text))
    assert source.column("a").tolist() == [1, 2, 3]
    assert source.column("b") == ["x", "z", "w"]


def test_lines_may_end_otherwise_further_down(written):
    n = 90_000
    path = written("a,b\n" + "1,x\n" * n + "2,y\r\n" * 10 + "3,z\n")
    assert read(path).column("a").tolist() == [1] * n + [2] * 10 + [3]
    settled = schema_of(written("a,b\n1,x\n2,y\n3,z\n", "u.csv"))
    assert sum(batch.n_rows for batch in read(path).batches(settled)) == n + 11


def test_lines_of_an_encoding_may_end_in_several_ways(written):
    path = written("a,b\r\n1,x\n2,é\r\n3,w".encode("latin-1"))
    assert read(path, encoding="latin-1").column("b") == ["x", "é", "w"]


def test_a_packed_file_is_known_by_its_bytes(written):
    source = read(written(gzip.compress(b"a,b\n1,x\n2,y\n")))
    assert source.column("a").tolist() == [1, 2]
    assert source.column("b") == ["x", "y"]
    other = read(written(gzip.compress("a,b\n1,é\n".encode("cp1252"))), encoding="cp1252")
    assert other.column("b") == ["é"]


def test_utf_16_is_named_and_read_when_said(written):
    path = written("a,b\n1,é\n".encode("utf-16"))
    with pytest.raises(errors.DataError, match=r"text in UTF-16.*encoding='utf-16'"):
        schema_of(path)
    assert read(path, encoding="utf-16").column("b") == ["é"]


def test_copies_of_other_encodings_leave_nothing_behind(written, tmp_path, monkeypatch):
    place = tmp_path / "copies"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    path = written("a,b\n1,é\n".encode("cp1252"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = read(path, encoding="cp1252")
        np.testing.assert_array_equal(source.column("a"), [1])
        del source
        gc.collect()
    assert not list(place.iterdir())


def test_a_header_that_was_not_found_is_said_where_it_is_missed(written):
    path = written("name,2019,2020\na,1,2\nb,2,3\nc,4,3\n")
    assert schema_of(path).note == "no header was found: say header=True if the first line is one"
    with pytest.raises(errors.UnknownColumn, match=r"column 'name'.*header=True.*--header"):
        list(read(path).batches(read({"name": ["a", "b"]}).schema))
    assert read(path, header=True).names == ("name", "2019", "2020")
    assert schema_of(path, header=True).note == schema_of(path, header=False).note == ""


def test_names_that_occur_in_their_columns_are_doubted(written):
    doubt = "the first line was taken for names: say header=False if it is a row"
    assert schema_of(written("u,v\nw,x\nu,v\nw,v\n")).note == doubt
    assert schema_of(written("outlook,play\nsunny,no\nrainy,yes\n")).note == ""


def test_lines_that_are_skipped_are_counted(written):
    source = read(written("made by hand\na,b\n1,2\n3,4\n"))
    assert (source.names, source.schema.note) == (("a", "b"), "lines skipped before the names: 1")


def test_notes_and_reasons_are_those_of_the_schema_however_it_is_learned(written):
    for text in (
        "1,x\n2,y\n1,x\n",
        "u,v\nw,x\nu,v\nw,v\n",
        "made by hand\na,b\n1,2\n3,4\n",
        "d,y\n01/12/2020,a\n02/11/2020,b\n",
        "d,y\n22/12/2020,a\n02/11/2020,b\n",
        "d,y\nNA,a\n1.5,b\n2.5,b\n",
    ):
        schema = schema_of(written(text))
        learned = train(written(text), schema.names[-1]).schema
        assert learned.note == schema.note
        assert [c.why for c in learned] == [c.why for c in schema][:-1]


def test_a_damaged_file_is_not_learned_in_part(tmp_path):
    lines = "".join(f"{i},{i * 7919 % 104_729},{'pq'[i % 2]}\n" for i in range(40_000))
    path = tmp_path / "damaged.csv.gz"
    packed = bytearray(gzip.compress(f"a,b,y\n{lines}".encode()))
    packed[len(packed) // 2] ^= 255
    path.write_bytes(bytes(packed))
    with pytest.raises(errors.DataError):
        train(str(path), "y")
