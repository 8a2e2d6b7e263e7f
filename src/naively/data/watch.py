"""One look: a schema that the first rows suggest, and whether all rows bear it out.

Most tables say in their first rows what they are. Such a table is decoded once: the
suggested schema decides the batches, and every slice is watched. Afterwards the profiles
of all rows say what inference would have said, and whoever counted can compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from naively._typing import Label, Vector
from naively.data.beside import beside
from naively.data.cells import joined_kind
from naively.data.column import Batch
from naively.data.decoder import Decoder, located
from naively.data.profile import Profile, names_recur, profile_labels, spells_numbers
from naively.data.schema import THRESHOLDS, Schema
from naively.data.source import Slice, Source, finish, rows_of, weighed, with_slice

__all__ = ["Disproved", "Watch"]

Decide = Callable[[Mapping[str, Profile]], Schema]
"""From the profiles of the columns to their schema."""


class Disproved(Exception):
    """A later row does not fit the schema that the first rows suggested."""


class Watch:
    """A source that is read once, and the schema under which it is.

    >>> from naively.data.schema import infer
    >>> from naively.data.source import read
    >>> watch = Watch(read({"x": [1.5, 2.0, 0.5]}), infer)
    >>> batch, = watch.batches()
    >>> batch.blocks[0].values.ravel(), watch.profiles({})["x"].maximum
    (array([1.5, 2. , 0.5]), 2.0)
    """

    def __init__(
        self,
        source: Source,
        decide: Decide,
        target: str | object | None = None,
        weight: str | object | None = None,
    ) -> None:
        self.source = source
        self.target = target
        self.weights = beside(source, weight, "sample_weight")
        self.targets = beside(source, target, "y")
        self.aside = tuple(name for name in (target, weight) if isinstance(name, str))
        if not set(self.aside) <= set(source.names):
            raise Disproved
        self.names = [n for n in source.names if not (isinstance(weight, str) and n == weight)]
        self.wanted = list(dict.fromkeys((*self.names, *self.aside)))
        self._first, self._rest = self._opened()
        self._profiles = self._seen({name: Profile() for name in self.names}, self._first)
        self.schema = decide(self._profiles)
        if self.targets is not None:
            self.targets.agree(source, self.schema)
        self._n_rows = 0

    def _opened(self) -> tuple[Slice, Iterator[Slice]]:
        """The first slice, and all of them; what lies in memory is only glanced at first."""
        rows = rows_of(self.source, self.wanted)
        if self.source.lies_in_memory:
            rows = THRESHOLDS.glance_rows
        slices = self.source.slices(self.wanted, rows)
        first = next(slices, None)
        if first is None or not first.n_rows:
            raise Disproved
        return first, slices

    def _slices(self) -> Iterator[Slice]:
        if not self.source.lies_in_memory:
            return chain((self._first,), self._rest)
        return self.source.slices(self.wanted, rows_of(self.source, self.wanted))

    def _seen(
        self, profiles: Mapping[str, Profile], part: Slice, names: Sequence[str] | None = None
    ) -> dict[str, Profile]:
        kept, _ = weighed(part, self.weights)
        known = dict(profiles)
        for name in self.names if names is None else names:
            known[name] = with_slice(known[name], kept, name)
        return known

    @property
    def counted(self) -> dict[str, str]:
        """The columns whose counts will say all that a profile does, and their types.

        Weighted counts do not tell how many cells there were.
        """
        if self.weights is not None:
            return {}
        return {
            column.name: column.type
            for column in self.schema
            if column.form == "codes" and column.type in ("integer", "string")
        }

    def batches(self) -> Iterator[Batch]:
        """The table in batches under the schema; each slice is looked at on its way."""
        columns = located(self.source, self.schema, self.aside)
        decoder, counted = Decoder(columns), self.counted
        watched = [name for name in self.names if name not in counted]
        fresh = self.source.lies_in_memory
        profiles = {n: Profile() if fresh else self._profiles[n] for n in watched}
        for i, part in enumerate(self._slices()):
            self._n_rows += part.n_rows
            if not part.n_rows:
                continue
            kept, w = weighed(part, self.weights)
            _refuse_other_kinds(kept, counted)
            if i or fresh:
                profiles = self._seen(profiles, part, watched)
            y = None if self.targets is None else self.targets.codes(part, kept, None, True)
            yield decoder.batch(kept, y, w)
        finish(self.source, self._n_rows, self.targets, self.weights)
        self._profiles |= profiles

    def profiles(self, counts: Mapping[str, tuple[Sequence[Label], Vector]]) -> dict[str, Profile]:
        """What all rows say of the columns; `counts` are those of the counted ones."""
        found = dict(self._profiles)
        if self.source.spelling and any(map(spells_numbers, found.values())):
            raise Disproved
        for name, kind in self.counted.items():
            labels, n = counts[name]
            found[name] = profile_labels(kind, labels, n, self._n_rows, found[name])
        dated = any(profile.clue.format for profile in found.values())
        if self.source.spelling and (dated or names_recur(found)):
            raise Disproved
        return {name: found[name] for name in self.names}


def _refuse_other_kinds(part: Slice, counted: Mapping[str, str]) -> None:
    """A column may not change its kind; an empty slice has any."""
    for name, kind in counted.items():
        if joined_kind(part.cells(name).kind, kind) != kind:
            raise Disproved
