"""The model: log prior plus the sum of the factors, and Bayes' rule.

log P(c, x) = log P(c) + sum over j of log p(x_j | c)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from naively import bayes, kernels
from naively._typing import AnyArray, Matrix, Vector
from naively.data.column import Batch
from naively.data.domain import Domain
from naively.data.schema import Schema, free_name
from naively.data.source import read
from naively.errors import DataError, ParameterError
from naively.frozen import Frozen
from naively.models.declared import declared
from naively.models.drawing import drawn_rows
from naively.models.gathered import Gathered
from naively.models.impossible import Impossible, warn
from naively.models.prior import log_prior
from naively.models.scorer import compiled
from naively.models.scoring import Scored, Unseen, batches_of, joint, placed
from naively.models.stats import Stats
from naively.models.structure import design

__all__ = ["Model"]


@dataclass(frozen=True, slots=True, eq=False)
class Model(Frozen):
    """A structure, its statistics and a prior, ready to answer.

    Every method takes whatever `naively.read` takes, or a `Batch`.

    >>> from naively.engines.one_pass import train
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
        if not self.stats.class_count.any():
            raise DataError("statistics of no rows: they are empty", "at least one row")
        structure, places = design(self.schema)
        structure.check_same(self.stats.structure)
        stated = log_prior(self.prior, self.stats.classes, self.stats.class_count)
        object.__setattr__(self, "log_prior", stated)
        Frozen.__post_init__(self)
        parts = tuple(placed(self.stats, place) for place in places)
        object.__setattr__(self, "parts", parts)

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
        """log P(c, x), rows by classes.

        Its largest entry is the prediction where doubles can tell: differences between classes
        that are lost beside log P(x) are not seen here, and those above 5e301 are no larger.
        """
        return self._answered(x, lambda _, __, scores: scores, measure=True, in_place=True)

    def log_posterior(self, x: Any) -> Matrix:
        """log P(c | x), rows by classes; rows that are impossible under every class raise."""

        def log_posterior(odd: Impossible, batch: Batch, scores: Matrix) -> Matrix:
            odd.take(batch, scores, self.log_prior)
            return bayes.normalize(scores)[0]

        return self._answered(x, log_posterior)

    def posterior(self, x: Any) -> Matrix:
        """P(c | x), rows by classes: each row sums to 1."""

        def posterior(odd: Impossible, batch: Batch, scores: Matrix) -> Matrix:
            return odd.posterior(batch, scores, self.log_prior)

        return self._answered(x, posterior, in_place=True)

    def predict(self, x: Any) -> AnyArray:
        """The class of the largest posterior; ties go to the first in class order."""

        def best(odd: Impossible, batch: Batch, scores: Matrix) -> AnyArray:
            odd.take(batch, scores, self.log_prior)
            return kernels.best_classes(scores)

        labels: AnyArray = self.classes.array()[self._answered(x, best)]
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
        return {**rows, self.stats.target or free_name("class", rows): labels}

    def with_prior(self, prior: Any) -> Model:
        """The same likelihoods under another prevalence of the classes."""
        return Model(self.schema, self.stats, prior, self.impossible)

    @classmethod
    def from_distributions(
        cls, prior: Mapping[Any, float], likelihood: Mapping[Any, Any], **options: Any
    ) -> Model:
        """The model of stated distributions: Bayes' optimal classifier where they are true.

        `likelihood` has for each class a distribution, or one for each feature by name: a family
        with its parameters stated, or a frozen distribution of `scipy.stats`.

        >>> from naively.families import Gaussian
        >>> letters = Model.from_distributions(prior={"a": .75, "b": .25}, likelihood={
        ...     "a": Gaussian(mean=15, std=4), "b": Gaussian(mean=25, std=4)})
        >>> letters.predict({"x": [15, 20, 25]}).tolist()    # at 20 the prior decides
        ['a', 'a', 'b']
        """
        return cls(*declared(prior, likelihood), prior=dict(prior), **options)

    @staticmethod
    def load(path: str | Path) -> Model:
        """The model in a file that `naively.save` wrote, without importing scikit-learn."""
        from naively.persist import load_model

        return load_model(path)

    def __repr__(self) -> str:
        classes = ", ".join(map(str, self.classes.labels[:5]))
        more = ", ..." if len(self.classes) > 5 else ""
        return f"<Model of {len(self.stats.structure.types)} columns, classes {classes}{more}>"

    def _answered(
        self,
        x: Any,
        answer: Callable[[Impossible, Batch, Matrix], AnyArray],
        *,
        measure: bool = False,
        in_place: bool = False,
    ) -> AnyArray:
        """What a function makes of each batch's scores (perhaps in their place), for all rows.

        With `measure` the scores are log P(c, x). Without, they are so up to what no class
        changes, and the function notes rows that no class could have: they raise or take the
        prior.
        """
        source = x if isinstance(x, Batch) else read(x)
        unseen, odd, answers = Unseen(), Impossible(), Gathered(source.n_rows)
        for batch in batches_of(self.schema, source):
            room = answers.room(batch.n_rows, len(self.classes)) if in_place else None
            scores = joint(self.log_prior, self.parts, batch, unseen, measure=measure, out=room)
            answers.add(answer(odd, batch, scores))
        if odd.count and self.impossible == "raise":
            raise odd.refusal(self.parts, len(self.classes))
        unseen.warn(answers.n_rows)
        if odd.count:
            warn(odd.count)
        return answers.whole()
