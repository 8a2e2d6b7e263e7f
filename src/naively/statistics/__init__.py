"""What is kept of the rows: three statistics, each a commutative monoid."""

from __future__ import annotations

from naively.statistics.base import Statistic
from naively.statistics.moments import Moments
from naively.statistics.sample import Sample
from naively.statistics.sums import Sums

__all__ = ["Moments", "Sample", "Statistic", "Sums"]
