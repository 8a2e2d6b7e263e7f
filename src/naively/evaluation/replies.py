"""What a fitted classifier says of rows: probabilities, predictions, and odd cells."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from naively import kernels
from naively._typing import Label, Matrix
from naively.data.column import Batch, Real
from naively.data.domain import MISSING
from naively.data.source import Source, read
from naively.errors import DataError, NaivelyWarning, UnsupportedType
from naively.models.model import Model
from naively.models.scoring import Unseen, batches_of, joint

__all__ = ["Odd", "Replies", "is_ours", "odd_of", "replies_of"]

CLOSE = 1e-3
"""How far from 1 the probabilities of a row may sum: there are classifiers in float32."""


@dataclass(frozen=True, slots=True)
class Odd:
    """Cells that were no evidence, by column, and rows that no class could have."""

    unseen: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    impossible: int = 0

    def __add__(self, other: Odd) -> Odd:
        unseen, missing = self.unseen + other.unseen, self.missing + other.missing
        return Odd(unseen, missing, self.impossible + other.impossible)


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """The classes of a model, and by row log P(c | x), the predicted label; odd cells."""

    classes: tuple[Label, ...]
    log_posterior: Matrix
    predicted: list[Label]
    odd: Odd | None


def is_ours(model: Any) -> bool:
    """Whether it takes tables as they are."""
    return type(model).__module__.partition(".")[0] == "naively"


def replies_of(model: Any, X: Any) -> Replies:
    """Ask a model of ours, or a classifier with scikit-learn's face.

    >>> from naively.engines.one_pass import train
    >>> golf = {"wind": ["weak", "strong", "weak", "weak"], "play": ["yes", "no", "yes", "no"]}
    >>> replies = replies_of(train(golf, "play"), {"wind": ["weak", "mild"]})
    >>> replies.predicted, dict(replies.odd.unseen)
    (['yes', 'no'], {'wind': 1})
    """
    with warnings.catch_warnings():
        if is_ours(model):  # what it would warn of is counted
            warnings.simplefilter("ignore", NaivelyWarning)
        if isinstance(model, Model):
            classes, log_posterior = model.classes.labels, model.log_posterior(X)
        else:
            log_posterior = _log_posterior(model, X)
            classes = tuple(model.classes_.tolist())
        warnings.simplefilter("ignore", NaivelyWarning)  # said above, if it is another's
        predicted = np.asarray(model.predict(X)).tolist()
    return Replies(classes, log_posterior, predicted, odd_of(model, X))


def _log_posterior(model: Any, X: Any) -> Matrix:
    """In logs where they come from logs: others' may be those of clipped probabilities."""
    if is_ours(model) and hasattr(model, "predict_log_proba"):
        ours: Matrix = model.predict_log_proba(X)
        return ours
    name = type(model).__name__
    if not hasattr(model, "predict_proba"):
        fix = "wrap it: sklearn.calibration.CalibratedClassifierCV(model)"
        raise UnsupportedType(f"{name}, which has no predict_proba", "a classifier with it", fix)
    p = np.asarray(model.predict_proba(X), dtype=np.float64)
    if p.ndim != 2:
        raise UnsupportedType(f"{name}, whose posterior has shape {p.shape}", "rows by classes")
    odd = ~(np.isfinite(p).all(axis=1) & (p >= 0).all(axis=1) & (abs(p.sum(axis=1) - 1) <= CLOSE))
    if odd.any():
        at = int(np.argmax(odd))
        found = f"{name}, row {at:,}: the posterior {np.array2string(p[at][:5])}"
        raise DataError(found, "probabilities that sum to 1").at(at)
    with np.errstate(divide="ignore"):
        return np.log(p)


def odd_of(model: Any, X: Any) -> Odd | None:
    """The odd cells of rows that a model of ours answered; None of another's."""
    if isinstance(model, Model):
        return _counted(model, read(X))
    if is_ours(model) and hasattr(model, "empty_share"):
        return Odd(impossible=round(model.empty_share(X) * _length(X)))
    inner = getattr(model, "model_", None) if is_ours(model) else None
    if not isinstance(inner, Model):
        return None
    from naively.estimators.inputs import answer_source  # late: it knows scikit-learn

    return _counted(inner, answer_source(model, X))


def _counted(model: Model, source: Source) -> Odd:
    unseen, missing, impossible = Unseen(), Counter[str](), 0
    for batch in batches_of(model.schema, source):
        missing += _missing(batch)
        scores = joint(model.log_prior, model.parts, batch, unseen)
        impossible += len(kernels.impossible_rows(scores))
    return Odd(unseen.cells, missing, impossible)


def _missing(batch: Batch) -> Counter[str]:
    found = Counter({n: int((c.codes == MISSING).sum()) for n, c in batch.codes.items()})
    for block in batch.blocks:
        if isinstance(block, Real):
            gaps = np.isnan(block.values).sum(axis=0).tolist()
            found.update(dict(zip(block.names, gaps, strict=True)))
    return found


def _length(X: Any) -> int:
    source = read(X)
    if source.n_rows is not None:
        return source.n_rows
    return sum(part.n_rows for part in source.slices(source.names[:1], 65_536))
