"""A model of stated distributions: Bayes' optimal classifier, with nothing to learn.

A declared distribution is what one average row of it would have counted. So a declared
model is statistics, a structure and a prior like any other: it answers, is explained,
drawn from and saved in the same ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from naively.data.domain import Domain, sorted_labels
from naively.data.schema import Column, Schema
from naively.errors import DataError, ParameterError, UnsupportedType
from naively.families.base import Family
from naively.families.opaque import Opaque, is_density
from naively.models.prior import log_prior
from naively.models.stats import Stats
from naively.models.structure import design
from naively.statistics import Statistic

__all__ = ["declared"]

ALONE = "x"
"""The name of a feature that was not given one."""


def declared(prior: Mapping[Any, float], likelihood: Mapping[Any, Any]) -> tuple[Schema, Stats]:
    """The schema and the statistics of stated class priors and distributions.

    `likelihood` has for each class a distribution, or one for each feature by name.

    >>> from naively.families import Gaussian
    >>> schema, stats = declared({"a": .5, "b": .5}, {
    ...     "a": Gaussian(mean=0, std=1), "b": Gaussian(mean=2, std=1)})
    >>> stats.statistics[0].means().ravel()
    array([0., 2.])
    """
    classes = Domain(sorted_labels(prior))
    log_prior(prior, classes, np.ones(len(classes)))  # which checks it
    if set(likelihood) != set(prior):
        odd = sorted(map(str, set(likelihood) ^ set(prior)))[0]
        found = f"the class {odd!r} in one of prior and likelihood"
        raise DataError(found, "the same classes in both")
    features = _features([likelihood[label] for label in classes.labels], classes)
    schema = Schema(tuple(_column(name, given) for name, given in features.items()))
    structure, _ = design(schema)
    by_name = {name: _statistic(given) for name, given in features.items()}
    statistics = tuple(_side_by_side([by_name[n] for n in t.columns]) for t in structure.terms)
    shares = np.array([float(prior[label]) for label in classes.labels])
    stats = Stats(structure, classes, shares, statistics, columns=schema.names)
    return schema, stats


def _features(given: Sequence[Any], classes: Domain) -> dict[str, list[Any]]:
    """For each feature the distributions by class."""
    if not any(isinstance(one, Mapping) for one in given):
        return {ALONE: list(given)}
    names = list(given[0]) if isinstance(given[0], Mapping) else []
    for one, label in zip(given, classes.labels, strict=True):
        if not isinstance(one, Mapping) or set(one) != set(names):
            found = f"the class {label!r} has other features than {classes.labels[0]!r}"
            raise DataError(found, "a distribution of each feature in each class")
    return {str(name): [one[name] for one in given] for name in names}


def _column(name: str, given: Sequence[Any]) -> Column:
    family = _family(name, given)
    kind = "number" if family.form == "real" else "string"
    if family.form == "codes":
        labels = {type(label) for one in given for label in one.theta}
        kind = Domain(tuple(t() for t in labels)).type if len(labels) == 1 else ""
    return Column(name, kind, family, family.form, "declared")


def _family(name: str, given: Sequence[Any]) -> Family:
    """The family that a feature's distributions share, without a prior of its own."""
    if all(is_density(one) for one in given):
        return Opaque(densities=tuple(given))
    for one in given:
        if not isinstance(one, Family) or one.declared() is None:
            raise UnsupportedType(
                f"the feature {name!r} with {one!r}",
                "a stated distribution, such as Gaussian(mean=0, std=1), or one of scipy.stats",
            )
    kinds = {type(one) for one in given}
    if len(kinds) > 1:
        shown = ", ".join(sorted(kind.__name__ for kind in kinds))
        fix = "use frozen distributions of scipy.stats where they differ"
        raise ParameterError(f"the feature {name!r} with {shown}", "one family in all classes", fix)
    return _without_prior(given[0])


def _without_prior(family: Family) -> Family:
    """The family as it would learn by maximum likelihood: then it believes what was stated."""
    stated = dict.fromkeys(("mean", "std", "lam", "theta"))
    known: dict[str, Any] = {n: v for n, v in stated.items() if hasattr(family, n)}
    known["strength" if hasattr(family, "strength") else "alpha"] = 0.0
    return replace(family, **known)


def _statistic(given: Sequence[Any]) -> Statistic:
    """The statistics of one feature, a group for each class."""
    if is_density(given[0]):
        return Opaque.nothing_counted(len(given))
    parts: list[Statistic] = [one.declared() for one in given]
    n = len(parts)
    return reduce(add, (part.regroup(np.array([g]), n) for g, part in enumerate(parts)))


def _side_by_side(parts: Sequence[Any]) -> Statistic:
    """The statistic of several columns, from those of each: sums, or moments."""
    whole: Statistic = reduce(lambda left, right: left.beside(right), parts)
    return whole
