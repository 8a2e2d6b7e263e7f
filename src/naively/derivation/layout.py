"""Lines of words as a table: aligned text, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["aligned", "as_html"]

Lines = Sequence[Sequence[str]]


def aligned(lines: Lines, right: Sequence[int] = ()) -> str:
    """Cells below each other, those of some columns at their right ends.

    >>> print(aligned([("side", "P"), ("head", "1/2")]))
    side  P
    head  1/2
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    sides = [str.rjust if j in right else str.ljust for j in range(len(widths))]
    padded = (
        (side(cell, width) for side, cell, width in zip(sides, line, widths, strict=True))
        for line in lines
    )
    return "\n".join("  ".join(line).rstrip() for line in padded)


def as_html(lines: Lines) -> str:
    """An HTML table, whose first line is its head.

    >>> as_html([("a",), ("<1",)])
    '<table><tr><th>a</th></tr><tr><td>&lt;1</td></tr></table>'
    """
    head, *rest = lines
    rows = [_row(head, "th"), *(_row(line, "td") for line in rest)]
    return f"<table>{''.join(rows)}</table>"


def _row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
