"""Every family by its name, and what follows from a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from naively.data.coding import Coding
from naively.errors import ParameterError, UnsupportedType, nearest
from naively.families import catalogue
from naively.families.base import Family, is_finite
from naively.families.opaque import Opaque

__all__ = [
    "FAMILIES",
    "IGNORE",
    "changed_defaults",
    "check_defaults",
    "counting",
    "derived",
    "family_from_dict",
    "family_to_dict",
    "resolve",
]

IGNORE = "ignore"
"""The choice that leaves a column out."""

FAMILIES: dict[str, type[Family]] = {
    known.name: known
    for known in vars(catalogue).values()
    if isinstance(known, type) and issubclass(known, Family) and known is not Family
}
"""The families of the catalogue."""

DERIVED = {known.derived: known for known in FAMILIES.values() if known.derived is not None}
"""The families whose columns are counted by another family behind a coding."""

COUNTING: dict[str, Family] = {
    "gaussian.joint": catalogue.Gaussian(covariance="full"),
    "opaque": Opaque(),  # in no catalogue, since nobody can learn it
}
"""What counts a kind of term that is not the default form of the family of its name."""


def counting(kind: str) -> Family:
    """The family that counts a kind of term.

    >>> counting("poisson")
    Poisson(missing='ignore', strength=1.0, shape=None, rate=None, lam=None)
    """
    return COUNTING[kind] if kind in COUNTING else FAMILIES[kind]()


def derived(kind: str, path: Sequence[Coding]) -> tuple[type[Family], Coding] | None:
    """The family of a term of derived columns, and the step of its coding that tells it.

    >>> from naively.data.coding import Except, Log
    >>> derived("gaussian", [Except(0.0), Log()])[0].name
    'lognormal'
    """
    found = ((DERIVED.get((kind, type(step))), step) for step in path)
    return next(((family, step) for family, step in found if family is not None), None)


def resolve(choice: object, **defaults: Any) -> Family | None:
    """The family that a user chose by name, class or object; None for "ignore".

    `defaults` are parameters for families that come by name, each where it applies.

    >>> resolve("gausian")
    Traceback (most recent call last):
    naively.errors.ParameterError: no family 'gausian'; expected a name from \
naively.families; did you mean 'gaussian'?
    """
    if isinstance(choice, Family):
        return choice
    if isinstance(choice, type) and issubclass(choice, Family):
        return _with_defaults(choice, defaults)
    if choice == IGNORE:
        return None
    name = str(choice).lower().replace("-", "_").replace("log_normal", "lognormal")
    if not isinstance(choice, str) or name not in FAMILIES:
        hint = nearest(str(choice), [*FAMILIES, IGNORE])
        raise ParameterError(f"no family {choice!r}", "a name from naively.families", hint)
    return _with_defaults(FAMILIES[name], defaults)


def check_defaults(defaults: dict[str, Any]) -> None:
    """Parameters for families that come by name: known ones that make sense, used or not.

    >>> check_defaults({"alpha": -1})
    Traceback (most recent call last):
    naively.errors.ParameterError: alpha=-1; expected a finite number of at least 0
    """
    known = sorted(set().union(*map(_settable, FAMILIES.values())))
    for name, value in defaults.items():
        if name not in known:
            hint = nearest(name, known)
            raise ParameterError(f"{name}={value!r}", "a parameter of a family", hint)
    for family in (catalogue.Categorical, catalogue.Gaussian):
        _with_defaults(family, defaults)


def changed_defaults(defaults: Mapping[str, Any]) -> list[str]:
    """The parameters that are not what families have anyway.

    >>> changed_defaults({"alpha": 1.0, "strength": 5, "unseen": "ignore"})
    ['strength']
    """
    every = (item for known in FAMILIES.values() for item in fields(known))
    usual = {item.name: item.default for item in every if item.default is not None}
    return [name for name, value in defaults.items() if value != usual.get(name, value)]


def _settable(family: type[Family]) -> set[str]:
    """What a default may set: not what is estimated unless it is stated."""
    return {item.name for item in fields(family) if item.default is not None}


def _with_defaults(family: type[Family], defaults: dict[str, Any]) -> Family:
    known = _settable(family)
    given = {name: value for name, value in defaults.items() if name in known}
    if given.get("unseen") == "reserve" and "reserve" not in family.unseen_as:
        del given["unseen"]  # only labels can have a bucket of their own
    if family.holds is not None and family.holds not in given:
        inner = {name: value for name, value in defaults.items() if name != "missing"}
        given[family.holds] = _with_defaults(catalogue.Gaussian, inner)
    if given.get("missing") == "value" and is_finite(defaults.get("alpha")):
        given["missing_alpha"] = defaults["alpha"]
    return family(**given)


def family_to_dict(family: Family) -> dict[str, Any]:
    """Name and fields, for the model file; mappings as lists of pairs, since keys are labels."""
    if isinstance(family, Opaque):
        found = "a declared density of SciPy, which has no formula that could be saved"
        raise UnsupportedType(found, "families of naively", "declare it as one of those")
    out: dict[str, Any] = {"family": family.name}
    for item in fields(family):
        value = getattr(family, item.name)
        if isinstance(value, Family):
            value = family_to_dict(value)
        elif isinstance(value, dict):
            value = {"pairs": [list(pair) for pair in value.items()]}
        out[item.name] = list(value) if isinstance(value, tuple) else value
    return out


def family_from_dict(stored: dict[str, Any]) -> Family:
    """The family again.

    >>> from naively.families import Inflated, LogNormal
    >>> family_from_dict(family_to_dict(Inflated(LogNormal(), at=0))) == Inflated(LogNormal())
    True
    """
    stored = dict(stored)
    name = stored.pop("family")
    if name not in FAMILIES:
        raise ParameterError(f"no family {name!r}", f"one of {sorted(FAMILIES)}")
    return FAMILIES[name](**{key: _value(value) for key, value in stored.items()})


def _value(stored: Any) -> Any:
    if isinstance(stored, dict) and "family" in stored:
        return family_from_dict(stored)
    if isinstance(stored, dict):
        return dict(stored["pairs"])
    return tuple(stored) if isinstance(stored, list) else stored
