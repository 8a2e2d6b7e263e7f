"""How exact are variances and log likelihoods?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

ROWS = 100_000


def errors() -> Iterator[tuple[str, float, float]]:
    """What is measured, the relative error, and the most that it may be."""
    rng = np.random.default_rng(6)
    for mean, most in ((0, 1e-13), (1e8, 1e-9)):
        x = rng.standard_normal(ROWS) + mean
        yield f"variance at N({mean:g}, 1)", _relative(_variance(x), _exact(x)), most
        outlier = x.copy()
        outlier[0] = 1e12
        yield (
            f"variance at N({mean:g}, 1) after an outlier",
            _relative(_variance(outlier), _exact(outlier)),
            most,
        )
    single = (rng.standard_normal(ROWS) + 1e5).astype(np.float32)
    yield "variance of float32 at N(1e5, 1)", _relative(_variance(single), _exact(single)), 1e-9
    yield "variance of a constant column", _variance(np.full(ROWS, 1e9 + 0.1)), 0.0
    yield "log likelihood at offset 1e8", _likelihood(rng), 1e-12


def _variance(x: Any) -> float:
    from naively import kernels

    group = np.zeros(len(x), np.int32)
    n, _, m2 = kernels.group_moments(x[:, None], group, None, np.zeros(1), 1)
    return float(m2[0, 0] / n[0, 0])


def _exact(x: Any) -> Fraction:
    values = [Fraction(float(value)) for value in x]
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def _relative(found: float, exact: Fraction) -> float:
    return float(abs(Fraction(found) - exact) / exact)


def _likelihood(rng: Any) -> float:
    from naively import kernels

    x = rng.standard_normal((1_000, 8)) + 1e8
    mu, scale, norm = (np.tile(row, (3, 1)) for row in (np.full(8, 1e8), np.ones(8), np.zeros(8)))
    mu = mu + np.arange(3)[:, None]
    found, oracle = np.zeros((2, len(x), 3))
    score: Callable[..., Any] = kernels.gaussian_scores
    score(x, mu, scale, norm, -1e300, found)
    kernels.definitions["gaussian_scores"](x, mu, scale, norm, -1e300, oracle)
    return float(np.max(np.abs(found - oracle) / np.abs(oracle)))
