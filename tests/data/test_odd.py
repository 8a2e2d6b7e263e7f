"""Errors of a cell know where it stands, whatever its column is called."""

from __future__ import annotations

import pickle

import pytest

from naively import errors, read
from naively.data.odd import in_file, odd_value

pytest.importorskip("duckdb")


def test_an_error_knows_its_row_and_column_through_a_pickle():
    error = pickle.loads(pickle.dumps(odd_value("a", 3, "x", "a number", "mend it")))
    assert (error.row, error.column, error.fix) == (3, "a", "mend it")
    assert error.args == ("column 'a', row 3: 'x'", "a number", "mend it")


def test_the_file_of_a_row_is_named_by_the_row_and_not_by_the_column():
    with pytest.raises(errors.DataError) as caught, in_file({"p1": 0, "p2": 2, "p3": 5}):
        raise odd_value("row 7", 3, "x", "a number")
    assert str(caught.value) == "p2, its row 1: column 'row 7', row 3: 'x'; expected a number"
    assert caught.value.args[0] == caught.value.found
    assert (caught.value.row, caught.value.column) == (3, "row 7")


def test_every_error_of_a_row_names_its_file(tmp_path):
    (tmp_path / "p1.csv").write_text("x,w,y\n1.5,1,a\n2.5,1,b\n")
    (tmp_path / "p2.csv").write_text("x,w,y\n1.5,1,a\n2.5,-1,\n")
    source = read(str(tmp_path / "p*.csv"))
    schema = source.schema.without("w", "y")
    for given in ({"target": "y"}, {"weight": "w"}):
        with pytest.raises(errors.DataError, match=r"p2.csv, its row 1: .*row 3"):
            list(source.batches(schema, **given))
    with pytest.raises(errors.DataError, match=r"p2.csv, its row 1: .*row 3"):
        list(source.batches(schema, target="y", weight=[1, 1, 1, float("nan")]))


def test_a_query_sees_the_tables_of_its_caller_alone():
    mine = pytest.importorskip("pyarrow").table({"a": [1, 2, 3]})

    def behind():
        return read("duckdb:SELECT * FROM mine")

    def seeing():
        return read("duckdb:SELECT * FROM mine"), mine

    assert read("duckdb:SELECT * FROM mine").column("a").tolist() == [1, 2, 3]
    assert seeing()[0].column("a").tolist() == [1, 2, 3]
    with pytest.raises(errors.DataError, match="the query fails"):
        behind()
