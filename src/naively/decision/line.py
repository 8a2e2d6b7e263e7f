"""Where an action changes along a line: every boundary, found by halving.

The line is looked at where a model's own draws lie, between them, and ever further out on both
sides. Between two neighbours that are decided alike the action may still change twice; so
wherever another action comes near, the place where it comes nearest is looked at too.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from naively._typing import AnyArray, Matrix, Vector

__all__ = ["Risks", "Segment", "places", "runs", "segments"]

Segment = tuple[float, float, int]
"""A stretch from low to high, and the position of its action."""

Risks = Callable[[Vector], Matrix]
"""From places to the risk of every action."""

FARTHEST = 60
"""How often the distance is doubled, looking outwards."""
HALVINGS = 200
NEAR = 40
"""Steps of the search for the place where two risks are nearest."""


def places(drawn: Vector) -> Vector:
    """Where to look: at draws, between them, and outwards in doubling steps.

    >>> places(np.array([0.0, 1.0]))[[0, -1]] / 2**60
    array([-1.,  1.])
    """
    drawn = np.unique(drawn[np.isfinite(drawn)])
    width = float(drawn[-1] - drawn[0]) or max(1.0, abs(float(drawn[0])))
    between = (drawn[1:] + drawn[:-1]) / 2
    steps = width * 2.0 ** np.arange(-12, FARTHEST + 1)
    return np.unique(np.concatenate([drawn[0] - steps, drawn, between, drawn[-1] + steps]))


def segments(risks: Risks, at: Vector, low: float = -np.inf, high: float = np.inf) -> list[Segment]:
    """The stretches of one action each, from one end of the line to the other."""
    at = np.unique(np.concatenate([at, _nearest(risks, at)]))
    best = _settled(risks(at))
    cuts = [
        cut
        for (x, a), (y, b) in pairwise(zip(at.tolist(), best.tolist(), strict=True))
        if a != b
        for cut in _cuts(risks, (x, a), (y, b))
    ]
    edges = [low, *(x for x, _ in cuts), high]
    actions = [int(best[0]), *(action for _, action in cuts)]
    pairs = zip(pairwise(edges), actions, strict=True)
    return [(begin, end, action) for (begin, end), action in pairs if begin < end]


def _settled(found: Matrix) -> Vector:
    """The best action at every place; where two are equal, that of the nearest place.

    So far out that the model cannot tell its classes apart any more nothing changes.
    """
    best, sure = found.argmin(axis=1), np.flatnonzero(_gap(found) > 0)
    if not len(sure):
        return np.asarray(best)
    places_ = np.arange(len(best))
    after = np.minimum(np.searchsorted(sure, places_), len(sure) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(sure[before] - places_) <= np.abs(sure[after] - places_)
    settled: Vector = best[np.where(nearer, sure[before], sure[after])]
    return settled


def runs(risks: Risks, at: Vector) -> list[Segment]:
    """The stretches of one action each among whole numbers, both ends within."""
    best = risks(at).argmin(axis=1)
    starts = np.flatnonzero(np.append(True, best[1:] != best[:-1]))
    ends = np.append(starts[1:] - 1, len(at) - 1)
    return [(float(at[a]), float(at[b]), int(best[a])) for a, b in zip(starts, ends, strict=True)]


def _cuts(
    risks: Risks, left: tuple[float, int], right: tuple[float, int], depth: int = 8
) -> list[tuple[float, int]]:
    """The boundaries between two places, each with the action that begins there."""
    (low, a), (high, b) = left, right
    for _ in range(HALVINGS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        action = int(risks(np.array([middle])).argmin())
        if action not in (a, b) and depth:
            point = (middle, action)
            return [
                *_cuts(risks, (low, a), point, depth - 1),
                *_cuts(risks, point, (high, b), depth - 1),
            ]
        if action == a:
            low = middle
        else:
            high = middle
    return [(high, b)]


def _nearest(risks: Risks, at: Vector) -> Vector:
    """Where, between places that are decided alike, a second action comes nearest to the best."""
    gap = _gap(risks(at))
    dips = np.flatnonzero((gap[1:-1] <= gap[:-2]) & (gap[1:-1] <= gap[2:])) + 1
    low, high = at[dips - 1], at[dips + 1]
    golden = (np.sqrt(5) - 1) / 2
    for _ in range(NEAR if len(dips) else 0):
        first, second = high - golden * (high - low), low + golden * (high - low)
        left = _gap(risks(first)) <= _gap(risks(second))
        high, low = np.where(left, second, high), np.where(left, low, first)
    return (low + high) / 2


def _gap(risks: AnyArray) -> Vector:
    """How much worse the second best action is, as a share of the larger risk."""
    if risks.shape[1] < 2:
        return np.ones(len(risks))
    two = np.partition(risks, 1, axis=1)[:, :2]
    gap: Vector = (two[:, 1] - two[:, 0]) / np.maximum(np.abs(two).max(axis=1), 1e-300)
    return gap
