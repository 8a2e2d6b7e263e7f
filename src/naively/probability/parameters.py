"""How many numbers a distribution needs: the full joint, the naive one, or a factorization.

    full    all combinations of values
    naive   P(c), and for each feature P(x | c)
    other   P(x | parents of x) for each variable, as in "P(c) P(a | c) P(b | a, c)"

Entries are the numbers in the tables; free are those that are left once columns must sum to 1.

>>> five = {"c": 2, **{f"x{i}": 2 for i in range(5)}}
>>> parameters(five), parameters(five, target="c")
(64 entries, 63 free, 22 entries, 11 free)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from naively.derivation.exact import counted
from naively.errors import ParameterError, UnknownColumn, nearest

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = ["Parameters", "parameters"]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The entries of the tables of a factorization, and how many of them are free."""

    entries: int
    free: int

    def __repr__(self) -> str:
        return f"{counted(self.entries)} entries, {counted(self.free)} free"


def parameters(
    of: Joint | Mapping[str, int], factorization: str | None = None, *, target: str | None = None
) -> Parameters:
    """What the full joint needs, or the naive model of a target, or a stated factorization.

    `of` is a joint distribution, or the number of values of each variable.

    >>> parameters({"rain": 2, "wet": 2, "umbrella": 2}, "P(rain) P(wet | rain) P(umbrella | rain)")
    10 entries, 5 free
    """
    sizes = dict(of) if isinstance(of, Mapping) else _sizes(of)
    for name, size in sizes.items():
        if not isinstance(size, int) or size < 1:
            raise ParameterError(f"{name!r} with {size!r} values", "a whole number above 0")
    if factorization is not None and target is not None:
        raise ParameterError("a factorization beside a target", "one of the two")
    if factorization is not None:
        factors = _factors(factorization, sizes)
    elif target is not None:
        _check(target, sizes)
        factors = {name: (target,) for name in sizes if name != target} | {target: ()}
    else:
        cells = math.prod(sizes.values())
        return Parameters(cells, cells - 1)
    rows = {name: math.prod(sizes[parent] for parent in factors[name]) for name in factors}
    entries = sum(rows[name] * sizes[name] for name in factors)
    return Parameters(entries, sum(rows[name] * (sizes[name] - 1) for name in factors))


def _sizes(joint: Joint) -> dict[str, int]:
    return {name: len(joint.outcomes.variable(name).labels) for name in joint.names}


def _check(name: str, sizes: Mapping[str, int]) -> None:
    if name not in sizes:
        raise UnknownColumn(f"no variable {name!r}", fix=nearest(name, sizes))


FACTOR = re.compile(r"\s*P\(\s*([^|()]+?)\s*(?:\|\s*([^()]+?)\s*)?\)\s*[·*]?")


def _factors(text: str, sizes: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """The parents of each variable, from P(a) P(b | a)."""
    factors: dict[str, tuple[str, ...]] = {}
    at = 0
    while text[at:].strip():
        match = FACTOR.match(text, at)
        if match is None:
            found = f"the factorization {text!r}, at {text[at:].strip()[:20]!r}"
            raise ParameterError(found, "factors such as P(a) P(b | a)")
        name, behind = match[1], match[2] or ""
        parents = tuple(part.strip() for part in behind.split(",") if part.strip())
        for one in (name, *parents):
            _check(one, sizes)
        if name in factors:
            raise ParameterError(f"two factors for {name!r}", "one for each variable")
        if not set(parents) <= set(factors):
            missing = min(set(parents) - set(factors))
            found = f"P({name} | {behind}) before a factor for {missing!r}"
            raise ParameterError(found, "factors in the order of the chain rule")
        factors[name] = parents
        at = match.end()
    left = [name for name in sizes if name not in factors]
    if left:
        raise ParameterError(f"no factor for {left[0]!r}", "one for each variable")
    return factors
