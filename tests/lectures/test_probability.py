"""Section A of the lectures: every figure by the public interface, and by the command line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from naively import Belief, Joint
from naively.cli import naively as command
from naively.probability import (
    bayes,
    bayes_rule,
    independence_matrix,
    parameters,
    total_probability,
)

click_testing = pytest.importorskip("click.testing")

VOTES = """age,college,vote,probability
<30,no,no,.25
<30,no,yes,.03
<30,yes,no,.04
<30,yes,yes,.02
>=30,no,no,.33
>=30,no,yes,.10
>=30,yes,no,.10
>=30,yes,yes,.13
"""

VOTING = [
    ("age=<30", ".34"),
    ("P(age=<30, college=yes)", ".06"),
    ("college=no, vote=yes", ".13"),
    ("vote=yes", ".28"),
    ("vote=yes | age=<30, college=no", "3/28"),
    ("vote=yes | age=>=30, college=yes", "13/23"),
    ("vote=yes | college=no", "13/71"),  # the slide divides by .61
]

MENINGITIS = [
    ("meningitis", "3/10"),
    ("headache, !fever, vomiting", "6/10"),
    ("P(headache, ¬fever, vomiting | meningitis)", "2/3"),
    ("headache | meningitis", "2/3"),
    ("!fever | headache, meningitis", "1"),
    ("meningitis | headache, !fever, vomiting", "1/3"),
    ("!meningitis | headache, !fever, vomiting", "2/3"),
    ("meningitis | headache, fever, !vomiting", "0"),
    ("!meningitis | headache, fever, !vomiting", "1"),
    ("headache | !meningitis", "5/7"),  # a slide prints 0.7413
    ("fever | meningitis", "1/3"),
    ("fever | !meningitis", "3/7"),
    ("vomiting | meningitis", "2/3"),
    ("vomiting | !meningitis", "4/7"),
]


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    return path


def answered(*words):
    result = click_testing.CliRunner().invoke(command, ["query", *map(str, words), "--json"])
    assert result.exit_code == 0, result.output
    return Fraction(json.loads(result.output)["exact"])


@pytest.mark.parametrize(("text", "p"), VOTING)
def test_voting(votes, text, p):
    assert Joint.from_table(votes).P(text).exact == Fraction(p)
    assert answered(votes, text, "--p", "probability") == Fraction(p)


def test_voting_by_total_probability_over_age(votes):
    vote = total_probability(Joint.from_table(votes), "vote=yes", over="age")
    assert vote.exact == Fraction(".28")
    assert [float(product.value) for product in vote.derivation.steps[0].formula.terms] == [
        0.05,
        0.23,
    ]


def test_the_bayes_error_of_the_voting_table(votes):
    joint = Joint.from_table(votes)
    cells = joint.distribution("age", "college")
    best = [
        max(
            p.exact
            for p in joint.distribution("vote", given=f"age='{age}', college={college}").values()
        )
        for age, college in cells
    ]
    assert 1 - sum(p.exact * q for p, q in zip(cells.values(), best, strict=True)) == Fraction(
        ".25"
    )


@pytest.mark.parametrize(("text", "p"), MENINGITIS)
def test_meningitis(examples, text, p):
    path = examples / "meningitis.csv"
    assert Joint.from_rows(path).P(text).exact == Fraction(p)
    assert answered(path, text) == Fraction(p)


def test_meningitis_by_the_chain_rule(examples):
    joint = Joint.from_rows(examples / "meningitis.csv")
    chain = joint.chain("headache, !fever, vomiting | meningitis")
    assert chain.exact == Fraction(2, 3)
    assert [factor.exact for factor in chain.factors] == [Fraction(2, 3), 1, 1]
    assert "2/3 · 2/2 · 2/2" in chain.derivation.text
    other = joint.chain("headache, fever, !vomiting | meningitis")
    assert other == 0
    assert other.factors[2] is None  # a slide prints 0/0 as 0
    assert bayes(joint, "meningitis", given="headache, !fever, vomiting").exact == Fraction(1, 3)


def test_the_16_cells_of_meningitis(examples):
    joint = Joint.from_rows(examples / "meningitis.csv")
    cells = joint.distribution(*joint.names)
    assert len(cells) == 16
    assert sum(p.exact for p in cells.values()) == 1
    seen = {key: p.exact * 10 for key, p in cells.items() if p}
    assert seen == {
        (False, True, False, False): 2,
        (False, True, False, True): 1,
        (True, False, True, False): 4,
        (True, False, True, True): 2,
        (True, True, False, False): 1,
    }
    assert len(str(joint).splitlines()) == 17


def test_rare_disease():
    p = bayes_rule(prior=0.0001, likelihood=0.99, false_alarm=0.01)
    assert p.exact == Fraction(1, 102)
    assert float(p) == pytest.approx(0.00980392, abs=5e-9)
    assert p.derivation.parts[0].value == Fraction("0.010098")
    belief = Belief({"ill": 0.0001, "well": 0.9999}).update({"ill": 0.99, "well": 0.01})
    assert belief.posterior["ill"].exact == Fraction(1, 102)


def test_two_coins():
    coins = {"fair": {"H": 0.5, "T": 0.5}, "biased": {"H": 0.75, "T": 0.25}}
    belief = Belief({"fair": 0.5, "biased": 0.5}).observe("HHTHT", coins)
    assert belief.posterior["biased"].exact == Fraction(27, 59)
    assert float(belief.posterior["biased"]) == pytest.approx(0.457627, abs=5e-7)


def deck(*missing):
    cards = [
        (suit, rank) for suit in "HDSC" for rank in "A23456789TJQK" if suit + rank not in missing
    ]
    table = {
        "heart": [suit == "H" for suit, _ in cards],
        "face": [rank in "JQKA" for _, rank in cards],
        "red": [suit in "HD" for suit, _ in cards],
    }
    return Joint.from_table(table, p=[Fraction(1, len(cards))] * len(cards))


def test_cards():
    full, less = deck(), deck("CK")
    assert [full.P(e).exact for e in ("heart", "face", "heart, face")] == [
        Fraction(1, 4),
        Fraction(4, 13),
        Fraction(1, 13),
    ]
    assert full.independence("heart", "face")
    assert less.P("heart").exact == Fraction(13, 51)
    assert less.P("heart | face").exact == Fraction(4, 15)
    assert not less.independence("heart", "face")
    assert less.independence("heart", "face", given="red")
    assert less.independence("heart", "face", given="red=true")


def test_rain_explains_the_umbrella_and_the_wet_ground():
    ps = {"rain": (".3", ".7"), "wet": {1: ".9", 0: ".2"}, "umbrella": {1: ".8", 0: ".1"}}
    cells = [(r, w, u) for r in (1, 0) for w in (1, 0) for u in (1, 0)]

    def chance(p, happens):
        return Fraction(p) if happens else 1 - Fraction(p)

    p = [
        Fraction(ps["rain"][1 - r]) * chance(ps["wet"][r], w) * chance(ps["umbrella"][r], u)
        for r, w, u in cells
    ]
    joint = Joint.from_table(
        dict(zip(("rain", "wet", "umbrella"), zip(*cells, strict=True), strict=True)), p=p
    )
    assert not joint.independence("wet", "umbrella")
    assert joint.independence("wet", "umbrella", given="rain")
    assert not any(independence_matrix(joint).values())


def test_entries_and_free_parameters():
    sizes = {"c": 2, **{f"x{i}": 2 for i in range(5)}}
    full, naive = parameters(sizes), parameters(sizes, target="c")
    assert (full.entries, naive.entries) == (64, 22)
    assert (full.free, naive.free) == (63, 11)


def test_close_to_independent_on_the_titanic(shared):
    """The rows with a known age: reported .408, .657 and .696, .708 on another version."""
    joint = Joint.from_rows(shared / "titanic" / "titanic_kaggle_train.csv").condition(
        "Age is not missing"
    )
    assert joint.P("Survived=1") == pytest.approx(0.4062, abs=5e-5)
    assert joint.P("Survived=1 | Pclass=1") == pytest.approx(0.6559, abs=5e-5)
    assert joint.P("Survived=1 | Fare>50") == pytest.approx(0.7101, abs=5e-5)
    assert joint.P("Survived=1 | Fare>50, Pclass=1") == pytest.approx(0.7323, abs=5e-5)
