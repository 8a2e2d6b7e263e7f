"""A joint distribution: of a stated table, or of the rows of a table, and questions to it.

    P(a | b) = P(a, b) / P(b)

>>> votes = Joint.from_table({
...     "college": ["no", "no", "yes", "yes"], "vote": ["no", "yes", "no", "yes"],
...     "probability": [.58, .13, .14, .15]})
>>> votes.P("vote=yes | college=no")
13/71 = 0.183099
>>> print(votes.P("vote=yes | college=no").derivation)
P(vote=yes | college=no)
  = P(vote=yes, college=no) / P(college=no)    definition of a conditional probability
      P(college=no)
        = 0.58 + 0.13    sum of its cells
        = 0.71
  = 0.13 / 0.71
  = 13/71
  = 0.183099
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from naively._typing import Label
from naively.data.source import read
from naively.derivation.exact import Number, check_sum, numbers
from naively.errors import ImpossibleCondition, ParameterError, TooManyOutcomes
from naively.probability import working
from naively.probability.answer import Distribution, Probability
from naively.probability.asking import asked, check_names, event_in, names_in
from naively.probability.column import col
from naively.probability.event import EVERYTHING, Event, both, cell_of
from naively.probability.product import independent
from naively.probability.rows import Rows
from naively.probability.stated import columns_and_numbers, outcomes_of
from naively.probability.table import MOST, Outcomes, Table, total
from naively.probability.variable import Variable

if TYPE_CHECKING:
    from naively.probability.chain import Chain
    from naively.probability.independence import Independence

__all__ = ["Joint"]

DRAWN = 64
"""Cells of a distribution that is shown whole."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Joint:
    """The joint distribution of some variables: P of every event of theirs."""

    outcomes: Outcomes
    names: tuple[str, ...]
    known: Event = EVERYTHING
    """What is given in every question, bound to the outcomes."""
    _whole: list[Number] = field(default_factory=list, repr=False)

    # Where a distribution comes from

    @classmethod
    def from_rows(cls, source: Any, weights: Any = None, **options: Any) -> Joint:
        """The distribution of the rows of anything that `naively.read` takes, counted.

        `weights` is the name of a column, or a number for each row. A large file and a
        relation of DuckDB are asked where they lie, a question at a time.

        >>> Joint.from_rows({"fever": [True, False, False]}).P("fever")
        1/3 = 0.333333
        """
        table = read(source, **options)
        relation = table.relation if weights is None or isinstance(weights, str) else None
        if relation is None or tuple(relation.columns) != table.names:
            return cls._of(Rows(table, weights))
        from naively.probability.pushed import Pushed

        return cls._of(Pushed(table, relation, weights))

    @classmethod
    def from_table(
        cls, source: Any, p: Any = "probability", *, normalize: bool = False, **options: Any
    ) -> Joint:
        """A distribution that is stated: `p` names the column of its probabilities.

        They are not negative and sum to 1, unless `normalize` divides them by their sum.
        """
        columns, types, ps, description = columns_and_numbers(source, p, **options)
        check_sum(ps, "the probabilities", normalize=normalize)
        return cls._of(outcomes_of(columns, types, ps, description))

    @classmethod
    def independent(cls, marginals: Mapping[str, Mapping[Label, Any]]) -> Joint:
        """Independent variables, each with the probabilities of its values.

        >>> coins = {f"coin{i}": {"h": .5, "t": .5} for i in range(40)}
        >>> Joint.independent(coins).P("coin3=h, coin7=t")
        1/4 = 0.25
        """
        if not marginals:
            raise ParameterError("no variable", "the probabilities of at least one")
        parts = []
        for name, values in marginals.items():
            ps = numbers(values.values(), f"P({name})")
            check_sum(ps, f"the probabilities of {name!r}")
            parts.append(Table.of({name: list(values)}, ps, stated=True, description=name))
        return cls._of(independent(parts))

    @classmethod
    def _of(cls, outcomes: Outcomes) -> Joint:
        return cls(outcomes, outcomes.names)

    # Questions

    def P(self, event: str | Event | col, given: str | Event | col | None = None) -> Any:
        """The probability of an event, perhaps given another; of `name=?` the distribution.

        >>> rain = Joint.from_rows({"rain": ["yes", "no", "no"], "wind": ["yes", "yes", "no"]})
        >>> rain.P("rain=yes | wind=yes"), rain.P(col("rain") == "no", given="wind=no")
        (1/2 = 0.5, 1)
        """
        question = asked(event, given)
        given = event_in(self, question.given)
        if question.asked:
            return self._distribution(question.asked, given)
        return self._p(event_in(self, question.event), given)

    def distribution(self, *names: str, given: Any = None) -> Distribution:
        """The probability of every value of a variable, or of several together."""
        return self._distribution(names_in(self, names), event_in(self, given))

    def marginal(self, *names: str) -> Joint:
        """The distribution of some variables: the others are summed out."""
        return Joint(self.outcomes, names_in(self, names), self.known)

    def condition(self, given: str | Event | col) -> Joint:
        """The distribution once an event is known."""
        known = both(self.known, event_in(self, given))
        conditional = Joint(self.outcomes, self.names, known)
        if not conditional.whole:
            raise impossible(event_in(self, given))
        return conditional

    def chain(self, event: str | Event | col, given: Any = None) -> Chain:
        """The chain rule: P(a, b | c) = P(a | c) P(b | a, c), factor by factor."""
        from naively.probability.chain import chain

        question = asked(event, given)
        if question.asked:
            raise ParameterError(f"{question.asked[0]}=? in a chain", "an event, with a value")
        return chain(self, event_in(self, question.event), event_in(self, question.given))

    def independence(self, a: Any, b: Any, *more: Any, given: Any = None) -> Independence:
        """Whether variables (or events) are independent, perhaps given others, and how nearly."""
        from naively.probability.independence import independence

        return independence(self, (a, b, *more), given)

    def __mul__(self, other: Any) -> Joint:
        """Prior times likelihood; or the product of two independent distributions."""
        from naively.probability.conditional import Conditional, joined

        if isinstance(other, Conditional):
            return Joint._of(joined(self, other))
        if not isinstance(other, Joint):
            return NotImplemented
        return Joint._of(independent([one.own for one in (self, other)]))

    # What it is

    @property
    def whole(self) -> Number:
        """The weight of all outcomes: the number of rows, or the sum of what was stated."""
        if not self._whole:
            self._whole.append(self.outcomes.weights([EVERYTHING], self.known)[0])
        return self._whole[0]

    @property
    def own(self) -> Outcomes:
        """Its own outcomes alone: of its variables, and of what is known."""
        if self.known == EVERYTHING and self.names == self.outcomes.names:
            return self.outcomes
        return self.outcomes.table(self.names, self.known)

    # Inside

    def _p(self, event: Event, given: Event) -> Probability:
        where = both(self.known, given)
        part, whole = self.outcomes.weights([event, EVERYTHING], where)
        if not whole:
            raise impossible(given)
        return working.answer(self, event, given, part, whole)

    def _distribution(self, names: tuple[str, ...], given: Event) -> Distribution:
        check_names(self, names)
        table = self.outcomes.table(names, both(self.known, given))
        weights = dict(table.rows())
        whole = total(table.weight)
        if not whole:
            raise impossible(given)
        variables = [self._variable(name, table) for name in names]
        cells: Iterable[tuple[Label, ...]] = weights
        if prod(len(variable.labels) for variable in variables) <= MOST:
            cells = product(*(_labels(v, j, weights) for j, v in enumerate(variables)))
        found = {
            cell: working.answer(self, cell_of(names, cell), given, weights.get(cell, 0), whole)
            for cell in cells
        }
        return Distribution(tuple(variables), found)

    def _variable(self, name: str, table: Table) -> Variable:
        """A variable with all of its labels; with those of a table where they are too many."""
        try:
            return self.outcomes.variable(name)
        except TooManyOutcomes:
            return table.variable(name)

    def __repr__(self) -> str:
        of = ", ".join(self.names[:8]) + (", ..." if len(self.names) > 8 else "")
        given = f" | {self.known}" if self.known != EVERYTHING else ""
        return f"<Joint P({of}{given}) of {self.outcomes.description}>"

    def __str__(self) -> str:
        """All cells where they are few, as a lecture shows them."""
        if not self.outcomes.at_hand:
            return repr(self)
        sizes = [len(self.outcomes.variable(name).labels) for name in self.names]
        return repr(self._distribution(self.names, EVERYTHING) if prod(sizes) <= DRAWN else self)


def impossible(given: Event) -> ImpossibleCondition:
    """The error for a condition of probability 0."""
    return ImpossibleCondition(
        f"the condition {given} has probability 0" if given != EVERYTHING else "no outcome at all",
        "a condition that can hold: nothing is conditional on the impossible",
    )


def _labels(variable: Variable, j: int, weights: Mapping[tuple[Label, ...], Number]) -> list[Label]:
    """The labels of a variable; missing is one more where it occurs."""
    gone = any(cell[j] is None for cell in weights)
    return [*variable.labels, *([None] if gone else [])]
