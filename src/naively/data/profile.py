"""What one pass over a column learns of it: enough to infer its kind, and mergeable.

Profiles of parts add up to the profile of the whole in any order, so every engine that
can fold can infer a schema by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Label
from naively.data.cells import EXACT, Cells, joined_kind
from naively.data.clues import Clue, clue_of

__all__ = [
    "CAP",
    "Profile",
    "names_recur",
    "profile_cells",
    "profile_labels",
    "profile_matrix",
    "spells_numbers",
]

CAP = 65_536
"""Distinct values are counted exactly up to here, then they are "many"."""

NO_DIGITS = ("inf", "infinity", "nan")
"""Numbers that are written in letters."""

PAIRS = (("t", "f"), ("true", "false"), ("yes", "no"))
"""The words for true and false that make a column of text a boolean one, in any case."""


@dataclass
class Profile:
    """The shape of a column's values: how many, how many distinct, between what, spread how.

    >>> profile_matrix(np.array([[1.0], [2.0], [np.nan]]))[0].type
    'integer'
    """

    n: int = 0
    missing: int = 0
    kind: str = "empty"
    values: AnyArray | frozenset[str] | None = frozenset()
    minimum: float | None = None
    maximum: float | None = None
    mean: float = 0.0
    m2: float = 0.0
    integral: bool = True
    characters: int = 0
    spaced: int = 0
    declared: bool = False
    clue: Clue = field(default_factory=Clue, compare=False)
    """What texts look like."""
    format: str = ""
    """How texts that are times are written, where the year does not come first."""
    example: object = field(default=None, compare=False)

    @property
    def present(self) -> int:
        """The cells that hold a value."""
        return self.n - self.missing

    @property
    def distinct(self) -> int | None:
        """How many different values there are; None is "many"."""
        if self.kind == "string" and self.boolean_like:
            return len({value.lower() for value in self.values or ()})
        return None if self.values is None else len(self.values)

    @property
    def boolean_like(self) -> bool:
        """Whether the values are the two of one pair: t/f, true/false, yes/no."""
        if not isinstance(self.values, frozenset) or not 0 < len(self.values) <= 8:
            return False
        words = {value.lower() for value in self.values}
        return any(words <= set(pair) for pair in PAIRS)

    @property
    def type(self) -> str:
        """The type that the values have, whatever they were stored as."""
        if self.kind == "string" and self.boolean_like:
            return "boolean"
        if self.kind == "number" and self.integral:
            return "integer"
        return self.kind

    @property
    def variance(self) -> float:
        """The variance of the numbers, divisor n."""
        return self.m2 / self.present if self.present else 0.0

    def __add__(self, other: Profile) -> Profile:
        if not self.present or not other.present:
            return self._with_missing_of(other)
        n, share = self.present + other.present, other.present / (self.present + other.present)
        step = other.mean - self.mean
        return Profile(
            n=self.n + other.n,
            missing=self.missing + other.missing,
            kind=joined_kind(self.kind, other.kind),
            values=_joined_values(self.values, other.values),
            minimum=min(_some(self.minimum, other.minimum), default=None),
            maximum=max(_some(self.maximum, other.maximum), default=None),
            mean=self.mean + step * share,
            m2=self.m2 + other.m2 + step * step * share * (n - other.present),
            integral=self.integral and other.integral,
            characters=self.characters + other.characters,
            spaced=self.spaced + other.spaced,
            declared=self.declared or other.declared,
            clue=self.clue + other.clue,
            example=_example(self, other),
        )

    def _with_missing_of(self, other: Profile) -> Profile:
        """The sum where one side has no values: the other side, and the cells of both."""
        full, empty = (self, other) if self.present else (other, self)
        if not empty.n and not empty.declared:
            return full
        parts = {name: getattr(full, name) for name in Profile.__dataclass_fields__}
        parts["n"], parts["missing"] = full.n + empty.n, full.missing + empty.missing
        parts["declared"] = full.declared or empty.declared
        return Profile(**parts)


def _example(a: Profile, b: Profile) -> object:
    """The first value; after integers the first fraction, which made numbers of them."""
    if a.integral and not b.integral and isinstance(b.values, np.ndarray):
        fractions = b.values[b.values != np.floor(b.values)]
        return float(fractions[0]) if len(fractions) else a.example
    return b.example if a.example is None else a.example


def _joined_values(
    a: AnyArray | frozenset[str] | None, b: AnyArray | frozenset[str] | None
) -> AnyArray | frozenset[str] | None:
    """The distinct values of both sides, None once there are too many."""
    if a is None or b is None:
        return None
    if isinstance(a, frozenset) or isinstance(b, frozenset):
        a, b = _texts(a), _texts(b)
        joined = a if a >= b else a | b
    else:
        return a if len(a) == len(b) and np.array_equal(a, b) else _joined_numbers(a, b)
    return joined if len(joined) <= CAP else None


def _joined_numbers(a: AnyArray, b: AnyArray) -> AnyArray | None:
    """The union of sorted distinct numbers, None where there are too many."""
    joined = np.concatenate([a, b])
    joined.sort(kind="stable")  # two runs that rise: it merges them
    is_last = np.append(joined[1:] != joined[:-1], True)
    return joined[is_last] if np.count_nonzero(is_last) <= CAP else None


def _texts(values: AnyArray | frozenset[str]) -> frozenset[str]:
    """Distinct values as texts; numbers beside large integers, which are kept so (in hex)."""
    if isinstance(values, frozenset):
        return values
    numbers = values.tolist()
    return frozenset(f"{int(x):x}" if float(x).is_integer() else str(x) for x in numbers)


def _some(*numbers: float | None) -> list[float]:
    """Those that are there."""
    return [x for x in numbers if x is not None]


def profile_cells(cells: Cells, many: bool = False) -> Profile:
    """The profile of some cells; `many` says that counting distinct values has been given up."""
    if cells.kind == "string":
        return _profile_text(cells, many)
    if cells.kind == "empty":
        return Profile(n=len(cells), missing=len(cells))
    profile = profile_matrix(np.asarray(cells.numbers())[:, None], many=many)[0]
    if cells.kind == "integer" and not many and _is_large(profile):
        values = frozenset(f"{label:x}" for label in cells.coded()[1])
        profile.values = values if len(values) <= CAP else None
    profile.kind = cells.kind if profile.present else "empty"
    profile.declared = cells.declared
    if cells.kind != "number":  # whose first value is an example already
        profile.example = cells.example()
    return profile


def _is_large(profile: Profile) -> bool:
    """Whether there are integers that doubles cannot tell apart: their texts do."""
    return any(abs(x) >= EXACT for x in _some(profile.minimum, profile.maximum))


def _profile_text(cells: Cells, many: bool) -> Profile:
    missing = cells.count_missing()
    characters, spaced = cells.text_size()
    values, clue = None, Clue()
    if not many:
        codes, labels = cells.coded()
        texts = list(map(str, labels))
        values = frozenset(texts)
        clue = clue_of(texts, np.bincount(codes[codes >= 0], minlength=len(texts)))
    return Profile(
        n=len(cells),
        missing=missing,
        kind="string" if missing < len(cells) else "empty",
        values=values if values is None or len(values) <= CAP else None,
        characters=characters,
        spaced=spaced,
        declared=cells.declared,
        clue=clue,
        example=cells.example(),
    )


def profile_labels(
    kind: str, labels: Sequence[Label], n: AnyArray, n_rows: int, before: Profile
) -> Profile:
    """The profile of a column of which all is known from how often each label occurs.

    `before` is the profile of its first rows.

    >>> one = profile_labels("integer", [2, 5], np.array([3.0, 1.0]), 6, Profile())
    >>> one.distinct, one.missing, one.mean, one.maximum
    (2, 2, 2.75, 5.0)
    """
    there = int(n.sum())
    known = Profile(n_rows, n_rows - there, kind if there else "empty")
    known.declared, known.example = before.declared, before.example
    if kind == "string":
        texts = [str(label) for label in labels]
        known.values = frozenset(texts) if len(texts) <= CAP else None
        known.characters = int(n @ [len(text) for text in texts])
        known.spaced = int(n @ [" " in text for text in texts])
        known.clue = clue_of(texts, n)
    elif there:
        x = np.array([float(cast(int, label)) for label in labels])
        known.values = x if len(x) <= CAP else None
        known.minimum, known.maximum = float(x.min()), float(x.max())
        known.mean = float(n @ x / there)
        known.m2 = float(n @ (x - known.mean) ** 2)
        if _is_large(known) and known.values is not None:
            known.values = frozenset(f"{label:x}" for label in labels)
    return known


def profile_matrix(numbers: AnyArray, many: bool = False) -> list[Profile]:
    """The profiles of the columns of an array of numbers; NaN is missing.

    >>> one, = profile_matrix(np.array([[3], [5], [3]]))
    >>> one.kind, one.distinct, one.mean, round(one.variance, 3)
    ('integer', 2, 3.6666666666666665, 0.889)
    """
    kind = {"b": "boolean", "i": "integer", "u": "integer"}.get(numbers.dtype.kind, "number")
    n = len(numbers)
    if not n:
        return [Profile() for _ in range(numbers.shape[1])]
    single = numbers.dtype in (np.float32, np.float64)
    x = numbers if single else numbers.astype(np.float64)
    out = []
    for j, line in enumerate(kernels.outlines(x).tolist()):
        there, low, high, mean, m2, fractions = line
        if not there:
            out.append(Profile(n, n))
            continue
        values = None if many else _distinct_values(x[:, j], low, high, bool(fractions))
        example = _first(numbers[:, j])
        missing = n - int(there)
        out.append(
            Profile(n, missing, kind, values, low, high, mean, m2, not fractions, example=example)
        )
    return out


def _first(column: AnyArray) -> Any:
    """The first value that is there."""
    for size in (64, len(column)):
        head = column[:size]
        there = np.flatnonzero(head == head)
        if len(there):
            return head[there[0]].item()
    return None


def _distinct_values(x: AnyArray, low: float, high: float, fractions: bool) -> AnyArray | None:
    """The sorted distinct values of a column, None where there are too many.

    Whole numbers close together are ticked off in a table; NaN sorts last and is cut off.
    """
    if not fractions and high - low < CAP and abs(low) < EXACT:
        there = x == x
        steps = (x if there.all() else x[there]) - low
        return np.flatnonzero(np.bincount(steps.astype(np.int64))) + low
    values = np.unique(x).astype(np.float64)
    values = values[values == values]
    return values if len(values) <= CAP else None


def spells_numbers(profile: Profile) -> bool:
    """Whether a column is text only because of an inf or a nan among its integers."""
    if not isinstance(profile.values, frozenset) or profile.kind != "string":
        return False
    if not any(value.strip("+- ").lower() in NO_DIGITS for value in profile.values):
        return False
    try:
        return bool([float(value) for value in profile.values])
    except ValueError:
        return False


def names_recur(profiles: Mapping[str, Profile]) -> bool:
    """Whether most names occur again in their own columns, as the cells of a row would.

    >>> names_recur({"sunny": Profile(values=frozenset({"rainy", "sunny"}))})
    True
    """
    values = [(name, profile.values) for name, profile in profiles.items()]
    own = [isinstance(texts, frozenset) and name in texts for name, texts in values]
    return 2 * sum(own) > len(own)
