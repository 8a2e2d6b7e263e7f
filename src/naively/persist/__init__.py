"""`save` and `load`: a model as one file that anybody can unzip and nobody can hide code in.

The file is a zip of `header.json` (schema, structure, labels, priors, provenance) and the
arrays of the statistics as .npy. Nothing in it is executed or unpickled; the factors are
computed again from the statistics, so a file cannot disagree with itself.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, cast

from naively.data.schema import Schema
from naively.errors import ModelFileError, ParameterError
from naively.families.choice import chosen
from naively.models.model import Model
from naively.models.stats import Stats
from naively.models.structure import Structure
from naively.persist import archive, plain
from naively.persist.checks import check_factors
from naively.persist.header import (
    EstimatorPart,
    Header,
    ModelPart,
    SchemaHeader,
    StatsHeader,
    StructureHeader,
)

__all__ = ["load", "load_model", "save"]

ESTIMATORS = {"NaiveBayes": "naively.estimators.naive"}
"""Where the estimators live that a file may name."""


def save(model: Any, path: str | Path) -> None:
    """Write a `Model`, a fitted estimator, `Stats`, a `Schema` or a structure.

    The file appears whole or not at all.

    >>> import tempfile
    >>> from naively.engines.one_pass import train
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(train({"x": ["a", "b"], "y": ["u", "v"]}, "y"), f"{folder}/m.naively")
    ...     load(f"{folder}/m.naively").posterior({"x": "a"}).round(3)
    array([[0.667, 0.333]])
    """
    if isinstance(model, (Schema, Structure)):
        archive.write(Path(path), _header_of(model), {})
        return
    inner = model if isinstance(model, Model) else getattr(model, "model_", None)
    stats = inner.stats if isinstance(inner, Model) else model
    if not isinstance(stats, Stats):
        name = type(model).__name__
        fix = "fit it first" if name in ESTIMATORS else "save the part of it that is one"
        found = f"save of a {name}"
        expected = "a Model, a fitted estimator of naively, Stats, a Schema or a structure"
        raise ParameterError(found, expected, fix if hasattr(model, "fit") else "")
    header, arrays = plain.stats_to_parts(stats)
    if isinstance(inner, Model):
        check_factors(inner)
        header.model = _model_part(inner)
        header.estimator = None if inner is model else _estimator_part(model)
    archive.write(Path(path), header, arrays)


def _header_of(known: Schema | Structure) -> Header:
    if isinstance(known, Structure):
        return plain.structure_to_header(known)
    return plain.schema_to_header(chosen(known))


def load(path: str | Path) -> Any:
    """What was saved: a `Model`, an estimator, `Stats`, a `Schema` or a structure."""
    with archive.blaming(Path(path)):
        header, arrays = archive.read(Path(path))
        if isinstance(header, SchemaHeader):
            return plain.schema_from(header.schema)
        if not isinstance(header, StatsHeader):
            return plain.structure_from(cast(StructureHeader, header))
        stats = plain.stats_from_parts(header, arrays)
        if header.model is None:
            return stats
        model = _model(header.model, stats)
        return model if header.estimator is None else _estimator(header.estimator, model)


def load_model(path: str | Path) -> Model:
    """The `Model` in a file, also where an estimator was saved; scikit-learn is not imported."""
    with archive.blaming(Path(path)):
        header, arrays = archive.read(Path(path))
        if not isinstance(header, StatsHeader) or header.model is None:
            raise ModelFileError(f"{header.kind} without a model", "a model", "use naively.load")
        return _model(header.model, plain.stats_from_parts(header, arrays))


def _model_part(model: Model) -> ModelPart:
    return ModelPart(plain.schema(model.schema), plain.prior(model.prior), model.impossible)


def _model(part: ModelPart, stats: Stats) -> Model:
    schema, prior = plain.schema_from(part.schema), plain.prior_from(part.prior)
    model = Model(schema, stats, prior, part.impossible)
    check_factors(model)
    return model


def _estimator_part(estimator: Any) -> EstimatorPart:
    name = type(estimator).__name__
    if name not in ESTIMATORS:
        raise ParameterError(f"save of a {name}", f"one of {sorted(ESTIMATORS)}", "save its model_")
    params = estimator.get_params(deep=False)
    names = getattr(estimator, "feature_names_in_", None)
    declared = None if estimator.declared_ is None else list(estimator.declared_.labels)
    return EstimatorPart(
        name,
        {key: plain.parameter(value) for key, value in params.items()},
        int(estimator.n_features_in_),
        None if names is None else [str(n) for n in names],
        declared,
    )


def _estimator(part: EstimatorPart, model: Model) -> Any:
    if part.name not in ESTIMATORS:
        raise ModelFileError(f"an estimator named {part.name!r}", f"one of {sorted(ESTIMATORS)}")
    if len(part.names or ()) not in (0, part.n_features):
        raise ModelFileError(f"{part.n_features} features of other names", "a name for each")
    estimator_class = getattr(import_module(ESTIMATORS[part.name]), part.name)
    params = {key: plain.parameter_from(value) for key, value in part.params.items()}
    declared = None if part.declared is None else plain.domain(part.declared)
    estimator = estimator_class(**params)
    estimator.restore(model, part.n_features, part.names, declared)
    return estimator
