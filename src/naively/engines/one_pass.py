"""A whole table in one pass: what its first rows suggest is counted while all rows are watched.

If the last row is reached and inference from all rows says the same as from the first ones,
the statistics stand. If not, nothing is lost but time: the table is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import numpy as np

from naively._typing import Label, Vector
from naively.data.profile import Profile
from naively.data.schema import Schema, infer
from naively.data.source import Source, read
from naively.data.watch import Disproved, Watch
from naively.engines.local import (
    fold,
    learn_whole,
    refuse_incomplete,
    schema_from,
    schema_of,
    seen_in,
    told,
)
from naively.errors import DamagedFile, NaivelyError
from naively.models.model import Model
from naively.models.stats import Stats
from naively.models.structure import design

__all__ = ["learn_table", "train"]


def learn_table(
    source: Source, target: Any, weight: Any = None, columns: object = None, **defaults: Any
) -> tuple[Schema, Stats]:
    """The schema and the statistics of a table that is all there is to learn from.

    >>> from naively.data.source import read
    >>> schema, stats = learn_table(read({"x": ["a", "b"], "y": ["no", "yes"]}), "y")
    >>> schema["x"].why, stats.class_count
    ('2 distinct texts', array([1., 1.]))
    """
    found = _in_one_pass(source, target, weight, columns, defaults)
    if found is None:
        schema = schema_of(source, target, weight, columns, **defaults)
        found = schema, learn_whole(source, schema, target, weight)
    return told(*found), found[1]


def train(
    x: Any,
    target: Any,
    *,
    columns: object = None,
    weight: Any = None,
    prior: Any = "counted",
    impossible: Any = "raise",
    **defaults: Any,
) -> Model:
    """A model from a table, without scikit-learn: what the command line does.

    >>> train({"x": [1.0, 2.0, 8.5, 9.5], "y": ["low", "low", "high", "high"]}, "y")
    <Model of 1 columns, classes high, low>
    """
    return Model(*learn_table(read(x), target, weight, columns, **defaults), prior, impossible)


def _in_one_pass(
    source: Source, target: Any, weight: Any, columns: object, defaults: Mapping[str, Any]
) -> tuple[Schema, Stats] | None:
    """Schema and statistics from one look; None where a second one must decide."""
    quick = None if source.floats else source.quick()
    if quick is None:
        return None

    def decide(profiles: Mapping[str, Profile]) -> Schema:
        habits = {"arrays": quick.floats, "counts": quick.sparse}
        inferred = infer(profiles, **habits, markers=quick.said_missing)
        return schema_from(quick, inferred, target, columns, **defaults)

    try:
        watch = Watch(quick, decide, target, weight)
        if not all(c.family is None or c.family.is_settled for c in watch.schema):
            return None
        structure, _ = design(watch.schema)
        stats = fold(structure, watch.batches(), target).pruned()
        schema = decide(watch.profiles(_counts_of(stats)))
    except DamagedFile:
        raise  # another look might take what is left of it for the whole
    except (Disproved, NaivelyError):
        return None  # the second look says in words what is wrong, or finds nothing wrong
    if design(schema)[0] != structure:
        return None
    refuse_incomplete(stats)
    return schema, seen_in(source, schema, stats)


def _counts_of(stats: Stats) -> dict[str, tuple[tuple[Label, ...], Vector]]:
    """How often each label of every coded column occurs."""
    found: dict[str, tuple[tuple[Label, ...], Vector]] = {}
    for term, statistic in zip(stats.structure.terms, stats.statistics, strict=True):
        if statistic.domains is not None:
            n = cast(Vector, statistic.arrays()["t"].sum(axis=0))
            ends = np.cumsum([0, *map(len, statistic.domains)])
            pairs = zip(term.columns, statistic.domains, pairwise(ends), strict=True)
            found |= {name: _there(domain.labels, n[a:b]) for name, domain, (a, b) in pairs}
    return found


def _there(labels: tuple[Label, ...], n: Vector) -> tuple[tuple[Label, ...], Vector]:
    """Labels and counts without those of missing cells that are a value."""
    if None not in labels:
        return labels, n
    keep = [label is not None for label in labels]
    return tuple(label for label in labels if label is not None), n[keep]
