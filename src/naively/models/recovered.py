"""The schema behind statistics: which families a structure was designed for.

Statistics travel without a schema. What they count tells the families' forms; their
priors are chosen anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, cast

from naively.data.coding import Coding, Except, IsMissing, MissingIsValue, steps
from naively.data.schema import Column, Schema
from naively.families.base import Family
from naively.families.inflated import Inflated
from naively.families.registry import counting, derived, resolve
from naively.models.structure import Structure, Term

__all__ = ["schema_of"]


def schema_of(structure: Structure, names: Sequence[str] = (), **defaults: Any) -> Schema:
    """A schema whose design is this structure; `defaults` are parameters of its families.

    `names` are all columns of the table, where there are others beside those that are counted.

    >>> schema = schema_of(Structure((Term("gaussian", ("age",)),), (("age", "number"),)))
    >>> print(schema["age"])
    age: gaussian (as counted)
    """
    terms: dict[str, list[Term]] = {name: [] for name, _ in structure.types}
    for term in structure.terms:
        for name in term.columns:
            terms[name].append(term)
    counted = {n: _column(n, kind, terms[n], defaults) for n, kind in structure.types}
    return Schema(tuple(counted.get(n) or _left_out(n) for n in names or counted))


def _left_out(name: str) -> Column:
    return Column(name, "", None, "none", "left out")


def _column(name: str, kind: str, terms: list[Term], defaults: dict[str, Any]) -> Column:
    flags = [term for term in terms if steps(term.coding)[:1] == (IsMissing(),)]
    rest = [term for term in terms if term not in flags]
    family = _family(rest, {**defaults, "missing": "value"} if flags else defaults)
    block = None if family.separable else rest[0].columns
    return Column(name, kind, family, family.form, "as counted", block=block)


def _family(terms: list[Term], given: dict[str, Any]) -> Family:
    """The family of a column's terms: a point mass shows by the density that leaves it out."""
    for term in terms:
        first, *others = steps(term.coding) or (None,)
        if isinstance(first, Except):
            inner = _simple(term.kind, others, {**given, "missing": "ignore"})
            return replace(cast(Inflated, _sure(Inflated, given)), density=inner, at=first.value)
    return _simple(terms[0].kind, steps(terms[0].coding), given)


def _simple(kind: str, path: Sequence[Coding], given: dict[str, Any]) -> Family:
    """A family of one term; what its coding knows is the family's own too."""
    if MissingIsValue() in path:
        given = {**given, "missing": "value"}
    told = derived(kind, path)
    if told is not None:
        family, step = told
        known = {item.name: getattr(step, item.name) for item in fields(cast(Any, step))}
        return replace(_sure(family, given), **known)
    counted = counting(kind)
    own = {item.name: getattr(counted, item.name) for item in fields(counted)}
    plain = _sure(type(counted), given)
    changed = {n: v for n, v in own.items() if v != getattr(type(counted)(), n)}
    return replace(plain, **changed)


def _sure(choice: Any, given: dict[str, Any]) -> Family:
    return cast(Family, resolve(choice, **given))
