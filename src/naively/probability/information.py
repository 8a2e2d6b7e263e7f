"""What a distribution says as numbers: its most probable outcome, expectation, entropy.

H(X)    = - sum of P(x) log2 P(x)           in bits
I(X; Y) = H(X) + H(Y) - H(X, Y)
E(X)    = sum of x P(x)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from naively._typing import Label, Vector
from naively.derivation.exact import Number
from naively.derivation.formula import divided
from naively.errors import DataError
from naively.probability import association
from naively.probability.answer import Probability
from naively.probability.asking import names_in, table_of

if TYPE_CHECKING:
    from naively.probability.joint import Joint

__all__ = [
    "entropy",
    "expectation",
    "most_probable",
    "mutual_information",
    "sum_out",
]


def sum_out(joint: Joint, *names: str) -> Joint:
    """The distribution of all variables but these.

    >>> from naively.probability import Joint
    >>> sum_out(Joint.from_rows({"a": [1, 2], "b": [3, 4]}), "b").names
    ('a',)
    """
    gone = joint.marginal(*names).names
    return joint.marginal(*(name for name in joint.names if name not in gone))


def most_probable(
    joint: Joint, *names: str, given: Any = None
) -> tuple[dict[str, Label], Probability]:
    """The most probable values of some variables together (of all), and their probability.

    >>> from naively.probability import Joint
    >>> most_probable(Joint.from_rows({"a": ["x", "x", "y"], "b": ["z", "z", "z"]}))
    ({'a': 'x', 'b': 'z'}, 2/3 = 0.666667)
    """
    known = joint if given is None else joint.condition(given)
    wanted = names_in(known, names) if names else known.names
    rows = sorted(table_of(known, *wanted).rows(), key=lambda row: -row[1])
    cell = rows[0][0]
    values = dict(zip(wanted, cell, strict=True))
    distribution = known.distribution(*wanted)
    return values, distribution[cell if len(wanted) > 1 else cell[0]]


def expectation(
    joint: Joint, name: str, given: Any = None, *, of: Callable[[Any], Any] | None = None
) -> Number:
    """The mean of a variable of numbers, or of a function `of` its values; exact where it can be.

    Missing cells are left out.

    >>> from naively.probability import Joint
    >>> die = Joint.independent({"die": {k: "1/6" for k in range(1, 7)}})
    >>> expectation(die, "die"), expectation(die, "die", given="die > 4")
    (Fraction(7, 2), Fraction(11, 2))
    """
    known = joint if given is None else joint.condition(given)
    rows = [(label, w) for (label,), w in table_of(known, name).rows() if label is not None]
    whole = sum(w for _, w in rows)
    if not whole:
        raise DataError(f"column {name!r} has no value", "at least one")
    values: list[Any] = [label if of is None else of(label) for label, _ in rows]
    odd = next((value for value in values if isinstance(value, str) or value is None), None)
    if odd is not None:
        found = f"column {name!r} has the value {odd!r}"
        raise DataError(found, "numbers", "say of=..., a function from values to numbers")
    terms = [value * divided(w, whole) for value, (_, w) in zip(values, rows, strict=True)]
    return math.fsum(terms) if any(isinstance(t, float) for t in terms) else sum(terms)


def entropy(joint: Joint, *names: str, given: Any = None) -> float:
    """The entropy of some variables (of all) in bits.

    >>> from naively.probability import Joint
    >>> entropy(Joint.independent({"coin": {"h": .5, "t": .5}, "die": {k: .25 for k in range(4)}}))
    3.0
    """
    known = joint if given is None else joint.condition(given)
    return bits(weights_of(known, names_in(known, names) if names else known.names))


def mutual_information(joint: Joint, a: str, b: str, given: Any = None) -> float:
    """What one variable says of another, in bits, where both are known; 0 if independent.

    >>> from naively.probability import Joint
    >>> same = Joint.from_rows({"a": [0, 0, 1, 1], "b": ["x", "x", "y", "y"]})
    >>> mutual_information(same, "a", "b")
    1.0
    """
    known = joint if given is None else joint.condition(given)
    table = {cell: w for cell, w in table_of(known, a, b).rows() if None not in cell and w}
    if not table:
        raise DataError(f"no row that has both {a!r} and {b!r}", "rows where both are known")
    firsts, seconds = (sorted({cell[j] for cell in table}, key=str) for j in (0, 1))
    counts = np.array([[[float(table.get((x, y), 0)) for y in seconds] for x in firsts]])
    return association.mutual_information(counts)


def weights_of(joint: Joint, names: Sequence[str]) -> Vector:
    """The probabilities of the outcomes of some variables."""
    weight = np.array([float(w) for _, w in table_of(joint, *names).rows()])
    shares: Vector = weight / weight.sum()
    return shares


def bits(p: Vector) -> float:
    """The entropy of probabilities."""
    some = p[p > 0]
    return float(math.fsum((-some * np.log2(some)).tolist()))
