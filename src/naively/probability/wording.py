"""Names and values as a question would have them."""

from __future__ import annotations

__all__ = ["MARKS", "WORDS", "named", "quoted"]


def quoted(word: object) -> str:
    """A name or value as a question would have it: in quotes where it is more than a word.

    >>> quoted("vote"), quoted("very old"), quoted(True)
    ('vote', '"very old"', 'true')
    """
    if isinstance(word, bool):
        return str(word).lower()
    text = f"{word:g}" if isinstance(word, float) and word == float(f"{word:g}") else str(word)
    odd = not text.isprintable() or set(text) & MARKS or text.lower() in WORDS
    return text if text and not odd else '"' + text.replace('"', '""') + '"'


def named(column: str) -> str:
    """A column's name in a question: a number stands in quotes, since a bare one is a value.

    >>> named("age"), named("2020")
    ('age', '"2020"')
    """
    bare = quoted(column)
    return f'"{bare}"' if bare[:1].isdigit() or bare[:1] in ("+", "-", ".") else bare


MARKS = frozenset(" \"'`=!<>≤≥≠,|(){}?&~¬∧∨∈")
WORDS = frozenset({"and", "or", "not", "in", "is", "missing"})
"""Marks and words of the grammar, these in any case of letters."""
