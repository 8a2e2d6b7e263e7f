"""Steps that derive a column before it is counted.

A coding is part of a model's structure: whoever counts, scores, draws or exports the
term applies it first, so all of them see the same derived column. Two terms may use one
column under two codings: that is how a point mass stands beside a density (`Is(0)` is
counted, and `Except(0)` leaves those cells out of the density).

>>> Bins((0.0, 1.0, 4.0)).encode(Real(np.array([[0.5], [3.0], [9.0]]), ("x",)))[0].codes
array([0, 1, 1], dtype=int32)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from naively._typing import AnyArray, Indices, Vector
from naively.data.column import Block, Codes, Real
from naively.data.domain import MISSING, UNSEEN, Domain
from naively.data.support import Support
from naively.errors import ParameterError

__all__ = [
    "CODINGS",
    "PARTS",
    "Bins",
    "Coding",
    "Except",
    "Is",
    "IsMissing",
    "Log",
    "MissingIsValue",
    "Then",
    "TimePart",
    "steps",
]


class Coding:
    """From a block of columns to the block that is counted, and back for drawn rows."""

    name: ClassVar[str]
    support: ClassVar[Support | None] = None
    """What can be derived from, where that is not everything."""
    decisive: ClassVar[bool] = False
    """Whether a drawn value settles the cell, whatever other terms draw for it."""

    def encode(self, block: Block) -> Block:
        """The derived block."""
        raise NotImplementedError

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        """A column that `encode` would turn into this block; NaN where another term decides."""
        return block

    def log_measure(self, block: Block) -> Vector | float:
        """Per row the log of |d derived / d original|: 0 unless the variable is changed."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Log(Coding):
    """log x: a density of log x becomes one of x by the factor 1/x."""

    name: ClassVar[str] = "log"
    support: ClassVar[Support | None] = Support(
        "x > 0", low=5e-324, instead="'gaussian', or Inflated(LogNormal(), at=0)"
    )

    def encode(self, block: Block) -> Block:
        real = cast(Real, block)
        with np.errstate(divide="ignore", invalid="ignore"):
            return Real(np.log(real.values), real.names)

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        real = cast(Real, block)
        return Real(np.exp(real.values), real.names)

    def log_measure(self, block: Block) -> Vector | float:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.asarray(cast(Real, block).values, dtype=np.float64))
        return -cast(Vector, np.nansum(logs, axis=1))


@dataclass(frozen=True, slots=True)
class Bins(Coding):
    """The interval a number falls into; beyond the outer edges belongs to the outer bins.

    Bin k holds edges[k] <= x < edges[k + 1], the last one its upper edge too.
    """

    edges: tuple[float, ...]
    name: ClassVar[str] = "bins"

    @property
    def domain(self) -> Domain:
        """The bins by number."""
        return Domain(tuple(range(len(self.edges) - 1)))

    def encode(self, block: Block) -> Block:
        return tuple(Codes(codes, self.domain) for codes in self._codes(block))

    def _codes(self, block: Block) -> Indices:
        """Columns by rows: the bin of each cell."""
        values = cast(Real, block).values.T
        codes = np.searchsorted(np.asarray(self.edges[1:-1]), values, side="right")
        codes[np.isnan(values)] = MISSING
        return codes.astype(np.int32)

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        codes = np.stack([c.codes for c in cast("tuple[Codes, ...]", block)], axis=1)
        edges = np.asarray(self.edges)
        return Real(rng.uniform(edges[codes], edges[codes + 1]), ())

    def log_measure(self, block: Block) -> Vector | float:
        cost = np.append(-np.log(np.diff(self.edges)), 0.0)  # last: a missing cell costs nothing
        return cast(Vector, cost[self._codes(block)].sum(axis=0))


PARTS: dict[str, tuple[tuple[int, ...], str]] = {
    "hour": (tuple(range(24)), "h"),
    "weekday": (tuple(range(7)), "D"),
    "day": (tuple(range(1, 32)), "D"),
    "month": (tuple(range(1, 13)), "M"),
    "quarter": (tuple(range(1, 5)), "M"),
}
"""The parts of a time: their values, and the unit of NumPy's times that they are read from."""


FARTHEST = 1e17
"""Seconds beyond which there is no calendar: such a cell has no parts."""


