"""Learning a few rows at a time: Gaussian columns of an array grow in place.

The general way makes statistics of the new rows and adds them up, which is right for any
table and costs a hundred times what a few rows of numbers need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from naively import kernels
from naively._typing import Label
from naively.data.schema import Schema
from naively.models.stats import Stats
from naively.statistics import Moments

__all__ = ["InPlace"]

PLAIN = ("number", "integer", "empty")
"""Types of which every number is a value."""


class InPlace:
    """Statistics that grow: one block of Gaussian columns, all that an array has.

    >>> from naively import NaiveBayes
    >>> x, y = np.array([[1.0], [2.0], [4.0], [5.0]]), np.array([0, 0, 1, 1])
    >>> model = NaiveBayes().fit(x, y)
    >>> growing = InPlace.of(model.stats_, model.schema_)
    >>> growing.learn(np.array([[6.0]]), np.array([1])), growing.stats().statistics[0].means()
    (True, array([[1.5],
           [5. ]]))
    """

    def __init__(self, stats: Stats, learner: Any) -> None:
        self._stats = stats
        self._learner = learner
        self._code: Mapping[Label, int] = stats.classes.index
        self._grown = False
        self._rows = stats.rows

    @classmethod
    def of(cls, stats: Stats, schema: Schema) -> InPlace | None:
        """The statistics as ones that grow; None where they are of another kind."""
        terms = stats.structure.terms
        simple = len(terms) == 1 and terms[0].kind == "gaussian" and terms[0].coding is None
        whole = simple and terms[0].columns == schema.names
        if not whole or kernels.native is None or not all(c.type in PLAIN for c in schema):
            return None
        m = cast(Moments, stats.statistics[0])
        if not m.n.any(axis=0).all():  # a column without a cell has no shift yet
            return None
        arrays = (stats.class_count, m.n, m.mean, m.m2)
        plain = (np.ascontiguousarray(a, dtype=np.float64) for a in arrays)
        return cls(stats, kernels.native.Learner(np.ascontiguousarray(m.shift), *plain))

    def learn(self, x: Any, y: Any) -> bool:
        """Add rows; False, and nothing is added, where the general way must look at them."""
        if type(x) is not np.ndarray or x.dtype != np.float64 or not x.flags.c_contiguous:
            return False
        if type(y) is not np.ndarray or y.ndim != 1 or y.dtype.kind not in "biuU" or x.ndim != 2:
            return False
        code = self._code
        done: bool = self._learner.learn(x, [code.get(label, -1) for label in y.tolist()])
        self._grown |= done
        return done

    def stats(self) -> Stats:
        """The statistics of all rows so far."""
        if self._grown:
            rows, count, n, mean, m2 = self._learner.state()
            moments = replace(cast(Moments, self._stats.statistics[0]), n=n, mean=mean, m2=m2)
            self._stats = replace(
                self._stats,
                class_count=count,
                statistics=(moments,),
                rows=self._rows + rows,
            )
            self._grown = False
        return self._stats
