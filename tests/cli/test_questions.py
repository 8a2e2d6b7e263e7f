"""`naively query` and `naively believe`: what they answer, and with which exit code."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from naively.cli import _failed, naively

TABLE = "age,vote,p,w\n20,yes,.25,1\n30,no,.25,1\n40,yes,.5,2\n"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)

    def run(*words, stdin=None):
        result = CliRunner().invoke(naively, words, input=stdin)
        code = result.exit_code
        if result.exception and not isinstance(result.exception, SystemExit):
            code = _failed(result.exception)
        return code, result.output

    return run


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["P(vote=yes)"], "P(vote=yes) = 2/3 = 0.666667 (2 of 3 rows)\n"),
        (["vote=yes", "--p", "p"], "P(vote=yes) = 3/4 = 0.75\n"),
        (["vote=yes", "--weights", "w"], "P(vote=yes) = 3/4 = 0.75 (3 of 4 by weight)\n"),
        (["vote=? | age<35"], "P(vote=? | age<35)\nvote  P\nno    1/2 = 0.5\nyes   1/2 = 0.5\n"),
        (
            ["vote=yes", "age<25"],
            "P(vote=yes) = 2/3 = 0.666667 (2 of 3 rows)\n"
            "P(age<25) = 1/3 = 0.333333 (1 of 3 rows)\n",
        ),
    ],
)
def test_a_question_is_answered(ask, words, out):
    assert ask("query", "t.csv", *words) == (0, out)


def test_an_answer_shows_its_working(ask):
    code, out = ask("query", "t.csv", "vote=yes | age>=30", "--explain")
    assert code == 0
    assert "= N(vote=yes, age≥30) / N(age≥30)    rows counted" in out
    assert "= 1/2" in out


def test_machines_get_json(ask):
    code, out = ask("query", "t.csv", "vote=yes", "vote=?", "--json")
    one, whole = map(json.loads, out.splitlines())
    assert code == 0
    assert one == {"question": "vote=yes", "p": 2 / 3, "exact": "2/3", "n": 2, "of": 3}
    assert whole["distribution"][1] == {"vote": "yes", "p": 2 / 3, "exact": "2/3", "n": 2, "of": 3}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["query", "t.csv", "P(vote="], 2),
        (["query", "t.csv", "vote=maybe"], 1),
        (["query", "t.csv", "vot=yes"], 1),
        (["query", "t.csv", "vote=yes | age>50"], 1),
        (["query", "t.csv"], 2),
        (["query", "u.csv", "vote=yes"], 1),
        (["query", "t.csv", "vote=yes", "--p", "p", "--weights", "w"], 2),
        (["query", "t.csv", "vote=yes", "--p", "age"], 1),
        (["query", "t.csv", "vote=yes", "--normalize"], 2),
        (["believe"], 2),
        (["believe", "a=.5"], 1),
        (["believe", "a=.5, b"], 2),
        (["believe", "a=.5, a=.5"], 2),
        (["believe", "a=.5, b=.5", "-e", "x"], 2),
        (["believe", "a=.5, b=.5", "-e", "x: a=0, b=0"], 1),
        (["believe", "a=.5, b=.5", "-e", "x: a=.1, b=.2", "--observe", "xyx"], 2),
        (["believe", "a=.5, b=.5", "--coins"], 2),
    ],
)
def test_what_cannot_be_answered_has_an_exit_code(ask, words, code):
    found, _ = ask(*words)
    assert found == code


def test_an_age_of_all_rows_normalized(ask):
    assert ask("query", "t.csv", "vote=yes", "--p", "age", "--normalize")[1].startswith(
        "P(vote=yes) = 2/3"
    )


def test_a_belief_is_revised(ask):
    words = [
        "ill=.0001, well=.9999",
        "-e",
        "positive: ill=.99, well=.01",
        "--explain",
        "--frequencies",
    ]
    code, out = ask("believe", *words)
    assert code == 0
    assert "positive  1/102" in out
    assert "of 1,000,000 people" in out


def test_two_coins_on_the_command_line(ask):
    coins = ["-e", "H: fair=.5, biased=.75", "-e", "T: fair=.5, biased=.25", "--observe", "HHTHT"]
    code, out = ask("believe", "fair=.5, biased=.5", *coins)
    assert code == 0
    assert out.splitlines()[-2].split() == ["T", "32/59", "27/59"]


def test_a_hidden_coin_is_guessed(ask):
    code, out = ask("believe", "--coins", "--seed", "3", "--flips", "3", stdin=".6\n.7\n\n")
    assert code == 0
    assert out.count("P(biased) =") == 3
    assert "It was the" in out
    assert "Mean squared error of your guesses" in out
    assert ask("believe", "--coins", "--seed", "3", "--flips", "3", stdin=".6\n.7\n\n")[1] == out
    assert ask("believe", "--coins", "--flips", "2", stdin="")[0] == 0
    assert ask("believe", "--coins", "--flips", "2", stdin="much\n")[0] == 2


def test_rows_without_a_cell_are_named(ask, tmp_path):
    (tmp_path / "gaps.csv").write_text("age,vote\n20,yes\n,no\n40,no\n")
    code, out = ask("query", "gaps.csv", "age<30")
    assert code == 0
    assert "note: age is missing in 1 of 3 rows" in out
    assert "note" not in ask("query", "gaps.csv", "age<30 | age is not missing")[1]
    assert "note" not in ask("query", "gaps.csv", "vote=yes")[1]


def test_a_likelihood_on_the_command_line_is_a_probability(ask):
    assert ask("believe", "a=.5, b=.5", "-e", "x: a=1.4, b=.2")[0] == 1
    assert ask("believe", "a=1, b=3", "--normalize", "-e", "x: a=1, b=.2")[0] == 0


def test_the_same_evidence_twice_counts_twice(ask):
    twice = ["-e", "H: a=.5, b=.75", "-e", "H: a=.5, b=.75"]
    code, out = ask("believe", "a=.5, b=.5", *twice)
    assert code == 0
    assert out.count("\nH ") == 2
    assert "4/13" in out
    assert ask("believe", "a=.5, b=.5", *twice, "--observe", "H")[0] == 2


def test_options_that_would_do_nothing_are_refused(ask):
    assert ask("believe", "a=.5, b=.5", "--seed", "3")[0] == 2
    assert ask("believe", "--coins", "--explain")[0] == 2
    assert "\\b" not in ask("believe", "--help")[1]
