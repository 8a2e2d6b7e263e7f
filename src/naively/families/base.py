"""The contract of a family: how a block of columns is counted and what is believed of it.

A family knows groups, never classes. `observe` counts; `factor` turns counts and a prior
into log p(x | group). The prior is the family's own fields; it never touches the counts,
so it may change without reading the data again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real as Number
from typing import ClassVar, Literal, cast

import numpy as np

from naively import kernels
from naively._typing import AnyArray, Flags, Indices, Matrix, Vector
from naively.data.coding import Coding, Then
from naively.data.column import Block, Codes, Counts, Real
from naively.data.support import Support
from naively.errors import ParameterError
from naively.factors import Factor
from naively.statistics import Statistic, Sums

__all__ = [
    "Degenerate",
    "Family",
    "Form",
    "Part",
    "Support",
    "chained",
    "check_amounts",
    "check_positive",
    "check_range",
    "check_stated",
    "code_sums",
    "is_finite",
    "number_sums",
    "refuse_where",
    "require",
]

Form = Literal["codes", "real", "counts"]
"""What the doors make of a family's columns."""


class Degenerate(Exception):
    """A group for which maximum likelihood has no answer; the model gives it its names."""

    def __init__(self, reason: str, fix: str, group: int | None, column: int = 0) -> None:
        super().__init__(reason, fix, group, column)
        self.reason, self.fix, self.group, self.column = reason, fix, group, column


Part = tuple["Family", Coding | None]
"""A counting family and the coding that its columns pass through first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What all families share; each concrete one is a file beside this.

    `missing="value"` makes a missing cell evidence of its own, `"ignore"` leaves it out.
    Whether a number is missing is then a coin with the pseudo-count `missing_alpha`.
    `unseen="error"` refuses what training never saw: other labels, and values that the
    family cannot have.
    """

    missing: Literal["ignore", "value"] = "ignore"
    missing_alpha: float = field(default=1.0, repr=False)
    unseen: Literal["ignore", "reserve", "error"] = field(default="ignore", repr=False)

    name: ClassVar[str]
    form: ClassVar[Form] = "real"
    separable: ClassVar[bool] = True
    """Whether the columns of a block are counted and scored independently of each other."""
    of_type: ClassVar[str | None] = None
    """The type that its columns must have; None for whatever the form takes."""
    scale_equivariant: ClassVar[bool] = False
    generative: ClassVar[bool] = True
    reveals_infinity: ClassVar[bool] = False
    """Whether an infinite cell makes its statistic infinite, and its row's score far out."""
    support: ClassVar[Support | None] = None
    leaner: ClassVar[str] = "leave out columns, or pool rare labels and classes"
    """What to do where its statistic would be too large."""
    derived: ClassVar[tuple[str, type[Coding]] | None] = None
    """The kind of term and the coding that tell it, where another family counts its columns."""
    holds: ClassVar[str | None] = None
    """The field that is a family itself."""
    unseen_as: ClassVar[tuple[str, ...]] = ("ignore", "error")
    """What may become of a value that training never saw."""

    def __post_init__(self) -> None:
        check_amounts(missing_alpha=self.missing_alpha)
        known = self.missing in ("ignore", "value")
        require(known, f"missing={self.missing!r}", "'ignore' or 'value'")
        choices = " or ".join(map(repr, self.unseen_as))
        require(self.unseen in self.unseen_as, f"unseen={self.unseen!r}", choices)
        require(
            self.missing == "ignore" or self.form != "counts",
            f"missing='value' for the {self.name} family",
            "a family whose cells may be missing",
            "counts that are not there are 0",
        )
        self.validate()

    def validate(self) -> None:
        """Refuse parameters that do not make sense, and give the others their own types."""

    @property
    def kind(self) -> str:
        """What is counted: families of one kind share their statistics."""
        return self.name

    def parts(self) -> tuple[Part, ...]:
        """The terms this family stands for: itself, unless a coding comes first."""
        return ((self, None),)

    def declared(self) -> Statistic | None:
        """What an average row of a stated distribution would have counted; None if it is learned.

        One group and one column; under no prior its factor is the stated distribution.
        """
        return None

    def settled(self, values: Vector) -> Family:
        """The family with what is structural in it decided from a column's values."""
        return self

    @property
    def is_settled(self) -> bool:
        """Whether the structure is complete without seeing the data."""
        return True

    def observe(
        self, block: Block, group: Indices, n_groups: int, weight: Vector | None
    ) -> Statistic:
        """The statistic of these rows: counts of labels, or sums of numbers."""
        if self.form == "codes":
            return code_sums(block, group, n_groups, weight)
        return number_sums(block, group, n_groups, weight)

    def cells(self, n_columns: int, n_values: int) -> int:
        """How many numbers the statistic holds for each group.

        `n_values` are the labels (or kept values) of all its columns, where these are known.

        >>> from naively.families import Gaussian, Poisson
        >>> Poisson().cells(3, 0), Gaussian(covariance="full").cells(3, 0)
        (6, 13)
        """
        return n_values + n_columns if self.form == "codes" else 2 * n_columns

    def factor(self, statistic: Statistic) -> Factor:
        """log p(x | group) under this prior."""
        raise TypeError(f"{self.name} is scored through its parts")

    def __str__(self) -> str:
        return self.name


