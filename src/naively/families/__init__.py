"""The families: what can be believed of a column given its class.

Each is a frozen set of prior parameters; pass one by name or as an object:

    NaiveBayes(columns={"age": "gaussian", "fare": Inflated(LogNormal()), "ticket": "ignore"})
"""

from __future__ import annotations

from naively.families.catalogue import *  # noqa: F403  # the names that stand there
from naively.families.registry import FAMILIES as FAMILIES
