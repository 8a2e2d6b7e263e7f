"""Which door takes what: by the thing's own protocols, and by where its type comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from naively.data.source import Source
from naively.errors import DataError, ParameterError, UnsupportedType

__all__ = ["dict_source", "door"]


def door(x: Any, missing: Sequence[str] | None, options: Mapping[str, Any]) -> Source:
    """The source of anything that holds a table."""
    if isinstance(x, (str, os.PathLike)):
        from naively.data.files import file_source

        return file_source(x, missing, options)
    if options:
        unknown = ", ".join(map(repr, options))
        raise ParameterError(f"options {unknown} for {type(x).__name__}", "options of files only")
    return _marked(_in_memory(x), missing)


def _marked(source: Source, missing: Sequence[str] | None) -> Source:
    """The source, told which texts stand for missing cells."""
    if missing is not None:
        source.markers = frozenset(missing)
    return source


def _in_memory(x: Any) -> Source:
    home = type(x).__module__.partition(".")[0]
    if isinstance(x, np.ndarray):
        from naively.data.arrays import array_source

        return array_source(x)
    if home == "scipy" and hasattr(x, "tocsr"):  # before mappings: a dok_array is one
        from naively.data.sparse import sparse_source

        return sparse_source(x)
    if isinstance(x, Mapping):
        return dict_source(x)
    if home == "pandas":
        from naively.data.frames import pandas_source

        return pandas_source(x)
    if home in ("duckdb", "_duckdb"):
        from naively.data.query import relation_source

        return relation_source(x)
    if home in ("polars", "pyarrow") or hasattr(x, "__arrow_c_stream__"):
        from naively.data.arrow import arrow_source

        return arrow_source(x)
    return _sequence_or_refusal(x)


def _sequence_or_refusal(x: Any) -> Source:
    if isinstance(x, (list, tuple)):
        from naively.data.arrays import list_source

        return list_source(x)
    if hasattr(x, "__array__"):
        from naively.data.arrays import array_source

        return array_source(np.asarray(x))
    raise UnsupportedType(
        f"an object of type {type(x).__module__}.{type(x).__name__}",
        "a frame, an Arrow table, a dict of columns, an array, a path or 'duckdb:SELECT ...'",
    )


def dict_source(x: Mapping[Any, Any]) -> Source:
    """A dict of columns; a dict of scalars is one row."""
    from naively.data.strips import TableSource, strip_of

    scalar = {name: _is_scalar(value) for name, value in x.items()}
    if x and all(scalar.values()):
        x = {name: [value] for name, value in x.items()}
    elif any(scalar.values()):
        name = next(name for name, flag in scalar.items() if flag)
        raise DataError(
            f"column {name!r} is the single value {x[name]!r} beside columns of values",
            "a dict of sequences (columns) or a dict of scalars (one row)",
        )
    strips = {str(name): strip_of(values, f"column {str(name)!r}") for name, values in x.items()}
    return TableSource(strips, "a dict of columns")


def _is_scalar(value: Any) -> bool:
    without = not hasattr(value, "__len__") or getattr(value, "shape", None) == ()
    return without or isinstance(value, (str, bytes))
