"""What stands beside the features: the target and the weights, a column or an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from naively._typing import Indices, Label, Vector
from naively.data.agreement import agreeing
from naively.data.casting import WANTED, cast_label, classes_of_themselves
from naively.data.cells import Cells
from naively.data.column import Codes
from naively.data.domain import MISSING, TYPES, Domain, sorted_labels
from naively.data.odd import odd_value, refuse_odd
from naively.errors import DataError

if TYPE_CHECKING:
    from naively.data.schema import Schema
    from naively.data.source import Slice, Source
    from naively.data.strips import Strip

__all__ = ["Beside", "beside"]


class Beside:
    """A column of the source by name, or values of the same length.

    >>> from naively.data.source import read
    >>> beside(read({"x": [1, 2], "w": [0.5, 0.5]}), "w", "weight").name
    'w'
    """

    def __init__(self, name: str, strip: Strip | None) -> None:
        self.name = name
        self.strip = strip
        self.type = ""
        """The type that labels have, where it is known, however they are stored."""
        self.known: Domain | None = None

    def agree(self, source: Source, schema: Schema) -> None:
        """Labels are of the type of the known classes, else of what all rows say."""
        target = "" if schema.target is None else schema.target.type
        self.known = source.classes
        self.type = target if self.known is None else self.known.type
        self.type = self.type if self.type in TYPES.values() else ""

    def cells(self, part: Slice) -> Cells:
        """The cells beside a slice that was not thinned out."""
        if self.strip is None:
            return part.cells(self.name)
        stop = part.start + part.n_rows
        if stop > len(self.strip):
            raise self._wrong_length(stop, " or more")
        return self.strip.cut(part.start, stop)

    def numbers(self, part: Slice) -> Vector:
        """Weights: finite and not negative."""
        cells = self.cells(part)
        if cells.kind not in ("boolean", "integer", "number", "empty"):
            raise DataError(f"{self.name}: {cells.example()!r}", "numbers as weights")
        found = np.full(len(cells), np.nan) if cells.kind == "empty" else cells.numbers()
        w = np.asarray(found, dtype=np.float64)
        bad = ~(np.isfinite(w) & (w >= 0))
        if bad.any():
            at = int(np.argmax(bad))
            raise DataError(
                f"{self.name}, row {part.row_of(at):,}: {w[at].item()!r}",
                "a weight that is finite and not negative (no NaN, no inf)",
            ).at(part.row_of(at), self.name)
        return w

    def codes(self, part: Slice, kept: Slice, classes: Domain | None, learning: bool) -> Codes:
        """The target of the rows that were kept, as codes of its labels."""
        cells = self.cells(part)
        if kept.at is not None:
            cells = cells.take(kept.at - part.start)
        refuse_odd(cells, kept.row_of, self.name)
        self.known = self.known if classes is None else classes
        type = self.type or (classes.type if classes is not None else "")
        plain = classes is None and learning and type in ("", "integer")
        itself = classes_of_themselves(cells) if plain else None
        if itself is not None:
            return Codes(*itself)
        codes, labels = cells.coded()
        labels = self._as(type, kept, codes, labels, learning) if type else labels
        if learning and (codes == MISSING).any():
            raise self._missing(kept, int(np.argmax(codes == MISSING)))
        if classes is not None and learning:
            self._refuse_unknown(kept, codes, labels, classes)
        domain = Domain(sorted_labels(set(labels))) if classes is None else classes
        table = np.append(domain.encode(labels), np.array([MISSING], dtype=np.int32))
        return Codes(table[codes], domain, open=classes is None)

    def _as(
        self, type: str, part: Slice, codes: Indices, labels: Sequence[Label], learning: bool
    ) -> list[Label]:
        """The labels as those of a type; one that cannot be is an error, or unseen."""
        known: list[Label] = []
        for i, label in enumerate(labels):
            try:
                known.append(self._one(label, type))
            except (ValueError, TypeError, OverflowError):
                if learning:
                    row = part.row_of(int(np.argmax(codes == i)))
                    raise odd_value(self.name, row, label, WANTED[type]) from None
                known.append(label)
        return known

    def _one(self, label: Label, type: str) -> Label:
        """A label of a type; what is no text becomes one only where that is a class."""
        if self.known is None:
            return cast_label(label, type)
        try:
            return agreeing(label, self.known, type)
        except ValueError:
            if type == "string":
                return label  # classes of two kinds are refused where they would be added
            raise

    def _missing(self, part: Slice, at: int) -> DataError:
        return DataError(
            f"{self.name}, row {part.row_of(at):,}: Input y contains NaN or another missing value",
            "a label for every row that is learned",
            "drop the rows without a label",
        ).at(part.row_of(at), self.name)

    def _refuse_unknown(
        self, part: Slice, codes: Indices, labels: Sequence[Label], classes: Domain
    ) -> None:
        for i, label in enumerate(labels):
            if label not in classes.index:
                row = part.row_of(int(np.argmax(codes == i)))
                known = ", ".join(map(repr, classes.labels[:10]))
                found = f"{self.name}, row {row:,}: class {label!r}"
                raise DataError(found, f"one of {known}").at(row, self.name)

    def check_length(self, n_rows: int) -> None:
        """As many values as there were rows."""
        if self.strip is not None and len(self.strip) != n_rows:
            raise self._wrong_length(n_rows)

    def _wrong_length(self, n_rows: int, more: str = "") -> DataError:
        length = 0 if self.strip is None else len(self.strip)
        return DataError(
            f"{self.name} has {length:,} values beside {n_rows:,}{more} rows: "
            "Found input variables with inconsistent numbers of samples",
            "one value for every row",
        )


def beside(source: Source, given: Any, what: str) -> Beside | None:
    """The column of that name, or the values themselves; None where nothing is given."""
    if given is None:
        return None
    if isinstance(given, str):
        return Beside(given, None)
    from naively.data.strips import strip_of

    one = Beside(what, strip_of(given, what))
    if source.n_rows is not None:
        one.check_length(source.n_rows)
    return one
