"""Probability on finite tables: joint distributions, events, Bayes' rule, belief, independence.

>>> from naively.probability import Joint
>>> Joint.from_rows({"fever": [True, False, False]}).P("fever")
1/3 = 0.333333
"""

from __future__ import annotations

from naively.probability.event import col
from naively.probability.joint import Joint

__all__ = ["Joint", "col"]
