"""Independence: whether variables say anything of each other, perhaps given others.

    P(a, b | g) = P(a | g) P(b | g)    for all values

A stated table is independent or it is not. Counted rows are a sample, in which nothing is
exactly independent: how much the variables share stands beside the tests of whether chance
alone would give as much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from naively._typing import AnyArray
from naively.derivation.exact import counted
from naively.derivation.layout import aligned
from naively.errors import DataError, ParameterError
from naively.probability import association
from naively.probability.asking import event_in
from naively.probability.column import col
from naively.probability.event import EVERYTHING, And, Event, Holds, Missing, Not, both, columns_of
from naively.probability.grammar import event
from naively.probability.partition import ROWS, Partition, crossed, partition_of, sampled

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["ENOUGH", "LITTLE", "Independence", "independence", "independence_matrix"]

ENOUGH = 0.01
"""A p-value above this is no evidence against independence;"""
POWERLESS = 0.1
"""where independent variables would seem to share so many bits by chance, little can be told;"""
LITTLE = 0.001
"""less shared information than this, in bits, is none that matters."""


@dataclass(frozen=True, slots=True)
class Independence:
    """Whether some variables are independent, and how nearly; true where they are."""

    names: tuple[str, ...]
    given: str
    exact: bool | None
    """The verdict on a stated table; None where rows were counted."""
    mutual_information: float
    """What they share, in bits."""
    cramers_v: float | None
    """Of two variables: from 0 to 1."""
    largest_change: float
    """How far one probability moves at most when the others are known,"""
    where: str
    """and which."""
    g: float | None = None
    degrees_of_freedom: int | None = None
    p_value: float | None = None
    """Of the G test: how often chance alone would share as much."""
    permutation_p: float | None = None
    """The same from permutations, which hold for small counts too."""
    rows: float = 0.0
    left_out: float = 0.0
    """Rows where one of the cells is missing."""
    note: str = ""
    rounded: bool = False
    """Whether the verdict on a stated table is one up to rounding."""

    @property
    def verdict(self) -> str:
        """Independent, close to independent (more than chance, but little), or dependent."""
        if not self:
            return "dependent"
        if self.exact:
            return "independent, up to rounding" if self.rounded else "independent, exactly"
        p = self._p
        if p is not None and p <= ENOUGH:
            return "close to independent"
        few = self.by_chance > POWERLESS
        return "independent, as far as so few rows can tell" if few else "independent"

    @property
    def _p(self) -> float | None:
        return self.permutation_p if self.p_value is None else self.p_value

    def __bool__(self) -> bool:
        if self.exact is not None:
            return self.exact
        p = self._p
        return (p is not None and p > ENOUGH) or self.mutual_information < LITTLE

    @property
    def by_chance(self) -> float:
        """What independent variables would seem to share in so many rows, in bits."""
        if not self.rows or self.degrees_of_freedom is None:
            return 0.0
        return self.degrees_of_freedom / (2 * math.log(2) * self.rows)

    def __repr__(self) -> str:
        given = f" given {self.given}" if self.given else ""
        lines = [f"{' and '.join(self.names)}{given}: {self.verdict}"]
        lines += [f"  {what:<20}{value}" for what, value in self._lines() if value]
        return "\n".join(lines)

    def _lines(self) -> list[tuple[str, str]]:
        v = "" if self.cramers_v is None else f"{self.cramers_v:.4g}"
        bits = f"{self.mutual_information:.4g} bits"
        if self.by_chance:
            bits += f" ({self.by_chance:.2g} by chance alone)"
        lines = [("mutual information", bits), ("Cramér's V", v)]
        lines.append(("largest change", f"{self.largest_change:.4g}{self.where}"))
        if self.g is not None:
            many = "" if self.degrees_of_freedom == 1 else "s"
            g = f"G = {self.g:.4g}, {self.degrees_of_freedom} degree{many} of freedom"
            lines.append(("G test", f"{g}, p = {self.p_value:.4g}"))
        if self.permutation_p is not None:
            least = 1 / (association.PERMUTATIONS + 1)
            sign = "≤" if self.permutation_p <= least else "="
            lines.append(("permutation test", f"p {sign} {self.permutation_p:.4g}"))
        if self.exact is None:
            gone = f", {counted(self.left_out)} more with missing cells" if self.left_out else ""
            lines.append(("rows", f"{counted(self.rows)}{gone}"))
        elif self.left_out:
            lines.append(("left out", f"{self.left_out:.4g}, where cells are missing"))
        return [*lines, ("note", self.note)]


def independence(joint: Joint, variables: tuple[Any, ...], given: Any = None) -> Independence:
    """Whether variables or events are independent, perhaps given others.

    A name alone, in `given` too, is a variable with all of its values; `vote=yes` is an event.

    >>> from naively.probability import Joint
    >>> xor = Joint.from_table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 1, 0],
    ...     "p": [.25] * 4}, p="p")
    >>> bool(independence(xor, ("a", "b"))), bool(independence(xor, ("a", "b", "c")))
    (True, False)
    """
    parts = [_partition(joint, one) for one in variables]
    if len({part.name for part in parts}) < len(parts):
        raise ParameterError(f"{' and '.join(p.name for p in parts)}", "different variables")
    strata, known = _given(joint, given)
    return _judged(joint, parts, strata, known, tests=True)


def _partition(joint: Joint, one: Any) -> Partition:
    """A variable of the joint, or an event that happens or does not."""
    if isinstance(one, str) and one in joint.names:
        return partition_of(joint, one)
    found = event(one) if isinstance(one, str) else one
    if isinstance(found, col):
        found = Holds(found.name)
    if isinstance(found, Holds):
        joint.marginal(found.column)
        return partition_of(joint, found.column)
    bound = event_in(joint, found)
    return Partition(str(bound), columns_of(bound), bound)


def _given(joint: Joint, given: Any) -> tuple[list[Partition], Event]:
    """What is given: variables, each of whose values is a stratum, and events."""
    if given is None:
        return [], EVERYTHING
    if isinstance(given, (list, tuple)):
        parts = [_given(joint, one) for one in given]
        return [p for variables, _ in parts for p in variables], both(*(e for _, e in parts))
    if isinstance(given, str) and given in joint.names:
        return [partition_of(joint, given)], EVERYTHING
    found = event(given) if isinstance(given, str) else given
    if isinstance(found, col):
        found = Holds(found.name)
    split = found.parts if isinstance(found, And) else (found,)
    names = [part for part in split if isinstance(part, Holds)]
    events = [part for part in split if not isinstance(part, Holds)]
    return [_partition(joint, part) for part in names], event_in(joint, both(*events))


def _judged(
    joint: Joint, parts: list[Partition], strata: list[Partition], known: Event, *, tests: bool
) -> Independence:
    """What some partitions share within the strata, among the rows that have all their cells."""
    whole = [*parts, *strata]
    inside = both(joint.known, known)
    # An event is never unknown; a variable without its cell has no value.
    there = both(inside, *(Not(Missing(p.name)) for p in whole if p.variable is not None))
    all_, complete = joint.outcomes.weights([EVERYTHING, there], inside)
    if not complete:
        raise _impossible(parts, known, something=bool(all_))
    if not joint.outcomes.stated and any(part.is_continuous for part in whole):
        table, whole, note = sampled(joint, whole, there)
    else:
        columns = dict.fromkeys(name for part in whole for name in part.columns)
        table, note = joint.outcomes.table(tuple(columns), there), ""
    parts, strata = whole[: len(parts)], whole[len(parts) :]
    counts = crossed(table, parts, strata)
    found = _measured(parts, strata, counts, joint.outcomes.stated)
    events = [str(known)] if known != EVERYTHING else []
    given = ", ".join([*(part.name for part in strata), *events])
    gone = float(all_) - float(complete)
    unit = float(joint.whole) if joint.outcomes.stated else 1.0
    found = replace(found, given=given, left_out=max(0.0, gone) / unit, note=note)
    return found if found.exact is not None or not tests else _tested(found, counts)


def _measured(
    parts: list[Partition], strata: list[Partition], counts: AnyArray, stated: bool
) -> Independence:
    numbers = counts.astype(np.float64)
    change, cell, axis = association.largest_change(numbers)
    return Independence(
        names=tuple(part.name for part in parts),
        given="",
        exact=association.is_product(counts) if stated else None,
        mutual_information=association.mutual_information(numbers),
        cramers_v=association.cramers_v(numbers) if len(parts) == 2 else None,
        largest_change=change,
        where=_where(parts, strata, counts, cell, axis) if change > 1e-12 else "",
        rows=float(numbers.sum()),
        rounded=counts.dtype.kind == "f",
    )


def _impossible(parts: list[Partition], known: Event, *, something: bool) -> Exception:
    from naively.probability.joint import impossible

    if not something:
        return impossible(known)
    names = ", ".join(part.name for part in parts)
    return DataError(f"no row that has all cells of {names}", "rows where both are known")


def _tested(found: Independence, counts: AnyArray) -> Independence:
    """With the tests, where weights are counts of rows."""
    if counts.dtype.kind == "f":
        return replace(found, note=found.note or "weights are no counts: no test")
    g, freedom, p = association.g_test(counts.astype(np.float64))
    few = found.rows <= ROWS
    permuted = association.permutation_p(counts.astype(np.int64)) if few else None
    return replace(found, g=g, degrees_of_freedom=freedom, p_value=p, permutation_p=permuted)


def _where(
    parts: list[Partition], strata: list[Partition], counts: Any, cell: tuple[int, ...], axis: int
) -> str:
    """The probability that changes most: with the others known, and without."""
    stratum = counts[cell[0]].astype(np.float64)
    at = cell[1:]
    line = stratum[tuple(slice(None) if i == axis - 1 else k for i, k in enumerate(at))]
    others = tuple(i for i in range(stratum.ndim) if i != axis - 1)
    margin = stratum.sum(axis=others)
    known = [
        part.word(k) for i, (part, k) in enumerate(zip(parts, at, strict=True)) if i != axis - 1
    ]
    sizes = [part.size for part in strata]
    inside = np.unravel_index(cell[0], sizes) if sizes else ()
    given = [part.word(int(k)) for part, k in zip(strata, inside, strict=True)]
    name = parts[axis - 1].word(at[axis - 1])
    after = line[at[axis - 1]] / line.sum()
    before = margin[at[axis - 1]] / margin.sum()
    bar = f" | {', '.join(given)}" if given else ""
    return (
        f": P({name}{bar}) = {before:.4g}, P({name} | {', '.join([*known, *given])}) = {after:.4g}"
    )


class Pairs(Mapping[tuple[str, str], Independence]):
    """The independence of all pairs of some variables; shown is what they share, in bits."""

    def __init__(self, names: tuple[str, ...], found: Mapping[tuple[str, str], Independence]):
        self.names, self._found = names, dict(found)

    def __getitem__(self, pair: tuple[str, str]) -> Independence:
        a, b = pair
        return self._found[(a, b)] if (a, b) in self._found else self._found[(b, a)]

    def __iter__(self) -> Any:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def _bits(self, a: str, b: str) -> str:
        return f"{self[a, b].mutual_information:.3g}"

    def __repr__(self) -> str:
        lines = [["bits", *self.names]]
        for a in self.names:
            lines.append([a, *("" if a == b else self._bits(a, b) for b in self.names)])
        return aligned(lines)


def independence_matrix(joint: Joint, *names: str, given: Any = None, tests: bool = True) -> Pairs:
    """The independence of every pair of variables (of all), perhaps given others.

    >>> from naively.probability import Joint
    >>> independence_matrix(Joint.from_rows({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]}))
    bits  a  b
    a        1
    b     1
    """
    strata, known = _given(joint, given)
    skipped = {part.name for part in strata}
    wanted = names or tuple(name for name in joint.names if name not in skipped)
    parts = {name: _partition(joint, name) for name in wanted}
    found = {
        (a, b): _judged(joint, [parts[a], parts[b]], strata, known, tests=tests)
        for a, b in combinations(wanted, 2)
    }
    return Pairs(tuple(wanted), found)
