"""The habits of the house that a machine can check."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import naively

SOURCE = Path(naively.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
NO_METHODS = {"classmethod", "overload", "property", "staticmethod"}
FORBIDDEN = {"common", "handler", "helper", "helpers", "manager", "misc", "util", "utils"}

every_module = pytest.mark.parametrize(
    "path", MODULES, ids=[str(path.relative_to(SOURCE)) for path in MODULES]
)


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def nodes(path, *kinds):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, kinds)]


def lines_without_docstring(function):
    docstring = function.body[0] if ast.get_docstring(function) else None
    hidden = docstring.end_lineno - docstring.lineno + 1 if docstring else 0
    return function.end_lineno - function.lineno + 1 - hidden


def public_methods(cls):
    """What can be called on an object: neither properties nor other ways to make one."""
    return [
        node.name
        for node in cls.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not {ast.unparse(d) for d in node.decorator_list} & NO_METHODS
    ]


@every_module
def test_a_module_has_at_most_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@every_module
def test_a_module_says_what_it_is(path):
    assert ast.get_docstring(tree_of(path))


@every_module
def test_a_module_is_a_noun_of_the_lecture(path):
    assert not FORBIDDEN & set(path.relative_to(SOURCE).with_suffix("").parts)


@every_module
def test_a_function_has_at_most_50_lines(path):
    functions = nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)
    assert not {f.name for f in functions if lines_without_docstring(f) > 50}


@every_module
def test_a_class_has_at_most_9_public_methods(path):
    if "estimators" in path.parts:
        pytest.skip("scikit-learn decides how many methods its estimators have")
    classes = nodes(path, ast.ClassDef)
    assert not {c.name: public_methods(c) for c in classes if len(public_methods(c)) > 9}


@every_module
def test_public_names_are_sorted(path):
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
            assert names == sorted(names, key=_as_ruff_sorts)
            assert len(names) == len(set(names))


def _as_ruff_sorts(name):
    """CONSTANTS, then Classes, then the rest."""
    bare = name.lstrip("_")
    return (0 if bare.isupper() and len(bare) > 1 else 1 if bare[:1].isupper() else 2, name)


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert naively.__version__ == version("naively")
