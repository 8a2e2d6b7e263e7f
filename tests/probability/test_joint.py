"""Laws of probability on any small table, stated or counted."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.errors import (
    DataError,
    ImpossibleCondition,
    NaivelyError,
    ParameterError,
    UnknownColumn,
)
from naively.probability import Conditional, Joint, col, sum_out, total_probability
from naively.probability.rules import bayes

NAMES = ("a", "b", "c")
cells = list(product(("x", "y"), (0, 1, 2), (True, False)))


@st.composite
def joints(draw):
    """Any table of three variables: counted rows, counted weights, or stated probabilities."""
    weights = draw(
        st.lists(st.integers(0, 5), min_size=len(cells), max_size=len(cells)).filter(any)
    )
    columns = {name: [cell[j] for cell in cells] for j, name in enumerate(NAMES)}
    how = draw(st.sampled_from(["rows", "weights", "fractions", "floats"]))
    if how == "rows":
        rows = [cell for cell, n in zip(cells, weights, strict=True) for _ in range(n)]
        return Joint.from_rows({name: [r[j] for r in rows] for j, name in enumerate(NAMES)})
    if how == "weights":
        return Joint.from_rows({**columns, "w": weights}, "w")
    total = sum(weights)
    ps = [Fraction(w, total) for w in weights]
    return Joint.from_table(
        {**columns, "p": ps if how == "fractions" else [float(p) for p in ps]}, "p"
    )


def near(a, b):
    return math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=1e-12)


@given(joints())
def test_a_distribution_sums_to_1(joint):
    for n in (1, 2, 3):
        assert near(sum(p.number for p in joint.distribution(*NAMES[:n]).values()), 1)


@given(joints())
def test_the_chain_rule_gives_the_same_in_any_order(joint):
    events = {name: col(name) == next(iter(joint.distribution(name))) for name in NAMES}
    whole = joint.P(events["a"] & events["b"] & events["c"])
    for order in permutations(NAMES):
        chained = joint.chain(events[order[0]] & events[order[1]] & events[order[2]])
        assert near(chained, whole)
        assert None in (chained.exact, whole.exact) or chained.exact == whole.exact
        known = [factor for factor in chained.factors if factor is not None]
        assert len(known) == 3 or 0 in known


@given(joints())
def test_bayes_rule_is_the_definition(joint):
    for value in joint.distribution("a"):
        if joint.P("c=true") == 0:
            continue
        by_rule = bayes(joint, col("a") == value, given="c")
        assert by_rule.exact == joint.P(col("a") == value, given="c").exact
        assert near(by_rule, joint.P(col("a") == value, given="c"))
        assert near(by_rule.derivation.parts[0].value, joint.P("c"))


@given(joints())
def test_summing_out_in_any_order_is_the_marginal(joint):
    wanted = dict(joint.distribution("b"))
    for order in (("a", "c"), ("c", "a")):
        left = joint
        for name in order:
            left = sum_out(left, name)
        assert left.names == ("b",)
        assert {k: p.number for k, p in left.distribution("b").items()} == {
            k: p.number for k, p in wanted.items()
        }


@given(joints())
def test_total_probability_is_the_probability(joint):
    for over in ("b", "c"):
        assert near(
            total_probability(joint, "a=" + next(iter(joint.distribution("a"))), over),
            joint.P("a=" + next(iter(joint.distribution("a")))),
        )


@given(joints())
def test_conditioning_twice_is_conditioning_once(joint):
    if joint.P("c, b>0") == 0:
        with pytest.raises(ImpossibleCondition):
            joint.condition("c, b>0").P("a=x or a=y")
        return
    once, twice = joint.condition("c, b>0"), joint.condition("c").condition("b>0")
    for value in joint.distribution("a"):
        event = col("a") == value
        assert once.P(event).number == twice.P(event).number
        assert once.P(event).number == joint.P(event, given="c, b>0").number


@given(joints())
def test_an_event_and_its_contrary_sum_to_1(joint):
    for text in ("c", "b>0", "a=" + next(iter(joint.distribution("a")))):
        assert near(joint.P(text).number + joint.P(f"not ({text})").number, 1)


@given(joints())
def test_every_line_of_a_derivation_says_the_same_number(joint):
    first = "a=" + next(iter(joint.distribution("a")))
    answers = [
        joint.P(first),
        joint.chain(f"{first}, c, b>0"),
        total_probability(joint, first, "b"),
    ]
    if joint.P("c") > 0:
        answers += [joint.P(first, given="c"), bayes(joint, first, given="c")]
    for answer in answers:
        derivations = [answer.derivation]
        while derivations:
            derivation = derivations.pop()
            derivations += derivation.parts
            for step in derivation.lines:
                assert near(step.formula.value, derivation.value)
            assert derivation.text
            assert derivation.latex
            assert derivation.markdown


def test_counts_and_fractions_stay_exact():
    assert Joint.from_rows({"a": ["x", "x", "y"]}).P("a=x").exact == Fraction(2, 3)
    stated = Joint.from_table({"a": ["x", "y", "z"], "p": ["1/3", Fraction(1, 2), "1/6"]}, "p")
    assert stated.P("a=x or a=z").exact == Fraction(1, 2)
    tenths = Joint.from_table({"a": list("uvw"), "p": [0.1, 0.2, 0.7]}, "p")
    assert tenths.P("a=u or a=v").exact == Fraction(3, 10)
    third = Joint.from_table({"a": list("uvw"), "p": [1 / 3] * 3}, "p")
    assert third.P("a=u").exact is None
    assert third.P("a=u") == pytest.approx(1 / 3)


def test_a_probability_is_a_float_with_more():
    p = Joint.from_rows({"a": ["x", "x", "y"]}).P("a=x")
    assert isinstance(p, float)
    assert p + 1 == pytest.approx(5 / 3)
    assert repr(p) == "2/3 = 0.666667"
    assert str(p) == "2/3"
    assert f"{p:.2f}" == "0.67"
    assert pickle.loads(pickle.dumps(p)).exact == Fraction(2, 3)
    assert "frac" in p._repr_markdown_()


@pytest.mark.parametrize(
    "source",
    [
        {"a": ["x", "y"], "p": [0.25, 0.75]},
        pd.DataFrame({"a": ["x", "y"], "p": [0.25, 0.75]}),
        pl.DataFrame({"a": ["x", "y"], "p": [0.25, 0.75]}),
        pd.DataFrame({"a": ["x", "y"], "p": [Fraction(1, 4), Fraction(3, 4)]}),
        pl.DataFrame({"a": ["x", "y"], "p": [0.25, 0.75]}).to_arrow(),
    ],
    ids=["dict", "pandas", "polars", "pandas of fractions", "arrow"],
)
def test_a_stated_table_comes_from_anywhere(source):
    assert Joint.from_table(source, p="p").P("a=x").exact == Fraction(1, 4)


def test_a_stated_table_comes_from_a_file(tmp_path):
    (tmp_path / "t.csv").write_text("a,probability\nx,1/4\ny,3/4\n")
    assert Joint.from_table(tmp_path / "t.csv").P("a=x").exact == Fraction(1, 4)


@pytest.mark.parametrize(
    ("ps", "words"),
    [
        ([0.5, 0.6], "sum to 1.1"),
        ([-0.5, 1.5], "-0.5"),
        ([0, 0], "sum to 0"),
        (["x", 1], "'x'"),
        ([float("nan"), 1.0], "nan"),
        ([True, False], "True"),
        ([0.5], "1 probabilities for 2"),
    ],
)
def test_stated_probabilities_are_checked(ps, words):
    with pytest.raises(DataError, match=words):
        Joint.from_table({"a": ["x", "y"]}, p=ps)


def test_stated_amounts_can_be_normalized():
    joint = Joint.from_table({"a": ["x", "y"], "n": [1, 3]}, p="n", normalize=True)
    assert joint.P("a=y").exact == Fraction(3, 4)
    with pytest.raises(UnknownColumn, match="say p="):
        Joint.from_table({"a": ["x", "y"], "n": [1, 3]})


def test_equal_outcomes_of_a_stated_table_are_added():
    joint = Joint.from_table({"a": ["x", "x", "y"], "p": [0.25, 0.25, 0.5]}, "p")
    assert joint.P("a=x").exact == Fraction(1, 2)


def test_weights_of_rows_count_them():
    rows = {"a": ["x", "y"], "w": [3, 1]}
    assert Joint.from_rows(rows, weights="w").P("a=x").exact == Fraction(3, 4)
    assert Joint.from_rows({"a": ["x", "y"]}, weights=[0.5, 1.5]).P("a=x") == 0.25
    assert "w" not in Joint.from_rows(rows, weights="w").names


def test_a_missing_cell_is_none_of_the_values():
    joint = Joint.from_rows({"a": ["x", None, "y"], "b": [1.0, 2.0, float("nan")]})
    assert joint.P("a=x").exact == Fraction(1, 3)
    assert joint.P("a!=x").exact == Fraction(2, 3)
    assert joint.P("b<5").exact == Fraction(2, 3)
    assert joint.P("not b<5").exact == Fraction(1, 3)
    assert joint.P("b is missing").exact == Fraction(1, 3)
    assert joint.P("a=x | a is not missing").exact == Fraction(1, 2)
    assert joint.distribution("a")[None].exact == Fraction(1, 3)


def test_a_value_is_found_in_any_spelling():
    joint = Joint.from_rows({"n": [1, 2, 2], "flag": ["yes", "no", "no"], "t": [True, False, True]})
    for text in ("n=1", "n=1.0", "n='1'"):
        assert joint.P(text).exact == Fraction(1, 3)
    for text in ("flag=yes", "flag=true", "flag=1", "flag"):
        assert joint.P(text).exact == Fraction(1, 3)
    flag = joint.distribution("flag")
    assert list(flag) == ["no", "yes"]
    assert flag["yes"] == flag[True]
    assert "maybe" not in flag
    assert flag.get("maybe") is None


def test_a_condition_that_cannot_hold_is_an_error():
    joint = Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"]})
    with pytest.raises(ImpossibleCondition, match="probability 0"):
        joint.P("a=x | a=y, b=u")
    with pytest.raises(ImpossibleCondition):
        joint.condition("a=x, b=v")


def test_the_chain_rule_passes_over_an_undefined_factor_once_one_is_0():
    joint = Joint.from_rows({"a": [1, 1, 0], "b": [0, 0, 1], "c": [0, 1, 1]})
    chained = joint.chain("a=1, b=1, c=1")
    assert chained == 0
    assert chained.factors[2] is None
    assert "undefined (no such row)" in chained.derivation.text
    with pytest.raises(ImpossibleCondition):
        joint.chain("c=1 | a=1, b=1")


def test_a_distribution_of_several_variables_has_every_cell():
    joint = Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"]})
    both_ = joint.distribution("a", "b")
    assert list(both_) == [("x", "u"), ("x", "v"), ("y", "u"), ("y", "v")]
    assert both_["x", "v"] == 0
    assert joint.P("a=?, b=? | a=x") is not None
    assert "a" in joint.P("a=?")._repr_html_()


def test_a_distribution_given_something_keeps_the_values_that_cannot_be():
    joint = Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"]})
    assert joint.distribution("a", given="b=u") == {"x": 1, "y": 0}


def test_a_variable_that_was_summed_out_is_gone():
    joint = Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"]}).marginal("a")
    with pytest.raises(UnknownColumn):
        joint.P("b=u")
    with pytest.raises(UnknownColumn):
        joint.marginal("b")


def test_independent_variables_are_never_written_out():
    coins = {f"c{i}": {"h": 0.5, "t": 0.5} for i in range(60)}
    joint = Joint.independent(coins)
    assert joint.P("c3=h, c7=t | c59=h").exact == Fraction(1, 4)
    assert joint.P(", ".join(f"{name}=h" for name in coins)).exact == Fraction(1, 2**60)
    assert bool(joint.independence("c3", "c4"))
    with pytest.raises(DataError, match="at most"):
        joint.distribution(*coins)


def test_a_product_of_two_distributions_is_independent():
    a = Joint.from_rows({"a": ["x", "x", "y"]})
    b = Joint.from_table({"b": ["u", "v"], "p": [0.25, 0.75]}, "p")
    joint = a * b
    assert joint.P("a=x, b=u").exact == Fraction(1, 6)
    assert joint.P("a=x or b=u").exact == Fraction(2, 3) + Fraction(1, 4) - Fraction(1, 6)
    with pytest.raises(DataError, match="both factors"):
        a * a


def test_a_prior_times_a_likelihood_is_a_joint():
    prior = Joint.from_table({"coin": ["fair", "biased"], "p": [0.5, 0.5]}, "p")
    table = {"coin": ["fair", "fair", "biased", "biased"], "side": ["H", "T", "H", "T"]}
    likelihood = Conditional.from_table({**table, "p": [0.5, 0.5, 0.75, 0.25]}, "p", given="coin")
    assert (prior * likelihood).P("coin=biased | side=H").exact == Fraction(3, 5)
    with pytest.raises(DataError, match="given fair"):
        Conditional.from_table({**table, "p": [0.5, 0.4, 0.75, 0.25]}, "p", given="coin")
    less = {name: cells[:2] for name, cells in table.items()}
    with pytest.raises(DataError, match="given coin=biased"):
        prior * Conditional.from_table({**less, "p": [0.5, 0.5]}, "p", given="coin")


def test_a_reader_that_can_be_read_once_is_counted_at_once():
    table = pl.DataFrame({"a": ["x", "y", "x"]}).to_arrow()
    joint = Joint.from_rows(table.to_reader())
    assert joint.P("a=x").exact == Fraction(2, 3)
    assert joint.P("a=y").exact == Fraction(1, 3)


def test_large_tables_are_read_a_question_at_a_time():
    rng = np.random.default_rng(1)
    n = 150_000
    table = {"u": rng.random(n), "v": rng.integers(0, 5, n), "w": rng.integers(1, 4, n)}
    joint = Joint.from_rows(table)
    assert not joint.outcomes.at_hand
    assert joint.P("u<0.5, v=3").exact == Fraction(
        int(((table["u"] < 0.5) & (table["v"] == 3)).sum()), n
    )
    assert joint.distribution("v")[2].exact == Fraction(int((table["v"] == 2).sum()), n)
    assert sum(joint.distribution("v", given="u<0.1").values()) == pytest.approx(1)
    with pytest.raises(DataError, match="at most 65,536"):
        joint.distribution("u")
    weighted = Joint.from_rows(table, "w")
    part = table["w"][table["v"] == 3].sum()
    assert weighted.P("v=3").exact == Fraction(int(part), int(table["w"].sum()))


@pytest.mark.parametrize("odd", [3, None, ["a=x"]])
def test_a_question_is_text_or_an_event(odd):
    with pytest.raises(ParameterError):
        Joint.from_rows({"a": ["x"]}).condition(odd if odd is not None else 3.5)


def test_names_come_one_by_one_or_as_a_list():
    joint = Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"], "c": [1, 2]})
    assert joint.marginal(["a", "b"]).names == joint.marginal("a", "b").names
    assert dict(joint.distribution(("a", "b"))) == dict(joint.distribution("a", "b"))
    assert total_probability(joint, "c=1", over=["a", "b"]).exact == Fraction(1, 2)


def test_an_answer_knows_how_many_rows_it_was_counted_from():
    joint = Joint.from_rows({"a": ["x", "x", "y", "y"], "b": ["u", "u", "u", "v"]})
    assert (joint.P("a=x | b=u").n, joint.P("a=x | b=u").of) == (2, 3)
    assert joint.distribution("a")["x"].of == 4
    stated = Joint.from_table({"a": ["x", "y"], "p": [0.5, 0.5]}, p="p")
    assert stated.P("a=x").n is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a=missing", "write a is missing"),
        ("a=NULL", "write a is missing"),
        ("a<30", "there are: 'x', 'y'"),
    ],
)
def test_what_people_type_is_answered_with_what_to_type(text, words):
    with pytest.raises(NaivelyError, match=words):
        Joint.from_rows({"a": ["x", "y"]}).P(text)


def test_other_spellings_of_the_same():
    joint = Joint.from_rows({"a": ["x", "y", None], "n": [1_000, 2_000, 3_000]})
    assert joint.P("a=x && n=1000 || n=2000").exact == joint.P("a=x and n=1000 or n=2000").exact
    assert joint.P("a is null").exact == Fraction(1, 3)
    assert joint.P("1_500 <= n").exact == Fraction(2, 3)


def test_of_many_values_only_those_that_can_be_are_shown():
    joint = Joint.from_rows({"n": list(range(30)), "even": [i % 2 for i in range(30)]})
    shown = repr(joint.distribution("n", given="even=0")).splitlines()
    assert len(shown) == 1 + 15 + 1
    assert "15 others" in shown[-1]


def test_answers_of_a_product_show_their_working():
    coins = Joint.independent({f"c{i}": {"h": 0.5, "t": 0.5} for i in range(20)})
    p = coins.P("c0=h, c1=t")
    assert p.derivation.value == Fraction(1, 4)
    assert pickle.loads(pickle.dumps(p)).exact == Fraction(1, 4)


def test_a_chain_survives_a_journey():
    chain = Joint.from_rows({"a": [1, 1, 0], "b": [0, 1, 1]}).chain("a=1, b=1")
    again = pickle.loads(pickle.dumps(chain))
    assert [f.exact for f in again.factors] == [f.exact for f in chain.factors]


def test_no_sum_of_floats_is_more_than_certain():
    weights = np.random.default_rng(1).random(7).tolist()
    joint = Joint.from_rows({"a": ["x"] * 7, "b": list("uvuvuvu")}, weights=weights)
    assert joint.distribution("a")["x"] == 1
    assert joint.P("a=x") == 1


def test_bayes_rule_at_a_prior_of_0():
    table = {"a": ["x", "y", "y"], "c": ["u", "u", "v"]}
    p = bayes(Joint.from_table(table, p=[0, 0.5, 0.5]), "a=x", given="c=u")
    assert p == 0
    assert all(step.formula.value == 0 for step in p.derivation.lines)


def test_large_integers_are_compared_exactly():
    ids = [1_700_000_000_000_000_001 + i for i in range(3)]
    joint = Joint.from_rows({"id": ids})
    assert joint.P(f"id<={ids[1]}").exact == Fraction(2, 3)
    assert joint.P(f"id>{ids[1]}") == joint.P(col("id") > ids[1])


def test_keywords_are_read_back_as_names_and_values():
    joint = Joint.from_rows({"Or": ["AND", "no"]})
    event = col("Or") == "AND"
    assert str(event) == '"Or"="AND"'
    assert joint.P(str(event)).exact == Fraction(1, 2)


def test_a_label_that_training_lacks_in_a_likelihood_is_named():
    prior = Joint.from_rows({"a": ["x", None]})
    with pytest.raises(DataError, match="a=None"):
        prior * Conditional.from_table(
            {"a": ["x", "x"], "b": ["u", "v"], "p": [0.5, 0.5]}, p="p", given="a"
        )


@pytest.mark.parametrize(
    "act",
    [
        lambda j: j.P((col("a") == "x") & "b=u"),
        lambda j: j.condition(5),
        lambda j: j.marginal(5),
        lambda j: j.distribution(None),
        lambda j: j.distribution("a", "b")[5],
        lambda j: col("a").isin("xy"),
        lambda j: col("a").isin(None),
        lambda j: Joint.from_table({"a": ["x", "y"]}, p=0.5),
    ],
)
def test_what_makes_no_sense_is_refused_in_our_words(act):
    with pytest.raises(NaivelyError):
        act(Joint.from_rows({"a": ["x", "y"], "b": ["u", "v"]}))


def test_columns_without_names_go_by_their_numbers():
    joint = Joint.from_rows(pd.DataFrame([["x", 1], ["y", 2]]))
    assert joint.P(col(0) == "x").exact == Fraction(1, 2)
    assert joint.distribution(0)["x"].exact == Fraction(1, 2)


questions = st.recursive(
    st.sampled_from(
        ["n<2", "n>=1.5", "18<=m<40", "m is missing", "m=30", "g=x", "g in {x, y}", "flag", "n!=1"]
    ),
    lambda inner: st.one_of(
        inner.map(lambda q: f"not ({q})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}, {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} or {two[1]})"),
    ),
    max_leaves=5,
)


@given(event=questions, known=questions)
def test_rows_that_are_read_again_answer_as_those_that_are_kept(event, known):
    rng = np.random.default_rng(4)
    m = np.where(rng.random(200) < 0.2, np.nan, rng.integers(15, 45, 200))
    table = {
        "n": rng.integers(0, 4, 200),
        "m": np.append(m, 30.0),
        "g": [*rng.choice(["x", "y", "z"], 200).tolist(), None],
        "flag": [*(rng.random(200) < 0.3).tolist(), True],
    }
    table["n"] = np.append(table["n"], 1)
    kept, read = Joint.from_rows(table), Joint.from_rows(table)
    read.outcomes.kept = None
    if kept.P(known) == 0:
        with pytest.raises(ImpossibleCondition):
            read.P(event, given=known)
        return
    assert read.P(event, given=known).exact == kept.P(event, given=known).exact
