"""Explanations: why a model answers as it does, in terms that add up to the answer.

>>> from naively.engines.one_pass import train
>>> golf = {"wind": ["weak", "strong", "weak", "weak"], "play": ["yes", "no", "yes", "no"]}
>>> explain(train(golf, "play"), {"wind": "weak"})
play=yes against no: log odds 0.4055 nats, P(yes) = 0.6
column   value   nats  P(x | yes)  P(x | no)
(prior)             0         0.5        0.5
wind     weak  0.4055        0.75        0.5
"""

from __future__ import annotations

from naively.explanation.evidence import Explanation, Term, explain
from naively.explanation.importance import Importance

__all__ = ["Explanation", "Importance", "Term", "explain"]
