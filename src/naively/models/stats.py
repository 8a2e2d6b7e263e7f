"""Stats: one statistic per term and the class counts. Learning is their sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from naively import kernels
from naively._typing import Indices, Vector
from naively.data.agreement import all_agreeing
from naively.data.casting import refuse_infinite
from naively.data.coding import MissingIsValue
from naively.data.column import Batch, Real
from naively.data.domain import Domain
from naively.errors import DataError, ForgetError, StructureMismatch
from naively.families.registry import counting
from naively.frozen import Frozen
from naively.models.admission import admitted
from naively.models.structure import Structure, Term
from naively.statistics import Statistic
from naively.statistics.base import are_whole, checked_remainder, regrouped

__all__ = ["Stats"]


@dataclass(frozen=True, slots=True, eq=False)
class Stats(Frozen):
    """What is known of some rows: a commutative monoid over sets of rows.

    `a + b` are the statistics of both sets of rows, `a - b` takes rows out again. Rows in
    memory, in a file, in many files or on many machines are all one sum.

    >>> from naively.data.source import read
    >>> from naively.families.choice import chosen
    >>> from naively.models.structure import design
    >>> source = read({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
    >>> schema = chosen(source.schema.with_target("play"))
    >>> structure, _ = design(schema)
    >>> batch, = source.batches(schema, target="play")
    >>> one = Stats.of(structure, batch)
    >>> (one + one).class_count
    array([2., 4.])
    >>> (one + one - one).statistics[0].t
    array([[1., 0.],
           [0., 2.]])
    """

    structure: Structure
    classes: Domain
    class_count: Vector
    statistics: tuple[Statistic, ...]
    rows: int = 0
    target: str | None = None
    columns: tuple[str, ...] = ()
    """All columns of the table, also those that are left out; none where nobody has said."""
    named: bool = True
    """Whether the columns have names of their own, or go by position."""

    @classmethod
    def of(cls, structure: Structure, batch: Batch, classes: Domain | None = None) -> Stats:
        """The statistics of one batch."""
        target = batch.target
        if target is None:
            fix = "name the target where the batches are made: source.batches(schema, target=...)"
            raise DataError("a batch without classes", "a class for each row", fix)
        domain = target.domain if classes is None else classes
        group = np.ascontiguousarray(target.recoded(domain).codes, dtype=np.int32)
        count = kernels.group_weights(group, batch.weight, len(domain))
        if not np.isfinite(count.sum()):
            raise DataError("weights whose sum is infinite", "smaller weights", "divide them all")
        observed = (_observed(t, batch, group, len(domain)) for t in structure.terms)
        return cls(structure, domain, count, tuple(observed), batch.n_rows)

    @property
    def inverse(self) -> Literal["exact", "approximate", "none"]:
        """How exactly rows can be taken out again: as the weakest of the terms."""
        kinds = {statistic.inverse for statistic in self.statistics}
        kinds.add("exact" if are_whole(self.class_count) else "approximate")
        order: tuple[Literal["none", "approximate", "exact"], ...] = ("none", "approximate")
        return next((kind for kind in order if kind in kinds), "exact")

    def under(self, classes: Domain) -> Stats:
        """Under other classes: new ones have no rows yet, those that are not there are dropped."""
        if classes is self.classes or classes.labels == self.classes.labels:
            return self
        index, n = self.classes.positions_in(classes), len(classes)
        return replace(
            self,
            classes=classes,
            class_count=regrouped(self.class_count, index, n),
            statistics=tuple(s.regroup(index, n) for s in self.statistics),
        )

    def _in_words_of(self, known: Domain) -> Stats:
        """With classes that agree with others said as these are: the class "1" is the class 1."""
        if self.classes.type == known.type:
            return self
        labels = all_agreeing(self.classes.labels, known)
        if len(set(labels)) < len(labels):
            shown = ", ".join(map(repr, self.classes.labels[:10]))
            raise StructureMismatch(f"classes {shown}, of which two are one", "different classes")
        said = Domain(labels)
        return replace(self, classes=said).under(said.sorted())

    def __add__(self, other: Stats) -> Stats:
        if not isinstance(other, Stats):
            return NotImplemented
        self.structure.check_same(other.structure)
        other = other._in_words_of(self.classes)
        _check_kinds(self.classes, other.classes)
        classes = self.classes.union(other.classes)
        pairs = zip(self.statistics, other.statistics, strict=True)
        for term, (x, y) in zip(self.structure.terms, pairs, strict=True):
            term.check_size(len(classes), x.values_with(y))
        a, b = self.under(classes), other.under(classes)
        return replace(
            a,
            class_count=a.class_count + b.class_count,
            statistics=tuple(x + y for x, y in zip(a.statistics, b.statistics, strict=True)),
            rows=a.rows + b.rows,
            target=a.target or b.target,
            columns=a.columns or b.columns,
            named=a.named if a.columns else b.named,
        )

    def __radd__(self, other: object) -> Stats:
        return self if other == 0 else NotImplemented  # so that sum(shards) works

    def __sub__(self, other: Stats) -> Stats:
        if not isinstance(other, Stats):
            return NotImplemented
        self.structure.check_same(other.structure)
        other = other._in_words_of(self.classes)
        strange = [c for c in other.classes.labels if c not in self.classes.index]
        if strange:
            raise ForgetError(f"the class {strange[0]!r} was never learned", "learned rows")
        self._check_inverse()
        b = other.under(self.classes)
        left = checked_remainder(self.class_count, b.class_count, "class counts")
        pairs = zip(self.statistics, b.statistics, strict=True)
        kept = tuple(x - y for x, y in pairs)
        rows = self.rows - other.rows
        return replace(self, class_count=left, statistics=kept, rows=rows).pruned()

    def _check_inverse(self) -> None:
        """Refuse to take rows out of what does not hold them all."""
        for term, statistic in zip(self.structure.terms, self.statistics, strict=True):
            if statistic.inverse == "none":
                raise ForgetError(
                    f"the statistic of {term} is a sample of the rows",
                    "a statistic of all of them",
                    "fold the remaining rows again",
                )

    def pruned(self, keep: Domain | None = None) -> Stats:
        """Without the labels and classes of which no row is left, in their natural order.

        Classes in `keep` stay although they have no rows.
        """
        left = self.classes.keep((self.class_count > 0).tolist()).sorted()
        onto = self.under(left if keep is None else left.union(keep))
        return replace(onto, statistics=tuple(s.pruned() for s in onto.statistics))

    def domains(self) -> dict[str, Domain]:
        """The labels of every coded column that is counted as it is."""
        found: dict[str, Domain] = {}
        for term, statistic in zip(self.structure.terms, self.statistics, strict=True):
            as_it_is = term.coding is None or term.coding.name == MissingIsValue.name
            if statistic.domains is not None and as_it_is:
                found |= dict(zip(term.columns, statistic.domains, strict=True))
        return found

    def __repr__(self) -> str:
        n, k = f"{self.class_count.sum():,.10g}", len(self.classes)
        return f"<Stats of {n} rows, {k} classes, {len(self.structure.types)} columns>"


def _check_kinds(a: Domain, b: Domain) -> None:
    """The class 1 and the class "1" are two: such statistics do not belong together."""
    if a.labels and b.labels and isinstance(a.labels[0], str) != isinstance(b.labels[0], str):
        raise StructureMismatch(
            f"classes such as {a.labels[0]!r} beside classes such as {b.labels[0]!r}",
            "labels of one kind",
            "make them all text or all numbers",
        )


def _observed(term: Term, batch: Batch, group: Indices, n_groups: int) -> Statistic:
    """The statistic of a term, once its values are known to be possible."""
    block = admitted(term, batch, learning=True).block
    labels = sum(len(column.domain) for column in block) if isinstance(block, tuple) else 0
    term.check_size(n_groups, labels)
    family = counting(term.kind)
    statistic = family.observe(block, group, n_groups, batch.weight)
    finite = (np.isfinite(array).all() for array in statistic.arrays().values())
    if family.reveals_infinity and not all(finite):
        raw = cast(Real, batch.columns(term.columns))
        refuse_infinite(raw.values, term.columns, batch.row_of)
    return statistic
