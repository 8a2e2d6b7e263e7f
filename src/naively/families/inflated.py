"""Inflated: a point mass beside a density, for amounts that are often exactly 0.

p(x | g) = theta_g                    where x is the point
p(x | g) = (1 - theta_g) f(x | g)     elsewhere
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from naively._typing import Vector
from naively.data.coding import Except, Is
from naively.families.base import Family, Part, chained, check_amounts, is_finite, require
from naively.families.bernoulli import Bernoulli
from naively.families.gaussian import Gaussian

__all__ = ["Inflated"]


@dataclass(frozen=True, slots=True)
class Inflated(Family):
    """Two terms on one column: is the cell the point, and the density of the other cells.

    >>> from naively.families.lognormal import LogNormal
    >>> [str(coding) for _, coding in Inflated(LogNormal(), at=0).parts()]
    ['Is(value=0.0)', 'Then(first=Except(value=0.0), second=Log())']
    """

    density: Family = field(default_factory=Gaussian)
    at: float = 0.0
    alpha: float = 1.0
    name: ClassVar[str] = "inflated"
    holds: ClassVar[str | None] = "density"

    def validate(self) -> None:
        check_amounts(alpha=self.alpha)
        require(is_finite(self.at), f"at={self.at!r}", "a number")
        object.__setattr__(self, "at", float(self.at))
        good = isinstance(self.density, Family) and self.density.form == "real"
        require(
            good and self.density.separable,
            f"density={self.density!r}",
            "a family for one numeric column, such as LogNormal()",
        )
        require(
            self.density.missing == "ignore",
            f"missing='value' for the density {self.density}",
            "missing cells that are evidence for the column as a whole",
            "write Inflated(..., missing='value')",
        )

    @property
    def is_settled(self) -> bool:
        return self.density.is_settled

    def settled(self, values: Vector) -> Inflated:
        return replace(self, density=self.density.settled(values[values != self.at]))

    def parts(self) -> tuple[Part, ...]:
        others, density = Except(self.at), self.density
        if self.unseen != "ignore":
            density = replace(density, unseen=self.unseen)
        inner = tuple((f, chained(others, c)) for f, c in density.parts())
        return ((Bernoulli(self.alpha), Is(self.at)), *inner)

    def __str__(self) -> str:
        return f"{self.density} + mass at {self.at:g}"
