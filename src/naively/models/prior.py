"""The class prior P(c): counted, smoothed, uniform or stated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from naively._typing import Vector
from naively.data.agreement import all_agreeing
from naively.data.domain import Domain
from naively.errors import ParameterError

__all__ = ["log_prior"]

NAMED = ("counted", "smoothed", "uniform")


def log_prior(prior: Any, classes: Domain, count: Vector) -> Vector:
    """log P(c) in class order.

    "counted" is n_c / n, "smoothed" (n_c + 1) / (n + number of classes), "uniform" is the
    same for all; a mapping of classes or an array in class order states it.

    >>> np.exp(log_prior("smoothed", Domain(("no", "yes")), np.array([5.0, 9.0])))
    array([0.375, 0.625])
    """
    k = len(classes)
    if isinstance(prior, str):
        p = _named(prior, count)
    elif isinstance(prior, Mapping):
        p = _by_class(prior, classes)
    else:
        p = _numbers(prior)
        if len(p) != k:
            raise ParameterError(f"a prior of {len(p)} numbers", f"one for each of {k} classes")
    if not np.isfinite(p).all() or (p < 0).any() or abs(p.sum() - 1) > 1e-6:
        found = f"prior={prior!r}, with sum {p.sum():g}"
        raise ParameterError(found, "probabilities of at least 0 that sum to 1")
    with np.errstate(divide="ignore"):
        return cast(Vector, np.log(p / p.sum()))


def _named(prior: str, count: Vector) -> Vector:
    if prior not in NAMED:
        raise ParameterError(f"prior={prior!r}", f"one of {NAMED}, a mapping or an array")
    if prior == "uniform":
        return np.full(len(count), 1 / max(1, len(count)))
    n = count + 1 if prior == "smoothed" else count
    return cast(Vector, n / n.sum())


def _numbers(prior: Any) -> Vector:
    try:
        return np.asarray(prior, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise ParameterError(f"prior={prior!r}", f"one of {NAMED}, a mapping or an array") from None


def _by_class(prior: Mapping[Any, float], classes: Domain) -> Vector:
    names = all_agreeing(prior, classes)
    stated = dict(zip(names, prior.values(), strict=True))
    if len(stated) < len(prior):
        raise ParameterError(f"prior={prior!r} names a class twice", "one number for each class")
    for label in stated:
        if label not in classes.index:
            hint = f"there are: {', '.join(map(repr, classes.labels[:10]))}"
            raise ParameterError(f"prior= names {label!r}", "the classes of the data", hint)
    for label in classes.labels:
        if label not in stated:
            raise ParameterError(f"prior= lacks the class {label!r}", "a number for each class")
    return _numbers([stated[label] for label in classes.labels])
