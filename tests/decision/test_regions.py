"""Regions, boundaries and the Bayes error of declared models, against closed forms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from naively import Decision, Joint, Model, NaiveBayes
from naively.decision import bayes_error, boundaries, decision_regions
from naively.errors import NaivelyError
from naively.families import Bernoulli, Categorical, Exponential, Gaussian, LogNormal, Poisson


def two(prior, *distributions):
    labels = ["a", "b", "c"][: len(distributions)]
    shares = dict(zip(labels, prior, strict=True))
    return Model.from_distributions(shares, dict(zip(labels, distributions, strict=True)))


def coded(**theta):
    return Categorical(theta=theta)


def normal(mean, std=1):
    return Gaussian(mean=mean, std=std)


def letters(p=0.75):
    return two((p, 1 - p), Gaussian(mean=15, std=4), Gaussian(mean=25, std=4))


def test_the_letters_of_the_lecture():
    model = letters()
    assert model.predict({"x": [15, 25]}).tolist() == ["a", "b"]
    assert model.posterior({"x": [20]})[0] == pytest.approx([0.75, 0.25])
    (cut,) = boundaries(model)
    assert cut == pytest.approx(20 + 1.6 * math.log(3), abs=1e-10)
    (even,) = boundaries(letters(0.5))
    assert even == pytest.approx(20, abs=1e-10)


@pytest.mark.parametrize("p", [0.5, 0.75, 0.001])
def test_the_error_of_two_gaussians_is_two_tails(p):
    (cut,) = boundaries(letters(p))
    tails = p * stats.norm.sf(cut, 15, 4) + (1 - p) * stats.norm.cdf(cut, 25, 4)
    error = bayes_error(letters(p))
    assert error == pytest.approx(tails, abs=1e-11)
    assert error.method == "integral"
    assert error.interval[0] <= tails <= error.interval[1] + 1e-12


@pytest.mark.parametrize(
    ("m", "s", "p"), [(0, 2, 0.5), (1, 3, 0.3), (0.5, 1.001, 0.5), (0, 20, 0.9)]
)
def test_unequal_variances_have_two_boundaries(m, s, p):
    model = two((p, 1 - p), Gaussian(mean=0, std=1), Gaussian(mean=m, std=s))
    roots = np.roots([1 / s**2 - 1, -2 * m / s**2, m**2 / s**2 + 2 * math.log(s * p / (1 - p))])
    assert boundaries(model) == pytest.approx(sorted(roots.real), rel=1e-8)


def test_the_narrow_region_between_two_near_roots_is_found():
    model = two((0.5, 0.5), Gaussian(mean=0, std=1), Gaussian(mean=0, std=1.0001))
    low, high = boundaries(model)
    root = math.sqrt(2 * math.log(1.0001) / (1 - 1 / 1.0001**2))
    assert (low, high) == pytest.approx((-root, root), rel=1e-6)
    never = two((0.3, 0.7), Gaussian(mean=0, std=1), Gaussian(mean=0, std=1))
    assert decision_regions(never) == [(-math.inf, math.inf, "b")]


def test_costs_and_refusal_move_the_boundaries():
    model = letters(0.5)
    costs = Decision({("a", "b"): 1, ("b", "a"): 5}, default=0)
    (cut,) = boundaries(model, costs)
    assert cut == pytest.approx(20 - 1.6 * math.log(5), abs=1e-10)
    unsure = Decision.minimum_error(["a", "b"], unsure=0.2)
    regions = decision_regions(model, unsure)
    assert [action for _, _, action in regions] == ["a", "unsure", "b"]
    assert regions[1][:2] == pytest.approx((20 - 1.6 * math.log(4), 20 + 1.6 * math.log(4)))
    assert bayes_error(model, unsure) < bayes_error(model)


def test_the_boundary_moves_with_the_prior():
    cuts = [boundaries(letters(p))[0] for p in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert cuts == sorted(cuts)


def test_three_classes_have_all_their_regions():
    model = two(
        (0.4, 0.2, 0.4), Gaussian(mean=0, std=1), Gaussian(mean=3, std=1), Gaussian(mean=6, std=1)
    )
    assert [label for _, _, label in decision_regions(model)] == ["a", "b", "c"]


def test_scipys_distributions_and_other_families_have_regions():
    same = two((0.5, 0.5), stats.norm(0, 1), stats.norm(2, 1))
    assert boundaries(same) == pytest.approx([1.0], abs=1e-9)
    assert bayes_error(same) == pytest.approx(stats.norm.sf(1), abs=1e-10)
    waits = two((0.5, 0.5), Exponential(lam=1.0), Exponential(lam=0.25))
    cut = math.log(4) / 0.75
    inside = [x for x in boundaries(waits) if x > 0]
    assert inside == pytest.approx([cut], abs=1e-9)


def test_discrete_features_are_summed():
    model = two(
        (0.5, 0.5),
        {
            "hair": Categorical(theta={"red": 0.2, "dark": 0.8}),
            "sex": Categorical(theta={"f": 0.9, "m": 0.1}),
        },
        {
            "hair": Categorical(theta={"red": 0.6, "dark": 0.4}),
            "sex": Categorical(theta={"f": 0.5, "m": 0.5}),
        },
    )
    error = bayes_error(model)
    wanted = sum(
        min(0.5 * pa * qa, 0.5 * pb * qb)
        for pa, pb in ((0.2, 0.6), (0.8, 0.4))
        for qa, qb in ((0.9, 0.5), (0.1, 0.5))
    )
    assert (error, error.method) == (pytest.approx(wanted), "sum")


def test_the_error_of_a_stated_joint_is_exact():
    ages, colleges = ["<30"] * 4 + [">=30"] * 4, ["no", "no", "yes", "yes"] * 2
    table = {"age": ages, "college": colleges, "vote": ["no", "yes"] * 4}
    joint = Joint.from_table(table, p=[0.25, 0.03, 0.04, 0.02, 0.33, 0.10, 0.10, 0.13])
    assert bayes_error(joint, target="vote").exact == Fraction(1, 4)
    dear = Decision({("yes", "no"): 10, ("no", "yes"): 1}, default=0)
    assert bayes_error(joint, dear, target="vote").exact == Fraction(".72")
    with pytest.raises(NaivelyError, match="target="):
        bayes_error(joint)


def test_several_features_are_drawn_and_have_an_interval():
    one, other = ({n: Gaussian(mean=m, std=1) for n in "xyz"} for m in (0, 1))
    error = bayes_error(two((0.5, 0.5), one, other))
    assert error.method == "draws"
    assert error.interval[0] <= stats.norm.sf(math.sqrt(3) / 2) <= error.interval[1]
    counts = two((0.5, 0.5), Poisson(lam=2), Poisson(lam=6))
    k = np.arange(100)
    wanted = 0.5 * np.minimum(stats.poisson(2).pmf(k), stats.poisson(6).pmf(k)).sum()
    found = bayes_error(counts)
    assert found.interval[0] <= wanted <= found.interval[1]


def test_two_features_have_a_grid():
    model = two(
        (0.5, 0.5),
        {"x": Gaussian(mean=0, std=1), "y": Gaussian(mean=0, std=1)},
        {"x": Gaussian(mean=2, std=1), "y": Gaussian(mean=2, std=1)},
    )
    grid = decision_regions(model, bounds=[(-1, 3), (-1, 3)], grid=5)
    assert grid.actions[0, 0] == "a"
    assert grid.actions[-1, -1] == "b"
    assert grid.actions.shape == (5, 5)


def test_a_fitted_model_has_regions_too():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(0, 1, 500), rng.normal(3, 1, 500)])
    model = NaiveBayes().fit({"x": x}, np.repeat(["a", "b"], 500))
    assert len(boundaries(model)) in (1, 2)
    with pytest.raises(NaivelyError, match="one or two features"):
        decision_regions(NaiveBayes().fit(np.eye(3), [0, 1, 1]))


def test_declared_distributions_are_checked():
    for likelihood in (
        {"a": Gaussian(mean=0, std=1)},
        {"a": Gaussian(mean=0, std=1), "b": Poisson(lam=1)},
        {"a": Gaussian(mean=0, std=1), "b": Gaussian()},
        {"a": {"x": Gaussian(mean=0, std=1)}, "b": Gaussian(mean=0, std=1)},
    ):
        with pytest.raises(NaivelyError):
            Model.from_distributions({"a": 0.5, "b": 0.5}, likelihood)
    with pytest.raises(NaivelyError, match=r"Model\.from_distributions"):
        NaiveBayes({"x": Gaussian(mean=0, std=1)}).fit({"x": [1.0, 2.0]}, ["a", "b"])


@pytest.mark.parametrize(
    ("family", "frozen"),
    [
        (Gaussian(mean=2, std=3), stats.norm(2, 3)),
        (LogNormal(mean=1, std=0.5), stats.lognorm(0.5, scale=math.e)),
        (Exponential(lam=0.5), stats.expon(scale=2)),
        (Poisson(lam=3), stats.poisson(3)),
        (Bernoulli(theta=0.3), stats.bernoulli(0.3)),
    ],
)
def test_a_declared_family_is_its_distribution(family, frozen):
    x = np.array([0.0, 1.0]) if isinstance(family, Bernoulli) else np.array([1.0, 2.0, 5.0])
    log = frozen.logpmf(x) if hasattr(frozen.dist, "logpmf") else frozen.logpdf(x)
    found = two((0.5, 0.5), family, family).log_joint({"x": x})
    assert found[:, 0] - math.log(0.5) == pytest.approx(log, abs=1e-9)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (Exponential(lam=1), Exponential(lam=3), 0.30755),
        (LogNormal(mean=0, std=1), LogNormal(mean=1, std=2), 0.30497),
        (stats.uniform(0, 2), stats.uniform(1, 2), 0.25),
        (stats.beta(2, 5), stats.beta(5, 2), 2 * 0.5 * stats.beta(2, 5).sf(0.5)),
        (stats.poisson(3), stats.poisson(6), None),
        (Poisson(lam=3), Poisson(lam=6), None),
    ],
)
def test_errors_where_values_have_ends(one, other, wanted):
    if wanted is None:
        k = np.arange(200)
        wanted = 0.5 * np.minimum(stats.poisson(3).pmf(k), stats.poisson(6).pmf(k)).sum()
    error = bayes_error(two((0.5, 0.5), one, other))
    assert error == pytest.approx(wanted, abs=6e-6)
    assert error.interval[0] <= error <= error.interval[1]


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("apart", [0.1, 1, 8])
def test_no_tail_is_lost_at_any_scale(scale, apart):
    model = two((0.5, 0.5), normal(0, scale), normal(apart * scale, scale))
    assert bayes_error(model) == pytest.approx(stats.norm.sf(apart / 2), rel=1e-9)
    narrow = two((0.7, 0.3), normal(0, 1), normal(0.1, 1.000001))
    assert bayes_error(narrow) == pytest.approx(0.3, abs=1e-9)


def test_a_needle_in_a_wide_distribution_is_not_missed():
    model = two((0.5, 0.5), normal(0, 1e-6), normal(0, 1))
    low, high = boundaries(model)
    inside = stats.norm.cdf(high) - stats.norm.cdf(low)
    tails = 1 - (stats.norm(0, 1e-6).cdf(high) - stats.norm(0, 1e-6).cdf(low))
    assert bayes_error(model) == pytest.approx(0.5 * inside + 0.5 * tails, rel=1e-6)


def test_regions_end_where_values_do():
    (low, cut, label), (_, high, _) = decision_regions(
        two((0.5, 0.5), Exponential(lam=1), Exponential(lam=3))
    )
    assert (low, high, label) == (0, math.inf, "b")
    assert cut == pytest.approx(math.log(3) / 2)
    counts = decision_regions(two((0.5, 0.5), Poisson(lam=2), Poisson(lam=6)))
    assert [action for _, _, action in counts] == ["a", "b"]
    assert counts[0][1] + 1 == counts[1][0]
    with pytest.raises(NaivelyError, match="numbers"):
        decision_regions(NaiveBayes().fit({"g": ["x", "y"]}, [0, 1]))
