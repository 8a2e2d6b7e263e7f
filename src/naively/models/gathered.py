"""The answers of all batches as one array, which is allocated once where its length is known."""

from __future__ import annotations

import numpy as np

from naively._typing import AnyArray, Matrix

__all__ = ["Gathered"]


class Gathered:
    """Arrays that become one: rows below rows.

    >>> answers = Gathered(3)
    >>> for part in (np.array([1, 2]), np.array([5])):
    ...     answers.add(part)
    >>> answers.whole()
    array([1, 2, 5])
    """

    def __init__(self, expected: int | None) -> None:
        self.expected = expected
        self.n_rows = 0
        self._parts: list[AnyArray] = []
        self._whole: AnyArray | None = None

    def room(self, n_rows: int, width: int) -> Matrix | None:
        """Where the next rows will stand, to be written there; None where that is not known."""
        if self.expected is None:
            return None
        if self._whole is None:
            self._whole = np.empty((self.expected, width))
        return self._whole[self.n_rows : self.n_rows + n_rows]

    def add(self, part: AnyArray) -> None:
        """The rows of one more batch, perhaps written in the room they were given."""
        if self._whole is not None and part.base is self._whole:
            pass
        elif self._whole is None and (self.expected is None or len(part) == self.expected):
            self._parts.append(part)
        else:
            self._room_for(part)[self.n_rows : self.n_rows + len(part)] = part
        self.n_rows += len(part)

    def whole(self) -> AnyArray:
        """All rows."""
        if self._whole is not None:
            return self._whole[: self.n_rows]
        return self._parts[0] if len(self._parts) == 1 else np.concatenate(self._parts)

    def _room_for(self, part: AnyArray) -> AnyArray:
        if self._whole is None:
            self._whole = np.empty((self.expected, *part.shape[1:]), part.dtype)
        return self._whole
