"""Natural frequencies: Bayes' rule told in numbers of people, which is easier to see.

of 1,000,000 people
    100 are ill: 99 with positive, 1 without
    999,900 are well: 9,999 with positive, 989,901 without
of the 10,098 with positive 99 are ill (0.98 %), 9,999 are well (99 %)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from naively.derivation.exact import Number
from naively.errors import DataError

if TYPE_CHECKING:
    from naively.probability.belief import Observation

__all__ = ["told"]


def told(before: Mapping[Any, Number], last: Observation, of: int, who: str) -> str:
    """A piece of evidence, and the belief before it, in so many people."""
    for h, likelihood in last.likelihood.items():
        if likelihood > 1:
            found = f"P({last.evidence} | {h}) = {float(likelihood):g}, a density"
            raise DataError(found, "probabilities, which people can be counted by")
    sizes = {h: p * of for h, p in before.items()}
    hits = {h: sizes[h] * last.likelihood[h] for h in sizes}
    lines = [f"of {of:,} {who}"]
    for h, size in sizes.items():
        parts = f"{_n(hits[h])} with {last.evidence}, {_n(size - hits[h])} without"
        lines.append(f"    {_n(size)} are {h}: {parts}")
    shares = [f"{_n(hits[h])} are {h} ({_percent(last.posterior[h])})" for h in sizes]
    with_it = sum(hits.values())
    return "\n".join([*lines, f"of the {_n(with_it)} with {last.evidence} {', '.join(shares)}"])


def _n(x: Number) -> str:
    """A number of people; parts of one where they were not enough."""
    number = float(x)
    return f"{number:,.0f}" if number == round(number) or number >= 1e6 else f"{number:,.6g}"


def _percent(p: Number) -> str:
    return f"{100 * float(p):.3g} %"
