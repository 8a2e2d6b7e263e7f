"""Questions as text: what they mean, and that no text does harm."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from naively.errors import NaivelyError, ParameterError, QueryError, UnknownColumn, UnknownLabel
from naively.probability import Joint, col
from naively.probability.grammar import question

TABLE = {
    "age": [20, 30, 40, 50],
    "vote": ["no", "yes", "no", "yes"],
    "city": ["Bonn", "Ulm", "New York", "Bonn"],
    "employed": [True, False, True, True],
    "home dest": ["a", "b", "a", "b"],
}
JOINT = Joint.from_rows(TABLE)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("vote=yes", {1, 3}),
        ("P(vote=yes)", {1, 3}),
        ("vote = 'yes'", {1, 3}),
        ("vote==yes", {1, 3}),
        ("vote!=yes", {0, 2}),
        ("vote≠yes", {0, 2}),
        ("not vote=yes", {0, 2}),
        ("age<30", {0}),
        ("age<=30", {0, 1}),
        ("age ≥ 40", {2, 3}),
        ("30 <= age < 50", {1, 2}),
        ("30 > age", {0}),
        ("city in {Bonn, Ulm}", {0, 1, 3}),
        ("city ∈ {'New York'}", {2}),
        ("city not in {Bonn, Ulm}", {2}),
        ("employed", {0, 2, 3}),
        ("!employed", {1}),
        ("¬employed", {1}),
        ("not not employed", {0, 2, 3}),
        ("employed=false", {1}),
        ("employed=no", {1}),
        ("employed=0", {1}),
        ("`home dest`=a, vote=no", {0, 2}),
        ('"home dest"=a and vote=no', {0, 2}),
        ("vote=yes or age<30", {0, 1, 3}),
        ("vote=yes ∨ age<30", {0, 1, 3}),
        ("vote=yes and employed or age<30", {0, 3}),
        ("age<30 or vote=yes and employed", {0, 3}),
        ("(age<30 or vote=yes), employed", {0, 3}),
        ("age<30 or vote=yes, employed", {0, 3}),  # the comma binds loosest
        ("VOTE=yes or vote=yes", None),
        ("age is missing", set()),
        ("age is not missing", {0, 1, 2, 3}),
        ("NOT age<30 AND vote IN {no}", {2}),
    ],
)
def test_a_question_means_the_rows_that_it_says(text, rows):
    if rows is None:
        with pytest.raises(UnknownColumn, match="did you mean 'vote'"):
            JOINT.P(text)
    else:
        assert JOINT.P(text).exact * 4 == len(rows)
        for i in range(4):
            one = {name: [cells[i]] for name, cells in TABLE.items()}
            whole = {name: [*one[name], *cells] for name, cells in TABLE.items()}
            doubled = Joint.from_rows(whole).P(text).exact * 5
            assert doubled == len(rows) + (i in rows)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (col("age") < 30, "age<30"),
        ((col("age") >= 30) & (col("vote") == "no"), "age>=30, vote=no"),
        ((col("age") > 30) | col("employed"), "age>30 or employed"),
        (~col("employed"), "not employed"),
        (~(col("vote") != "yes"), "vote=yes"),
        (col("city").isin(["Bonn", "Ulm"]), "city in {Bonn, Ulm}"),
        (col("age") <= 30, "not age>30"),
        (col("age").is_missing(), "age is missing"),
    ],
)
def test_an_event_in_python_is_the_one_in_text(event, text):
    assert JOINT.P(event).exact == JOINT.P(text).exact
    assert JOINT.P("vote=no", given=event if text != "age is missing" else None) is not None


def test_an_event_has_no_truth_of_its_own():
    with pytest.raises(ParameterError, match="instead of and"):
        bool(col("a") == 1)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "a name"),
        ("vote=", 5, "a value"),
        ("P(vote=yes", 10, "a closing bracket"),
        ("vote=yes) or age<30", 8, "the end"),
        ("vote yes", 5, "the end"),
        ("vote=yes |", 10, "a name"),
        ("city in Bonn", 8, "{ after in"),
        ("city in {Bonn", 13, "','"),
        ("vote='yes", 5, "its end"),
        ("in=3", 0, "a name"),
        ("vote=? , age<30", 0, "one or the other"),
        ("age<30 | vote=?", 9, "a condition there"),
        ("not vote=?", 4, "alone"),
        ("age is there", 7, "missing"),
        ("vote=yes | age<30 | city=Ulm", 18, "the end"),
    ],
)
def test_what_cannot_be_read_is_marked_where_it_stands(text, position, expected):
    with pytest.raises(QueryError) as found:
        JOINT.P(text)
    assert found.value.position == position
    assert expected in found.value.expected
    if not text:
        return
    *_, shown, mark = str(found.value).splitlines()
    assert shown == f"  {text}"
    assert mark.index("^") == position + 2


def test_a_name_or_label_that_is_not_there_offers_the_nearest():
    with pytest.raises(UnknownColumn, match="did you mean 'city'"):
        JOINT.P("vote=yes | citty=Bonn")
    with pytest.raises(UnknownLabel, match="did you mean 'Bonn'") as found:
        JOINT.P("vote=yes | city=Bon")
    assert str(found.value).splitlines()[-1] == "             ^"


def test_a_value_may_be_one_that_begins_with_a_comparison():
    table = {"age": ["<30", ">=30", ">=30"]}
    joint = Joint.from_rows(table)
    for text in ("age=<30", "age='<30'", "age<30", "age = < 30"):
        assert joint.P(text).exact * 3 == 1
    assert joint.P("age>=30").exact * 3 == 2


def test_brackets_do_not_nest_without_end():
    with pytest.raises(QueryError, match="brackets"):
        JOINT.P("(" * 5_000 + "vote=yes" + ")" * 5_000)
    with pytest.raises(QueryError, match="brackets"):
        JOINT.P("not " * 5_000 + "employed")
    assert JOINT.P(" or ".join(["vote=yes"] * 5_000)).exact * 2 == 1


WORDS = "vote age city employed yes no Bonn 30 1e999 P ( ) { } = < <= != , | ? and or not in is"
words = st.sampled_from([*WORDS.split(), "missing", "'", '"', "!", "¬"])


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(words, max_size=14).map(" ".join)))
@example("vote=?,age=?")
@example("age<1e999")
@example("age=nan")
@example("P()")
@example("\ud800=1")
def test_any_text_gives_an_answer_or_an_error_of_ours(text):
    with suppress(NaivelyError):
        assert repr(JOINT.P(text))


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
@example("2020", "?")
@example("is", "<30")
def test_an_event_is_read_as_it_is_shown(name, value):
    event = col(name) == value
    assert question(str(event)).event == event