def chained(first: Coding | None, second: Coding | None) -> Coding | None:
    """One coding after the other, either of which may be none."""
    if first is None or second is None:
        return first or second
    return Then(first, second)


def require(holds: bool, found: str, expected: str, fix: str = "") -> None:
    """A parameter that does not make sense is refused when it is stated."""
    if not holds:
        raise ParameterError(found, expected, fix)


def check_amounts(**stated: object) -> None:
    """Pseudo-counts, strengths and the like are numbers of at least 0.

    >>> check_amounts(alpha=-1)
    Traceback (most recent call last):
    naively.errors.ParameterError: alpha=-1; expected a finite number of at least 0
    """
    for name, value in stated.items():
        good = is_finite(value) and cast(float, value) >= 0
        require(good, f"{name}={value!r}", "a finite number of at least 0")


def check_stated(**stated: object) -> None:
    """The parameters of a stated distribution are all there, and finite; or none of them is.

    >>> check_stated(mean=1, std=None)
    Traceback (most recent call last):
    naively.errors.ParameterError: mean=1, std=None; expected both mean and std, or neither
    """
    known = [value for value in stated.values() if value is not None]
    found = ", ".join(f"{name}={value!r}" for name, value in stated.items())
    both = f"both {' and '.join(stated)}, or neither"
    require(len(known) in (0, len(stated)), found, both)
    require(all(map(is_finite, known)), found, "finite numbers")


def check_positive(**stated: object) -> None:
    """Sizes, bandwidths and the like are numbers above 0."""
    for name, value in stated.items():
        good = is_finite(value) and cast(float, value) > 0
        require(good, f"{name}={value!r}", "a number above 0")


def refuse_where(bad: Flags, reason: str, fix: str) -> None:
    """Groups by columns: the first that maximum likelihood cannot answer for is refused."""
    if bad.any():
        group, column = np.argwhere(bad)[0]
        raise Degenerate(reason, fix, int(group), int(column))


def check_range(amounts: AnyArray) -> None:
    """Sums and squares that overflowed (columns last) are refused: nothing is known of them."""
    if not np.isfinite(amounts).all():
        column = int(np.argwhere(~np.isfinite(amounts))[0][-1])
        fix = "measure it in a larger unit, or choose 'lognormal'"
        raise Degenerate("has numbers too large to be summed or squared", fix, None, column)


def is_finite(value: object) -> bool:
    """Whether a parameter is a number, and neither infinite nor NaN."""
    return isinstance(value, Number) and bool(np.isfinite(float(value)))


def number_sums(block: Block, group: Indices, n_groups: int, weight: Vector | None) -> Sums:
    """n and sum of x by group and column: the statistic of every one-parameter family."""
    n: Matrix
    t: Matrix
    if isinstance(block, Counts):
        columns = len(block.names)
        t = kernels.sparse_sums(
            block.indptr, block.indices, block.data, group, weight, n_groups, columns
        )
        n = kernels.group_weights(group, weight, n_groups)[:, None]
        return Sums(n, t)
    n, t = kernels.group_sums(cast(Real, block).values, group, weight, n_groups)
    return Sums(n, t)


def code_sums(block: Block, group: Indices, n_groups: int, weight: Vector | None) -> Sums:
    """How often each label occurs in each group."""
    columns = cast("tuple[Codes, ...]", block)
    domains = tuple(column.domain for column in columns)
    sizes = [len(domain) for domain in domains]
    codes = [column.codes for column in columns]
    t = kernels.count_codes(codes, sizes, group, weight, n_groups)
    lengths = np.array(sizes, dtype=np.intp)
    starts, filled = np.cumsum(lengths) - lengths, lengths > 0
    n = np.zeros((n_groups, len(sizes)))
    n[:, filled] = np.add.reduceat(t, starts[filled], axis=1)  # of no cells it is not 0
    return Sums(n, t, domains)
