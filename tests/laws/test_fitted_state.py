"""What was learned cannot be written into: no array of a model contradicts the others."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes

from .tables import every_family, fitted, law, tables

ATTRIBUTES = ("class_count_", "class_log_prior_", "theta_", "var_", "feature_log_prob_")


def arrays_of(state):
    """Every array that statistics, factors and models hold, however deep."""
    if isinstance(state, np.ndarray):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from arrays_of(part)
    elif is_dataclass(state):
        for part in fields(state):
            yield from arrays_of(getattr(state, part.name))


@law
@every_family
@given(data=st.data())
def test_no_array_of_a_model_can_be_written_into(family, data):
    model = fitted(data.draw(tables(family)), family)
    for state in (model, model.stats + model.stats, pickle.loads(pickle.dumps(model))):
        arrays = list(arrays_of(state))
        assert len(arrays) > 1
        assert not any(array.flags.writeable for array in arrays)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_writing_into_an_attribute_changes_no_answer(name):
    table = {"v": [*"aabb"], "w": [1.5, 2.0, 4.0, 4.5], "class": [0, 1, 1, 1]}
    model = NaiveBayes({"w": "gaussian"}).fit(table, "class")
    before = model.predict_joint_log_proba(table)
    known = getattr(model, name)
    for array in known if isinstance(known, list) else [known]:
        try:
            array[:] = 0.25
        except ValueError:
            assert not array.flags.writeable
    assert np.array_equal(model.predict_joint_log_proba(table), before)
    grown = deepcopy(model).partial_fit(table, "class")
    assert grown.class_count_.tolist() == [2.0, 6.0]


def test_what_was_given_stays_open_to_its_owner():
    prior = np.array([0.5, 0.5])
    table = {"v": [*"aabb"], "class": [0, 1, 1, 1]}
    NaiveBayes(prior=prior).fit(table, "class")
    prior[:] = 0.25, 0.75
    assert prior.flags.writeable
