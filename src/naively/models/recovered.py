"""The schema behind statistics: which families a structure was designed for.

Statistics travel without a schema. What they count tells the families' forms; their
priors are chosen anew.
"""

from __future__ import annotations

from typing import Any

from naively.data.coding import Coding, steps
from naively.data.schema import Column, Schema
from naively.families.histogram import Histogram
from naively.families.inflated import Inflated
from naively.families.registry import FAMILIES, resolve
from naively.models.structure import Structure, Term

__all__ = ["schema_of"]

KIND_NAMES = {"gaussian.joint": ("gaussian", {"covariance": "full"})}
"""Kinds that are not the default form of the family of their name."""


def schema_of(structure: Structure, **defaults: Any) -> Schema:
    """A schema whose design is this structure; `defaults` are parameters of its families.

    >>> schema = schema_of(Structure((Term("gaussian", ("age",)),), (("age", "number"),)))
    >>> print(schema["age"])
    age: gaussian (as counted)
    """
    terms: dict[str, list[Term]] = {name: [] for name, _ in structure.types}
    for term in structure.terms:
        for name in term.columns:
            terms[name].append(term)
    return Schema(tuple(_column(n, kind, terms[n], defaults) for n, kind in structure.types))


def _column(name: str, kind: str, terms: list[Term], defaults: dict[str, Any]) -> Column:
    flags = [term for term in terms if _step_names(term.coding)[:1] == ["is missing"]]
    rest = [term for term in terms if term not in flags]
    given = {**defaults, "missing": "value"} if flags else defaults
    family = _family(rest, given)
    block = None if family.separable else rest[0].columns
    return Column(name, kind, family, family.form, "as counted", block=block)


def _step_names(coding: Coding | None) -> list[str]:
    return [step.name for step in steps(coding)]


def _family(terms: list[Term], given: dict[str, Any]) -> Any:
    """The family of a column's terms."""
    for term in terms:
        first, *others = steps(term.coding) or (None,)
        if first is not None and first.name == "except":
            inner = _simple(term.kind, tuple(others), {**given, "missing": "ignore"})
            return Inflated(inner, at=first.value, missing=given.get("missing", "ignore"))  # type: ignore[attr-defined]
    return _simple(terms[0].kind, steps(terms[0].coding), given)


def _simple(kind: str, path: tuple[Coding, ...], given: dict[str, Any]) -> Any:
    """A family of one term."""
    for step in path:
        if step.name == "bins":
            known = {k: v for k, v in given.items() if k in ("alpha", "missing")}
            return Histogram(edges=step.edges, **known)  # type: ignore[attr-defined]
        if step.name == "time part":
            return resolve("part_of_time", **given, part=step.part)  # type: ignore[attr-defined]
        if step.name == "log":
            return resolve("lognormal", **given)
        if step.name == "missing is a value":
            given = {**given, "missing": "value"}
    name, more = KIND_NAMES.get(kind, (kind, {}))
    return resolve(FAMILIES[name], **given, **more)
