"""What statistics have to be before a model is built on them.

A file may say anything. Here its numbers are held against its structure: shapes, counts
that can be, sums that agree, means that the family could have seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from naively._typing import AnyArray, Matrix
from naively.data.column import Block, Codes, Real
from naively.data.domain import Domain
from naively.errors import ModelFileError
from naively.factors import Factor, Quadratic
from naively.families.base import Family
from naively.families.registry import counting
from naively.models.model import Model
from naively.models.structure import Structure, Term
from naively.statistics import Moments, Sample, Statistic, Sums

__all__ = ["are_counts", "check_factors", "check_statistic", "check_structure"]

LARGEST = 1e100
"""More than any rows weigh; sums and products of counts stay finite up to here."""
SLACK = 1e-6
"""Rounding that sums over many rows may have."""


def check_structure(structure: Structure, columns: Sequence[str]) -> None:
    """Every column that a term uses has one type, and is among all `columns`, if known."""
    names = [name for name, _ in structure.types]
    used = [name for term in structure.terms for name in term.columns]
    twice = [term for term in structure.terms if len(set(term.columns)) < len(term.columns)]
    if len(set(names)) < len(names) or set(used) != set(names) or twice:
        raise ModelFileError("columns that do not match the terms", "a type for each column used")
    if len(set(columns)) < len(columns) or (columns and not set(used) <= set(columns)):
        raise ModelFileError("columns beside those of the terms", "all columns, each of them once")


def check_statistic(statistic: Statistic, term: Term, n_groups: int) -> None:
    """A statistic is of the kind that its term counts, and its numbers can be."""
    fault = next(_faults(statistic, term, n_groups), None)
    if fault is not None:
        raise ModelFileError(f"the statistic of {term} {fault}", "what this term counts")


def check_factors(model: Model) -> None:
    """No parameter became NaN; log probabilities may be infinite, means and variances not."""
    for part in model.parts:
        bad = np.isnan if not isinstance(part.factor, Quadratic) else _infinite
        if any(bad(array).any() for array in _arrays(part.factor)):
            found = f"the parameters of {part.term} are not numbers"
            raise ModelFileError(found, "statistics that give some")


def _infinite(array: AnyArray) -> AnyArray:
    return ~np.isfinite(array)


def _arrays(factor: Factor) -> Iterator[AnyArray]:
    """The tables of numbers that a factor holds."""
    for part in fields(factor):  # type: ignore[arg-type]
        value = getattr(factor, part.name)
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray) and array.dtype.kind == "f":
                yield array


def are_counts(array: AnyArray) -> bool:
    """Numbers that are not below 0, and not so large that their sums are infinite."""
    return bool(((array >= 0) & (array <= LARGEST)).all())


def _faults(statistic: Statistic, term: Term, n_groups: int) -> Iterator[str]:
    """What is wrong; each check relies on those before it."""
    family = _counting(term)
    like = family.observe(_no_rows(family), np.empty(0, dtype=np.int32), 1, None)
    if type(statistic) is not type(like) or (statistic.domains is None) != (like.domains is None):
        yield "is of another kind"
    arrays, known = statistic.arrays(), like.arrays()
    if any(arrays[name].ndim != known[name].ndim for name in arrays.keys() & known.keys()):
        yield "has arrays of another shape"
    if (statistic.n_groups, statistic.n_columns) != (n_groups, len(term.columns)):
        yield "has other columns or classes"
    if not all(np.isfinite(array).all() for array in arrays.values()):
        yield "holds numbers that are not finite"
    if isinstance(statistic, Sums):
        yield from _faults_of_sums(statistic, family)
    if isinstance(statistic, Moments):
        yield from _faults_of_moments(statistic, family)
    if isinstance(statistic, Sample):
        yield from _faults_of_sample(statistic)


def _counting(term: Term) -> Family:
    try:
        return counting(term.kind)
    except KeyError:
        fix = "upgrade naively to read it"
        raise ModelFileError(f"a term of kind {term.kind!r}", "a known kind", fix) from None


def _no_rows(family: Family) -> Block:
    """A column without rows: the statistic of it has the type and axes of all of them."""
    if family.form == "codes":
        return (Codes(np.empty(0, dtype=np.int32), Domain()),)
    return Real(np.empty((0, 1)), ("x",))


def _faults_of_sums(s: Sums, family: Family) -> Iterator[str]:
    groups, columns = s.n_groups, s.n_columns
    width = columns if s.domains is None else int(s.offsets[-1])
    widths = (1, columns) if family.form == "counts" else (columns,)
    if s.t.shape != (groups, width) or s.n.shape not in [(groups, w) for w in widths]:
        yield "has arrays of another shape"
    if not are_counts(s.n):
        yield "has negative counts"
    if s.domains is None:
        if np.any(np.where(s.n > 0, 0.0, s.t)) or not _possible(s.n, _ratio(s.t, s.n), family):
            yield "has means that no column of the family can have"
        return
    if not are_counts(s.t):
        yield "has negative counts"
    if not np.allclose(_totals(s), s.n, rtol=SLACK):
        yield "has counts that do not add up"


def _totals(s: Sums) -> Matrix:
    """The counts of each coded column, summed over its labels."""
    running = np.concatenate([np.zeros((s.n_groups, 1)), np.cumsum(s.t, axis=1)], axis=1)
    return np.diff(running[:, s.offsets], axis=1)


def _faults_of_moments(m: Moments, family: Family) -> Iterator[str]:
    g, d = m.mean.shape
    shapes = ((g, 1), (g, d, d)) if m.joint else ((g, d), (g, d))
    if m.shift.shape != (d,) or (m.n.shape, m.m2.shape) != shapes:
        yield "has arrays of another shape"
    squares = np.einsum("gjj->gj", m.m2) if m.joint else m.m2
    if not are_counts(m.n) or (squares < 0).any():
        yield "has negative counts or squares"
    if m.joint and not np.allclose(m.m2, m.m2.transpose(0, 2, 1), rtol=SLACK):
        yield "has co-moments that are not symmetric"
    if not _possible(m.n, m.means(), family):
        yield "has means that no column of the family can have"


def _faults_of_sample(s: Sample) -> Iterator[str]:
    for points, weights in zip(s.points, s.weights, strict=True):
        if points.ndim != 1 or weights.shape != (len(points), s.n_groups):
            yield "has arrays of another shape"
        if not are_counts(weights) or (np.diff(points) <= 0).any():
            yield "has negative weights, or values out of order"


def _possible(n: Matrix, mean: Matrix, family: Family) -> bool:
    """Whether the means lie within the family's support."""
    if family.support is None:
        return True
    slack = SLACK * np.maximum(1.0, np.abs(mean))
    out = (mean < family.support.low - slack) | (mean > family.support.high + slack)
    return not (out & (n > 0)).any()


def _ratio(t: Matrix, n: Matrix) -> Matrix:
    return np.divide(t, n, out=np.zeros_like(t), where=np.broadcast_to(n > 0, t.shape))
