"""The four factors against SciPy's distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from naively.data.column import Codes, Counts, Real
from naively.data.domain import Domain
from naively.factors import Kernel, Linear, Quadratic, Table
from naively.factors.measures import Coin, Composition, Failures, Rare, Waiting, log_gamma


def log_likelihood(factor, block, n_rows):
    """log p(x | group), rows by groups."""
    out = np.zeros((n_rows, factor.n_groups))
    factor.score(block, out)
    return out + np.reshape(factor.log_measure(block), (-1, 1))


def real(*columns):
    return Real(
        np.column_stack([np.array(c, dtype=float) for c in columns]), tuple("abc"[: len(columns)])
    )


X = [0.0, 1.0, 2.0, 7.0]
MU = np.array([[3.0], [0.5]])


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (Linear(np.log(MU), MU, Rare()), lambda g: stats.poisson(MU[g, 0]).logpmf(X)),
        (
            Linear(-1 / MU, np.log(MU), Waiting()),
            lambda g: stats.expon(scale=MU[g, 0]).logpdf(X),
        ),
        (
            Linear(np.log(MU / (2.5 + MU)), -2.5 * np.log(2.5 / (2.5 + MU)), Failures((2.5,))),
            lambda g: stats.nbinom(2.5, 2.5 / (2.5 + MU[g, 0])).logpmf(X),
        ),
        (Quadratic(MU, MU), lambda g: stats.norm(MU[g, 0], np.sqrt(MU[g, 0])).logpdf(X)),
    ],
    ids=["poisson", "exponential", "negative binomial", "gaussian"],
)
def test_scores_are_log_densities(factor, expected):
    found = log_likelihood(factor, real(X), len(X))
    for g in (0, 1):
        np.testing.assert_allclose(found[:, g], expected(g), rtol=1e-10)


def test_counts_are_multinomial_dense_and_sparse():
    theta = np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])
    factor = Linear.of(np.log(theta), np.zeros_like(theta), Composition())
    x = np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])
    sparse = Counts(
        np.array([0, 2, 3]), np.array([0, 2, 1]), np.array([1.0, 3.0, 2.0]), ("a", "b", "c")
    )
    for block in (Real(x, ("a", "b", "c")), sparse):
        found = log_likelihood(factor, block, 2)
        for g in (0, 1):
            expected = [stats.multinomial(row.sum(), theta[g]).logpmf(row) for row in x]
            np.testing.assert_allclose(found[:, g], expected, rtol=1e-10)


def test_what_cannot_be_is_minus_infinity_and_never_nan():
    coin = Linear.of(np.array([[-np.inf], [0.0]]), np.array([[0.0], [np.log(2)]]), Coin())
    assert log_likelihood(coin, real([0.0, 1.0, np.nan]), 3)[:, 0].tolist() == [0.0, -np.inf, 0.0]
    always = Linear.of(np.zeros((1, 1)), np.zeros((1, 1)), Coin(), np.array([[True]]))
    assert log_likelihood(always, real([0.0, 1.0]), 2)[:, 0].tolist() == [-np.inf, 0.0]
    assert always.weights().tolist() == [[np.inf]]


def test_a_full_covariance_is_a_multivariate_normal(rng):
    a = rng.normal(size=(2, 3, 3))
    var, mu = a @ a.transpose(0, 2, 1) + np.eye(3), rng.normal(size=(2, 3))
    x = rng.normal(size=(20, 3))
    x[::3, 1] = np.nan
    x[4] = np.nan
    found = log_likelihood(Quadratic(mu, var), Real(x, ("a", "b", "c")), 20)
    for i, g in np.ndindex(20, 2):
        at = np.flatnonzero(~np.isnan(x[i]))
        normal = stats.multivariate_normal(mu[g, at], var[g][np.ix_(at, at)]) if len(at) else None
        expected = normal.logpdf(x[i, at]) if len(at) else 0.0
        np.testing.assert_allclose(found[i, g], expected, atol=1e-10)


def test_a_kernel_is_the_mean_of_its_bumps():
    points, weights = np.array([0.0, 1.0, 5.0]), np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])
    factor = Kernel((points,), (weights,), np.array([[0.5], [2.0]]))
    x = np.linspace(-3, 9, 25)
    found = np.exp(log_likelihood(factor, real(x), 25))
    for g, h in ((0, 0.5), (1, 2.0)):
        bumps = stats.norm(points[:, None], h).pdf(x)
        expected = weights[:, g] @ bumps / weights[:, g].sum()
        np.testing.assert_allclose(found[:, g], expected, rtol=1e-10)


@pytest.mark.parametrize("x", [1e20, -1e20, 1e300])
def test_far_from_all_bumps_the_nearest_one_counts(x):
    factor = Kernel((np.array([0.0, 5.0]),), (np.eye(2),), np.ones((2, 1)))
    out = np.zeros((1, 2))
    factor.score(real([x]), out)
    assert out.argmax() == (x > 0)
    assert np.isfinite(out).all()
    assert factor.log_measure(real([x]))[0] < -1e39


def test_a_table_looks_up_missing_and_unseen_cells():
    domain = Domain(("a", "b"))
    table = Table((domain,), np.log([[0.25, 0.5], [0.75, 0.5], [0.1, 0.2]]))
    codes = (Codes(np.array([0, 1, -1, -2], dtype=np.int32), domain),)
    found = np.exp(log_likelihood(table, codes, 4))
    np.testing.assert_allclose(found, [[0.25, 0.5], [0.75, 0.5], [1, 1], [0.1, 0.2]])


def test_a_table_recodes_columns_of_other_domains():
    table = Table((Domain(("a", "b")),), np.log([[0.25], [0.75], [1.0]]))
    codes = (Codes(np.array([0, 1], dtype=np.int32), Domain(("b", "z"))),)
    np.testing.assert_allclose(np.exp(log_likelihood(table, codes, 2)), [[0.75], [1.0]])


@pytest.mark.parametrize("x", [1e-8, 0.5, 1.0, 3.0, 170.5, 1e6, 1e15, 1e31, 1e200])
def test_log_gamma_is_the_logarithm_of_gamma(x):
    np.testing.assert_allclose(
        log_gamma(np.array([x, np.nan]))[0], gammaln(x), rtol=1e-12, atol=1e-10
    )


def test_log_gamma_is_finite_for_all_numbers():
    assert np.isfinite(log_gamma(np.array([1e308, 2.0]))).all()
    assert log_gamma(np.array([1e308, 3.0]))[1] == pytest.approx(np.log(2))
