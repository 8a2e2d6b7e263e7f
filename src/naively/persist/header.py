"""The header of a model file: its format, as types that msgspec checks."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

__all__ = [
    "FORMAT",
    "HEADERS",
    "ColumnPart",
    "EstimatorPart",
    "Header",
    "ModelPart",
    "SchemaHeader",
    "SchemaPart",
    "StatisticPart",
    "StatsHeader",
    "StructureHeader",
    "TermPart",
]

FORMAT = 1
"""The number of the format that this version writes; a higher one is refused in words."""

Label = str | int | float | bool | None

Count = Annotated[int, msgspec.Meta(ge=0)]

Kind = Literal["boolean", "integer", "number", "string", "time", "duration", "empty", ""]
"""The types of a column's values; "" where statistics came without any."""


class TermPart(msgspec.Struct, forbid_unknown_fields=True):
    """A term: the kind, the columns and the coding by name and fields."""

    kind: str
    columns: list[str]
    coding: dict[str, Any] | None = None


class StatisticPart(msgspec.Struct, forbid_unknown_fields=True):
    """A statistic: its name, the labels of coded columns, and the names of its arrays."""

    name: Literal["sums", "moments", "sample"]
    arrays: list[str]
    domains: list[list[Label]] | None = None


class ColumnPart(msgspec.Struct):
    """A column of the schema, its family by name and fields."""

    name: str
    type: Kind
    family: dict[str, Any] | str | None
    form: Literal["codes", "real", "counts", "none"]
    why: str = ""
    distinct: Count | None = None
    missing: Count = 0
    rows: Count = 0
    example: Label = None
    minimum: float | None = None
    maximum: float | None = None
    block: list[str] | None = None
    format: str = ""
    truth: Literal["1", "True", "true", "TRUE"] = "1"


class SchemaPart(msgspec.Struct):
    """The columns, the remark under their table, and the target where it is a column."""

    columns: list[ColumnPart]
    note: str = ""
    target: ColumnPart | None = None


class ModelPart(msgspec.Struct, forbid_unknown_fields=True):
    """What a model adds to its statistics."""

    schema: SchemaPart
    prior: Any
    impossible: Literal["raise", "prior"]


class EstimatorPart(msgspec.Struct, forbid_unknown_fields=True):
    """What an estimator adds to its model."""

    name: str
    params: dict[str, Any]
    n_features: Count
    names: list[str] | None
    declared: list[Label] | None


class Header(msgspec.Struct, kw_only=True):
    """What every file says first. Unknown fields are let through: later ones may be added."""

    format: int
    naively: str
    created: str
    kind: str = "statistics"
    statistics: list[StatisticPart] = []


class SchemaHeader(Header, kw_only=True):
    """A schema by itself."""

    schema: SchemaPart


class StructureHeader(Header, kw_only=True):
    """A structure by itself."""

    types: list[tuple[str, Kind]]
    terms: list[TermPart]
    columns: list[str] = []


class StatsHeader(StructureHeader, kw_only=True):
    """Statistics, and the model and estimator that were made of them: all but the arrays."""

    statistics: list[StatisticPart]
    rows: Count
    target: str | None
    classes: list[Label]
    columns: list[str]
    named: bool
    model: ModelPart | None = None
    estimator: EstimatorPart | None = None


HEADERS: dict[str, type[Header]] = {
    "statistics": StatsHeader,
    "structure": StructureHeader,
    "schema": SchemaHeader,
}
"""What a file may be of, by its kind."""
