"""Name -> kernel: the definition in NumPy, or the compiled function of its name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np

from naively.errors import NaivelyWarning

__all__ = ["aligned", "definitions", "kernel", "loaded", "native"]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

definitions: dict[str, Callable[..., Any]] = {}
"""Name -> the kernel as it is defined in NumPy."""


def loaded(name: str) -> Any:
    """A compiled module, None where it is not built; one that is damaged is said to be.

    >>> loaded("naively._not_built") is None
    True
    """
    try:
        return import_module(name)
    except Exception as failure:
        if not (isinstance(failure, ModuleNotFoundError) and failure.name == name):
            warnings.warn(
                f"the native module {name} is there and cannot be loaded ({failure}); "
                "its slow definitions in NumPy answer; install naively again",
                NaivelyWarning,
                stacklevel=2,
            )
        return None


native: Any = loaded("naively._native")
"""The compiled module, None where it is not built."""


def kernel(definition: Kernel) -> Kernel:
    """Register a definition; the native function of its name, where there is one, replaces it."""
    definitions[definition.__name__] = definition
    compiled = getattr(native, definition.__name__, None)
    if compiled is None:
        return definition

    @wraps(definition)
    def call(*args: Any) -> Any:
        try:
            return compiled(*args)
        except BufferError:  # fields of records, and parts of what came over a wire
            return compiled(*map(aligned, args))

    return cast(Kernel, call)


def aligned(argument: Any) -> Any:
    """An argument of a kernel whose arrays lie in memory as the processor wants numbers.

    >>> odd = np.zeros(9, np.uint8)[1:].view(np.float64)
    >>> odd.flags.aligned, aligned(odd).flags.aligned, aligned(3)
    (False, True, 3)
    """
    if isinstance(argument, list | tuple):
        return [aligned(one) for one in argument]
    if isinstance(argument, np.ndarray):
        return np.require(argument, requirements="A")
    return argument
