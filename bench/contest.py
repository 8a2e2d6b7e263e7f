"""Contenders for one job, timed in turns in one process; what counts is the ratio of best times.

A question is a file of this folder with a function `contests(quick)`. Every contest has our
contenders and their peers, and says which ratio we want to reach.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

Run = Callable[[], object]

ROUNDS = 5
"""How often each contender runs, at least."""


@dataclass(frozen=True)
class Claim:
    """`ours` is to be `ratio` times as fast as `peer` (a stretch: nobody has reached it yet)."""

    ours: str
    peer: str
    ratio: float
    stretch: bool = False


@dataclass(frozen=True)
class Contest:
    """One job and who does it; a job of microseconds is repeated within a turn."""

    job: str
    contenders: Mapping[str, Run]
    claims: Iterable[Claim] = ()
    repeat: int = 1
    rounds: int = ROUNDS


@dataclass
class Result:
    """What a contest gave: the best time of each contender, and the claims measured."""

    job: str
    seconds: dict[str, float]
    ratios: list[dict[str, object]] = field(default_factory=list)

    def plain(self) -> dict[str, object]:
        return asdict(self)


def threads(n: int, run: Run) -> Run:
    """The run with so many of our threads."""
    import naively

    def with_threads() -> object:
        naively.set_threads(n)
        return run()

    return with_threads


def held(contest: Contest) -> Result:
    """The best time of each contender over all rounds, and what follows for the claims."""
    best = dict.fromkeys(contest.contenders, float("inf"))
    for _ in range(contest.rounds):
        for name, run in contest.contenders.items():
            best[name] = min(best[name], _timed(run, contest.repeat))
    result = Result(contest.job, best)
    for claim in contest.claims:
        if claim.peer in best:
            ratio = best[claim.peer] / best[claim.ours]
            result.ratios.append({**asdict(claim), "measured": ratio})
    return result


def _timed(run: Run, repeat: int) -> float:
    gc.collect()
    start = time.perf_counter()
    for _ in range(repeat):
        run()
    return (time.perf_counter() - start) / repeat
