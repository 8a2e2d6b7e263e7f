"""naively: Bayes' rule on tables.

Learning is counting by groups. A model is a structure, its statistics and a prior.
Bayes' rule is applied once.

The names below are imported when they are first used, so that `import naively` costs
no more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naively import decision, errors, evaluation, families, probability
    from naively.data.schema import Schema
    from naively.data.source import read
    from naively.decision.decision import Decision
    from naively.estimators.joint import JointBayes
    from naively.estimators.minimum_risk import MinimumRisk
    from naively.estimators.naive import NaiveBayes
    from naively.evaluation.assessment import evaluate
    from naively.evaluation.comparison import compare
    from naively.explanation.evidence import explain
    from naively.kernels import set_threads
    from naively.models.model import Model
    from naively.models.stats import Stats
    from naively.persist import load, save
    from naively.probability.belief import Belief
    from naively.probability.joint import Joint

    __version__: str

__all__ = [
    "Belief",
    "Decision",
    "Joint",
    "JointBayes",
    "MinimumRisk",
    "Model",
    "NaiveBayes",
    "Schema",
    "Stats",
    "__version__",
    "compare",
    "decision",
    "errors",
    "evaluate",
    "evaluation",
    "explain",
    "families",
    "load",
    "probability",
    "read",
    "save",
    "set_threads",
]

_NAMES = {
    "Belief": "naively.probability.belief",
    "Decision": "naively.decision.decision",
    "Joint": "naively.probability.joint",
    "JointBayes": "naively.estimators.joint",
    "MinimumRisk": "naively.estimators.minimum_risk",
    "Model": "naively.models.model",
    "NaiveBayes": "naively.estimators.naive",
    "Schema": "naively.data.schema",
    "Stats": "naively.models.stats",
    "compare": "naively.evaluation.comparison",
    "evaluate": "naively.evaluation.assessment",
    "explain": "naively.explanation.evidence",
    "load": "naively.persist",
    "read": "naively.data.source",
    "save": "naively.persist",
    "set_threads": "naively.kernels",
}

_NAMESPACES = ("decision", "errors", "evaluation", "families", "probability")


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        value = getattr(import_module(_NAMES[name]), name)
    elif name in _NAMESPACES:
        return import_module(f"naively.{name}")
    elif name == "__version__":
        value = import_module("importlib.metadata").version("naively")
    else:
        raise AttributeError(f"module 'naively' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
