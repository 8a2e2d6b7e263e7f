"""The model: log prior plus the sum of the factors, and Bayes' rule.

log P(c, x) = log P(c) + sum over j of log p(x_j | c)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from naively import bayes
from naively._typing import AnyArray, Flags, Matrix, Vector
from naively.data.domain import Domain
from naively.data.schema import Schema
from naively.errors import ParameterError
from naively.models.drawing import drawn_rows
from naively.models.impossible import Impossible, warn
from naively.models.prior import log_prior
from naively.models.scorer import compiled
from naively.models.scoring import Scored, Unseen, batches_of, joint, placed
from naively.models.stats import Stats
from naively.models.structure import design

__all__ = ["Model"]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A structure, its statistics and a prior, ready to answer.

    Every method takes whatever `naively.read` takes, or a `Batch`.

    >>> from naively.engines.local import train
    >>> golf = {"wind": ["weak", "strong", "weak", "weak"], "play": ["yes", "no", "yes", "no"]}
    >>> model = train(golf, "play")
    >>> model.classes.labels, model.posterior({"wind": "weak"}).round(3)
    (('no', 'yes'), array([[0.4, 0.6]]))
    """

    schema: Schema
    stats: Stats
    prior: Any = "counted"
    impossible: Literal["raise", "prior"] = "raise"
    log_prior: Vector = field(init=False, repr=False)
    parts: tuple[Scored, ...] = field(init=False, repr=False)
    _compiled: list[Any] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        if self.impossible not in ("raise", "prior"):
            raise ParameterError(f"impossible={self.impossible!r}", "'raise' or 'prior'")
        structure, places = design(self.schema)
        structure.check_same(self.stats.structure)
        stated = log_prior(self.prior, self.stats.classes, self.stats.class_count)
        object.__setattr__(self, "log_prior", stated)
        parts = tuple(placed(self.stats, place) for place in places)
        object.__setattr__(self, "parts", parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.schema, self.stats, self.prior, self.impossible)

    @property
    def classes(self) -> Domain:
        """The labels of the target, in their order."""
        return self.stats.classes

    @property
    def row_scorer(self) -> Any:
        """Answers one plain row at a time, or None: compiled when it is first asked for."""
        if not self._compiled:
            self._compiled.append(compiled(self.schema, self.log_prior, self.parts))
        return self._compiled[0]

    def log_joint(self, x: Any) -> Matrix:
        """log P(c, x), rows by classes."""
        return self._scored(x, measure=True)

    def log_posterior(self, x: Any) -> Matrix:
        """log P(c | x), rows by classes; rows that are impossible under every class raise."""
        return bayes.normalize(self._scored(x, possible=True))[0]

    def posterior(self, x: Any) -> Matrix:
        """P(c | x), rows by classes: each row sums to 1."""
        log_posterior = self.log_posterior(x)
        return np.exp(log_posterior, out=log_posterior)

    def predict(self, x: Any) -> AnyArray:
        """The class of the largest posterior; ties go to the first in class order."""
        best = self._scored(x, possible=True).argmax(axis=1)
        labels: AnyArray = self.classes.array()[best]
        return labels

    def log_evidence(self, x: Any) -> Vector:
        """log P(x) of every row: an outlier shows here, whatever its posterior."""
        for part in self.parts:
            if not part.family.generative:
                raise ParameterError(
                    f"the evidence under the {part.family.name} family",
                    "families that say how probable a row is",
                )
        return bayes.normalize(self.log_joint(x))[1]

    def evidence(self, x: Any) -> Vector:
        """P(x), or its density; of many columns it is soon too small for a number."""
        with np.errstate(over="ignore"):
            return cast(Vector, np.exp(self.log_evidence(x)))

    def sample(self, n: int, random_state: int | None = None) -> dict[str, Any]:
        """n rows from the generative story, as columns; the target under its own name."""
        if not isinstance(n, (int, np.integer)) or n < 0:
            raise ParameterError(f"a sample of {n!r} rows", "a whole number of at least 0")
        rng = np.random.default_rng(random_state)
        group = rng.choice(len(self.classes), n, p=np.exp(self.log_prior)).astype(np.int32)
        rows = drawn_rows(self.schema, self.parts, group, rng)
        labels = [self.classes.labels[c] for c in group.tolist()]
        return {**rows, self.stats.target or "class": labels}

    def with_prior(self, prior: Any) -> Model:
        """The same likelihoods under another prevalence of the classes."""
        return Model(self.schema, self.stats, prior, self.impossible)

    @staticmethod
    def load(path: str | Path) -> Model:
        """The model in a file that `naively.save` wrote, without importing scikit-learn."""
        from naively.persist import load_model

        return load_model(path)

    def __repr__(self) -> str:
        classes = ", ".join(map(str, self.classes.labels[:5]))
        more = ", ..." if len(self.classes) > 5 else ""
        return f"<Model of {len(self.stats.structure.types)} columns, classes {classes}{more}>"

    def _scored(self, x: Any, *, measure: bool = False, possible: bool = False) -> Matrix:
        """log prior plus scores, and the log measure where it is asked for.

        Where every row must be `possible`, the others raise or take the prior.
        """
        unseen, odd, parts = Unseen(), Impossible(), []
        for batch in batches_of(self.schema, self.stats, x):
            scores = joint(self.log_prior, self.parts, batch, unseen, measure=measure)
            flags = cast(Flags, np.isneginf(scores).all(axis=1)) if possible else None
            if flags is not None and flags.any():
                odd.note(batch, flags)
                scores[flags] = self.log_prior
            parts.append(scores)
        if odd.count and self.impossible == "raise":
            raise odd.refusal(self.parts, len(self.classes))
        whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
        unseen.warn(len(whole))
        if odd.count:
            warn(odd.count)
        return whole
