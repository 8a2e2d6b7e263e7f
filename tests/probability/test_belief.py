"""Beliefs: Bayes' rule one piece after the other, stated numbers, conjugate pairs."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.errors import DataError, ImpossibleEvidence, NaivelyError, ParameterError
from naively.probability import Belief, Beta, Gamma, Normal, bayes_rule

stats = pytest.importorskip("scipy.stats")
COINS = {"fair": {"H": 0.5, "T": 0.5}, "biased": {"H": 0.75, "T": 0.25}}
p = st.fractions(0, 1, max_denominator=50)


@given(st.text("HT", max_size=12))
def test_one_by_one_is_all_at_once(flips):
    start = Belief({"fair": 0.5, "biased": 0.5})
    path = start.observe(flips, COINS)
    whole = {
        h: math.prod((Fraction(t[f]) for f in flips), start=Fraction(1)) for h, t in COINS.items()
    }
    assert path.posterior["biased"].exact == start.update(whole).posterior["biased"].exact
    assert len(path.history) == len(flips)
    assert sum(path.posterior[h].exact for h in COINS) == 1


@given(p.filter(bool), p, p)
def test_an_update_is_bayes_rule(prior, likelihood, alarm):
    belief = Belief({"a": prior, "b": 1 - prior})
    try:
        rule = bayes_rule(prior=prior, likelihood=likelihood, false_alarm=alarm)
    except NaivelyError:
        with pytest.raises(ImpossibleEvidence):
            belief.update({"a": likelihood, "b": alarm})
        return
    assert belief.update({"a": likelihood, "b": alarm}).posterior["a"].exact == rule.exact
    evidence = likelihood * prior + alarm * (1 - prior)
    assert bayes_rule(prior=prior, likelihood=likelihood, evidence=evidence).exact == rule.exact
    for step in rule.derivation.lines:
        assert float(step.formula.value) == pytest.approx(float(rule), abs=1e-12)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"prior": 0.5, "likelihood": 0.9, "evidence": 0.4}, "less than likelihood"),
        ({"prior": 0.5, "likelihood": 0.1, "evidence": 0.9}, "leaves"),
        ({"prior": 1, "likelihood": 0.5, "evidence": 0.6}, "leaves"),
        ({"prior": 1.5, "likelihood": 0.5, "false_alarm": 0.1}, "between 0 and 1"),
        ({"prior": -0.5, "likelihood": 0.5, "false_alarm": 0.1}, "not negative"),
        ({"prior": 0.5, "likelihood": 0.5}, "neither"),
        ({"prior": 0.5, "likelihood": 0.5, "evidence": 0.5, "false_alarm": 0.5}, "both"),
        ({"prior": 0.5, "likelihood": 0, "false_alarm": 0}, "probability 0"),
        ({"prior": "a", "likelihood": 0, "false_alarm": 0}, "'a'"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(numbers, words):
    with pytest.raises(NaivelyError, match=words):
        bayes_rule(**numbers)


def test_a_belief_does_not_change():
    start = Belief({"fair": 0.5, "biased": 0.5})
    start.update({"fair": 1, "biased": 0})
    assert start.posterior["fair"].exact == Fraction(1, 2)
    assert start.history == ()


def test_a_density_may_be_a_likelihood():
    after = Belief({"a": 0.5, "b": 0.5}).update({"a": 3.2, "b": 0.8})
    assert after.posterior["a"].exact == Fraction(4, 5)
    assert after.odds("a", "b") == 4
    assert Belief({"a": 1, "b": 0}).odds("a", "b") == math.inf


def test_a_path_of_many_flips_goes_on_in_logs():
    many = Belief({"fair": 0.5, "biased": 0.5}).observe("HT" * 3_000, COINS)
    assert many.posterior["fair"] == pytest.approx(1)
    assert many.posterior["biased"].exact is None
    assert many.odds("fair", "biased") == math.inf
    assert math.isfinite(sum(many.posterior.values()))


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda b: b.update({"a": 1}), "nothing for the hypothesis 'b'"),
        (lambda b: b.update({"a": 1, "b": 1, "c": 1}), "no hypothesis 'c'"),
        (lambda b: b.update({"a": 0, "b": 0}), "probability 0 under every"),
        (lambda b: b.update({"a": -1, "b": 1}), "not negative"),
        (lambda b: b.observe("x", {"a": {"y": 1}, "b": {"y": 1}}), "of which 'a' says nothing"),
        (lambda b: b.observe("y", {"a": {"y": 1, "z": 1}, "b": {"y": 1}}), "sum to 2"),
        (lambda b: b.natural_frequencies(), "without evidence"),
        (lambda _: Belief({}), "a mapping"),
        (lambda _: Belief({"a": 0.5, "b": 0.6}), "sum to 1.1"),
        (lambda _: Belief({"a": float("nan"), "b": 0.6}), "nan"),
    ],
)
def test_what_cannot_be_believed_is_refused(act, words):
    with pytest.raises(NaivelyError, match=words):
        act(Belief({"a": 0.5, "b": 0.5}))


def test_a_prior_may_be_normalized():
    assert Belief({"a": 1, "b": 3}, normalize=True).prior["b"].exact == Fraction(3, 4)


def test_a_belief_shows_its_working():
    belief = Belief({"ill": 0.0001, "well": 0.9999}).update({"ill": 0.99, "well": 0.01}, "positive")
    text = belief.posterior["ill"].derivation.text
    assert text.splitlines()[0] == "P(ill | positive)"
    assert text.splitlines()[-1].strip() == "= 0.00980392"
    assert "of 1,000,000 people" in belief.natural_frequencies()
    assert "<table>" in belief._repr_html_()


@given(st.integers(0, 500), st.integers(0, 500))
def test_beta_is_that_of_scipy(heads, tails):
    belief = Beta(1, 1).update(heads, tails)
    frozen = stats.beta(heads + 1, tails + 1)
    assert belief.mean == pytest.approx(frozen.mean())
    assert belief.std == pytest.approx(frozen.std())
    assert belief.interval(0.9) == pytest.approx(frozen.interval(0.9))


def test_small_samples_and_a_prior():
    one = Beta(1, 1)
    assert one.update(3, 1).mode == 0.75
    assert one.update(30, 10).mode == 0.75
    assert one.update(0, 2).mode == 0
    assert one.update(0, 2).mean == 0.25
    assert one.update(497, 503).mean == pytest.approx(498 / 1002)
    widths = [b - a for a, b in (one.update(*n).interval() for n in ((3, 1), (30, 10), (497, 503)))]
    assert widths == sorted(widths, reverse=True)
    assert one.observe("HHHT", success="H") == one.update(3, 1)


def test_gamma_and_normal_are_those_of_scipy():
    rate = Gamma(2, 1).update([3, 5, 4])
    frozen = stats.gamma(14, scale=1 / 4)
    assert (rate.mean, rate.std) == pytest.approx((frozen.mean(), frozen.std()))
    assert rate.interval() == pytest.approx(frozen.interval(0.95))
    assert Gamma(2, 1).update(12, units=3) == rate
    mean = Normal(100, 15).update([110, 114], sigma=15)
    assert mean.mean == pytest.approx((100 + 110 + 114) / 3)
    assert mean.std == pytest.approx(15 / math.sqrt(3))
    assert Normal(0, 1).update([], sigma=1) == Normal(0, 1)
    assert Normal(1e9, 1).update([1e9 + 1], sigma=1).mean == 1e9 + 0.5


@pytest.mark.parametrize(
    "act",
    [
        lambda: Beta(0, 1),
        lambda: Beta().update(-1, 0),
        lambda: Gamma(1, 0),
        lambda: Gamma().update(-1),
        lambda: Normal(0, 0),
        lambda: Normal().update(1, sigma=0),
        lambda: Normal(math.nan, 1),
        lambda: Beta().interval(1),
    ],
)
def test_odd_parameters_are_refused(act):
    with pytest.raises(ParameterError):
        act()


def test_a_measurement_is_finite():
    with pytest.raises(DataError):
        Normal().update([math.inf], sigma=1)


def test_a_density_cannot_be_told_in_people():
    after = Belief({"a": 0.5, "b": 0.5}).update({"a": 3.2, "b": 0.8}, "x")
    with pytest.raises(DataError, match="a density"):
        after.natural_frequencies()