@dataclass(frozen=True, slots=True)
class TimePart(Coding):
    """The hour, weekday (Monday is 0), day, month or quarter of a time in epoch seconds.

    >>> noon = Real(np.array([[12 * 3600.0]]), ("t",))    # of Thursday, 1 January 1970
    >>> TimePart("hour").encode(noon)[0].labels(), TimePart("weekday").encode(noon)[0].labels()
    ([12], [3])
    """

    part: str
    name: ClassVar[str] = "time part"

    @property
    def domain(self) -> Domain:
        """All values that the part can have."""
        return Domain(PARTS[self.part][0])

    def encode(self, block: Block) -> Block:
        values = np.asarray(cast(Real, block).values, dtype=np.float64)
        return tuple(Codes(self._codes(column), self.domain) for column in values.T)

    def _codes(self, seconds: Vector) -> Indices:
        gone = ~(np.abs(seconds) < FARTHEST)
        whole = np.floor(np.where(gone, 0.0, seconds)).astype("datetime64[s]")
        units = whole.astype(f"datetime64[{PARTS[self.part][1]}]").astype(np.int64)
        if self.part == "day":
            codes = (whole.astype("datetime64[D]") - whole.astype("datetime64[M]")).astype(np.int64)
        elif self.part == "weekday":
            codes = (units + 3) % 7
        else:
            codes = units % 24 if self.part == "hour" else units % 12
        codes = codes // 3 if self.part == "quarter" else codes
        coded: Indices = np.where(gone, MISSING, codes).astype(np.int32)
        return coded

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        raise ParameterError(f"the {self.part} of a time", "a whole time to draw")


@dataclass(frozen=True, slots=True)
class Is(Coding):
    """1 where the cell is exactly this value, 0 where it is another."""

    value: float
    name: ClassVar[str] = "is"
    decisive: ClassVar[bool] = True

    def encode(self, block: Block) -> Block:
        real = cast(Real, block)
        hit = (real.values == self.value).astype(np.float64)
        return Real(np.where(np.isnan(real.values), np.nan, hit), real.names)

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        real = cast(Real, block)
        return Real(np.where(real.values == 1, self.value, np.nan), real.names)


@dataclass(frozen=True, slots=True)
class Except(Coding):
    """The cell, left out where it is exactly this value."""

    value: float
    name: ClassVar[str] = "except"

    def encode(self, block: Block) -> Block:
        real = cast(Real, block)
        return Real(np.where(real.values == self.value, np.nan, real.values), real.names)


@dataclass(frozen=True, slots=True)
class IsMissing(Coding):
    """1 where a numeric cell is missing, else 0: missingness as evidence of its own."""

    name: ClassVar[str] = "is missing"
    decisive: ClassVar[bool] = True

    def encode(self, block: Block) -> Block:
        real = cast(Real, block)
        return Real(np.isnan(real.values).astype(np.float64), real.names)

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        # A drawn "missing" must win over the value that the density draws beside it.
        real = cast(Real, block)
        return Real(np.where(real.values == 1, np.inf, np.nan), real.names)


@dataclass(frozen=True, slots=True)
class MissingIsValue(Coding):
    """A missing label becomes a label of its own, None."""

    name: ClassVar[str] = "missing is a value"

    def encode(self, block: Block) -> Block:
        return tuple(_with_none(column) for column in cast("tuple[Codes, ...]", block))


@dataclass(frozen=True, slots=True)
class Then(Coding):
    """One coding after another."""

    first: Coding
    second: Coding
    name: ClassVar[str] = "then"

    def encode(self, block: Block) -> Block:
        return self.second.encode(self.first.encode(block))

    def decode(self, block: Block, rng: np.random.Generator) -> Block:
        return self.first.decode(self.second.decode(block, rng), rng)

    def log_measure(self, block: Block) -> Vector | float:
        derived = self.first.encode(block)
        return self.first.log_measure(block) + self.second.log_measure(derived)


def steps(coding: Coding | None) -> tuple[Coding, ...]:
    """The codings that a column passes through, in order.

    >>> [step.name for step in steps(Then(Except(0.0), Log()))]
    ['except', 'log']
    """
    if isinstance(coding, Then):
        return (*steps(coding.first), *steps(coding.second))
    return () if coding is None else (coding,)


def _with_none(column: Codes) -> Codes:
    """The column with its missing cells coded as the label None."""
    gone = column.codes == MISSING
    domain = column.domain
    if gone.any() and not len(domain):
        domain = Domain((None,))
    elif gone.any() and domain.code(None) == UNSEEN and column.open:
        domain = Domain((*domain.labels, None))
    codes: AnyArray = np.where(gone, domain.code(None), column.codes)
    return Codes(codes.astype(np.int32), domain, column.open)


CODINGS: dict[str, type[Coding]] = {
    coding.name: coding
    for coding in (Log, Bins, Is, Except, IsMissing, MissingIsValue, Then, TimePart)
}
"""Every coding by its name, for the model file."""
