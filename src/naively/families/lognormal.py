"""Log-normal: amounts whose logarithm is Gaussian.

log p(x | g) = log N(log x; mu_g, var_g) - log x
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from naively.data.coding import Coding, Log
from naively.data.support import Support
from naively.families.base import Family, Part, check_amounts
from naively.families.gaussian import Gaussian

__all__ = ["LogNormal"]


@dataclass(frozen=True, slots=True)
class LogNormal(Family):
    """Amounts above 0: a Gaussian behind a logarithm, with the Gaussian's prior.

    >>> LogNormal().parts()
    ((Gaussian(missing='ignore', covariance='diagonal', strength=1.0, ddof=0), Log()),)
    """

    strength: float = 1.0
    ddof: int = 0
    name: ClassVar[str] = "lognormal"
    scale_equivariant: ClassVar[bool] = True
    derived: ClassVar[tuple[str, type[Coding]] | None] = ("gaussian", Log)
    support: ClassVar[Support | None] = Log.support

    def validate(self) -> None:
        check_amounts(strength=self.strength)

    def parts(self) -> tuple[Part, ...]:
        normal = Gaussian(strength=self.strength, ddof=self.ddof, unseen=self.unseen)
        return ((normal, Log()),)
