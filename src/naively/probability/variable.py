"""A variable of a table: its type, its labels, and which label a written value means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naively._typing import Label
from naively.data.casting import cast_label
from naively.data.domain import sorted_labels
from naively.errors import DataError, UnknownLabel, nearest
from naively.probability.event import Atom, Compare, Event, Holds, Not, OneOf, values_of
from naively.probability.wording import named, quoted

__all__ = ["Variable"]

ORDERED = ("integer", "number", "time", "duration")
"""The types whose values have an order."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A column of a table; its labels may be the words for true and false.

    >>> vote = Variable("vote", "boolean", ("no", "yes"))
    >>> vote.label("yes"), vote.label(True), vote.truths
    ('yes', 'yes', ('yes',))
    """

    name: str
    type: str
    labels: tuple[Label, ...]

    @classmethod
    def trusting(cls, atom: Atom, type: str) -> Variable:
        """A variable of which only what a condition names is known: all of it is taken to be there.

        >>> Variable.trusting(Compare("n", "=", "3"), "integer").labels
        (3,)
        """
        labels = []
        for value in values_of(atom):
            try:
                labels.append(cast_label(value, type))
            except (ValueError, TypeError, OverflowError):
                raise UnknownLabel(f"column {atom.column!r} has no value {value!r}") from None
        return cls(atom.column, type, tuple(labels))

    @property
    def truths(self) -> tuple[Label, ...]:
        """The labels that mean true."""
        return tuple(label for label in self.labels if cast_label(label, "boolean") is True)

    def label(self, value: Any, mark: str = "") -> Label:
        """The label that a value means: 1, 1.0 and "1" are one in a column of integers."""
        cast = self._cast(value)
        if cast in self.labels:
            return self.labels[self.labels.index(cast)]
        if self.type == "boolean":
            meant = self._as_truth(value)
            if meant is not None:
                return meant
        error = self._unknown(value)
        error.fix += mark
        raise error

    def _cast(self, value: Any) -> Any:
        worded = self.type == "boolean" and any(isinstance(label, str) for label in self.labels)
        try:
            return cast_label(value, "string" if worded else self.type)
        except (ValueError, TypeError, OverflowError):
            return _Nothing

    def _as_truth(self, value: Any) -> Label:
        """The label with the truth value that another word has; no row need have it."""
        try:
            truth = cast_label(value, "boolean")
        except (ValueError, TypeError, OverflowError):
            return None
        same = [label for label in self.labels if cast_label(label, "boolean") is truth]
        return same[0] if same else truth

    def _unknown(self, value: Any) -> UnknownLabel:
        if str(value).lower() in ("missing", "null", "none", "nan"):
            fix = f"write {named(self.name)} is missing"
            return UnknownLabel(f"column {self.name!r} has no value {value!r}", fix=fix)
        known = sorted_labels(self.labels)
        if self.type in ORDERED and len(known) > 10:
            hint = self._neighbours(value)
        else:
            hint = nearest(str(value), [str(label) for label in known])
        return UnknownLabel(f"column {self.name!r} has no value {value!r}", fix=hint)

    def _neighbours(self, value: Any) -> str:
        """The nearest values of a column of numbers or times."""
        try:
            wanted = self.bound(value)
            labels: Any = self.labels
            below = [label for label in labels if label < wanted]
            above = [label for label in labels if label > wanted]
        except (DataError, TypeError):
            return nearest(str(value), map(str, sorted_labels(self.labels)))
        near = [max(below)] if below else []
        near += [min(above)] if above else []
        return f"the nearest are {' and '.join(map(str, near))}; ask for a range with < and >"

    def bound(self, value: Any, mark: str = "") -> Any:
        """A value to compare with: it need not occur, but must have an order."""
        if self.type not in ORDERED:
            what = {"string": "text", "boolean": "truth values"}.get(self.type, self.type)
            found = f"column {self.name!r} holds {what}, which has no order"
            known = [str(label) for label in sorted_labels(self.labels)]
            some = f"; {nearest('', known)}" if known else ""
            fix = f"use = or in {{...}}{some}{mark}"
            raise DataError(found, "a column of numbers or times", fix)
        kind = "number" if self.type == "integer" else self.type
        try:
            return self._whole(value) or cast_label(value, kind)
        except (ValueError, TypeError, OverflowError):
            found = f"column {self.name!r} is compared with {value!r}"
            raise DataError(found, f"a {kind}{mark}") from None

    def _whole(self, value: Any) -> Label:
        """A whole number beside integers stays exact, however large; None for any other."""
        try:
            return cast_label(value, "integer") if self.type in ("integer", "number") else None
        except (ValueError, TypeError, OverflowError):
            return None

    def bind(self, atom: Atom) -> Event:
        """The condition with labels for values; a truth value that is named alone is true."""
        mark = f"\n{atom.mark}" if atom.mark else ""
        if isinstance(atom, Holds):
            return self._true(atom.mark, mark)
        if isinstance(atom, OneOf):
            values = tuple(self.label(value, mark) for value in atom.values)
            return OneOf(self.name, values, mark=atom.mark)
        if isinstance(atom, Compare) and atom.op in ("=", "!="):
            same = Compare(self.name, "=", self.label(atom.value, mark), mark=atom.mark)
            return same if atom.op == "=" else Not(same)
        if isinstance(atom, Compare) and f"{atom.op}{atom.value}" in self.labels:
            # age<30 where the labels are "<30" and ">=30"
            return Compare(self.name, "=", f"{atom.op}{atom.value}", mark=atom.mark)
        if isinstance(atom, Compare):
            return Compare(self.name, atom.op, self.bound(atom.value, mark), mark=atom.mark)
        return atom

    def _true(self, mark: str, shown: str) -> Event:
        if self.type != "boolean" and not (self.type == "integer" and {0, 1} >= set(self.labels)):
            one = quoted(self.labels[0]) if self.labels else "..."
            found = f"column {self.name!r} is named alone, but is not true or false"
            raise DataError(found, "a condition", f"write {named(self.name)}={one}{shown}")
        truths = self.truths or (True,)
        if len(truths) == 1:
            return Compare(self.name, "=", truths[0], bare=True, mark=mark)
        return OneOf(self.name, truths, mark=mark)


class _Nothing:
    """What cannot be cast: no label equals it."""
