"""Base measures: the part h(x) of an exponential family that no class changes.

    log p(x | eta) = x eta - A(eta) + log h(x)

A measure knows log h(x), and how to draw x from the natural parameter eta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from naively._typing import AnyArray, Matrix, Vector
from naively.errors import ParameterError

__all__ = [
    "LARGEST",
    "Coin",
    "Composition",
    "Failures",
    "Measure",
    "NoMeasure",
    "Rare",
    "Waiting",
    "log_gamma",
]


FAR = 1e30
"""Beyond this Stirling's formula needs no correction."""

LARGEST = 1e305
"""Larger numbers count as this one, so that no factorial overflows."""

MANY = 1e17
"""Larger means are drawn as Gaussian: NumPy's counts end at 2^63."""


def log_gamma(x: AnyArray) -> AnyArray:
    """log of the gamma function for x > 0, by Stirling's series eight steps further up.

    >>> float(np.exp(log_gamma(np.array(6.0)))).__round__(9)
    120.0
    """
    x = np.minimum(np.asarray(x, dtype=np.float64), LARGEST)
    near = np.minimum(x, FAR)  # further up eight steps are lost in rounding
    steps = np.prod([near + k for k in range(8)], axis=0)
    z = near + 8
    inverse = 1 / (z * z)
    series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z
    value = (z - 0.5) * np.log(z) - z + 0.5 * np.log(2 * np.pi) + series - np.log(steps)
    far = (x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi)
    return np.asarray(np.where(x > FAR, far, value))


class Measure(Protocol):
    """log h(x) of a block of numbers, and draws by natural parameter."""

    def log(self, x: Matrix) -> Vector | float:
        """log h(x), summed over the columns that are there."""
        ...

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        """One draw per cell of eta."""
        ...


@dataclass(frozen=True, slots=True)
class Coin:
    """0 or 1; eta = log theta / (1 - theta)."""

    def log(self, x: Matrix) -> Vector | float:
        return 0.0

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        with np.errstate(over="ignore"):
            return (rng.random(eta.shape) < 1 / (1 + np.exp(-eta))).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Rare:
    """Poisson counts; eta = log lam, h(x) = 1 / x!."""

    def log(self, x: Matrix) -> Vector | float:
        return -cast(Vector, np.nansum(log_gamma(x + 1), axis=1))

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        return _drawn_counts(np.exp(eta), rng)


def _drawn_counts(lam: Matrix, rng: np.random.Generator) -> Matrix:
    """Poisson counts; large ones are as good as Gaussian, to every digit that a double has."""
    counts = rng.poisson(np.minimum(lam, MANY)).astype(np.float64)
    spread = np.rint(lam + np.sqrt(lam) * rng.standard_normal(lam.shape))
    return np.where(lam > MANY, spread, counts)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Exponential waiting times; eta = -lam."""

    def log(self, x: Matrix) -> Vector | float:
        return 0.0

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        return rng.exponential(-1 / eta)


@dataclass(frozen=True, slots=True)
class Failures:
    """Failures before the r-th success; eta = log(1 - theta), r by column (1: geometric)."""

    r: tuple[float, ...]

    def log(self, x: Matrix) -> Vector | float:
        r = np.asarray(self.r)
        if (r == 1).all():
            return 0.0
        ways = log_gamma(x + r) - log_gamma(r) - log_gamma(x + 1)
        return cast(Vector, np.nansum(ways, axis=1))

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        """Poisson counts whose rates are Gamma's: r is its shape, (1 - theta) / theta its scale."""
        odds = np.exp(eta) / np.maximum(-np.expm1(eta), 1 / LARGEST)
        return _drawn_counts(odds * rng.standard_gamma(np.broadcast_to(self.r, eta.shape)), rng)


@dataclass(frozen=True, slots=True)
class Composition:
    """Counts that share a total; eta = log theta, h(x) = total! / prod x!.

    The total itself is not modelled: drawn rows have `total` counts.
    """

    total: int = 100

    def log(self, x: Matrix) -> Vector | float:
        return self.log_of_cells(np.nansum(x, axis=1), np.nansum(log_gamma(x + 1), axis=1))

    def log_of_cells(self, totals: Vector, log_factorials: Vector) -> Vector:
        """The multinomial coefficient from each row's total and its sum of log x!."""
        return cast(Vector, log_gamma(totals + 1) - log_factorials)

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        theta = np.exp(eta)
        theta /= theta.sum(axis=1, keepdims=True)
        return rng.multinomial(self.total, theta).astype(np.float64)


@dataclass(frozen=True, slots=True)
class NoMeasure:
    """Scores that are not log probabilities: nothing to add, nothing to draw from."""

    family: str

    def log(self, x: Matrix) -> Vector | float:
        return 0.0

    def sample(self, eta: Matrix, rng: np.random.Generator) -> Matrix:
        raise ParameterError(
            f"the {self.family} family is not generative", "a family that can be drawn from"
        )
