"""What the core sees of a table: a `Batch` of columns of three kinds.

`Codes` are labels as integers, `Real` is a 2-D block of numbers, `Counts` is a sparse
block of counts. The doors make them; nothing behind the doors knows where they came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from naively._typing import AnyArray, Indices, Vector
from naively.data.domain import Domain
from naively.errors import UnknownColumn, nearest

__all__ = ["Batch", "Block", "Codes", "Counts", "Real"]


@dataclass(frozen=True, slots=True)
class Codes:
    """A column of labels as codes: -1 is missing, -2 is not in the domain.

    >>> Codes(np.array([0, 1, -1]), Domain(("no", "yes"))).labels()
    ['no', 'yes', None]
    """

    codes: Indices
    domain: Domain
    open: bool = True
    """Whether the domain is this batch's own (learning) or a model's (prediction)."""

    def labels(self) -> list[object]:
        """The labels again; missing and unseen cells are None."""
        table = (*self.domain.labels, None)
        return [table[c] if c >= 0 else None for c in self.codes.tolist()]

    def recoded(self, domain: Domain) -> Codes:
        """The same cells under another domain, a new code for each label."""
        if domain is self.domain:
            return self
        table = np.append(self.domain.positions_in(domain), np.array([-2, -1], dtype=np.int32))
        return Codes(table[self.codes], domain, self.open)

    def rows(self, keep: AnyArray) -> Codes:
        """Only some rows."""
        return Codes(self.codes[keep], self.domain, self.open)


@dataclass(frozen=True, slots=True)
class Real:
    """A block of numeric columns, float32 or float64, in any memory order; NaN is missing.

    >>> Real(np.eye(3), ("a", "b", "c")).select(("c", "a")).values[0]
    array([0., 1.])
    """

    values: AnyArray
    names: tuple[str, ...]

    def select(self, names: tuple[str, ...]) -> Real:
        """Some of the columns: a view where they are all of them or neighbours."""
        if names is self.names or names == self.names:
            return self
        where = {name: i for i, name in enumerate(self.names)}
        at = [where[name] for name in names]
        if at == list(range(at[0], at[0] + len(at))):
            return Real(self.values[:, at[0] : at[0] + len(at)], names)
        return Real(self.values[:, at], names)

    def rows(self, keep: AnyArray) -> Real:
        """Only some rows."""
        return Real(self.values[keep], self.names)


@dataclass(frozen=True, slots=True)
class Counts:
    """A sparse block of counts, compressed by rows as in SciPy's CSR.

    >>> indptr, indices = np.array([0, 1, 3]), np.array([2, 0, 1])
    >>> block = Counts(indptr, indices, np.array([5.0, 1.0, 1.0]), ("a", "b", "c"))
    >>> block.dense()
    array([[0., 0., 5.],
           [1., 1., 0.]])
    """

    indptr: Indices
    indices: Indices
    data: Vector
    names: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        return len(self.indptr) - 1

    def row_of_cell(self) -> Indices:
        """The row of every stored cell."""
        return np.repeat(np.arange(self.n_rows), np.diff(self.indptr))

    def dense(self) -> AnyArray:
        """The block as an ordinary array (for small blocks and tests)."""
        out = np.zeros((self.n_rows, len(self.names)))
        np.add.at(out, (self.row_of_cell(), self.indices), self.data)
        return out

    def rows(self, keep: AnyArray) -> Counts:
        """Only some rows."""
        at = np.arange(self.n_rows)[keep]
        lengths = np.diff(self.indptr)[at]
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        cells = np.repeat(self.indptr[at] - indptr[:-1], lengths) + np.arange(indptr[-1])
        return Counts(indptr, self.indices[cells], self.data[cells], self.names)


Block = tuple[Codes, ...] | Real | Counts
"""The columns of one term, as a family receives them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a table: coded columns by name, blocks of numbers and of counts.

    `start` is the number of the first row in its source, so that errors can name rows.
    """

    n_rows: int
    codes: Mapping[str, Codes] = field(default_factory=dict)
    blocks: tuple[Real | Counts, ...] = ()
    target: Codes | None = None
    weight: Vector | None = None
    start: int = 0
    at: Indices | None = None
    """The numbers of the rows in the source, where some were left out."""

    def row_of(self, position: int) -> int:
        """The number of a row in the source, by its position in the batch."""
        return self.start + position if self.at is None else int(self.at[position])

    def columns(self, names: tuple[str, ...]) -> Block:
        """The named columns as one block; they must be of one kind."""
        if names and names[0] in self.codes:
            return tuple(self.codes[name] for name in names)
        for block in self.blocks:
            if names == block.names:
                return block
            if isinstance(block, Real) and set(names) <= set(block.names):
                return block.select(names)
        return self._gathered(names)

    def _gathered(self, names: tuple[str, ...]) -> Real:
        """Numeric columns that stand in different blocks, side by side in a new one."""
        found: dict[str, AnyArray] = {}
        for block in self.blocks:
            dense = block.dense() if isinstance(block, Counts) else block.values
            found.update({n: dense[:, i] for i, n in enumerate(block.names) if n in names})
        for name in names:
            if name not in found:
                raise UnknownColumn(f"no column {name!r} in the batch", fix=nearest(name, found))
        return Real(np.column_stack([found[name] for name in names]), names)

    def rows(self, keep: AnyArray) -> Batch:
        """Only some rows (an index array, a mask or a slice)."""
        numbers = np.arange(self.start, self.start + self.n_rows) if self.at is None else self.at
        return replace(
            self,
            n_rows=len(numbers[keep]),
            at=numbers[keep],
            codes={name: column.rows(keep) for name, column in self.codes.items()},
            blocks=tuple(block.rows(keep) for block in self.blocks),
            target=None if self.target is None else self.target.rows(keep),
            weight=None if self.weight is None else self.weight[keep],
        )
