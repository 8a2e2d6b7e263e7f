"""Log-normal: amounts whose logarithm is Gaussian.

log p(x | g) = log N(log x; mu_g, var_g) - log x
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from naively.data.coding import Coding, Log
from naively.data.support import Support
from naively.families.base import Family, Part
from naively.families.gaussian import Gaussian
from naively.statistics import Moments

__all__ = ["LogNormal"]


@dataclass(frozen=True, slots=True)
class LogNormal(Family):
    """Amounts above 0: a Gaussian behind a logarithm, with the Gaussian's prior.

    `mean` and `std` state the distribution; they are those of the logarithm.

    >>> [(str(family), coding) for family, coding in LogNormal().parts()]
    [('gaussian', Log())]
    """

    strength: float = 1.0
    ddof: int = 0
    mean: float | None = field(default=None, kw_only=True)
    std: float | None = field(default=None, kw_only=True)
    name: ClassVar[str] = "lognormal"
    scale_equivariant: ClassVar[bool] = True
    derived: ClassVar[tuple[str, type[Coding]] | None] = ("gaussian", Log)
    support: ClassVar[Support | None] = Log.support

    def validate(self) -> None:
        self._normal()  # which checks them

    def parts(self) -> tuple[Part, ...]:
        return ((self._normal(), Log()),)

    def _normal(self) -> Gaussian:
        return Gaussian(
            strength=self.strength,
            ddof=self.ddof,
            unseen=self.unseen,
            mean=self.mean,
            std=self.std,
        )

    def declared(self) -> Moments | None:
        return self._normal().declared()
