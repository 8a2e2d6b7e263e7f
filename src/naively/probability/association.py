"""How far a table of counts is from independence.

The table has the strata of what is given along its first axis, and a variable along each of
the others. Independent means that within every stratum

    P(x1, ..., xk | g) = P(x1 | g) ... P(xk | g)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np

from naively._typing import AnyArray

__all__ = [
    "PERMUTATIONS",
    "cramers_v",
    "degrees_of_freedom",
    "expected",
    "g_test",
    "is_product",
    "largest_change",
    "mutual_information",
    "permutation_p",
]

TOLERANCE = 1e-12
"""Differences between stated floats that are rounding."""
PERMUTATIONS = 999


def _margins(counts: AnyArray) -> list[AnyArray]:
    """For each variable its counts by stratum, shaped to be multiplied."""
    axes = range(1, counts.ndim)
    return [
        counts.sum(axis=tuple(other for other in axes if other != axis), keepdims=True)
        for axis in axes
    ]


def _strata(counts: AnyArray) -> AnyArray:
    sums: AnyArray = counts.sum(axis=tuple(range(1, counts.ndim)), keepdims=True)
    return sums


def expected(counts: AnyArray) -> AnyArray:
    """The counts that independence would give: the product of the margins.

    >>> expected(np.array([[[3., 1.], [1., 3.]]]))
    array([[[2., 2.],
            [2., 2.]]])
    """
    whole = np.maximum(_strata(counts), 1e-300)
    shares = reduce(np.multiply, (margin / whole for margin in _margins(counts)))
    spread: AnyArray = shares * whole
    return spread


def is_product(counts: AnyArray) -> bool:
    """Whether every cell is the product of its margins: exactly, for integers.

    >>> is_product(np.array([[[1, 2], [2, 4]]])), is_product(np.array([[[1, 2], [2, 5]]]))
    (True, False)
    """
    if counts.dtype.kind == "f":
        return bool((np.abs(counts - expected(counts)) <= TOLERANCE * counts.sum()).all())
    big = counts.astype(object)
    power = _strata(big) ** (counts.ndim - 2)
    return bool((big * power == reduce(np.multiply, _margins(big))).all())


def mutual_information(counts: AnyArray) -> float:
    """The information that the variables share within the strata, in bits; 0 if independent.

    For more than two it is their total correlation, the sum of entropies less the joint one.

    >>> mutual_information(np.array([[[1., 0.], [0., 1.]]]))
    1.0
    """
    wanted = np.broadcast_to(expected(counts), counts.shape)
    there = counts > 0
    terms = counts[there] * np.log2(counts[there] / wanted[there])
    shared = math.fsum(terms.tolist()) / float(counts.sum())
    return shared if shared > TOLERANCE else 0.0


def cramers_v(counts: AnyArray) -> float:
    """Cramér's V, from 0 (independent) to 1 (one decides the other), over all strata.

    >>> cramers_v(np.array([[[5., 0.], [0., 5.]]]))
    1.0
    """
    wanted = np.broadcast_to(expected(counts), counts.shape)
    there = wanted > 0
    chi2 = (
        0.0
        if is_product(counts)
        else float(((counts[there] - wanted[there]) ** 2 / wanted[there]).sum())
    )
    sizes = [int((counts.sum(axis=_others(counts, axis)) > 0).sum()) for axis in (1, 2)]
    freedom = max(1, min(sizes) - 1)
    return min(1.0, math.sqrt(chi2 / (float(counts.sum()) * freedom)))


def _others(counts: AnyArray, axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(counts.ndim) if other != axis)


def degrees_of_freedom(counts: AnyArray) -> int:
    """The cells that are free beside those of the margins, values that do not occur left out.

    >>> degrees_of_freedom(np.ones((1, 2, 3)))
    2
    """
    return sum(_freedom(stratum) for stratum in counts)


def _freedom(stratum: AnyArray) -> int:
    margins = (stratum.sum(axis=_others(stratum, axis)) for axis in range(stratum.ndim))
    sizes = [int((margin > 0).sum()) for margin in margins]
    return max(0, math.prod(sizes) - sum(size - 1 for size in sizes) - 1) if all(sizes) else 0


def g_test(counts: AnyArray) -> tuple[float, int, float]:
    """The G statistic, its degrees of freedom, and how often chance would give as much.

    >>> g, freedom, p = g_test(np.array([[[30., 10.], [10., 30.]]]))
    >>> round(g, 2), freedom, p < .001
    (20.93, 1, True)
    """
    from scipy.special import chdtrc

    g = 2 * math.log(2) * float(counts.sum()) * mutual_information(counts)
    freedom = degrees_of_freedom(counts)
    return g, freedom, float(chdtrc(freedom, g)) if freedom else 1.0


def permutation_p(counts: AnyArray, seed: int = 0) -> float:
    """The share of permutations, within strata, that share as much information; counts of rows.

    >>> permutation_p(np.array([[[4, 0], [0, 4]]])) < .05
    True
    """
    rng = np.random.default_rng(seed)
    cells = np.repeat(np.arange(counts.size), counts.ravel().astype(np.int64))
    at = np.unravel_index(cells, counts.shape)
    seen = mutual_information(counts.astype(np.float64))
    hits = 0
    for moved in _permuted(at, rng):
        flat = np.ravel_multi_index(moved, counts.shape)
        drawn = np.bincount(flat, minlength=counts.size).reshape(counts.shape)
        hits += mutual_information(drawn.astype(np.float64)) >= seen - 1e-12
    return (hits + 1) / (PERMUTATIONS + 1)


def _permuted(at: tuple[Any, ...], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Rows whose second and later variables are shuffled within each stratum."""
    strata, first, *rest = at  # the rows lie stratum by stratum
    n = len(strata)
    for _ in range(PERMUTATIONS):
        moved = []
        for codes in rest:
            order = np.lexsort((rng.random(n), strata)) if strata[-1] else rng.permutation(n)
            moved.append(codes[order])
        yield strata, first, *moved


def largest_change(counts: AnyArray) -> tuple[float, tuple[int, ...], int]:
    """How far knowing the other variables moves the probability of one, at most.

    Returned are the change, the cell where it happens (stratum first), and the variable's axis.

    >>> largest_change(np.array([[[3., 1.], [1., 3.]]]))
    (0.25, (0, 1, 1), 1)
    """
    best: tuple[float, tuple[int, ...], int] = (0.0, (0,) * counts.ndim, 1)
    whole = np.maximum(_strata(counts), 1e-300)
    for axis, margin in zip(range(1, counts.ndim), _margins(counts), strict=True):
        others = counts.sum(axis=axis, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            change = np.abs(counts / others - margin / whole)
        change = np.where(np.broadcast_to(others > 0, counts.shape), change, 0.0)
        top = float(change.max(initial=0.0))
        if top > best[0] + 1e-15:
            # The last of equal ones: that an event happens, rather than that it does not.
            last = np.flatnonzero(change.ravel() >= top - TOLERANCE)[-1]
            cell = np.unravel_index(int(last), counts.shape)
            best = (top, tuple(int(i) for i in cell), axis)
    return best
