"""What each family makes of counts and a prior, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from naively.data.column import Real
from naively.data.domain import Domain
from naively.errors import NaivelyError, ParameterError, UnknownColumn
from naively.families import (
    FAMILIES,
    Bernoulli,
    Categorical,
    Complement,
    Exponential,
    Gaussian,
    Geometric,
    Histogram,
    Inflated,
    Kernel,
    LogNormal,
    Multinomial,
    NegativeBinomial,
    Poisson,
)
from naively.families.base import Degenerate
from naively.families.registry import counting, family_from_dict, family_to_dict, resolve
from naively.statistics import Sums


def counts(*t):
    t = np.array(t, dtype=float)
    return Sums(t.sum(axis=1, keepdims=True), t, (Domain(tuple("abcdef"[: t.shape[1]])),))


def sums(n, t):
    return Sums(np.array([[k] for k in n], dtype=float), np.array([[k] for k in t], dtype=float))


def observed(family, x, group=None):
    x = np.array(x, dtype=float)[:, None]
    group = np.zeros(len(x), dtype=np.int32) if group is None else np.array(group, dtype=np.int32)
    return family.observe(Real(x, ("x",)), group, int(group.max()) + 1, None)


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        (Categorical(), [3 / 8, 4 / 8, 1 / 8]),
        (Categorical(alpha=0), [2 / 5, 3 / 5, 0]),
        (Categorical(alpha={"a": 1, "b": 2, "c": 2}), [3 / 10, 5 / 10, 2 / 10]),
        (Categorical(m=3, p="uniform"), [3 / 8, 4 / 8, 1 / 8]),
        (Categorical(m=4, p={"a": 0.5, "b": 0.25, "c": 0.25}), [4 / 9, 4 / 9, 1 / 9]),
        (Categorical(m=5, p="pooled"), [4 / 10, 5.5 / 10, 0.5 / 10]),
        (Categorical(unseen="reserve"), [3 / 9, 4 / 9, 1 / 9]),
        (Categorical(labels=("z",)), [3 / 9, 4 / 9, 1 / 9, 1 / 9]),
    ],
    ids=repr,
)
def test_a_category_is_as_probable_as_it_was_frequent(family, expected):
    with np.errstate(divide="ignore"):
        theta = np.exp(family.factor(counts([2, 3, 0], [2, 2, 1])).column(0)[:, 0])
    np.testing.assert_allclose(theta, expected)


def test_a_stated_number_is_needed_for_every_label():
    with pytest.raises(UnknownColumn, match="no entry for the label 'c'"):
        Categorical(alpha={"a": 1, "b": 1}).factor(counts([1, 1, 1]))


@pytest.mark.parametrize(
    ("family", "theta"),
    [(Bernoulli(), 4 / 6), (Bernoulli(alpha=0), 3 / 4), (Bernoulli(alpha=2, beta=0), 5 / 6)],
)
def test_a_coin_has_a_beta_prior(family, theta):
    np.testing.assert_allclose(np.exp(family.factor(sums([4], [3])).eta), theta / (1 - theta))


@pytest.mark.parametrize(
    ("family", "mean"),
    [
        (Poisson(strength=0), [3.0, 1.0]),
        (Poisson(), [8 / 3, 4 / 3]),
        (Poisson(shape=4, rate=2), [10 / 4, 6 / 4]),
        (Exponential(strength=0), [3.0, 1.0]),
        (Exponential(), [8 / 3, 4 / 3]),
        (Exponential(shape=2, rate=4), [10 / 4, 6 / 4]),
        (Geometric(strength=0), [3.0, 1.0]),
        (Geometric(), [8 / 3, 4 / 3]),
        (Geometric(alpha=2, beta=4), [10 / 4, 6 / 4]),
    ],
    ids=repr,
)
def test_a_rate_is_the_mean_with_imagined_rows(family, mean):
    factor = family.factor(sums([2, 2], [6, 2]))
    eta = factor.eta[:, 0]
    found = {
        "poisson": np.exp(eta),
        "exponential": -1 / eta,
        "geometric": np.exp(eta) / -np.expm1(eta),
    }[family.name]
    np.testing.assert_allclose(found, mean)


def test_a_gaussian_is_pulled_to_the_whole_column():
    x, group = [0.0, 2.0, 10.0], [0, 0, 1]
    factor = Gaussian(strength=2).factor(observed(Gaussian(), x, group))
    mean, var = np.mean(x), np.var(x)
    np.testing.assert_allclose(factor.mu[:, 0], [(2 * 1 + 2 * mean) / 4, (10 + 2 * mean) / 3])
    pull = [2 * 2 / 4 * (1 - mean) ** 2, 1 * 2 / 3 * (10 - mean) ** 2]
    expected = [(2 + 2 * var + pull[0]) / 4, (0 + 2 * var + pull[1]) / 3]
    np.testing.assert_allclose(factor.var[:, 0], expected)


@pytest.mark.parametrize("ddof", [0, 1])
def test_without_a_prior_a_gaussian_is_maximum_likelihood(ddof):
    x = np.array([1.0, 2.0, 6.0, 4.0])
    factor = Gaussian(strength=0, ddof=ddof).factor(observed(Gaussian(), x))
    np.testing.assert_allclose(factor.var, [[np.var(x, ddof=ddof)]])


def test_a_tied_covariance_is_pooled_over_the_groups(rng):
    x, group = rng.normal(size=(30, 2)), np.arange(30) % 2
    family = Gaussian(covariance="tied", strength=0)
    var = family.factor(family.observe(Real(x, ("a", "b")), group.astype(np.int32), 2, None)).var
    within = sum(np.cov(x[group == g].T, bias=True) * 15 for g in (0, 1)) / 30
    np.testing.assert_allclose(var, np.stack([within, within]))


def test_words_are_counted_by_class_and_by_complement():
    t = np.array([[3.0, 1.0], [1.0, 1.0]])
    words = Sums(np.ones((2, 1)), t)
    np.testing.assert_allclose(np.exp(Multinomial().factor(words).eta)[0], [4 / 6, 2 / 6])
    np.testing.assert_allclose(np.exp(-Complement().factor(words).eta)[1], [4 / 6, 2 / 6])
    norm = Complement(norm=True).factor(words).eta
    np.testing.assert_allclose(norm.sum(axis=1), 1)


def test_the_size_of_a_negative_binomial_matches_the_variance(rng):
    x = rng.negative_binomial(3, 0.3, 20_000)
    family = NegativeBinomial(strength=0)
    assert family.factor(observed(family, x)).measure.r[0] == pytest.approx(3, rel=0.1)
    calm = family.factor(observed(family, rng.poisson(5, 1000) // 2)).measure.r[0]
    assert calm > 1e3


def test_bandwidths_are_silvermans():
    x = np.arange(9.0)
    sigma, iqr = np.std(x), 4.5
    expected = 0.9 * min(sigma, iqr / 1.349) * 9**-0.2
    assert Kernel().factor(observed(Kernel(), x)).bandwidth[0, 0] == pytest.approx(expected)
    assert Kernel(adjust=2).factor(observed(Kernel(), x)).bandwidth[0, 0] == pytest.approx(
        2 * expected
    )
    assert Kernel(bandwidth=0.5).factor(observed(Kernel(), x)).bandwidth.tolist() == [[0.5]]


@pytest.mark.parametrize(
    ("family", "edges"),
    [
        (Histogram(bins=2), (0, 4, 8)),
        (Histogram(bins=2, cut="frequency"), (0, 1, 8)),
        (Histogram(bins=4, cut="frequency"), (0, 1, 2, 8)),
        (Histogram(edges=(0, 1)), (0, 1)),
    ],
)
def test_bins_are_cut_once_and_equal_cuts_merge(family, edges):
    settled = family.settled(np.array([0.0, 0.0, 1.0, 2.0, 8.0, np.nan]))
    assert settled.edges == edges
    assert settled.is_settled
    assert settled.settled(np.array([100.0])) == settled


def test_bins_of_a_column_without_spread_hold_its_value():
    for value in (0.0, 5.0, -1e300):
        low, high = Histogram().settled(np.array([value, value])).edges
        assert low < value < high


def test_a_point_mass_settles_the_density_beside_it():
    family = Inflated(Histogram(bins=2), at=0).settled(np.array([0.0, 0.0, 2.0, 6.0]))
    assert family.density.edges == (2.0, 4.0, 6.0)
    assert [part.name for part, _ in family.parts()] == ["bernoulli", "categorical"]


@pytest.mark.parametrize(
    ("family", "statistic"),
    [
        (Categorical(alpha=0), counts([0, 0], [1, 1])),
        (Bernoulli(alpha=0), sums([0, 1], [0, 1])),
        (Poisson(strength=0), sums([0, 1], [0, 1])),
        (Exponential(strength=0), sums([1, 1], [0, 1])),
        (Multinomial(alpha=0), sums([1, 1], [0, 1])),
        (Complement(alpha=0), sums([1, 1], [0, 1])),
        (Gaussian(strength=0), observed(Gaussian(), [1.0, 1.0, 2.0], [0, 0, 1])),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_cannot_be_estimated_says_which_group_and_what_to_do(family, statistic):
    with pytest.raises(Degenerate) as refusal:
        family.factor(statistic)
    assert "> 0" in refusal.value.fix
    assert refusal.value.group in (0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Categorical(alpha=-1),
        lambda: Categorical(alpha={"a": -1}),
        lambda: Categorical(unseen="maybe"),
        lambda: Categorical(m=1),
        lambda: Categorical(p="uniform"),
        lambda: Categorical(m=1, p="even"),
        lambda: Categorical(m=1, p={"a": 0.6}),
        lambda: Bernoulli(alpha=-1),
        lambda: Bernoulli(beta=np.nan),
        lambda: Gaussian(covariance="round"),
        lambda: Gaussian(ddof=2),
        lambda: Gaussian(strength=np.inf),
        lambda: Poisson(shape=1),
        lambda: Exponential(rate=-1, shape=1),
        lambda: Geometric(alpha=1),
        lambda: NegativeBinomial(r=0),
        lambda: Multinomial(alpha=np.inf),
        lambda: Histogram(bins=0),
        lambda: Histogram(cut="even"),
        lambda: Histogram(edges=(1, 1)),
        lambda: Kernel(adjust=0),
        lambda: Kernel(bandwidth=-1),
        lambda: Inflated(Categorical()),
        lambda: Inflated(Gaussian(covariance="full")),
        lambda: Inflated(at=np.nan),
        lambda: LogNormal(strength=-1),
        lambda: resolve(Gaussian(missing="maybe")),
    ],
)
def test_parameters_are_checked_when_they_are_stated(wrong):
    with pytest.raises(ParameterError):
        wrong()


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_found_counted_and_written_down(name):
    family = resolve(name)
    assert resolve(FAMILIES[name]) == resolve(family) == family
    assert family_from_dict(family_to_dict(family)) == family
    for part, _ in family.settled(np.array([1.0, 2.0])).parts():
        assert counting(part.kind).kind == part.kind


def test_families_with_mappings_and_families_inside_are_written_down():
    for family in (Categorical(alpha={"a": 1, None: 2}), Inflated(LogNormal(strength=3), at=-1)):
        assert family_from_dict(family_to_dict(family)) == family
        assert hash(family) == hash(family_from_dict(family_to_dict(family)))


def test_a_name_that_is_nearly_right_is_offered():
    with pytest.raises(ParameterError, match="did you mean 'poisson'"):
        resolve("poison")
    assert resolve("Log-Normal") == LogNormal()
    assert resolve("ignore") is None
    with pytest.raises(NaivelyError):
        resolve(None)
