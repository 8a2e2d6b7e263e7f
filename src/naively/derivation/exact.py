"""Numbers as they were stated: exact fractions where they can be, floats otherwise.

A person who writes .1 means one tenth, and not the double next to it. Counts, fractions,
decimals, texts such as "1/3" and floats of few digits are exact; a float of many digits is
the result of a computation, and stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from naively.errors import DataError

__all__ = [
    "Number",
    "check_sum",
    "counted",
    "exact",
    "number",
    "numbers",
    "probability",
    "shown",
    "spelled",
]

Number = int | Fraction | float

DIGITS = 12
"""A float of at most so many digits was written by a person."""
TOLERANCE = 1e-9
"""How far a sum of probabilities may be from 1 by rounding."""
LONGEST = 10**7
"""A denominator below this is shown as a fraction."""


def exact(x: Any) -> Fraction | None:
    """The fraction that a number stands for; None where it is only an approximation.

    >>> exact(.1), exact("1/3"), exact(2), exact(1 / 3)
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 1), None)
    """
    if isinstance(x, (bool, np.bool_)):
        return None
    answer = getattr(x, "exact", None)
    if isinstance(answer, Fraction):  # of a `Probability`, which is a float too
        return answer
    if isinstance(x, Rational):
        return Fraction(int(x.numerator), int(x.denominator))
    if isinstance(x, (str, Decimal)):
        return _spelled(str(x))
    text = repr(float(x))
    digits = text.partition("e")[0].replace(".", "").replace("-", "").strip("0")
    return Fraction(text) if len(digits) <= DIGITS and math.isfinite(x) else None


def _spelled(text: str) -> Fraction | None:
    if text.strip().endswith("%"):
        part = _spelled(text.strip()[:-1])
        return None if part is None else part / 100
    top, slash, bottom = text.partition("/")
    try:
        numbers = [Decimal(top.strip()), *([Decimal(bottom.strip())] if slash else [])]
    except InvalidOperation:
        return None
    if not all(n.is_finite() and abs(n.adjusted()) < 400 for n in numbers) or not numbers[-1]:
        return Fraction(0) if not slash and not any(numbers) else None
    return Fraction(numbers[0]) / (Fraction(numbers[1]) if slash else 1)


def number(x: Any, what: str) -> Fraction | float:
    """A stated number that is not negative, as exact as it was stated."""
    value = _value(x)
    if value is None or not math.isfinite(value) or value < 0:
        raise DataError(f"{what} = {x!r}", "a number that is not negative")
    return value


def _value(x: Any) -> Fraction | float | None:
    if isinstance(x, (bool, np.bool_)):
        return None
    try:
        found = exact(x)
        return float(x) if found is None else found
    except (TypeError, ValueError, OverflowError):
        return None


def probability(x: Any, what: str) -> Fraction | float:
    """A stated probability, as exact as it was stated.

    >>> probability(".0001", "the prior")
    Fraction(1, 10000)
    """
    value = number(x, what)
    if value > 1:
        raise DataError(f"{what} = {x!r}", "a probability, between 0 and 1")
    return value


def numbers(xs: Iterable[Any], what: str) -> list[Fraction] | list[float]:
    """Stated numbers: all exact, or all floats.

    >>> numbers([.5, "1/2"], "p"), numbers([.5, 1 / 3], "p")
    ([Fraction(1, 2), Fraction(1, 2)], [0.5, 0.3333333333333333])
    """
    found = [number(x, what) for x in xs]
    if all(isinstance(x, Fraction) for x in found):
        return [x for x in found if isinstance(x, Fraction)]
    return [float(x) for x in found]


def check_sum(ps: Sequence[Number], what: str, *, normalize: bool = False) -> Number:
    """The sum of probabilities that must be 1 but for rounding, or anything when normalized."""
    exactly = not any(isinstance(p, float) for p in ps)
    total: Number = sum(ps) if exactly else math.fsum(ps)
    if not total > 0:
        raise DataError(f"{what} sum to {float(total):g}", "at least one above 0")
    if not normalize and abs(float(total - 1)) > TOLERANCE:
        fix = "normalize=True (--normalize) divides by the sum"
        raise DataError(f"{what} sum to {float(total):.10g}", "a sum of 1", fix)
    return total


def shown(x: Number) -> str:
    """A probability for a reader: 1/3, or decimals where the fraction would be a long one.

    >>> shown(Fraction(1, 3)), shown(Fraction(1, 10**9)), shown(0.25)
    ('1/3', '1e-09', '0.25')
    """
    if not isinstance(x, float) and Fraction(x).denominator < LONGEST:
        return str(x)
    return f"{float(x):.6g}"


def counted(n: Number) -> str:
    """A number of rows or cells, whole where it is; where nobody would read its digits, how many.

    >>> counted(4493460.0), counted(2.5), counted(2**100)
    ('4,493,460', '2.5', '1.27e+30')
    """
    if n != int(n):
        return f"{float(n):,.6g}"
    if n < 10**15:
        return f"{int(n):,}"
    power = int(math.log10(n))  # of integers that no float could hold, too
    return f"{10 ** (math.log10(n) - power):.2f}e+{power}"


def spelled(x: Number) -> str:
    """A stated number as it would be written: in decimals where these end soon.

    >>> spelled(Fraction(13, 100)), spelled(Fraction(1, 52))
    ('0.13', '1/52')
    """
    if isinstance(x, Fraction) and x.denominator != 1 and (10**6) % x.denominator == 0:
        return format(float(x), ".6f").rstrip("0")
    return shown(x)
