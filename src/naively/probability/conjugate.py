"""Beliefs in numbers: a prior of a form that evidence keeps.

    Beta          a probability, from successes and failures
    Gamma         a rate, from counts in so many units
    Normal        a mean, from measurements of known deviation

>>> Beta(1, 1).observe("HHHT", success="H")
Beta(4, 2): mean 0.666667, 95 % between 0.283582 and 0.947255
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naively.errors import DataError, ParameterError

__all__ = ["Beta", "Gamma", "Normal"]

NUMBERS = (int, float, np.number)
"""A number, and not a sequence of them."""


@dataclass(frozen=True, slots=True, repr=False)
class Beta:
    """A belief in a probability, as if `a - 1` successes and `b - 1` failures were seen before.

        density  theta^(a-1) (1-theta)^(b-1) / B(a, b)

    Beta(1, 1) takes every probability for equally likely.

    >>> coin = Beta(1, 1).update(successes=30, failures=10)
    >>> round(coin.mean, 4), coin.mode
    (0.7381, 0.75)
    """

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        _check_positive(a=self.a, b=self.b)

    def update(self, successes: float = 0, failures: float = 0) -> Beta:
        """The belief after so many successes and failures."""
        _check_counts(successes=successes, failures=failures)
        return Beta(self.a + successes, self.b + failures)

    def observe(self, sequence: Iterable[Any], success: Any = True) -> Beta:
        """The belief after outcomes, of which one counts as success."""
        outcomes = list(sequence)
        odd = [outcome for outcome in outcomes if outcome not in (True, False)]
        if success is True and odd:
            raise DataError(f"the outcome {odd[0]!r}", "truth values", "or say success=...")
        hits = sum(outcome == success for outcome in outcomes)
        return self.update(hits, len(outcomes) - hits)

    @property
    def mean(self) -> float:
        """The probability that the next outcome is a success."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float | None:
        """The most probable value; None where there is no one such value."""
        if self.a + self.b <= 2 or self.a < 1 or self.b < 1:
            return None
        return (self.a - 1) / (self.a + self.b - 2)

    @property
    def std(self) -> float:
        """The standard deviation of the belief."""
        n = self.a + self.b
        return math.sqrt(self.a * self.b / (n * n * (n + 1)))

    def quantile(self, q: float) -> float:
        """The value below which it is with probability q."""
        _check_level(q)
        from scipy.special import betaincinv

        return float(betaincinv(self.a, self.b, q))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The credible interval: as much belief lies below it as above."""
        return _interval(self, level)

    def __repr__(self) -> str:
        return f"Beta({self.a:g}, {self.b:g}): {_said(self)}"


@dataclass(frozen=True, slots=True, repr=False)
class Gamma:
    """A belief in a rate, as if `shape` events were seen before in `rate` units.

        density  proportional to lam^(shape-1) exp(-rate lam)

    >>> calls = Gamma(1, 1).update([3, 5, 4])
    >>> calls.mean
    3.25
    """

    shape: float = 1.0
    rate: float = 1.0

    def __post_init__(self) -> None:
        _check_positive(shape=self.shape, rate=self.rate)

    def update(self, counts: float | Sequence[float], units: float | None = None) -> Gamma:
        """The belief after counts of one unit each, or after a count in so many units."""
        seen = [counts] if isinstance(counts, NUMBERS) else list(counts)
        length = float(len(seen)) if units is None else units
        _check_counts(units=length, **{f"count {i}": n for i, n in enumerate(seen)})
        return Gamma(self.shape + math.fsum(seen), self.rate + length)

    @property
    def mean(self) -> float:
        """The number of events to expect in a unit."""
        return self.shape / self.rate

    @property
    def mode(self) -> float:
        """The most probable rate."""
        return max(0.0, (self.shape - 1) / self.rate)

    @property
    def std(self) -> float:
        """The standard deviation of the belief."""
        return math.sqrt(self.shape) / self.rate

    def quantile(self, q: float) -> float:
        """The value below which it is with probability q."""
        _check_level(q)
        from scipy.special import gammaincinv

        return float(gammaincinv(self.shape, q)) / self.rate

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The credible interval: as much belief lies below it as above."""
        return _interval(self, level)

    def __repr__(self) -> str:
        return f"Gamma(shape={self.shape:g}, rate={self.rate:g}): {_said(self)}"


@dataclass(frozen=True, slots=True, repr=False)
class Normal:
    """A belief in a mean, from measurements whose own deviation is known.

        1/s'^2 = 1/s^2 + n/sigma^2        m'/s'^2 = m/s^2 + sum of x / sigma^2

    >>> Normal(100, 15).update([112], sigma=15)
    Normal(mean=106, std=10.6066): 95 % between 85.2114 and 126.789
    """

    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        _check_positive(std=self.std)
        if not math.isfinite(self.mean):
            raise ParameterError(f"mean={self.mean!r}", "a finite number")

    def update(self, measured: float | Sequence[float], sigma: float) -> Normal:
        """The belief after measurements with this deviation."""
        seen = [measured] if isinstance(measured, NUMBERS) else list(measured)
        _check_positive(sigma=sigma)
        if not all(map(math.isfinite, seen)):
            raise DataError("a measurement that is missing or infinite", "finite numbers")
        precision = 1 / self.std**2 + len(seen) / sigma**2
        # About the old mean, so that nothing is lost where it is large.
        shift = math.fsum(x - self.mean for x in seen) / sigma**2 / precision
        return Normal(self.mean + shift, 1 / math.sqrt(precision))

    @property
    def mode(self) -> float:
        """The most probable value."""
        return self.mean

    def quantile(self, q: float) -> float:
        """The value below which it is with probability q."""
        _check_level(q)
        from statistics import NormalDist

        return NormalDist(self.mean, self.std).inv_cdf(q)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The credible interval: as much belief lies below it as above."""
        return _interval(self, level)

    def __repr__(self) -> str:
        low, high = self.interval()
        shown = f"Normal(mean={self.mean:g}, std={self.std:g})"
        return f"{shown}: 95 % between {low:g} and {high:g}"


def _check_level(q: float) -> None:
    if not isinstance(q, (int, float)) or not 0 < q < 1:
        raise ParameterError(f"a quantile at {q!r}", "a number between 0 and 1")


def _interval(belief: Beta | Gamma | Normal, level: float) -> tuple[float, float]:
    if not 0 < level < 1:
        raise ParameterError(f"level={level!r}", "a number between 0 and 1", "0.95, say")
    return belief.quantile((1 - level) / 2), belief.quantile((1 + level) / 2)


def _said(belief: Beta | Gamma) -> str:
    low, high = belief.interval()
    return f"mean {belief.mean:g}, 95 % between {low:g} and {high:g}"


def _check_positive(**given: float) -> None:
    for name, value in given.items():
        if not (isinstance(value, NUMBERS) and 0 < value < math.inf):
            raise ParameterError(f"{name}={value!r}", "a finite number above 0")


def _check_counts(**given: float) -> None:
    for name, value in given.items():
        if not (isinstance(value, NUMBERS) and 0 <= value < math.inf):
            raise ParameterError(f"{name}={value!r}", "a number that is not negative")
