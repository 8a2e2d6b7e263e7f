"""Every error is one of ours and a built-in, and says the same wherever it is carried."""

from __future__ import annotations

import pickle
from copy import copy

import pytest

from naively import errors
from naively.errors import NaivelyError

EVERY = [getattr(errors, name) for name in errors.__all__]
EVERY = [e for e in EVERY if isinstance(e, type) and issubclass(e, NaivelyError)]
every_error = pytest.mark.parametrize("error", EVERY, ids=lambda error: error.__name__)


@every_error
def test_an_error_has_three_parts_and_keeps_them(error):
    raised = error("no file 'a.csv'", "a file", "did you mean 'b.csv'?")
    for same in (raised, copy(raised), pickle.loads(pickle.dumps(raised))):
        assert type(same) is error
        assert same.args == (same.found, same.expected, same.fix)
        assert str(same) == "no file 'a.csv'; expected a file; did you mean 'b.csv'?"


@every_error
def test_an_error_without_advice_is_the_same_after_a_journey(error):
    assert str(pickle.loads(pickle.dumps(error("odd")))) == "odd"


@pytest.mark.parametrize("error", [errors.SourceNotFound, errors.NotWritten])
def test_what_the_system_says_is_not_made_up(error):
    raised = error("no file 'a.csv'", "a file", "did you mean 'b.csv'?")
    assert raised.errno is raised.strerror is raised.filename is None
