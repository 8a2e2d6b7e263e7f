"""Cells that are Python texts, and None where they are missing: each text is looked at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from naively._typing import AnyArray, Indices, Label
from naively.data.objects import is_unicode

__all__ = ["TextCells", "are_texts"]

NOTHING = type(None)


def are_texts(values: list[object]) -> bool:
    """Whether all cells are texts, or None.

    >>> are_texts(["a", None]), are_texts(["a", 1])
    (True, False)
    """
    return set(map(type, values)) <= {str, NOTHING}


class TextCells:
    """Texts, or None where one is missing.

    >>> TextCells(["a", None, "b", "a"]).coded()
    (array([ 0, -1,  1,  0], dtype=int32), ['a', 'b'])
    """

    declared = False

    def __init__(self, values: list[str | None]) -> None:
        self.values = values

    @cached_property
    def _labels(self) -> list[str]:
        """The texts in the order in which they first occur."""
        return [text for text in dict.fromkeys(self.values) if text is not None]

    @cached_property
    def _codes(self) -> Indices:
        table: dict[str | None, int] = {text: i for i, text in enumerate(self._labels)}
        table[None] = -1
        return np.fromiter(map(table.__getitem__, self.values), np.int32, len(self.values))

    @cached_property
    def kind(self) -> str:
        if not self._labels:
            return "empty"
        return "string" if all(map(is_unicode, self._labels)) else "nested"

    def __len__(self) -> int:
        return len(self.values)

    def take(self, keep: AnyArray) -> TextCells:
        at = np.arange(len(self.values))[keep].tolist()
        return TextCells([self.values[i] for i in at])

    def count_missing(self) -> int:
        return self.values.count(None)

    def numbers(self) -> AnyArray:
        """None of them is one."""
        return np.full(len(self.values), np.nan)

    def coded(self) -> tuple[Indices, Sequence[Label]]:
        return self._codes, self._labels

    def text_size(self) -> tuple[int, int]:
        codes = self._codes
        n = np.bincount(codes[codes >= 0], minlength=len(self._labels))
        size = int(n @ [len(text) for text in self._labels]) if len(n) else 0
        return size, int(n @ [" " in text for text in self._labels]) if len(n) else 0

    def example(self) -> Label:
        return self._labels[0] if self._labels else None

    def odd_cell(self) -> int:
        """The first text that is none in Unicode; where all are, the first text."""
        odd = [i for i, text in enumerate(self._labels) if not is_unicode(text)]
        return int(np.argmax(self._codes == odd[0])) if odd else int(np.argmax(self._codes >= 0))

    def value(self, at: int) -> object:
        return self.values[at]
