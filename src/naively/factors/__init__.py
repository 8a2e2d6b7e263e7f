"""The four forms of log p(x | group) over a block of columns.

Exporters, pictures and explanations dispatch on these four, never on families.
"""

from __future__ import annotations

from naively.factors.base import Factor
from naively.factors.kernel import Kernel
from naively.factors.linear import Linear
from naively.factors.quadratic import Quadratic
from naively.factors.table import Table

__all__ = ["Factor", "Kernel", "Linear", "Quadratic", "Table"]
