"""Rows of tables of any kind: some of them, and without some columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from naively._typing import Indices
from naively.data.source import Source, read
from naively.errors import ParameterError

__all__ = ["held", "length", "refuse_single_use", "taken", "without"]


def held(X: Any) -> Any:
    """The table itself where its rows can be taken one by one, else its columns in a dict.

    >>> held("examples/golf.csv")["play"][:3]
    ['no', 'no', 'yes']
    """
    home = type(X).__module__.partition(".")[0]
    if isinstance(X, (Mapping, np.ndarray, list, tuple)) or hasattr(X, "iloc"):
        return X
    if hasattr(X, "tocsr") or (home in ("polars", "pyarrow") and hasattr(X, "shape")):
        return X
    source = refuse_single_use(X)
    return {name: source.column(name) for name in source.names}


def refuse_single_use(X: Any) -> Source:
    """The source of a table, unless it is a stream that is gone once it was read.

    >>> refuse_single_use({"a": [1, 2]}).names
    ('a',)
    """
    source = read(X)
    if not source.reiterable:
        found = f"{source.description}, which can be read only once"
        raise ParameterError(found, "a table that can be read again", "read it whole first")
    return source


def length(X: Any) -> int:
    """How many rows there are, in whatever `held` gives.

    >>> length({"a": [1, 2]}), length(np.zeros((3, 1)))
    (2, 3)
    """
    if isinstance(X, Mapping):
        return length(next(iter(X.values()))) if X else 0
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def taken(X: Any, at: Indices) -> Any:
    """The rows at these positions, of whatever `held` gives.

    >>> taken({"a": [1, 2, 3], "b": np.array([4, 5, 6])}, np.array([2, 0]))
    {'a': [3, 1], 'b': array([6, 4])}
    """
    if isinstance(X, Mapping):
        return {name: taken(column, at) for name, column in X.items()}
    if hasattr(X, "iloc"):
        return X.iloc[at]
    if isinstance(X, (list, tuple)):
        return [X[i] for i in at.tolist()]
    if type(X).__module__.partition(".")[0] == "pyarrow":
        return X.take(at)
    return X.tocsr()[at] if hasattr(X, "tocsr") else X[at]


def without(X: Any, names: Sequence[str]) -> Any:
    """The table without some columns, by the names that `naively.read` gives them.

    >>> without({"a": [1], "b": [2]}, ["b"])
    {'a': [1]}
    """
    if not names:
        return X
    keep = [j for j, name in enumerate(read(X).names) if name not in names]
    if isinstance(X, Mapping):
        columns = list(X.items())
        return dict(columns[j] for j in keep)
    if hasattr(X, "iloc"):
        return X.iloc[:, keep]
    if isinstance(X, (list, tuple)):
        return [[row[j] for j in keep] for row in X]
    if type(X).__module__.partition(".")[0] == "pyarrow":
        return X.select(keep)
    return X.tocsc()[:, keep].tocsr() if hasattr(X, "tocsr") else X[:, keep]
