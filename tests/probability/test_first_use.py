"""What somebody tries who uses the workbench for the first time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

from naively.cli.query import query
from naively.errors import DataError, ParameterError
from naively.probability import Belief, Beta, Gamma, Joint, Normal, col, parameters


def test_an_answer_stays_exact_where_it_is_put_in_again():
    rows = Joint.from_rows({"ill": [1, 1, 1, 0, 0, 0, 0], "hot": [1, 1, 0, 1, 0, 0, 0]})
    belief = Belief(rows.P("ill=?")).update({1: rows.P("hot | ill"), 0: rows.P("hot | !ill")})
    assert belief.prior[1].exact == Fraction(3, 7)
    assert belief.posterior[1].exact == rows.P("ill | hot").exact == Fraction(2, 3)


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32, np.int32])
def test_counts_and_measurements_are_numbers_of_any_kind(kind):
    assert Beta(kind(1), kind(1)).update(kind(3)).mean == Beta(1, 1).update(3).mean
    assert Gamma(1, 1).update(kind(3)).mean == Gamma(1, 1).update([kind(3)]).mean == 2
    assert Normal(0, 1).update(kind(4), sigma=kind(1)).mean == 2
    assert Gamma(1, 1).update(np.array([3, 4])).mean == Gamma(1, 1).update([3, 4]).mean


def test_a_column_before_and_is_refused_and_not_dropped():
    with pytest.raises(ParameterError, match="the truth of an event"):
        col("ill") and (col("age") < 3)
    with pytest.raises(ParameterError, match="the truth of an event"):
        col("ill") or (col("age") < 3)


def test_a_table_with_more_cells_than_digits_can_say_is_shown():
    assert repr(parameters({f"x{i}": 2 for i in range(5000)})) == (
        "1.41e+1505 entries, 1.41e+1505 free"
    )
    assert repr(parameters({f"x{i}": 2 for i in range(50_000)})).startswith("3.16e+15051 ")


def test_outcomes_that_are_no_truth_values_need_a_success():
    with pytest.raises(DataError, match="the outcome 'H'; expected truth values; or say success="):
        Beta(1, 1).observe("HHT")
    assert Beta(1, 1).observe([True, 1, False]).mode == Beta(1, 1).observe("HHT", "H").mode


def test_a_chain_is_of_an_event_and_not_of_a_distribution():
    coins = Joint.from_rows({"a": ["h", "t"], "b": ["h", "h"]})
    with pytest.raises(ParameterError, match=r"a=\? in a chain; expected an event"):
        coins.chain("a=? | b=h")


def test_quotients_in_a_product_stand_in_brackets():
    votes = Joint.from_table(
        {"college": list("nnyy"), "vote": list("nyny"), "p": [0.5, 0.1, 0.1, 0.3]}, p="p"
    )
    assert "  = 0.4 · (0.3 / 0.4)\n" in votes.chain("college=y, vote=y").derivation.text


@pytest.mark.parametrize("question", ["P(a)", "P (a)", "p(a)", "Pr(a)", "a"])
def test_a_question_is_repeated_in_one_pair_of_brackets(question, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a\ntrue\nfalse\n")
    answer = CliRunner().invoke(query, [str(table), question]).output
    assert answer == f"{question if question != 'a' else 'P(a)'} = 1/2 = 0.5 (1 of 2 rows)\n"
