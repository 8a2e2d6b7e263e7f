"""Name -> kernel: the definition in NumPy, or the compiled function of its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

__all__ = ["definitions", "kernel", "native"]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

definitions: dict[str, Callable[..., Any]] = {}
"""Name -> the kernel as it is defined in NumPy."""

native: Any = None
"""The compiled module, None where it is not built."""

with suppress(ImportError):
    native = import_module("naively._native")


def kernel(definition: Kernel) -> Kernel:
    """Register a definition; the native function of its name, where there is one, replaces it."""
    definitions[definition.__name__] = definition
    compiled = getattr(native, definition.__name__, None)
    if compiled is None:
        return definition

    @wraps(definition)
    def call(*args: Any, **kwargs: Any) -> Any:
        return compiled(*args, **kwargs)

    return cast(Kernel, call)
