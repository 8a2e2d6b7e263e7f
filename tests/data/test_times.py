"""A text means one moment in every source, or it is refused."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from naively import NaiveBayes, errors, load, read, save
from naively.data.times import moment, possible_formats

pd = pytest.importorskip("pandas")
pytest.importorskip("duckdb")

DAY_FIRST = "d,y\n01/12/2020,a\n22/11/2020,b\n13/11/2021,b\n02/12/2020,a\n"


@pytest.fixture
def written(tmp_path):
    def write(text, name="t.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("2020-12-01", {"%Y-%m-%d"}),
        ("2020/12/01 10:00", {"%Y-%m-%d"}),
        ("01/12/2020", {"%d/%m/%Y", "%m/%d/%Y"}),
        ("22/12/2020", {"%d/%m/%Y"}),
        ("12/22/2020", {"%m/%d/%Y"}),
        ("22/22/2020", set()),
        ("1.12.2020", {"%d.%m.%Y"}),
        ("2020.12.01", {"%Y.%m.%d"}),
        ("01-12-20", {"%d-%m-%y", "%m-%d-%y", "%y-%m-%d"}),
        ("22/12/2020 10:30:00", {"%d/%m/%Y %H:%M:%S"}),
        ("22/12/2020T10:30", {"%d/%m/%YT%H:%M"}),
        ("22/12-2020", set()),
        ("192.168.1.1", set()),
        ("1.5", set()),
    ],
)
def test_the_formats_of_a_text_are_those_that_can_read_it(text, formats):
    assert possible_formats(text) == formats
    for format in formats:
        assert isinstance(moment(text, format), dt.datetime)


def test_days_are_read_by_the_only_format_that_fits_all_of_them(written):
    source = read(written(DAY_FIRST))
    assert (source.schema["d"].type, source.schema["d"].format) == ("time", "%d/%m/%Y")
    assert "written as %d/%m/%Y" in source.schema["d"].why
    assert source.column("d")[:2] == ["2020-12-01", "2020-11-22"]
    assert read(written(DAY_FIRST)).column("d")[:2] == ["2020-12-01", "2020-11-22"]


def test_days_that_may_be_read_in_two_ways_are_text_until_said(written):
    path = written("d,n\n01/12/2020,1\n02/11/2020,2\n")
    column = read(path).schema["d"]
    assert column.type == "string"
    assert "say dates='%d/%m/%Y' or dates='%m/%d/%Y'" in column.why
    assert read(path, dates="%d/%m/%Y").column("d") == ["2020-12-01", "2020-11-02"]
    assert read(path, dates="%m/%d/%Y").column("d") == ["2020-01-12", "2020-02-11"]


def test_days_written_in_several_ways_are_text(written, tmp_path):
    mixed = read(written("d\n22/12/2020\n12/22/2020\n")).schema["d"]
    assert (mixed.type, mixed.format) == ("string", "")
    assert mixed.why.endswith("all 2 cells are dates: write them all in one way")
    written("d\n22/12/2020\n", "p1.csv")
    written("d\n12/22/2020\n", "p2.csv")
    assert read(str(tmp_path / "p*.csv")).schema["d"].type == "string"


def test_one_file_of_many_decides_the_order_for_all(written, tmp_path):
    written("d\n01/12/2020\n", "p1.csv")
    written("d\n22/12/2020\n", "p2.csv")
    source = read(str(tmp_path / "p*.csv"))
    assert source.schema["d"].format == "%d/%m/%Y"
    assert source.column("d") == ["2020-12-01", "2020-12-22"]


def test_days_beside_others_keep_their_own_formats(written):
    rows = ["22/12/2020,2020-12-01,2020-12-01 10:00:00.5", "01/12/2020,2020-12-02,2020-12-02T11:00"]
    text = "\n".join(["a,b,c", *rows])
    source = read(written(text))
    assert [c.type for c in source.schema] == ["time"] * 3
    assert [source.column(name)[1] for name in "abc"] == [
        "2020-12-01",
        "2020-12-02",
        "2020-12-02T11:00:00",
    ]


def test_digits_are_days_when_said(written):
    source = read(written("d,n\n20201201,1\n20201202,2\n"), dates="%Y%m%d")
    assert [c.type for c in source.schema] == ["time", "integer"]
    assert source.column("d") == ["2020-12-01", "2020-12-02"]


def test_a_day_is_the_same_from_every_source(written, tmp_path):
    model = NaiveBayes().fit(written(DAY_FIRST), "y")
    expected = model.predict_proba({"d": dt.date(2020, 12, 1)})
    save(model, tmp_path / "m")
    for text in ("01/12/2020", " 1/12/2020", "2020-12-01", "2020/12/1"):
        path = written(f"d\n{text}\n", "p.csv")
        frame = pd.DataFrame({"d": [text]})
        for x in ({"d": text}, frame, path):
            np.testing.assert_array_equal(model.predict_proba(x), expected)
            np.testing.assert_array_equal(load(tmp_path / "m").predict_proba(x), expected)


def test_a_day_of_another_order_is_refused_where_it_is_asked(written):
    model = NaiveBayes().fit(written(DAY_FIRST), "y")
    for x in (written("d\n1/12/2020\n12/22/2020\n", "p.csv"), {"d": ["1/12/2020", "12/22/2020"]}):
        with pytest.raises(errors.DataError, match=r"column 'd', row 1: '12/22/2020'.*a time"):
            model.predict(x)


def test_days_that_were_learned_year_first_are_no_others(written):
    model = NaiveBayes().fit(
        {"d": [dt.date(2020, 1, k) for k in (1, 2, 3, 4)], "y": [*"abab"]}, "y"
    )
    for x in (written("d\n22/12/2020\n", "p.csv"), {"d": "22/12/2020"}):
        with pytest.raises(errors.DataError, match=r"'22/12/2020'.*a time"):
            model.predict(x)


def test_a_later_batch_has_the_order_of_the_first(written):
    whole = NaiveBayes().fit(written(DAY_FIRST), "y")
    more = written("d,y\n01/11/2020,a\n02/11/2020,b\n", "more.csv")
    parts = NaiveBayes().partial_fit(written(DAY_FIRST), "y").partial_fit(more, "y")
    days = {"d": [dt.date(2020, 11, 1), dt.date(2020, 11, 2)], "y": ["a", "b"]}
    whole.partial_fit(days, "y")
    np.testing.assert_allclose(parts.theta_, whole.theta_)


def test_a_target_of_days_keeps_its_words(written):
    path = written("x,d\n1.5,22/12/2020\n2.5,01/12/2020\n1.0,22/12/2020\n")
    model = NaiveBayes().fit(path, "d")
    assert model.classes_.tolist() == ["01/12/2020", "22/12/2020"]
    assert model.score(path, "d") == 1.0


@pytest.mark.parametrize("format", ["", "dd/mm/yyyy", "%d/%m", 5])
def test_a_format_that_says_no_day_is_refused(format, written):
    with pytest.raises(errors.ParameterError, match="a format of days; such as '%d/%m/%Y'"):
        read(written(DAY_FIRST), dates=format)
