"""`compare`: whether one classifier is better than another, on the same folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from naively._typing import Vector
from naively.derivation.layout import aligned, as_html
from naively.errors import ParameterError
from naively.evaluation.assessment import crossed, features
from naively.evaluation.chance import corrected_t, holm
from naively.evaluation.folds import splits
from naively.evaluation.layout import Lines, deviation, spread
from naively.evaluation.report import Evaluation, framed
from naively.evaluation.scores import NAMES

__all__ = ["CHANCE", "Comparison", "compare"]

CHANCE = 0.05
"""A p-value below this is called more than chance."""

COMPARED = {"accuracy": 1, "log_loss": -1, "mean_cost": -1}
"""The scores that are compared, and whether more is better."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """Evaluations on the same folds, and tests of each against the best; see `compare`."""

    evaluations: Mapping[str, Evaluation]
    test_over_train: float
    """How many rows are asked for each that is learned, as the test needs it."""

    def __getitem__(self, name: str) -> Evaluation:
        return self.evaluations[name]

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the scores that are compared."""
        first = next(iter(self.evaluations.values()))
        return tuple(score for score in COMPARED if score in first.folds)

    def best(self, score: str = "log_loss") -> str:
        """The model with the best mean over the folds, the first of equal ones."""
        self._check(score)
        means = {name: one.folds[score].mean() for name, one in self.evaluations.items()}
        return max(means, key=lambda name: COMPARED[score] * means[name])

    def p_values(self, score: str = "log_loss") -> dict[str, float]:
        """For each model but the best, how often chance alone would give such a difference."""
        best = self.best(score)
        others = [name for name in self.evaluations if name != best]
        d = [self.difference(best, name, score) for name in others]
        p = holm(np.array([corrected_t(one, self.test_over_train)[1] for one in d]))
        return dict(zip(others, p.tolist(), strict=True))

    def difference(self, a: str, b: str, score: str = "log_loss") -> Vector:
        """The score of one model minus that of another, fold by fold."""
        self._check(score)
        with np.errstate(invalid="ignore"):  # inf - inf: no difference that could be tested
            d: Vector = self[a].folds[score] - self[b].folds[score]
        return d

    def to_dict(self) -> dict[str, Any]:
        """For each score compared the best model, means, deviations and p-values."""
        return {
            score: {
                "best": self.best(score),
                "mean": {name: float(v.mean()) for name, v in self._folds(score)},
                "std": {name: deviation(v) for name, v in self._folds(score)},
                "p": self.p_values(score),
            }
            for score in self.compared
        }

    def to_frame(self) -> Any:
        """A pandas frame: a row per model, for each score mean, deviation and p."""
        table = self.to_dict()
        rows = {
            name: {
                f"{score}_{what}": table[score][what].get(name)
                for score in table
                for what in ("mean", "std", "p")
            }
            for name in self.evaluations
        }
        return framed(rows, by_row=True)

    def _folds(self, score: str) -> list[tuple[str, Vector]]:
        return [(name, one.folds[score]) for name, one in self.evaluations.items()]

    def _check(self, score: str) -> None:
        if score not in self.compared:
            raise ParameterError(f"score={score!r}", f"one of {', '.join(self.compared)}")

    def _lines(self) -> Lines:
        p = {score: self.p_values(score) for score in self.compared}
        heads = [word for score in p for word in (NAMES[score], "p")]
        lines: Lines = [("model", *heads)]
        for name, one in self.evaluations.items():
            cells = [
                word
                for score, values in p.items()
                for word in (spread(one.folds[score]), _shown(values.get(name)))
            ]
            lines.append((name, *cells))
        return lines

    def _notes(self) -> list[str]:
        said = [self._verdict(score) for score in self.compared if len(self.evaluations) > 1]
        for name, one in self.evaluations.items():
            if one.impossible:
                rows = one.share(one.impossible)
                said.append(f"{name}: {rows} were impossible and answered by the class prior")
        return said

    def _verdict(self, score: str) -> str:
        p = self.p_values(score)
        more, less = ([n for n, v in p.items() if (v < CHANCE) is flag] for flag in (True, False))
        unknown = [n for n, v in p.items() if np.isnan(v)]
        groups = {
            "ahead of {} by more than chance": more,
            "ahead of {} by no more than chance": [n for n in less if n not in unknown],
            "not tested against {}": unknown,
        }
        parts = [words.format(", ".join(names)) for words, names in groups.items() if names]
        return "; ".join([f"{NAMES[score]}: {self.best(score)} is best", *parts])

    def _head(self) -> str:
        first = next(iter(self.evaluations.values()))
        folds = len(first.folds["accuracy"])
        n = len(self.evaluations)
        models = "1 model" if n == 1 else f"{n} models"
        return f"{models} on {first.rows:,} rows, the same {folds} folds"

    def __repr__(self) -> str:
        parts = [self._head(), aligned(self._lines()), "\n".join(self._notes())]
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        said = [(note,) for note in self._notes()]
        return as_html([(self._head(),)]) + as_html(self._lines()) + as_html([("tests",), *said])


