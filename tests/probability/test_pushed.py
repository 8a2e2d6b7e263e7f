"""Questions that DuckDB answers: the same as those that are answered here."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from naively.data import large
from naively.errors import DataError, NaivelyError, UnknownColumn, UnknownLabel
from naively.probability import Joint
from naively.probability.pushed import Pushed
from naively.probability.rows import Rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

QUESTIONS = [
    "vote=yes",
    "vote",
    "!vote",
    "vote=yes | college=no",
    "vote=true",
    "vote!=yes",
    "not vote=yes",
    "city in {Bonn, Ulm} | age<40",
    "not city in {Bonn, Ulm}",
    "city is missing",
    "city is not missing, vote=yes",
    "not (city is missing or age>30)",
    "age<30",
    "not age<30",
    "age>=30.5",
    "18 <= age < 30 | income > 10",
    "income>50",
    "not income>50",
    "income is missing | not income<20",
    "employed",
    "not employed or vote=no, age=30",
    "day<2020-01-03",
    "day=2020-01-02",
    "vote=?",
    "city=? | employed",
    "vote=?, employed=? | age<50",
    "day=?",
]


def table(n=3_000):
    rng = np.random.default_rng(3)
    income = np.round(rng.normal(30, 20, n))
    income[rng.random(n) < 0.1] = np.nan
    ages = [
        int(a) if keep else None
        for a, keep in zip(rng.integers(18, 60, n), rng.random(n) < 0.9, strict=True)
    ]
    return pa.table(
        {
            "vote": pa.array(rng.choice(["yes", "no"], n)),
            "college": pa.array(rng.choice(["yes", "no", ""], n)),
            "city": pa.array(rng.choice(["Bonn", "Ulm", "Kiel", "?"], n)).dictionary_encode(),
            "age": pa.array(ages, pa.int16()),
            "income": income,
            "employed": rng.random(n) < 0.4,
            "day": np.datetime64("2020-01-01") + rng.integers(0, 5, n),
            "w": rng.integers(0, 4, n),
        }
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("pushed") / "votes.parquet"
    pq.write_table(table(), path, row_group_size=500)
    return path


@pytest.fixture
def pushed(monkeypatch):
    """Every table is a large one."""
    monkeypatch.setattr(large, "MANY_ROWS", 0)
    monkeypatch.setattr(large, "MANY_BYTES", 0)
    monkeypatch.setattr("naively.data.query.MANY_ROWS", 0)


def numbers(answer):
    if isinstance(answer, float):
        return answer.exact if answer.exact is not None else pytest.approx(float(answer), rel=1e-12)
    return {key: numbers(p) for key, p in answer.items()}


@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("text", QUESTIONS)
def test_duckdb_gives_the_same_numbers(path, pushed, text, weights, monkeypatch):
    there = Joint.from_rows(path, weights)
    assert isinstance(there.outcomes, Pushed)
    monkeypatch.setattr(large, "MANY_ROWS", 10**9)
    here = Joint.from_rows(path, weights)
    assert isinstance(here.outcomes, Rows)
    assert numbers(there.P(text)) == numbers(here.P(text))
    assert not there.outcomes.unread


def test_a_relation_of_duckdb_is_asked_where_it_is(pushed):
    rows = table()
    con = duckdb.connect()
    con.register("rows_", rows)
    joint = Joint.from_rows(con.sql("SELECT * FROM rows_ WHERE age > 30"))
    assert isinstance(joint.outcomes, Pushed)
    here = Joint.from_rows(rows.filter(pa.compute.greater(rows["age"], 30)))
    assert joint.P("employed | vote=yes").exact == here.P("employed | vote=yes").exact
    query = Joint.from_rows("duckdb:SELECT vote, age FROM rows")
    assert isinstance(query.outcomes, Pushed)
    assert query.P("vote=yes").exact == Joint.from_rows(rows).P("vote=yes").exact


def test_large_text_is_asked_where_it_is(tmp_path, pushed):
    (tmp_path / "t.csv").write_text("vote,age\n" + "yes,20\nno,30\n?,40\nyes,\n" * 50)
    joint = Joint.from_rows(tmp_path / "t.csv")
    assert isinstance(joint.outcomes, Pushed)
    assert joint.P("vote=yes").exact == Fraction(1, 2)
    assert joint.P("vote is missing, age>30").exact == Fraction(1, 4)
    assert not joint.outcomes.unread


def test_text_whose_types_change_further_down_is_read_here(tmp_path, pushed):
    lines = ["yes,20"] * 5_000 + ["no,unknown"]
    (tmp_path / "t.csv").write_text("vote,age\n" + "\n".join(lines) + "\n")
    joint = Joint.from_rows(tmp_path / "t.csv")
    assert joint.P("age=unknown").exact == Fraction(1, 5_001)
    assert joint.outcomes.unread


def test_what_is_not_there_is_refused(path, pushed):
    joint = Joint.from_rows(path)
    with pytest.raises(UnknownColumn, match="did you mean 'college'"):
        joint.P("colege=no")
    for text in (
        "vote=maybe",
        "vote=yes | city=Bon",
        "age=99",
        "not city=Bon",
        "age=x",
        "vote='?'",
    ):
        with pytest.raises(UnknownLabel, match="has no value"):
            joint.P(text)
    with pytest.raises(UnknownColumn):
        Joint.from_rows(path, "weight")


def test_odd_weights_are_refused(tmp_path, pushed):
    pq.write_table(pa.table({"a": [1, 2], "w": [1.0, -1.0]}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="w"):
        Joint.from_rows(tmp_path / "t.parquet", "w")


def test_many_values_are_not_looked_at_one_by_one(tmp_path, pushed):
    n = 100_000
    pq.write_table(pa.table({"x": np.arange(n) / 7, "y": np.arange(n) % 2}), tmp_path / "t.parquet")
    joint = Joint.from_rows(tmp_path / "t.parquet")
    assert joint.P("y=1 | x<100").exact == Fraction(350, 700)
    with pytest.raises(DataError, match="at most 65,536"):
        joint.distribution("x")
    verdict = joint.independence("x", "y")
    assert "bins" in verdict.note
    assert verdict.rows == 20_000


def test_a_column_that_duckdb_types_otherwise_is_read_here(tmp_path, pushed):
    times = pa.array([0, 3_600_000_000], pa.time64("us"))
    pq.write_table(pa.table({"t": times, "a": ["x", "y"]}), tmp_path / "t.parquet")
    joint = Joint.from_rows(tmp_path / "t.parquet")
    assert joint.P("a=x").exact == Fraction(1, 2)
    assert joint.P("t<1800").exact == Fraction(1, 2)
    assert not joint.outcomes.unread  # DuckDB still answers for all other columns
    with pytest.raises(UnknownLabel):
        joint.P("a=z")
    with pytest.raises(UnknownLabel):
        joint.P("a=z | t<1800")
    assert joint.P("a!=y").exact == Fraction(1, 2)


def same_both_ways(rows, tmp_path, monkeypatch, text, weights=None):
    pq.write_table(rows, tmp_path / "t.parquet")
    answers = []
    for many in (0, 10**9):
        monkeypatch.setattr(large, "MANY_ROWS", many)
        try:
            answers.append(Joint.from_rows(tmp_path / "t.parquet", weights).P(text).exact)
        except NaivelyError as error:
            answers.append(type(error))
    assert answers[0] == answers[1]
    return answers[0]


@pytest.mark.parametrize(
    ("cells", "text", "answer"),
    [
        (["True", "true", "False"], "a=true", Fraction(2, 3)),
        (["Yes", "yes", "no"], "a=yes", Fraction(1, 3)),
        ([1.0, float("inf"), 2.0], "a>0", DataError),
        ([2**60 + 1, 2**60 + 2, 2**60 + 3], f"a<={2**60 + 2}", Fraction(2, 3)),
        (["1", "2", "3"], "a<2", DataError),
        ([1.5, 2.5, None], "a=9", UnknownLabel),
    ],
)
def test_odd_columns_answer_alike(tmp_path, monkeypatch, cells, text, answer):
    assert same_both_ways(pa.table({"a": cells}), tmp_path, monkeypatch, text) == answer


def test_rows_of_weight_0_are_not_there(tmp_path, monkeypatch):
    rows = pa.table({"a": ["x", "y", "y"], "w": [0, 1, 2]})
    assert same_both_ways(rows, tmp_path, monkeypatch, "a=y", "w") == 1
    assert same_both_ways(rows, tmp_path, monkeypatch, "a=x", "w") is UnknownLabel
    none = pa.table({"a": ["x", "y"], "w": [0, 0]})
    assert same_both_ways(none, tmp_path, monkeypatch, "a=y", "w") is DataError
    texts = pa.table({"a": ["x", "y"], "w": ["1", "much"]})
    assert issubclass(same_both_ways(texts, tmp_path, monkeypatch, "a=y", "w"), NaivelyError)


def test_names_that_differ_in_their_case_alone_are_two(tmp_path, monkeypatch):
    rows = pa.table({"x": ["u", "v"], "X": ["v", "v"]})
    assert same_both_ways(rows, tmp_path, monkeypatch, "X=v") == 1
    assert same_both_ways(rows, tmp_path, monkeypatch, "x=v") == Fraction(1, 2)


def test_a_chain_asks_once(path, pushed):
    joint = Joint.from_rows(path)
    asked = []
    fetched = joint.outcomes._fetched
    joint.outcomes._fetched = lambda query: asked.append(query) or fetched(query)
    joint.chain("employed, age<40, college=no")
    assert len([query for query in asked if "count(*)" in query]) == 1
