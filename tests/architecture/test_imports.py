"""What `import naively` may cost."""

from __future__ import annotations

import subprocess
import sys

import pytest

import naively

HEAVY = {
    "click",
    "duckdb",
    "matplotlib",
    "msgspec",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy",
    "sklearn",
}


def loaded_by(code):
    """The top-level packages that a new interpreter has loaded after some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_naively_loads_numpy_and_the_standard_library_only():
    new = loaded_by("import naively") - loaded_by("pass")
    assert new <= sys.stdlib_module_names | {"naively", "numpy"}


@pytest.mark.parametrize("module", ["kernels", "bayes", "statistics", "factors", "families"])
def test_the_core_needs_no_heavy_package(module):
    assert not loaded_by(f"import naively.{module}") & HEAVY


@pytest.mark.parametrize("name", naively.__all__)
def test_every_public_name_can_be_had(name):
    assert getattr(naively, name) is not None


def test_the_public_names_are_listed():
    assert dir(naively) == sorted(naively.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        naively.nonsense  # noqa: B018
