"""Parity: at the same smoothing, divisor and prior, scikit-learn's numbers to 1e-10."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

import naively
from naively.families import Bernoulli, Categorical, Complement, Gaussian, Multinomial

SEEDS = range(4)
ROWS, COLUMNS = 80, 5

every_seed = pytest.mark.parametrize("seed", SEEDS)
weighted = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
smoothed = pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 7.0])


class Drawn:
    """Random rows of three classes (of different size), weights, and queries."""

    def __init__(self, seed, kind):
        rng = np.random.default_rng(seed)
        self.y = np.concatenate([[0, 1, 2] * 4, rng.choice(3, ROWS - 12, p=[0.6, 0.3, 0.1])])
        self.weight = rng.uniform(0.1, 3, ROWS)
        level = rng.normal(size=(3, COLUMNS))
        noise = rng.normal(size=(2 * ROWS, COLUMNS)) @ (np.eye(COLUMNS) + rng.uniform(size=COLUMNS))
        number = level[np.concatenate([self.y, rng.permutation(self.y)])] + noise
        made = {
            "numbers": number,
            "counts": rng.poisson(np.exp(np.clip(number, -3, 2))).astype(float),
            "coins": (number > 0.3).astype(float),
            "labels": np.clip(np.rint(number), -2, 2).astype(int) + 2,
        }[kind]
        self.x, self.query = made[:ROWS], made[ROWS:]
        if kind == "labels":
            self.x[:5] = np.arange(5)[:, None]  # each label of each column occurs

    def given(self, weighted):
        return {"sample_weight": self.weight} if weighted else {}


def agree(ours, theirs, x):
    """Log posteriors, posteriors and predictions are the same."""
    known = theirs.predict_log_proba(x)
    assert ours.predict_log_proba(x) == pytest.approx(known, rel=1e-10, abs=1e-10)
    assert ours.predict_proba(x) == pytest.approx(theirs.predict_proba(x), abs=1e-10)
    assert ours.predict(x).tolist() == theirs.predict(x).tolist()


def prior_of(name):
    return {"counted": None, "uniform": np.full(3, 1 / 3), "stated": np.array([0.2, 0.3, 0.5])}[
        name
    ]


every_prior = pytest.mark.parametrize("prior", ["counted", "uniform", "stated"])


def stated(prior):
    known = prior_of(prior)
    return prior if known is None else known


@every_seed
@weighted
@every_prior
def test_gaussian(seed, weighted, prior):
    data = Drawn(seed, "numbers")
    theirs = GaussianNB(priors=prior_of(prior), var_smoothing=0)
    theirs.fit(data.x, data.y, **data.given(weighted))
    ours = naively.NaiveBayes(Gaussian(strength=0), prior=stated(prior))
    ours.fit(data.x, data.y, **data.given(weighted))
    agree(ours, theirs, data.query)
    assert ours.theta_ == pytest.approx(theirs.theta_, rel=1e-10)
    assert ours.var_ == pytest.approx(theirs.var_, rel=1e-10)
    joint = theirs.predict_joint_log_proba(data.query)
    assert ours.predict_joint_log_proba(data.query) == pytest.approx(joint, rel=1e-10)


@every_seed
@weighted
@smoothed
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_multinomial(seed, weighted, alpha, sparse):
    data = Drawn(seed, "counts")
    form = scipy.sparse.csr_array if sparse else np.asarray
    theirs = MultinomialNB(alpha=alpha).fit(form(data.x), data.y, **data.given(weighted))
    ours = naively.NaiveBayes(Multinomial(alpha=alpha))
    ours.fit(form(data.x), data.y, **data.given(weighted))
    agree(ours, theirs, form(data.query))
    assert ours.feature_log_prob_ == pytest.approx(theirs.feature_log_prob_, abs=1e-10)
    assert ours.class_log_prior_ == pytest.approx(theirs.class_log_prior_, abs=1e-10)
    assert ours.class_count_ == pytest.approx(theirs.class_count_, rel=1e-10)


@every_seed
@weighted
@smoothed
@pytest.mark.parametrize("norm", [False, True])
def test_complement_with_the_uniform_prior_that_it_has_there(seed, weighted, alpha, norm):
    data = Drawn(seed, "counts")
    theirs = ComplementNB(alpha=alpha, norm=norm).fit(data.x, data.y, **data.given(weighted))
    ours = naively.NaiveBayes(Complement(alpha=alpha, norm=norm), prior="uniform")
    ours.fit(data.x, data.y, **data.given(weighted))
    agree(ours, theirs, data.query)
    assert ours.feature_log_prob_ == pytest.approx(theirs.feature_log_prob_, abs=1e-10)


@every_seed
@weighted
@smoothed
def test_bernoulli(seed, weighted, alpha):
    data = Drawn(seed, "coins")
    theirs = BernoulliNB(alpha=alpha, binarize=None).fit(data.x, data.y, **data.given(weighted))
    ours = naively.NaiveBayes(Bernoulli(alpha=alpha))
    ours.fit(data.x, data.y, **data.given(weighted))
    agree(ours, theirs, data.query)
    assert ours.feature_log_prob_ == pytest.approx(theirs.feature_log_prob_, abs=1e-10)
    joint = theirs.predict_joint_log_proba(data.query)
    assert ours.predict_joint_log_proba(data.query) == pytest.approx(joint, rel=1e-10)


@every_seed
@weighted
@smoothed
def test_categorical(seed, weighted, alpha):
    data = Drawn(seed, "labels")
    theirs = CategoricalNB(alpha=alpha).fit(data.x, data.y, **data.given(weighted))
    ours = naively.NaiveBayes(Categorical(alpha=alpha))
    ours.fit(data.x, data.y, **data.given(weighted))
    agree(ours, theirs, data.query)
    for mine, known in zip(ours.feature_log_prob_, theirs.feature_log_prob_, strict=True):
        assert mine == pytest.approx(known, abs=1e-10)
    joint = theirs.predict_joint_log_proba(data.query)
    assert ours.predict_joint_log_proba(data.query) == pytest.approx(joint, rel=1e-10)


@every_seed
def test_categorical_with_labels_that_do_not_occur(seed):
    data = Drawn(seed, "labels")
    theirs = CategoricalNB(min_categories=8).fit(data.x, data.y)
    ours = naively.NaiveBayes(Categorical(labels=tuple(range(8)))).fit(data.x, data.y)
    agree(ours, theirs, np.full((1, COLUMNS), 7))


def ddof_of(covariance, data, groups):
    """The divisor that this release of scikit-learn has: n, or n less the degrees of freedom."""
    spread = sum(np.cov(data.x[data.y == c].T, ddof=0) * (data.y == c).sum() for c in groups)
    n = np.isin(data.y, groups).sum()
    exact = [np.allclose(covariance, spread / (n - ddof * len(groups))) for ddof in (0, 1)]
    return exact.index(True)


@every_seed
@every_prior
def test_full_covariances_are_quadratic_discriminant_analysis(seed, prior):
    data = Drawn(seed, "numbers")
    theirs = QuadraticDiscriminantAnalysis(priors=prior_of(prior), store_covariance=True)
    theirs.fit(data.x, data.y)
    ddof = ddof_of(theirs.covariance_[0], data, [0])
    family = Gaussian("full", strength=0, ddof=ddof)
    ours = naively.NaiveBayes({tuple(range(COLUMNS)): family}, prior=stated(prior))
    agree(ours.fit(data.x, data.y), theirs, data.query)


@every_seed
@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_a_tied_covariance_is_linear_discriminant_analysis(seed, solver):
    data = Drawn(seed, "numbers")
    theirs = LinearDiscriminantAnalysis(solver=solver, store_covariance=True)
    theirs.fit(data.x, data.y)
    family = Gaussian("tied", strength=0, ddof=ddof_of(theirs.covariance_, data, [0, 1, 2]))
    ours = naively.NaiveBayes({tuple(range(COLUMNS)): family})
    agree(ours.fit(data.x, data.y), theirs, data.query)


def test_labels_and_names_are_taken_alike():
    pandas = pytest.importorskip("pandas")
    data = Drawn(0, "numbers")
    frame = pandas.DataFrame(data.x, columns=list("abcde"))
    names = np.array(["no", "perhaps", "yes"])[data.y]
    theirs = GaussianNB(var_smoothing=0).fit(frame, names)
    ours = naively.NaiveBayes(Gaussian(strength=0)).fit(frame, names)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    assert ours.feature_names_in_.tolist() == theirs.feature_names_in_.tolist()
    agree(ours, theirs, pandas.DataFrame(data.query, columns=list("abcde")))
