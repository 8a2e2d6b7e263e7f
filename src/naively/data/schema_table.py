"""A schema drawn as a table, in plain text and in HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from naively.data.schema import Column, Schema

__all__ = ["draw", "draw_html"]

HEAD = ("column", "kind", "family", "why", "distinct", "missing", "example")
WHY = HEAD.index("why")
WIDTHS = (32, 10, 28, 56, 10, 12, 28)
RIGHT = ("distinct", "missing")
SHOWN = 200
"""Longer schemas are drawn by their first and last columns."""


def draw(schema: Schema) -> str:
    """The table in plain text, one line a column; reasons that are longer stand below it."""
    whole = [HEAD, *_rows(schema)]
    rows = [tuple(_cut(c, w) for c, w in zip(row, WIDTHS, strict=True)) for row in whole]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = ["  ".join(_aligned(row, widths)).rstrip() for row in rows]
    lines += [f"{row[0]}: {row[WHY]}" for row in whole if len(row[WHY]) > WIDTHS[WHY]]
    if schema.target is not None:
        lines.append(f"target: {schema.target.name} ({schema.target.type})")
    if schema.note:
        lines.append(schema.note)
    return "\n".join(lines)


def draw_html(schema: Schema) -> str:
    """The table in HTML, for notebooks."""
    head = "".join(f"<th>{name}</th>" for name in HEAD)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in _rows(schema)
    )
    note = f"<caption>{escape(schema.note)}</caption>" if schema.note else ""
    return f"<table>{note}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rows(schema: Schema) -> list[tuple[str, ...]]:
    columns = schema.columns
    if len(columns) <= SHOWN:
        return [_cells(column) for column in columns]
    half = SHOWN // 2
    between = (f"... {len(columns) - 2 * half:,} more", "", "", "", "", "", "")
    first, last = columns[:half], columns[-half:]
    return [*map(_cells, first), between, *map(_cells, last)]


def _cells(column: Column) -> tuple[str, ...]:
    distinct = "many" if column.distinct is None else f"{column.distinct:,}"
    example = "" if column.example is None else str(column.example)
    family = "ignore" if column.family is None else str(column.family)
    what = (column.name, column.type, family, column.why)
    return (*what, distinct, f"{column.missing:,}", " ".join(example.split()))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    cells = zip(HEAD, row, widths, strict=True)
    return [c.rjust(w) if name in RIGHT else c.ljust(w) for name, c, w in cells]
