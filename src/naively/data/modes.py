"""How a column of text is read: DuckDB's type for it, or one of two ways of ours.

A cast of text to an integer rounds without a word, so none is asked for. Numbers are read
in one of three ways: "DOUBLE"; "WHOLE", doubles that are integers where a slice has no
fraction; and "SPELT", as they are written, which is exact and slower.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np

from naively.data.cells import EXACT
from naively.data.profile import Profile
from naively.data.schema import Column
from naively.data.times import possible_formats

__all__ = [
    "MOMENTS",
    "NUMBERS",
    "is_large",
    "is_written",
    "may_be_dates",
    "mode_for",
    "mode_seen",
]

NUMBERS = ("BIGINT", "DOUBLE")
MOMENTS = ("DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE")
EXACTLY = ("WHOLE", "SPELT")
CAST_HERE = ("boolean", "integer", "number", "string")
"""Labels of these types are read as text, since a file may spell them in another way."""


def mode_for(column: Column, known: str | None) -> str | None:
    """How a column is read of which the schema is settled; None as before.

    >>> mode_for(Column("age", "number", "gaussian", "real"), "BIGINT")
    'DOUBLE'
    """
    exact = column.type == "integer" and known in EXACTLY
    labels = column.form == "codes" and not exact and column.type in CAST_HERE
    if labels or column.type in ("boolean", "string"):
        return "VARCHAR"
    amounts = column.form != "codes" and column.type in ("integer", "number")
    return "DOUBLE" if amounts else None


def mode_seen(profile: Profile) -> str:
    """How a column of numbers is read whose every row was seen."""
    if profile.type != "integer":
        return "DOUBLE"
    extremes = [abs(x) for x in (profile.minimum, profile.maximum) if x is not None]
    if extremes and EXACT <= max(extremes) < np.inf:
        return "SPELT"
    return "WHOLE" if profile.kind == "integer" else "DOUBLE"


def is_large(values: Any) -> bool:
    """Whether an array has integers that doubles cannot tell apart."""
    with np.errstate(all="ignore"):
        return bool((np.isfinite(values) & (np.abs(values) >= EXACT)).any())


def is_written(profile: Profile, format: str) -> bool:
    """Whether the first cell of a column is a time in a format.

    >>> is_written(Profile(kind="integer", example=20201231), "%Y%m%d")
    True
    """
    if not format or profile.kind not in ("string", "integer"):
        return False
    try:
        return bool(dt.datetime.strptime(str(profile.example).strip(), format))
    except ValueError:
        return False


def may_be_dates(values: Sequence[Any]) -> bool:
    """Whether the first text of a column can be read as a time."""
    first = next((value for value in values if value is not None), "")
    return bool(possible_formats(str(first)))
