"""The labels of a column, and how two sets of labels become one.

Union and recoding live here and nowhere else: everything that counts keeps integer
codes, and a code means a label only through its `Domain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from naively._typing import AnyArray, Indices, Label

__all__ = ["MISSING", "TYPES", "UNSEEN", "Domain", "sorted_labels"]

MISSING = -1
"""The code of a cell that is not there."""

UNSEEN = -2
"""The code of a cell whose label is not in the domain."""


TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
"""The types of labels that mean the same however a source stores them."""


def sorted_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels in their natural order, None (missing made a value) last.

    >>> sorted_labels(["b", None, "a"])
    ('a', 'b', None)
    """
    some = list(labels)
    known = [label for label in some if label is not None]
    try:
        known.sort()
    except TypeError:
        known.sort(key=lambda label: (type(label).__name__, str(label)))
    return (*known, *([None] if len(known) < len(some) else []))


@dataclass(frozen=True, slots=True)
class Domain:
    """The distinct labels of a column; a label's position is its code.

    >>> a, b = Domain(("no", "yes")), Domain(("maybe", "yes"))
    >>> a.union(b).labels
    ('maybe', 'no', 'yes')
    >>> a.positions_in(a.union(b))
    array([1, 2], dtype=int32)
    """

    labels: tuple[Label, ...] = ()
    _index: dict[Label, int] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[type[Domain], tuple[tuple[Label, ...]]]:
        return Domain, (self.labels,)

    @property
    def index(self) -> dict[Label, int]:
        """Label -> code, made on first use."""
        if len(self._index) != len(self.labels):
            self._index.update(zip(self.labels, range(len(self.labels)), strict=True))
        return self._index

    @property
    def type(self) -> str:
        """The type of a column that all labels share; nothing where they share none.

        >>> Domain((False, True)).type, Domain((1, "a")).type
        ('boolean', '')
        """
        kinds = {TYPES.get(type(label), "") for label in self.labels}
        return kinds.pop() if len(kinds) == 1 else ""

    def code(self, label: Label) -> int:
        """The code of a label, `UNSEEN` where it is not one of ours."""
        return self.index.get(label, UNSEEN)

    def encode(self, labels: Sequence[Label]) -> Indices:
        """The codes of many labels."""
        get = self.index.get
        return np.fromiter((get(v, UNSEEN) for v in labels), np.int32, len(labels))

    def union(self, other: Domain) -> Domain:
        """The labels of both, sorted; one that holds the other stays as it is."""
        if self is other or self.labels == other.labels:
            return self
        if not other.labels or self.index.keys() >= other.index.keys():
            return self
        if other.index.keys() >= self.index.keys():
            return other
        return Domain(sorted_labels(self.index.keys() | other.index.keys()))

    def positions_in(self, other: Domain) -> Indices:
        """For each of our codes the code in another domain (`UNSEEN` where it has none)."""
        if self is other or self.labels == other.labels:
            return np.arange(len(self), dtype=np.int32)
        return other.encode(self.labels)

    def sorted(self) -> Domain:
        """The same labels in their natural order."""
        ordered = sorted_labels(self.labels)
        return self if ordered == self.labels else Domain(ordered)

    def array(self) -> AnyArray:
        """The labels as a NumPy array: of their own type where they share one."""
        kinds = {type(label) for label in self.labels}
        if len(kinds) == 1 and kinds <= {str, int, float, bool}:
            array = np.array(self.labels)
            if int not in kinds or array.dtype.kind in "iu":  # NumPy rounds large integers
                return array
        out = np.empty(len(self.labels), dtype=object)
        out[:] = self.labels
        return out

    def keep(self, flags: Sequence[bool]) -> Domain:
        """Only the labels whose flag is true."""
        if all(flags):
            return self
        return Domain(tuple(compress(self.labels, flags)))