def _shown(p: float | None) -> str:
    if p is None:
        return "best"
    return "-" if np.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def compare(
    models: Mapping[str, Any] | Iterable[Any],
    X: Any,
    y: Any,
    cv: Any = 10,
    *,
    repeats: int = 1,
    decision: Any = None,
    sample_weight: Any = None,
    bootstrap: int = 0,
    random_state: Any = 0,
) -> Comparison:
    """Classifiers side by side on the same folds, and whether the best is better by chance.

    Each model is copied and learned anew for every fold. The best by accuracy, by log loss and,
    with a `decision`, by mean cost is held against each other model by the corrected resampled
    t-test of Nadeau and Bengio on the differences d of the J folds,

        t = mean(d) / sqrt((1/J + n_test/n_train) · var(d)),    J - 1 degrees of freedom

    whose two-sided p-values are corrected by Holm for the number of models. The other arguments
    are those of `evaluate`; `repeats` shuffles and cuts that many times. Rows that a model of
    ours calls impossible are answered by the class prior, and counted.

    Examples
    --------
    >>> from naively import NaiveBayes
    >>> rows = {"x": list("aaab" * 9), "z": list("cd" * 18), "y": ["no", "no", "yes"] * 12}
    >>> compare({"both": NaiveBayes(), "z alone": NaiveBayes({"x": "ignore"})}, rows, "y", cv=3)
    2 models on 36 rows, the same 3 folds
    <BLANKLINE>
    model    accuracy         p       log loss (nats)  p
    both     0.6667 ± 0.0000  best    0.6486 ± 0.0125  0.4601
    z alone  0.6667 ± 0.0000  1.0000  0.6406 ± 0.0035  best
    <BLANKLINE>
    accuracy: both is best; ahead of z alone by no more than chance
    log loss (nats): z alone is best; ahead of both by no more than chance
    """
    named = _named(models)
    rows, sides = features(X, y, sample_weight)
    folds = splits(sides, cv, repeats, random_state)
    found = {
        name: crossed(model, rows, sides, folds, decision, bootstrap, random_state)
        for name, model in named.items()
    }
    return Comparison(found, float(np.mean([len(test) / len(train) for train, test in folds])))


def _named(models: Any) -> dict[str, Any]:
    """Models by name; those of a list by their class, numbered where there are several."""
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    else:
        many = list(models)
        kinds = [type(model).__name__ for model in many]
        seen: Counter[str] = Counter()
        named = {}
        for kind, model in zip(kinds, many, strict=True):
            seen[kind] += 1
            named[f"{kind} {seen[kind]}" if kinds.count(kind) > 1 else kind] = model
    if not named:
        raise ParameterError("no models", "at least one", "give {'name': model, ...} or a list")
    return named
