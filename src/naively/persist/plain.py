"""Our objects as plain data, and back: what the header holds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib.metadata import version
from typing import Any

import msgspec
import numpy as np

from naively._typing import AnyArray, Label
from naively.data.coding import CODINGS, Coding, Then
from naively.data.domain import Domain
from naively.data.schema import Schema
from naively.errors import ModelFileError, ParameterError
from naively.families.base import Family
from naively.families.registry import family_from_dict, family_to_dict
from naively.models.stats import Stats
from naively.models.structure import Structure, Term
from naively.persist.checks import are_counts, check_statistic, check_structure
from naively.persist.header import (
    FORMAT,
    SchemaHeader,
    SchemaPart,
    StatisticPart,
    StatsHeader,
    StructureHeader,
    TermPart,
)
from naively.statistics import Moments, Sample, Statistic, Sums

__all__ = [
    "domain",
    "parameter",
    "parameter_from",
    "prior",
    "prior_from",
    "schema",
    "schema_from",
    "schema_to_header",
    "stats_from_parts",
    "stats_to_parts",
    "structure_from",
    "structure_to_header",
]


def family(choice: Any) -> Any:
    """A family by name and fields, or a name as it is."""
    return family_to_dict(choice) if isinstance(choice, Family) else choice


def _family_from(stored: Any) -> Any:
    return family_from_dict(stored) if isinstance(stored, dict) else stored


def schema(known: Schema) -> SchemaPart:
    """A schema, its families by name and fields."""
    return msgspec.convert(known.to_dict(family), SchemaPart)


def schema_from(stored: SchemaPart) -> Schema:
    """A schema with its families."""
    made = Schema.from_dict(msgspec.to_builtins(stored), _family_from)
    if len(set(made.names)) < len(made):
        raise ModelFileError("two columns of one name in the schema", "a name for each")
    for column in made:
        known = column.family
        if isinstance(known, str) or column.form != ("none" if known is None else known.form):
            raise ModelFileError(f"column {column.name!r} as {column.form}", "its family's form")
    return made


def prior(stated: Any) -> Any:
    """A prior: a name, pairs of class and probability, or numbers."""
    if isinstance(stated, str):
        return stated
    if isinstance(stated, Mapping):
        return {"pairs": [[_scalar(label), float(p)] for label, p in stated.items()]}
    return [float(p) for p in np.ravel(stated)]


def prior_from(stored: Any) -> Any:
    """The prior again."""
    return dict(map(tuple, stored["pairs"])) if isinstance(stored, dict) else stored


def parameter(value: Any) -> Any:
    """A constructor's parameter; what stands for a choice of families keeps its form."""
    if isinstance(value, Family):
        return family_to_dict(value)
    if isinstance(value, type) and issubclass(value, Family):
        return value.name
    if isinstance(value, Schema):
        return {"schema": schema(value)}
    if isinstance(value, Mapping):
        return {"pairs": [[parameter(key), parameter(v)] for key, v in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [parameter(v) for v in value]}
    if isinstance(value, (list, np.ndarray)):
        return [parameter(v) for v in value]
    return _scalar(value)


def parameter_from(stored: Any) -> Any:
    """The parameter again."""
    if isinstance(stored, list):
        return [parameter_from(v) for v in stored]
    if not isinstance(stored, dict):
        return stored
    if "family" in stored:
        return family_from_dict(stored)
    if "schema" in stored:
        return schema_from(msgspec.convert(stored["schema"], SchemaPart))
    if "tuple" in stored:
        return tuple(parameter_from(v) for v in stored["tuple"])
    return {parameter_from(key): parameter_from(v) for key, v in stored["pairs"]}


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise ParameterError(f"{value!r} in a model to be saved", "names, numbers and families")


def _coding(coding: Coding | None) -> dict[str, Any] | None:
    if coding is None:
        return None
    if isinstance(coding, Then):
        return {"name": "then", "first": _coding(coding.first), "second": _coding(coding.second)}
    stored = {f.name: getattr(coding, f.name) for f in fields(coding)}  # type: ignore[arg-type]
    return {"name": coding.name, **stored}


def _coding_from(stored: dict[str, Any] | None) -> Coding | None:
    if stored is None:
        return None
    known = dict(stored)
    name = known.pop("name")
    if name == "then":
        first, second = _coding_from(known["first"]), _coding_from(known["second"])
        if first is None or second is None:
            raise ModelFileError("a chain of codings with a gap", "two codings")
        return Then(first, second)
    if name not in CODINGS:
        raise ModelFileError(f"a coding {name!r}", f"one of {sorted(CODINGS)}", "upgrade naively")
    return msgspec.convert(known, CODINGS[name])


def stats_to_parts(stats: Stats) -> tuple[StatsHeader, dict[str, AnyArray]]:
    """The header of statistics, and the arrays beside it."""
    arrays: dict[str, AnyArray] = {}
    parts = []
    for i, (term, statistic) in enumerate(
        zip(stats.structure.terms, stats.statistics, strict=True)
    ):
        check_statistic(statistic, term, len(stats.classes))  # what load refuses is not written
        named = {f"{i}.{name}": array for name, array in statistic.arrays().items()}
        domains = statistic.domains
        labels = None if domains is None else [list(d.labels) for d in domains]
        parts.append(StatisticPart(statistic.name, list(named), labels))  # type: ignore[arg-type]
        arrays |= named
    parts.append(StatisticPart("sums", ["class_count"]))
    arrays["class_count"] = stats.class_count
    header = StatsHeader(
        **_begun("statistics"),
        **_structure(stats.structure),
        rows=stats.rows,
        target=stats.target,
        classes=list(stats.classes.labels),
        statistics=parts,
        columns=list(stats.columns),
        named=stats.named,
    )
    return header, arrays


def _begun(kind: str) -> dict[str, Any]:
    """What the header of every file says: its version, its moment, what it is of."""
    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    return {"format": FORMAT, "naively": version("naively"), "created": now, "kind": kind}


def _structure(known: Structure) -> dict[str, Any]:
    terms = [TermPart(t.kind, list(t.columns), _coding(t.coding)) for t in known.terms]
    return {"types": list(known.types), "terms": terms}  # checked when it is read


def schema_to_header(known: Schema) -> SchemaHeader:
    """The header of a schema by itself."""
    return SchemaHeader(**_begun("schema"), schema=schema(known))


def structure_to_header(known: Structure) -> StructureHeader:
    """The header of a structure by itself."""
    return StructureHeader(**_begun("structure"), **_structure(known))


def structure_from(header: StructureHeader) -> Structure:
    """The structure in a header, its columns held against its terms."""
    terms = tuple(Term(t.kind, tuple(t.columns), _coding_from(t.coding)) for t in header.terms)
    structure = Structure(terms, tuple(header.types))
    check_structure(structure, header.columns)
    return structure


def stats_from_parts(header: StatsHeader, arrays: Mapping[str, AnyArray]) -> Stats:
    """The statistics again, with every shape and number checked."""
    classes = domain(header.classes)
    structure = structure_from(header)
    *parts, count = header.statistics
    made = []
    for i, (term, part) in enumerate(zip(structure.terms, parts, strict=True)):
        named = {name.removeprefix(f"{i}."): arrays[name] for name in part.arrays}
        statistic = _statistic(part, named)
        if [f"{i}.{name}" for name in statistic.arrays()] != part.arrays:
            raise ModelFileError(f"arrays {part.arrays} for {term}", "those of its statistic")
        check_statistic(statistic, term, len(classes))
        made.append(statistic)
    (name,) = count.arrays
    if arrays[name].shape != (len(classes),) or not are_counts(arrays[name]):
        raise ModelFileError("class counts of another shape, or that are no counts", "counts")
    return Stats(
        structure,
        classes,
        arrays[name],
        tuple(made),
        rows=header.rows,
        target=header.target,
        columns=tuple(header.columns),
        named=header.named,
    )


def _statistic(part: StatisticPart, arrays: Mapping[str, AnyArray]) -> Statistic:
    if part.name == "sums":
        domains = None if part.domains is None else tuple(map(domain, part.domains))
        return Sums(arrays["n"], arrays["t"], domains)
    if part.name == "moments":
        return Moments(arrays["n"], arrays["shift"], arrays["mean"], arrays["m2"])
    n = len(arrays) // 2
    points = tuple(arrays[f"points.{j}"] for j in range(n))
    weights = tuple(arrays[f"weights.{j}"] for j in range(n))
    return Sample(points, weights, arrays["capped"].item())


def domain(labels: Iterable[Label]) -> Domain:
    """Labels, none of them twice."""
    made = Domain(tuple(labels))
    if len(set(made.labels)) < len(made):
        raise ModelFileError(f"a label twice among {list(made.labels)[:10]}", "different labels")
    return made
