"""Explanations: terms that add up to the answer, and say what they were counted from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import Decision, JointBayes, MinimumRisk, Model, NaiveBayes, explain
from naively.errors import ImpossibleEvidence, NaivelyError, ParameterError, UnknownLabel
from naively.families import Gaussian, Inflated, LogNormal

TODAY = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "wind": "strong"}


@pytest.fixture(scope="module")
def golf(examples):
    return NaiveBayes(alpha=0).fit(examples / "golf.csv", "play")


@pytest.fixture(scope="module")
def titanic(examples):
    columns = {
        "boat": "ignore",
        "body": "ignore",
        "fare": Inflated(LogNormal(), at=0),
        ("age", "sibsp"): Gaussian(covariance="full"),
    }
    return NaiveBayes(columns=columns, missing="ignore").fit(examples / "titanic3.csv", "survived")


def rows():
    return st.fixed_dictionaries(
        {
            "pclass": st.sampled_from([1, 2, 3, None, 7]),
            "sex": st.sampled_from(["male", "female", None, "other"]),
            "age": st.one_of(st.none(), st.floats(0, 120)),
            "sibsp": st.integers(0, 8),
            "parch": st.integers(0, 9),
            "fare": st.one_of(st.none(), st.just(0.0), st.floats(0.01, 600)),
            "embarked": st.sampled_from(["S", "C", "Q", None]),
            "home.dest": st.none(),
        }
    )


@settings(deadline=None, max_examples=60)
@given(row=rows())
@pytest.mark.filterwarnings("ignore")
def test_the_terms_add_up_to_the_log_odds_of_the_model(titanic, row):
    found = explain(titanic, row)
    log = titanic.predict_joint_log_proba(row)[0]
    labels = titanic.classes_.tolist()
    odds = log[labels.index(found.favoured)] - log[labels.index(found.against)]
    size = abs(found.prior) + sum(abs(term.weight) for term in found.terms)
    assert (
        abs(found.prior + sum(term.weight for term in found.terms) - found.log_odds) <= 1e-12 * size
    )
    assert found.log_odds == pytest.approx(odds, abs=1e-9)
    assert list(found.posterior.values()) == pytest.approx(titanic.predict_proba(row)[0].tolist())


def test_golf_as_a_lecturer_writes_it(golf):
    found = explain(golf, TODAY)
    assert (found.favoured, found.against) == ("no", "yes")
    text = found.derivation.text
    assert "9/14 · 2/9 · 3/9 · 3/9 · 3/9" in text
    assert "= 0.00529101" in text
    assert "5/14 · 3/5 · 1/5 · 4/5 · 3/5" in text
    assert "= 0.0205714" in text
    assert text.splitlines()[-1].strip() == "= 0.795417"
    assert found.posterior["yes"] == pytest.approx(0.204583, abs=5e-7)
    (outlook,) = [term for term in found.terms if term.column == "outlook"]
    assert outlook.counts == {"no": (3, 5), "yes": (2, 9)}
    assert outlook.weight == pytest.approx(math.log((3 / 5) / (2 / 9)))


def test_dating_and_the_nba(examples):
    dating = NaiveBayes(alpha=0).fit(examples / "dating.csv", "date")
    text = explain(dating, {"height": "tall", "hair": "blond", "eyes": "light"}).derivation.text
    assert "= 0.06\n" in text
    assert "= 0.166667\n" in text
    forward = {"height": Gaussian(mean=80.58, std=1.53), "weight": Gaussian(mean=230.46, std=17.48)}
    guard = {"height": Gaussian(mean=75.44, std=2.27), "weight": Gaussian(mean=195.47, std=15.83)}
    players = Model.from_distributions(
        {"forward": 156 / 300, "guard": 144 / 300}, {"forward": forward, "guard": guard}
    )
    found = explain(players, {"height": 75, "weight": 210})
    assert "= 2.01748e-06" in found.derivation.text
    assert "= 0.00136915" in found.derivation.text
    assert math.exp(found.log_odds) == pytest.approx(679, abs=0.5)


def test_smoothed_counts_are_shown(examples):
    model = NaiveBayes(alpha=1, prior="smoothed").fit(examples / "golf.csv", "play")
    text = explain(model, TODAY).derivation.text
    assert "10/16 · 3/12 · 4/12 · 4/11 · 4/11" in text
    assert explain(model, TODAY).posterior["yes"] == pytest.approx(0.264686, abs=5e-7)


def test_meningitis_in_every_unit(examples):
    model = NaiveBayes(alpha=0).fit(examples / "meningitis.csv", "meningitis")
    row = {"headache": True, "fever": True, "vomiting": False}
    nats = explain(model, row)
    assert nats.posterior[True] == pytest.approx(98 / 503)
    for unit, factor in (("bits", 1 / math.log(2)), ("decibans", 10 / math.log(10))):
        other = explain(model, row, unit=unit)
        assert other.log_odds == pytest.approx(nats.log_odds * factor)
        assert [t.weight for t in other.terms] == pytest.approx(
            [t.weight * factor for t in nats.terms]
        )
    with pytest.raises(ParameterError, match="'bits'"):
        explain(model, row, unit="bit")


def test_what_is_missing_or_never_seen_is_no_evidence(golf):
    found = explain(golf, {**TODAY, "wind": None, "outlook": "foggy"})
    notes = {term.column: (term.note, term.weight) for term in found.terms}
    assert notes["wind"] == ("missing: no evidence", 0)
    assert notes["outlook"] == ("never seen: no evidence", 0)
    assert "no evidence: outlook, wind" in found.derivation.text


def test_any_class_may_be_explained_against_any(examples):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    model = NaiveBayes().fit(rng.normal(size=(300, 2)) + y[:, None], np.array(list("abc"))[y])
    row = [[0.5, 1.0]]
    p = model.predict_proba(row)[0]
    order = [model.classes_[c] for c in (-p).argsort()]
    default = explain(model, row)
    assert [default.favoured, default.against] == order[:2]
    other = explain(model, row, target="c", against="a")
    assert other.log_odds == pytest.approx(math.log(p[2] / p[0]))
    every = explain(model, row, target="c", against="all")
    assert sorted(every) == ["a", "b"]
    rest = explain(model, row, target="c", against="rest")
    assert rest.log_odds == pytest.approx(math.log(p[2] / (1 - p[2])))
    assert not rest.additive
    assert "do not add up" in repr(rest)
    with pytest.raises(UnknownLabel):
        explain(model, row, target="d")


def test_a_tie_is_flagged():
    model = NaiveBayes().fit({"a": ["x", "x"]}, ["u", "v"])
    found = explain(model, {"a": "x"})
    assert found.tied
    assert found.favoured == "u"
    assert "a tie" in repr(found)


def test_a_row_that_cannot_be_has_no_explanation():
    model = NaiveBayes(alpha=0).fit({"a": ["x", "y"], "b": ["u", "v"]}, [0, 1])
    with pytest.raises(ImpossibleEvidence):
        explain(model, {"a": "x", "b": "v"})
    with pytest.raises(NaivelyError, match="rows to explain"):
        explain(model, {"a": ["x", "y"], "b": ["u", "v"]})


def test_without_a_row_columns_are_ranked(titanic):
    found = explain(titanic, unit="bits")
    assert next(iter(found)) == "sex"
    assert all(value >= 0 for value in found.values())
    assert "bits about the class" in repr(found)
    x = np.random.default_rng(0).integers(0, 2, 4_000)
    exact = NaiveBayes("categorical").fit({"a": x, "b": x * 0}, x)
    assert explain(exact, unit="bits")["a"] == pytest.approx(1, abs=0.02)
    assert explain(exact, unit="bits")["b"] == pytest.approx(0, abs=1e-9)


def test_a_model_that_does_not_add_up_loses_one_column_at_a_time():
    table = {"a": ["x", "x", "y", "y"] * 5, "b": ["u", "v"] * 10, "c": ["n", "y", "y", "n"] * 5}
    model = JointBayes(impossible="prior").fit(table, "c")
    with pytest.warns(UserWarning, match="never saw"):
        found = explain(model, {"a": "x", "b": "u"})
    assert not found.additive
    assert [term.column for term in found.terms] == ["a", "b"]
    with pytest.raises(NaivelyError):
        explain(model, [["x", "u"]])


def test_an_explanation_is_shown_in_notebooks(golf):
    found = explain(golf, TODAY)
    assert "<table>" in found._repr_html_()
    assert "frac" in found.derivation.latex
    assert repr(found).splitlines()[0].startswith("play=no against yes")


@pytest.mark.parametrize("family", ["histogram", "gaussian", "categorical"])
def test_a_missing_cell_that_is_evidence_is_no_silence(family):
    x = [1.0, 2.0, 3.0, 4.0, None, 6.0, None, 8.0, None, 9.0]
    x = x if family != "categorical" else [None if v is None else str(v > 4) for v in x]
    model = NaiveBayes({"x": family}, missing="value").fit({"x": x}, list("aaaaabbbbb"))
    found = explain(model, {"x": None})
    (term,) = found.terms
    assert term.note == ""
    assert term.weight != 0
    assert found.derivation.value == pytest.approx(model.predict_proba({"x": None}).max())
    for step in found.derivation.lines:
        assert float(step.formula.value) == pytest.approx(float(found.derivation.value))


def test_what_acts_by_costs_explains_its_posterior(golf, examples):
    acting = MinimumRisk(NaiveBayes(alpha=0)).fit(examples / "golf.csv", "play")
    assert explain(acting, TODAY).log_odds == explain(golf, TODAY).log_odds


def test_names_are_escaped_in_notebooks():
    model = NaiveBayes().fit({"a": ["x", "y"]}, ["<b>", "c"])
    assert "<b>" not in explain(model, {"a": "x"})._repr_html_()


def test_every_word_of_a_block_of_counts_is_a_term():
    words = {"money": [3, 0, 2, 0], "meeting": [0, 2, 0, 1], "the": [1, 2, 2, 1]}
    model = NaiveBayes("multinomial").fit(words, ["spam", "ham", "spam", "ham"])
    row = {"money": 2, "meeting": 0, "the": 1}
    found = explain(model, row)
    assert {term.column for term in found.terms} == {"money", "the"}
    size = abs(found.prior) + sum(abs(term.weight) for term in found.terms)
    assert abs(found.prior + sum(t.weight for t in found.terms) - found.log_odds) <= 1e-12 * size
    p = model.predict_proba(row)[0]
    assert found.log_odds == pytest.approx(math.log(p[1] / p[0]))
    assert found.derivation.value == pytest.approx(p[1])


def test_the_action_and_its_risk_are_derived(examples):
    costs = {("yes", "stay in"): 1, ("no", "go out"): 3}
    acting = MinimumRisk(NaiveBayes(alpha=0), costs=costs, default=0)
    found = explain(acting.fit(examples / "golf.csv", "play"), TODAY)
    assert list(found.risks) == ["stay in", "go out"]
    assert found.risks["stay in"] == pytest.approx(0.204583, abs=5e-7)
    assert found.risks["go out"] == pytest.approx(3 * 0.795417, abs=2e-6)
    assert "best action stay in, risk 0.2046 (go out 2.386)" in repr(found)
    text = found.derivation.text
    assert text.splitlines()[0] == "risk(stay in | x)"
    assert "9/14 · 2/9 · 3/9 · 3/9 · 3/9" in text
    assert "risk(go out | x)" in text
    for step in found.derivation.lines:
        assert float(step.formula.value) == pytest.approx(found.risks["stay in"])
    stated = Decision({"yes": {"a": 1.0}, "no": {"a": 2.0}})
    assert list(explain(acting.estimator_, TODAY, decision=stated).risks) == ["a"]
