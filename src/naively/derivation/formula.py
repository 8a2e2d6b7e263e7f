r"""Formulas that can be read, typeset and worked out: what a derivation is made of.

>>> ratio = Ratio(Value(13), Value(71))
>>> ratio.text, ratio.latex, ratio.value
('13/71', '\\frac{13}{71}', Fraction(13, 71))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from naively.derivation.exact import Number, shown, spelled

__all__ = [
    "Difference",
    "Formula",
    "P",
    "Product",
    "Ratio",
    "Sum",
    "Undefined",
    "Value",
    "Words",
    "divided",
    "multiplied",
]

MOST = 12
"""Terms of a sum or product that are shown."""


class Formula(Protocol):
    """Something with a value, and two ways to write it."""

    @property
    def text(self) -> str: ...
    @property
    def latex(self) -> str: ...
    @property
    def value(self) -> Number | None:
        """The number, or None where it is undefined."""
        ...


@dataclass(frozen=True, slots=True)
class Value:
    """A number; one that was stated is written in decimals where these end soon."""

    value: Number
    stated: bool = False

    @property
    def text(self) -> str:
        return spelled(self.value) if self.stated else shown(self.value)

    @property
    def latex(self) -> str:
        if "/" in self.text:
            top, bottom = self.text.split("/")
            return rf"\frac{{{top}}}{{{bottom}}}"
        mantissa, e, power = self.text.partition("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}" if e else mantissa


@dataclass(frozen=True, slots=True)
class P:
    """A probability by name: P(vote=yes | college=no). `of` is another letter for it, as N."""

    event: str
    given: str
    value: Number | None
    of: str = "P"

    @property
    def text(self) -> str:
        inside = f"{self.event} | {self.given}" if self.given else self.event
        return f"{self.of}({inside})"

    @property
    def latex(self) -> str:
        event, given = _typeset(self.event), _typeset(self.given)
        return rf"{self.of}({event} \mid {given})" if self.given else f"{self.of}({event})"


@dataclass(frozen=True, slots=True)
class Ratio:
    """One by the other."""

    top: Formula
    bottom: Formula

    @property
    def text(self) -> str:
        top, bottom = self.top.text, self.bottom.text
        if isinstance(self.top, SUMS) or (isinstance(self.top, Product) and "/" in top):
            top = f"({top})"
        if isinstance(self.bottom, (*SUMS, Product)) or "/" in bottom:
            bottom = f"({bottom})"
        whole = (top + bottom).isdecimal()
        return f"{top}/{bottom}" if whole else f"{top} / {bottom}"

    @property
    def latex(self) -> str:
        return rf"\frac{{{self.top.latex}}}{{{self.bottom.latex}}}"

    @property
    def value(self) -> Number | None:
        top, bottom = self.top.value, self.bottom.value
        return None if top is None or not bottom else divided(top, bottom)


@dataclass(frozen=True, slots=True)
class Product:
    """All of them times each other: 0 where an earlier factor is 0, whatever follows it."""

    factors: tuple[Formula, ...]

    @property
    def text(self) -> str:
        parts = [f"({f.text})" if _is_long(f) else f.text for f in self.factors[:MOST]]
        return " · ".join(parts + _rest(self.factors))

    @property
    def latex(self) -> str:
        parts = [
            rf"\left({factor.latex}\right)" if isinstance(factor, SUMS) else factor.latex
            for factor in self.factors[:MOST]
        ]
        return r" \cdot ".join(parts + [r"\cdots"] * bool(_rest(self.factors)))

    @property
    def value(self) -> Number | None:
        return multiplied(factor.value for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Sum:
    """All of them together."""

    terms: tuple[Formula, ...]

    @property
    def text(self) -> str:
        return " + ".join([term.text for term in self.terms[:MOST]] + _rest(self.terms)) or "0"

    @property
    def latex(self) -> str:
        parts = [term.latex for term in self.terms[:MOST]]
        return " + ".join(parts + [r"\cdots"] * bool(_rest(self.terms))) or "0"

    @property
    def value(self) -> Number | None:
        values = [term.value for term in self.terms]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        return math.fsum(known) if any(isinstance(v, float) for v in known) else sum(known)


@dataclass(frozen=True, slots=True)
class Difference:
    """One less the other.

    >>> Difference(Value(3), Value(1)).text
    '3 - 1'
    """

    left: Formula
    right: Formula

    @property
    def text(self) -> str:
        right = self.right.text
        return f"{self.left.text} - {f'({right})' if isinstance(self.right, SUMS) else right}"

    @property
    def latex(self) -> str:
        right = self.right.latex
        if isinstance(self.right, SUMS):
            right = rf"\left({right}\right)"
        return f"{self.left.latex} - {right}"

    @property
    def value(self) -> Number | None:
        left, right = self.left.value, self.right.value
        return None if left is None or right is None else left - right


@dataclass(frozen=True, slots=True)
class Words:
    """A number that has a name of words."""

    text: str
    value: Number | None

    @property
    def latex(self) -> str:
        return _typeset(self.text)


SUMS = (Sum, Difference)
"""Formulas that stand in brackets beside a product."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """A probability whose condition has no outcome: 0/0."""

    why: str = "no such row"

    @property
    def text(self) -> str:
        return f"undefined ({self.why})"

    @property
    def latex(self) -> str:
        return rf"\text{{undefined ({self.why})}}"

    @property
    def value(self) -> None:
        return None


def _is_long(factor: Formula) -> bool:
    """Whether a factor needs brackets in a product: a sum, or a quotient of decimals."""
    return isinstance(factor, SUMS) or (isinstance(factor, Ratio) and " / " in factor.text)


def divided(top: Number, bottom: Number) -> Number:
    """A quotient, exact where both are."""
    if isinstance(top, float) or isinstance(bottom, float):
        return float(top) / float(bottom)
    return Fraction(top) / bottom


def multiplied(factors: Iterable[Number | None]) -> Number | None:
    """A product, whose first 0 decides it; None where an undefined factor comes before that.

    >>> multiplied([Fraction(1, 3), 0, None]), multiplied([Fraction(1, 3), None, 0])
    (0, None)
    """
    product: Number = 1
    for factor in factors:
        if factor is None:
            return None
        if factor == 0:
            return 0
        product = product * factor
    return product


def _rest(parts: tuple[Formula, ...]) -> list[str]:
    return [f"... ({len(parts) - MOST:,} more)"] if len(parts) > MOST else []


def _typeset(words: str) -> str:
    """Words of an event in LaTeX."""
    out = []
    for mark in words:
        out.append(LATEX.get(mark, mark))
    return rf"\text{{{''.join(out)}}}" if words else ""


LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "¬": r"$\neg$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "<": r"$<$",
    ">": r"$>$",
    "∈": r"$\in$",
}
"""Marks that LaTeX takes for commands, or does not have in words."""
