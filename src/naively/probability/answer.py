"""Answers: numbers that know how they came about.

>>> from naively.probability import Joint
>>> coin = Joint.from_table({"side": ["head", "tail"], "probability": ["2/3", "1/3"]})
>>> p = coin.P("side=head")
>>> p, p.exact, p > 0.5
(2/3 = 0.666667, Fraction(2, 3), True)
>>> coin.distribution("side")
side  P
head  2/3 = 0.666667
tail  1/3 = 0.333333
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from naively._typing import Label
from naively.derivation import Derivation
from naively.derivation.exact import Number, shown
from naively.derivation.layout import aligned, as_html
from naively.errors import UnknownLabel
from naively.probability.variable import Variable
from naively.probability.wording import quoted

__all__ = ["Distribution", "Probability"]


MANY = 20
"""Values beyond which those of probability 0 are not shown."""


class Probability(float):
    """A probability: a float with an exact value where there is one, and its derivation."""

    exact: Fraction | None
    n: Number | None
    """The rows (or their weight) in the event, where rows were counted,"""
    of: Number | None
    """and those in what is given."""
    _work: Callable[[], Derivation]

    def __new__(
        cls,
        value: Number,
        work: Callable[[], Derivation],
        n: Number | None = None,
        of: Number | None = None,
    ) -> Probability:
        self = super().__new__(cls, value)
        self.exact = None if isinstance(value, float) else Fraction(value)
        self.n, self.of = n, of
        self._work = work
        return self

    @property
    def number(self) -> Number:
        """The exact value, or the float."""
        return float(self) if self.exact is None else self.exact

    @property
    def derivation(self) -> Derivation:
        """How it comes about, line by line."""
        return self._work()

    def __repr__(self) -> str:
        text = shown(self.number)
        return f"{text} = {float(self):.6g}" if "/" in text else text

    def __str__(self) -> str:
        return shown(self.number)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.number, self.derivation, self.n, self.of)

    def _repr_markdown_(self) -> str:
        return self.derivation.markdown


def _restored(
    value: Number, derivation: Derivation, n: Number | None, of: Number | None
) -> Probability:
    return Probability(value, lambda: derivation, n, of)


class Distribution(Mapping[Any, Probability]):
    """The probability of every value of a variable, or of every combination of several.

    A value can be asked for in any of its spellings: 1, "1" and True are one where the
    variable says so. A missing cell is the value None.
    """

    def __init__(
        self, variables: tuple[Variable, ...], values: Mapping[tuple[Label, ...], Probability]
    ) -> None:
        self.variables = variables
        self._values = dict(values)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.variables)

    def __getitem__(self, key: Any) -> Probability:
        keys = key if len(self.variables) > 1 else (key,)
        if not isinstance(keys, (tuple, list)) or len(keys) != len(self.variables):
            raise UnknownLabel(f"no cell {key!r}", f"a value of each of {', '.join(self.names)}")
        labels = tuple(
            None if value is None else variable.label(value)
            for variable, value in zip(self.variables, keys, strict=True)
        )
        return self._values[labels]

    def __iter__(self) -> Iterator[Any]:
        several = len(self.variables) > 1
        return iter(self._values if several else [label for (label,) in self._values])

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        try:
            self[key]
        except (LookupError, TypeError):
            return False
        return True

    @property
    def most_probable(self) -> Any:
        """The value with the largest probability, the first of equal ones."""
        return max(self, key=lambda value: self[value].number)

    def _lines(self) -> list[tuple[str, ...]]:
        """What is shown: of many values only those that can be."""
        shown = {labels: p for labels, p in self._values.items() if p or len(self) <= MANY}
        if len(shown) > 2 * MANY:
            ranked = sorted(shown.items(), key=lambda item: -float(item[1]))
            shown = dict(ranked[:MANY])
        lines = [(*map(quoted, self.names), "P")]
        for labels, p in shown.items():
            words = ("(missing)" if label is None else quoted(label) for label in labels)
            lines.append((*words, repr(p)))
        if len(shown) < len(self):
            rest = f"({len(self) - len(shown):,} others)"
            left = max(0.0, 1 - sum(map(float, shown.values())))
            lines.append(
                (rest, *("" for _ in self.names[1:]), f"{left:.6g}" if left > 1e-9 else "0")
            )
        return lines

    def __repr__(self) -> str:
        return aligned(self._lines())

    def _repr_html_(self) -> str:
        return as_html(self._lines())
