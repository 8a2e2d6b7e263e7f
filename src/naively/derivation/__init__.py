"""Working shown: the definition, the numbers put in, the result, line by line.

Every line of a derivation says the same number in another way, and can be worked out again.

>>> from naively.derivation.formula import P, Ratio, Value
>>> steps = (Step(Ratio(P("a, b", "", Fraction(1, 6)), P("b", "", Fraction(1, 2))), "definition"),)
>>> print(Derivation(P("a", "b", Fraction(1, 3)), steps))
P(a | b)
  = P(a, b) / P(b)    definition
  = 1/3
  = 0.333333
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from naively.derivation.exact import Number, shown
from naively.derivation.formula import Formula, Value

__all__ = ["Derivation", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One more way to write the number, and why it may be written so."""

    formula: Formula
    why: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a number comes about; `parts` derive numbers that a step puts in."""

    subject: Formula
    steps: tuple[Step, ...]
    parts: tuple[Derivation, ...] = ()
    note: str = ""

    @property
    def value(self) -> Number | None:
        return self.subject.value

    @property
    def lines(self) -> tuple[Step, ...]:
        """All steps, the result last: as a fraction where it is one, and in decimals."""
        value = self.value
        last = self.steps[-1].formula if self.steps else None
        if value is None or (isinstance(last, Value) and last.stated):
            return self.steps
        results = [Value(value)]
        if not isinstance(value, float) and "/" in shown(value):
            results.append(Value(float(value)))
        said = {step.formula.text for step in self.steps[-1:]}
        return (*self.steps, *(Step(result) for result in results if result.text not in said))

    @property
    def text(self) -> str:
        """Plain text, an equation a line."""
        return "\n".join(self._text(""))

    def _text(self, indent: str) -> Iterator[str]:
        width = max((len(s.formula.text) for s in self.lines if s.why), default=0)
        width = min(width, 60)
        yield indent + self.subject.text
        for i, step in enumerate(self.lines):
            why = f"    {step.why}" if step.why else ""
            yield f"{indent}  = {step.formula.text.ljust(width if why else 0)}{why}"
            if i == 0:
                for part in self.parts:
                    yield from part._text(indent + "      ")
        if self.note:
            yield f"{indent}  ({self.note})"

    @property
    def markdown(self) -> str:
        """Markdown with a formula, for notebooks and documents."""
        note = f"\n\n*{self.note}*" if self.note else ""
        return f"$$\n{self.latex}\n$${note}"

    @property
    def latex(self) -> str:
        """An aligned block of equations."""
        blocks = [part.latex_lines for part in self.parts]
        inside = [line for block in (*blocks, self.latex_lines) for line in block]
        return "\\begin{aligned}\n" + " \\\\\n".join(inside) + "\n\\end{aligned}"

    @property
    def latex_lines(self) -> list[str]:
        """One line for each step."""
        lines = []
        for i, step in enumerate(self.lines):
            why = rf" && \text{{{step.why}}}" if step.why else ""
            left = self.subject.latex if i == 0 else ""
            sign = r"\approx" if _is_rounded(step.formula) else "="
            lines.append(rf"{left} &{sign} {step.formula.latex}{why}")
        return lines

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return self.markdown


def _is_rounded(formula: Formula) -> bool:
    """Whether decimals are shown of a number that has more of them."""
    value = formula.value
    if not isinstance(formula, Value) or not isinstance(value, float):
        return False
    return Fraction(value) != Fraction(formula.text)
