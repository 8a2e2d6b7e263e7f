"""The native objects that learn or answer a row stand hostile arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import kernels

native = kernels.native
pytestmark = pytest.mark.skipif(native is None, reason="the native module is not built")

ZEROS, ONES = np.zeros(2), np.ones(2)


def scorer(*names):
    """Two classes and a Gaussian column for each name."""
    found = native.RowScorer(ZEROS, -1e9)
    for j, name in enumerate(names):
        found.add_gaussian(name, j, np.array([0.0, 1.0]), ONES, ZEROS)
    return found


def learner(n_groups=2, n_columns=3):
    lines = [np.zeros((n_groups, n_columns)) for _ in range(3)]
    return native.Learner(np.zeros(n_columns), np.zeros(n_groups), *lines)


class Spy(str):
    """A key that does something whenever it is compared."""

    __slots__ = ("do",)
    __hash__ = str.__hash__

    def __eq__(self, other):
        self.do()
        return str.__eq__(self, other)


def spy(text, do):
    key = Spy(text)
    key.do = do
    return key


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.integers(-3, 3).map(float)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 3),
       st.lists(st.integers(-2, 4) | st.sampled_from([2**63 - 1, -(2**63)]), max_size=3),
       numbers)  # fmt: skip
def test_a_learner_learns_what_it_can_and_nothing_else(n_groups, n_columns, rows, group, odd):
    found = learner(n_groups, n_columns)
    x = np.full((rows, 3), 1.0)
    x[:1, :1] = odd
    fits = n_columns == 3 and len(group) == rows > 0 and all(0 <= g < n_groups for g in group)
    assert found.learn(x, group) == (fits and not np.isinf(odd))
    n_rows, count, n, _, m2 = found.state()
    assert n_rows == count.sum() == (rows if fits and not np.isinf(odd) else 0)
    assert (n <= n_rows).all()
    assert (m2 >= 0).all() or np.isnan(m2).any() or np.isinf(m2).any()


def test_a_learner_without_columns_counts_rows():
    found = learner(2, 0)
    assert found.learn(np.zeros((3, 0)), [0, 1, 0])
    assert found.state()[1].tolist() == [2, 1]


@pytest.mark.parametrize("place", range(5))
def test_a_learner_of_uneven_lines_is_refused(place):
    arguments = [np.zeros(3), np.zeros(2)] + [np.zeros((2, 3)) for _ in range(3)]
    arguments[place] = np.zeros([4] * arguments[place].ndim)
    with pytest.raises(ValueError, match="moments"):
        native.Learner(*arguments)


@pytest.mark.parametrize("rows", [np.zeros(3), np.zeros((1, 3), "f4"), np.zeros((3, 2)).T, None])
def test_a_learner_takes_no_copies(rows):
    with pytest.raises(TypeError):
        learner().learn(rows, [0])


@pytest.mark.parametrize("group", [[0.5], ["0"], [2**63], None, 0])
def test_groups_of_a_learner_are_whole_numbers(group):
    with pytest.raises(TypeError):
        learner().learn(np.zeros((1, 3)), group)


@pytest.mark.parametrize("kind", ["Learner", "RowScorer"])
@pytest.mark.filterwarnings("ignore:nanobind")
def test_an_object_that_was_never_made_answers_nothing(kind):
    cls = getattr(native, kind)
    empty = cls.__new__(cls)
    with pytest.raises(TypeError):
        empty.state() if kind == "Learner" else empty.best({})


def test_a_scorer_refuses_parameters_for_other_classes():
    with pytest.raises(ValueError, match="no classes"):
        native.RowScorer(np.zeros(0), -1e9)
    found = scorer()
    with pytest.raises(ValueError, match="another number of classes"):
        found.add_gaussian("a", 0, ZEROS, np.ones(3), ZEROS)
    with pytest.raises(ValueError, match="another number of classes"):
        found.add_linear("a", 0, ZEROS, np.ones(1), 0.0, 1.0, False, False)
    for codes, shape in (({}, (1, 2)), ({"x": 0}, (1, 3)), ({"x": 0}, (2, 2))):
        with pytest.raises(ValueError, match="another shape"):
            found.add_table("a", 0, codes, np.zeros(shape))
    assert found.best({}) == 0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.none() | numbers | st.integers() | st.booleans() | st.text(max_size=2),
                min_size=2, max_size=2))  # fmt: skip
def test_any_cell_is_answered_or_left_to_others(cells):
    found, row = scorer("a", "b"), dict(zip("ab", cells, strict=True))
    posterior = found.posterior(row)
    assert (found.best(row) == -1) == (posterior is None)
    if posterior is not None:
        assert posterior.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("code", "best"), [(0, 0), (1, 1), (2, -1), (-7, 0), (2**80, -1), ("y", -1), (1.0, -1),
                       (None, -1), (True, -1)],
)  # fmt: skip
def test_a_code_that_is_none_of_the_table_is_left_to_others(code, best):
    found = scorer()
    codes = {"x": 0, "y": 1}
    found.add_table("a", 0, codes, np.array([[0.0, -1.0], [-1.0, 0.0]]))
    codes["x"] = code
    assert found.best({"a": "x"}) == best


@pytest.mark.parametrize("position", [2, 3, 2**63, 2**64 - 1])
def test_a_position_beyond_the_row_is_left_to_others(position):
    found = scorer()
    found.add_gaussian("a", position, ZEROS, ONES, ZEROS)
    assert found.best(np.zeros((1, 2))) == -1
    assert found.posterior(np.zeros((1, 2))) is None


@pytest.mark.parametrize("x", [np.zeros((0, 2)), np.zeros((2, 2)), np.zeros((1, 0))])
def test_rows_that_are_not_one_are_left_to_others(x):
    assert scorer("a", "b").best(x) == -1


def test_a_row_may_ask_for_other_rows_while_it_is_read():
    names = [f"c{i}" for i in range(40)]
    few, many = scorer("c0"), scorer(*names)
    wide = scorer(*map(str, range(500)))

    def ask():
        assert few.best({"c0": 1.0}) == 1
        assert wide.best(dict.fromkeys(map(str, range(500)), 0.0)) == 0

    assert many.best({spy(name, ask): 1.0 for name in names}) == 1


def test_columns_that_come_while_a_row_is_read_leave_it_to_others():
    found = scorer("a")

    def add():
        for j in range(50):
            found.add_gaussian("b", j, ZEROS, ONES, ZEROS)

    assert found.best({spy("a", add): 1.0}) == -1


def test_labels_that_ask_for_other_rows_while_they_are_found():
    wide = scorer(*map(str, range(500)))
    label = spy("x", lambda: wide.best(dict.fromkeys(map(str, range(500)), 0.0)))
    found = scorer()
    found.add_table("a", 0, {label: 0}, np.zeros((1, 2)))
    assert found.best({"a": "xx"[:1]}) == 0


def test_a_cell_that_leaves_its_row_while_it_is_read_is_still_there():
    found, row = scorer(), {}
    found.add_table("a", 0, {spy("x" * 40, row.clear): 0}, np.zeros((1, 2)))
    row["a"] = "".join(["x"] * 40)
    assert found.best(row) == 0
