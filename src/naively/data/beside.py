"""What stands beside the features: the target and the weights, a column or an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from naively._typing import Label, Vector
from naively.data.cells import Cells
from naively.data.column import Codes
from naively.data.domain import MISSING, Domain, sorted_labels
from naively.errors import DataError

if TYPE_CHECKING:
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

    def cells(self, part: Slice, n_rows: int) -> Cells:
        """The cells beside a slice that was not thinned out."""
        if self.strip is None:
            return part.cells(self.name)
        if part.start + n_rows > len(self.strip):
            raise self._wrong_length(part.start + n_rows, " or more")
        return self.strip.cut(part.start, part.start + n_rows)

    def numbers(self, part: Slice) -> Vector:
        """Weights: finite and not negative."""
        cells = self.cells(part, part.n_rows)
        if cells.kind not in ("boolean", "integer", "number", "empty"):
            raise DataError(f"{self.name}: {cells.example()!r}", "numbers as weights")
        w = np.array(
            np.full(len(cells), np.nan) if cells.kind == "empty" else cells.numbers(), np.float64
        )
        bad = ~(np.isfinite(w) & (w >= 0))
        if bad.any():
            at = int(np.argmax(bad))
            found = f"{self.name}, row {part.row_of(at):,}: {w[at].item()!r}"
            raise DataError(found, "a weight that is finite and not negative (no NaN, no inf)")
        return w

    def codes(
        self, part: Slice, kept: Slice, classes: Domain | None, learning: bool
    ) -> Codes:
        """The target of the rows that were kept, as codes of its labels."""
        cells = self.cells(part, part.n_rows)
        rows = getattr(kept, "at", None)
        if kept is not part and rows is not None:
            cells = cells.take(rows - part.start)
        if cells.kind in ("mixed", "nested"):
            from naively.data.dispatch import odd_cell

            raise odd_cell(cells, kept.row_of, self.name)
        codes, labels = cells.coded()
        if learning and (codes == MISSING).any():
            self._refuse_missing(kept, int(np.argmax(codes == MISSING)))
        if classes is None:
            domain = Domain(sorted_labels(labels))
        else:
            domain = classes
            if learning:
                self._refuse_unknown(kept, codes, labels, classes)
        return Codes(np.append(domain.encode(labels), [MISSING])[codes], domain, open=classes is None)

    def _refuse_missing(self, part: Slice, at: int) -> None:
        raise DataError(
            f"{self.name}, row {part.row_of(at):,}: Input y contains NaN or another missing value",
            "a label for every row that is learned",
            "drop the rows without a label",
        )

    def _refuse_unknown(
        self, part: Slice, codes: Any, labels: Any, classes: Domain
    ) -> None:
        for i, label in enumerate(labels):
            if label not in classes.index:
                row = part.row_of(int(np.argmax(codes == i)))
                known = ", ".join(repr(known) for known in classes.labels[:10])
                raise DataError(f"{self.name}, row {row:,}: class {label!r}", f"one of {known}")

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

    strip = strip_of(given, what)
    one = Beside(what, strip)
    if source.n_rows is not None:
        one.check_length(source.n_rows)
    return one


def label_list(codes: Any, labels: Any) -> list[Label]:
    """Labels again, None where missing."""
    table = [*labels, None]
    return [table[code] for code in codes.tolist()]
