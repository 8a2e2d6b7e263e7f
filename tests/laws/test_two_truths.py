"""Two ways to the same numbers agree: native and NumPy kernels, saved and loaded models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import kernels
from naively.models.model import Model

from .tables import (
    every_family,
    fitted,
    law,
    learn,
    same_numbers,
    same_statistics,
    schema_of,
    tables,
)

compiled = pytest.mark.skipif(kernels.native is None, reason="the native module is not built")


@pytest.fixture
def by_definition():
    """A context in which every kernel is its NumPy definition."""

    def inside():
        context = pytest.MonkeyPatch.context()
        patch = context.__enter__()
        for name, definition in kernels.definitions.items():
            patch.setattr(kernels, name, definition)
        return context

    return inside


@compiled
@law
@every_family
@given(data=st.data())
def test_native_and_numpy_kernels_agree(family, by_definition, data):
    table = data.draw(tables(family))
    schema = schema_of(table, family)
    native = learn(table, schema)
    answers = Model(schema, native).log_joint(table.cells)
    context = by_definition()
    try:
        defined = learn(table, schema)
        expected = Model(schema, defined).log_joint(table.cells)
    finally:
        context.__exit__(None, None, None)
    same_statistics(native, defined)
    same_numbers(answers, expected)


@law
@every_family
@given(data=st.data())
def test_a_loaded_model_is_the_saved_one(family, tmp_path_factory, data):
    persist = pytest.importorskip("naively.persist")
    table = data.draw(tables(family))
    model = fitted(table, family)
    path = tmp_path_factory.mktemp("models") / "model.nb"
    persist.save(model, path)
    again = persist.load(path)
    assert again.classes.labels == model.classes.labels
    same_statistics(again.stats, model.stats, 0)
    same_numbers(again.log_joint(table.cells), model.log_joint(table.cells), 0)
