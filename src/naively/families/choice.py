"""Which family each column gets: what inference proposed, changed by what the user chose."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any

from naively.data.schema import Column, Names, Schema
from naively.errors import DataError, ParameterError, UnknownColumn, nearest
from naively.families.base import Family
from naively.families.registry import changed_defaults, check_defaults, resolve

__all__ = ["chosen"]

CHOSEN = "chosen"
"""The reason shown for a family that the user named."""


def chosen(schema: Schema, columns: object = None, **defaults: Any) -> Schema:
    """The schema with a family object for every column, None where it is left out.

    `columns` is None, one family for all, a mapping of names (or tuples of names, or
    positions) to families, or another `Schema`. `defaults` are parameters for families that
    are named or inferred, each where it applies.

    >>> from naively.data.source import read
    >>> table = chosen(read({"a": [1.5, 2.5], "b": ["x", "y"]}).schema, {"b": "ignore"})
    >>> str(table["a"].family), table["b"].family
    ('gaussian', None)
    """
    check_defaults(defaults)
    if isinstance(columns, Schema):
        made = {c.name for c in columns if isinstance(c.family, Family)}
        return _reached(_like(schema, columns, defaults), made, defaults)
    if columns is None:
        return Schema(_resolved(schema, defaults), schema.note, schema.target)
    choices = columns if isinstance(columns, Mapping) else {schema.names: columns}
    each = dict(_each(schema, choices))
    made = {name for name, choice in each.items() if isinstance(choice, Family)}
    resolved = Schema(_resolved(schema, defaults, each), schema.note, schema.target)
    return _reached(_by_name(resolved, choices, defaults), made, defaults)


def _reached(schema: Schema, made: Set[str], defaults: Mapping[str, Any]) -> Schema:
    """The schema, once every changed default has a family that it can reach.

    `made` are the columns whose families came as objects, with parameters of their own.
    """
    used = {column.name for column in schema if column.family is not None}
    changed = changed_defaults(defaults)
    if used and used <= made and changed:
        name = changed[0]
        raise ParameterError(
            f"{name}={defaults[name]!r} beside families that are all objects or from a schema",
            "a family by name, or one that is inferred, for it to apply to",
            f"give it to the families themselves, or leave {name}= out",
        )
    return schema


def _each(schema: Schema, choices: Mapping[Any, object]) -> Iterator[tuple[str, object]]:
    """Every single column that is chosen, and what for."""
    for key, choice in choices.items():
        for one in key if isinstance(key, tuple) else (key,):
            yield _name(schema, one), choice


def _resolved(
    schema: Schema, defaults: Mapping[str, Any], but: Container[str] = ()
) -> tuple[Column, ...]:
    """The columns with families as objects, one for each name, and forms to match.

    Columns in `but` stay as they are, since others decide of them.
    """
    by_name: dict[str, Family | None] = {}
    return tuple(c if c.name in but else _with_family(c, by_name, defaults) for c in schema)


def _with_family(
    column: Column, by_name: dict[str, Family | None], defaults: Mapping[str, Any]
) -> Column:
    choice = column.family
    if isinstance(choice, str):
        if choice not in by_name:
            by_name[choice] = resolve(choice, **defaults)
        choice = by_name[choice]
    elif choice is not None:
        choice = resolve(choice)
    return replace(column, family=choice, form="none" if choice is None else choice.form)


def _by_name(schema: Schema, choices: Mapping[Any, object], defaults: Mapping[str, Any]) -> Schema:
    changed: dict[str, Column] = {}
    for key, choice in choices.items():
        names = tuple(_name(schema, k) for k in (key if isinstance(key, tuple) else (key,)))
        for name in names:
            if name in changed:
                raise ParameterError(f"column {name!r} is chosen twice", "one family for a column")
        changed |= _block(schema, names, resolve(choice, **defaults))
    return _pooled(schema.with_columns(changed))


def _pooled(schema: Schema) -> Schema:
    """Columns of counts under one family are one block: alone, each would say nothing."""
    alone: dict[Family, list[str]] = {}
    for column in schema:
        if column.form == "counts" and column.block == (column.name,):
            alone.setdefault(column.family, []).append(column.name)
    for names in map(Names, alone.values()):
        schema = schema.with_columns({n: replace(schema[n], block=names) for n in names})
    return schema


def _name(schema: Schema, key: object) -> str:
    """A column by its name, or by its position where the names are ours."""
    if isinstance(key, str) and key in schema:
        return key
    if isinstance(key, int) and not isinstance(key, bool) and -len(schema) <= key < len(schema):
        return str(key) if str(key) in schema else schema.names[key]
    raise UnknownColumn(
        f"columns= names {key!r}, which the table does not have",
        "names of columns",
        nearest(str(key), schema.names),
    )


def _block(schema: Schema, names: tuple[str, ...], family: Family | None) -> dict[str, Column]:
    """Columns under one family, as one block where the family takes them together."""
    together = Names(names) if family is not None and not family.separable else None
    return {name: _assigned(schema[name], family, together) for name in names}


def _assigned(column: Column, family: Family | None, block: tuple[str, ...] | None) -> Column:
    if family is None:
        return replace(column, family=None, form="none", why=CHOSEN, block=None)
    if block is not None and column.type == "empty":
        return replace(column, family=None, form="none", why="no values", block=None)
    _refuse_type(column, family)
    _refuse_declared(column, family)
    return replace(column, family=family, form=family.form, why=CHOSEN, block=block)


def _refuse_declared(column: Column, family: Family) -> None:
    """What was stated is not learned."""
    if family.declared() is not None:
        raise ParameterError(
            f"column {column.name!r} with the stated distribution {family!r}",
            "a family whose parameters are learned",
            "leave its parameters out, or use Model.from_distributions for stated ones",
        )


def _refuse_type(column: Column, family: Family) -> None:
    """A family that cannot count what the column holds is refused before anything is counted."""
    if column.type in (family.of_type, "empty", ""):
        return
    what = "text" if column.type == "string" else f"{column.type}s"
    found = (
        f"column {column.name!r} holds {what} (such as {column.example!r}), "
        f"and the {family.name} family was chosen for it"
    )
    if family.of_type is not None:
        raise DataError(found, f"{family.of_type}s", "convert the column before it is read")
    if family.form != "codes" and column.type == "string":
        raise DataError(found, "a column of numbers", "choose 'categorical' or 'ignore'")


def _like(schema: Schema, given: Schema, defaults: Mapping[str, Any]) -> Schema:
    """The given schema, with this table's counts where it has the column."""
    for name in given.names:
        if name not in schema:
            raise UnknownColumn(
                f"the schema names {name!r}, which the table does not have",
                "a table with the schema's columns",
                nearest(name, schema.names),
            )
    known = _resolved(given, defaults)
    return Schema(tuple(_with_type(c, schema[c.name]) for c in known), schema.note, schema.target)


def _with_type(column: Column, seen: Column) -> Column:
    """A stated column; its type is the stated one, unless the schema left it open."""
    return replace(
        column,
        type=seen.type if column.type in ("", "empty") else column.type,
        distinct=seen.distinct,
        missing=seen.missing,
        rows=seen.rows,
        example=seen.example,
    )
