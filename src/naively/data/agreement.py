"""How the labels of one column agree: True, 1, 1.0 and "1" are one, however they are stored.

The first words that were learned stay: the others are said in them.
"""

from __future__ import annotations

from collections.abc import Iterable

from naively._typing import Label
from naively.data.casting import cast_label
from naively.data.domain import Domain

__all__ = ["agreeing", "all_agreeing"]


def agreeing(label: Label, known: Domain, type: str) -> Label:
    """The label in the words of those that are known, whose type is `type`.

    A number is a text only where that text is known: 2 is no label beside "no" and "yes".
    ValueError, TypeError or OverflowError where the label can be none of that type.

    >>> agreeing("1", Domain((0, 1)), "integer"), agreeing(True, Domain(("0", "1")), "string")
    (1, '1')
    """
    at = known.index.get(label)
    if at is not None:
        return known.labels[at]
    if type != "string" or isinstance(label, str):
        return cast_label(label, type)
    spelt = next((text for text in _spelt(label) if text in known.index), None)
    if spelt is None:
        raise ValueError("no text that is known")
    return spelt


def _spelt(label: Label) -> tuple[Label, ...]:
    """How a label that is no text may be written; a truth value also as the number it is."""
    number = int(label) if isinstance(label, bool) else label
    return cast_label(number, "string"), cast_label(label, "string"), str(label).lower()


def all_agreeing(labels: Iterable[Label], known: Domain) -> tuple[Label, ...]:
    """The labels in the words of the known ones; as they are where not all of them can be.

    >>> all_agreeing((False, True), Domain(("0", "1"))), all_agreeing((1, 2), Domain(("a",)))
    (('0', '1'), (1, 2))
    """
    kept, type = tuple(labels), known.type
    try:
        return tuple(agreeing(label, known, type) for label in kept)
    except (ValueError, TypeError, OverflowError):
        return kept
