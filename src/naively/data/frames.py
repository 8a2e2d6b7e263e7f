"""pandas' door: a frame is read column by column and slice by slice, its index ignored.

pandas is never imported here; whoever gives a frame has done so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from naively.data.cells import Cells
from naively.data.objects import ObjectCells
from naively.data.source import Source
from naively.data.strips import ArrayStrip, Strip, TableSource, refuse_doubles
from naively.errors import DataError, UnsupportedType

__all__ = ["pandas_source", "series_strip"]


def pandas_source(x: Any) -> Source:
    """The source of a DataFrame."""
    name = type(x).__name__
    if not hasattr(x, "iloc"):
        raise UnsupportedType(f"an object of type pandas.{name}", "a DataFrame")
    if x.ndim != 2:
        raise DataError(
            f"one column (a {name})", "a table", "Reshape your data: give a frame, x.to_frame()"
        )
    names = [str(column) for column in x.columns]
    refuse_doubles(names)
    if not names:
        raise DataError(f"0 feature(s) (shape={x.shape}) while a minimum of 1 is required.")
    nameless = list(x.columns) == list(range(len(names))) and all(x.dtypes.map(_is_plain_number))
    dtype = x.dtypes.iloc[0]
    if nameless and dtype.kind == "f" and all(x.dtypes == dtype):
        from naively.data.arrays import array_source

        return array_source(x.to_numpy())  # an array in a frame's clothes: it has no names
    strips = {column: series_strip(x.iloc[:, j]) for j, column in enumerate(names)}
    return TableSource(strips, "a DataFrame", named=not nameless)


def _is_plain_number(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def series_strip(series: Any) -> Strip:
    """The strip of a Series or an Index."""
    if getattr(series, "ndim", 1) != 1:
        if series.shape[1] != 1:
            raise DataError(f"a frame of shape {series.shape}", "one column")
        series = series.iloc[:, 0]
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        if dtype.kind == "c":
            raise DataError(f"column {series.name!r}: Complex data not supported", "real numbers")
        return ArrayStrip(series.to_numpy())
    name = type(dtype).__name__
    if name == "SparseDtype":
        return ArrayStrip(np.asarray(series))
    cells = getattr(series, "array", series)
    if isinstance(dtype, np.dtype) and _holds_periods(cells):
        return ArrayStrip(np.asarray(cells, dtype=object))  # Arrow would take them for integers
    if name == "CategoricalDtype" and type(dtype.categories.dtype).__name__ in _AS_TEXT:
        cells = cells.rename_categories([str(level) for level in dtype.categories])
    elif name == "PeriodDtype":
        cells = cells.to_timestamp()
    elif name in _AS_TEXT:
        cells = cells.astype(str)
    return PandasStrip(cells)


def _holds_periods(cells: Any) -> bool:
    first = next((cell for cell in cells if cell is not None and cell == cell), None)
    return type(first).__name__ == "Period"


_AS_TEXT = ("IntervalDtype", "PeriodDtype")
"""Types without a counterpart in Arrow: their levels are labels as they are printed."""


class PandasStrip:
    """A Series of objects or of one of pandas' own types, given to Arrow slice by slice."""

    def __init__(self, cells: Any) -> None:
        self.cells = cells

    def __len__(self) -> int:
        return len(self.cells)

    def cut(self, start: int, stop: int) -> Cells:
        import pyarrow as pa

        from naively.data.arrow_cells import ArrowCells

        part = self.cells[start:stop]
        try:
            return ArrowCells(pa.array(part, from_pandas=True))
        except (
            pa.ArrowInvalid,
            UnicodeError,
            pa.ArrowTypeError,
            pa.ArrowNotImplementedError,
            TypeError,
            OverflowError,
        ):  # OverflowError: large integers
            return ObjectCells(part)
