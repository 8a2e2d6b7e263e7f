"""Numbers as a file spells them: whole ones are exact, however large.

A column that is counted as real numbers is read as such; here are those whose cells are
labels, and those of which nothing is known but their first rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from naively._typing import AnyArray, Indices, Label, Vector
from naively.data.arrow_cells import ArrowCells
from naively.data.cells import as_float

__all__ = ["SpeltCells", "whole"]


def whole(array: Any) -> Any:
    """Doubles of Arrow as integers, where all of them are.

    >>> whole(pa.array([1.0, None])).type, whole(pa.array([0.5])).type
    (DataType(int64), DataType(double))
    """
    try:
        return array.cast(pa.int64())
    except pa.ArrowInvalid:
        return array


def _number(text: str) -> Label:
    """What a text spells: an integer, a number, None for a NaN, or itself."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return None if number != number else number


class SpeltCells:
    """Texts that spell numbers.

    >>> cells = SpeltCells(pa.array(["1", "01", "10000000000000000000000001"]))
    >>> cells.kind, cells.coded()
    ('integer', (array([0, 0, 1]), [1, 10000000000000000000000001]))
    """

    declared = False

    def __init__(self, array: Any) -> None:
        self.texts = ArrowCells(array)
        self.array = self.texts.array

    @cached_property
    def _coded(self) -> tuple[Indices, list[Label]]:
        codes, texts = self.texts.coded()
        index: dict[Label, int] = {}
        table = [-1] * (len(texts) + 1)
        for i, text in enumerate(texts):
            label = _number(str(text))
            if label is not None:
                table[i] = index.setdefault(label, len(index))
        return np.array(table, dtype=np.int64)[codes], list(index)

    @cached_property
    def kind(self) -> str:
        types = {type(label) for label in self._coded[1]}
        if str in types:
            return "string" if len(types) == 1 else "mixed"
        return "number" if float in types else "integer" if types else "empty"

    def __len__(self) -> int:
        return len(self.array)

    def take(self, keep: AnyArray) -> SpeltCells:
        taken = self.texts.take(keep)
        return SpeltCells(taken.array)  # type: ignore[attr-defined]

    def count_missing(self) -> int:
        return int((self._coded[0] < 0).sum())

    def numbers(self) -> Vector:
        codes, labels = self._coded
        return np.array([*map(as_float, labels), np.nan])[codes]

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        return self._coded

    def text_size(self) -> tuple[int, int]:
        return self.texts.text_size()

    def example(self) -> Label:
        codes, labels = self._coded
        there = codes[codes >= 0]
        return labels[int(there[0])] if len(there) else None

    def odd_cell(self) -> int:
        """The first cell that spells no number."""
        codes, labels = self._coded
        odd = [i for i, label in enumerate(labels) if isinstance(label, str)]
        return int(np.argmax(np.isin(codes, odd)))

    def value(self, at: int) -> object:
        return self.array[at].as_py()
