"""Independence: exact verdicts on stated tables, effects and tests on counted rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.errors import DataError, ImpossibleCondition, ParameterError, UnknownColumn
from naively.probability import Joint, col, independence_matrix, mutual_information
from naively.probability.association import degrees_of_freedom, is_product, permutation_p

stats = pytest.importorskip("scipy.stats")

marginals = st.lists(st.integers(1, 9), min_size=2, max_size=4)


def stated(cells, weights, names):
    columns = {name: [cell[j] for cell in cells] for j, name in enumerate(names)}
    return Joint.from_table(columns, p=weights, normalize=True)


@given(marginals, marginals, marginals)
def test_a_product_of_marginals_is_independent(a, b, c):
    cells = list(product(range(len(a)), range(len(b)), range(len(c))))
    joint = stated(cells, [a[i] * b[j] * c[k] for i, j, k in cells], "abc")
    assert joint.independence("a", "b")
    assert joint.independence("a", "b", "c")
    assert joint.independence("a", "b", given="c")
    assert joint.independence("a=0", "b=1", given="c=0")
    assert joint.independence("a", "b").mutual_information == 0


@given(marginals, marginals, st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_independence_given_a_cause(a, b, weights):
    """P(c) P(a | c) P(b | c), where a and b depend on c in any way."""
    cells = list(product(range(2), range(2), range(2)))
    pa, pb = [(weights[0], weights[1]), (weights[2], weights[3])], [(a[0], a[1]), (b[0], b[1])]
    ps = [
        pa[k][i] * pb[k][j] * sum(pa[1 - k]) * sum(pb[1 - k]) for i, j, k in cells
    ]  # P(c) is 1/2 for each
    joint = stated(cells, ps, "abc")
    assert joint.independence("a", "b", given="c")
    assert joint.independence("b", "a", given="c")


@given(st.lists(st.integers(0, 6), min_size=12, max_size=12).filter(any))
def test_conditional_independence_is_symmetric(weights):
    joint = stated(list(product(range(2), range(3), range(2))), weights, "abc")
    one, other = joint.independence("a", "b", given="c"), joint.independence("b", "a", given="c")
    assert bool(one) == bool(other)
    assert one.mutual_information == pytest.approx(other.mutual_information, abs=1e-12)


def test_an_impossible_event_is_independent_of_all():
    joint = Joint.from_table({"a": ["x", "y", "z"], "b": ["u", "v", "u"], "p": [0.5, 0.5, 0]}, "p")
    assert joint.independence("a=z", "b")


def test_pairwise_is_not_mutual():
    xor = Joint.from_table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 1, 0]}, p=[0.25] * 4)
    assert all(independence_matrix(xor).values())
    assert not xor.independence("a", "b", "c")
    assert xor.independence("a", "b", "c").mutual_information == 1
    assert not xor.independence("a", "b", given="c")


def test_stated_floats_are_judged_up_to_rounding():
    third = [1 / 3 * 1 / 7, 1 / 3 * 6 / 7, 2 / 3 * 1 / 7, 2 / 3 * 6 / 7]
    joint = Joint.from_table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, p=third)
    assert joint.independence("a", "b").exact


def rows_of(counts):
    cells = [(i, j) for (i, j), n in np.ndenumerate(counts) for _ in range(n)]
    return Joint.from_rows({"a": [c[0] for c in cells], "b": [c[1] for c in cells]})


def test_the_g_test_and_cramers_v_are_those_of_scipy():
    counts = np.array([[30, 12, 9], [14, 25, 11]])
    found = rows_of(counts).independence("a", "b")
    g = stats.chi2_contingency(counts, lambda_="log-likelihood", correction=False)
    assert found.g == pytest.approx(g.statistic)
    assert found.degrees_of_freedom == g.dof
    assert found.p_value == pytest.approx(g.pvalue)
    v = stats.contingency.association(counts, method="cramer")
    assert found.cramers_v == pytest.approx(v)
    assert found.permutation_p == pytest.approx(found.p_value, abs=0.01)
    assert not found


def test_the_permutation_test_agrees_with_fishers_on_small_counts():
    counts = np.array([[[7, 2], [1, 6]]])
    assert permutation_p(counts) == pytest.approx(stats.fisher_exact(counts[0]).pvalue, abs=0.02)


def test_permutations_stay_within_their_stratum():
    strata = np.array([[[20, 0], [0, 0]], [[0, 0], [0, 20]]])
    assert permutation_p(strata) == 1
    assert degrees_of_freedom(strata) == 0
    assert is_product(strata)


def test_counted_rows_may_be_close_to_independent():
    rng = np.random.default_rng(0)
    n = 200_000
    a = rng.integers(0, 2, n)
    b = (rng.random(n) < 0.5 + 0.01 * a).astype(int)
    found = Joint.from_rows({"a": a, "b": b}).independence("a", "b")
    assert found.p_value < 0.01  # many rows see the least difference
    assert found.mutual_information < 0.001
    assert found
    assert found.largest_change < 0.02
    assert "by chance alone" in repr(found)


def plane(kind, n=2_500):
    rng = np.random.default_rng(5)
    points = rng.normal(size=(n, 2)) if kind == "gaussian" else rng.uniform(-1, 1, (4 * n, 2))
    if kind == "disc":
        points = points[(points**2).sum(axis=1) < 1]
    return Joint.from_rows({"x": points[:n, 0], "y": points[:n, 1]})


@pytest.mark.parametrize(
    ("kind", "verdict"), [("square", True), ("disc", False), ("gaussian", True)]
)
def test_numbers_are_cut_into_bins(kind, verdict):
    found = plane(kind).independence("x", "y")
    assert bool(found) is verdict
    assert "bins of equal frequency" in found.note


def test_rows_with_missing_cells_are_left_out():
    found = Joint.from_rows({"a": [0, 1, None, 1], "b": [0, 1, 1, None]}).independence("a", "b")
    assert (found.rows, found.left_out) == (2, 2)


def test_weights_that_are_no_counts_have_no_test():
    found = Joint.from_rows({"a": [0, 1], "b": [0, 1]}, weights=[0.5, 0.25]).independence("a", "b")
    assert found.p_value is None
    assert "no counts" in found.note


def test_what_is_given_may_be_variables_or_events():
    joint = Joint.from_rows(
        {"a": [0, 1] * 8, "b": [0, 0, 1, 1] * 4, "c": [0, 1, 1, 0] * 4, "d": [1] * 16}
    )
    for given_ in ("c", ["c"], "c=1", ["c", "d=1"], "c, d", col("c") == 1):
        assert not joint.independence("a", "b", given=given_)
    assert joint.independence("a", "b", given="d")
    assert joint.independence(col("a") == 1, "b")


def test_names_are_checked():
    joint = Joint.from_rows({"a": [0, 1], "b": [0, 1]})
    with pytest.raises(ParameterError, match="different variables"):
        joint.independence("a", "a")
    with pytest.raises(UnknownColumn):
        joint.independence("a", "c")


def test_a_matrix_has_all_pairs():
    joint = Joint.from_rows({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1], "c": [0, 1, 0, 1]})
    pairs = independence_matrix(joint)
    assert len(pairs) == 3
    assert pairs["b", "a"].mutual_information == mutual_information(joint, "a", "b") == 1
    assert pairs["a", "c"].mutual_information == 0


def test_the_verdict_has_a_third_word():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200_000)
    b = (rng.random(200_000) < 0.5 + 0.01 * a).astype(int)
    joint = Joint.from_rows({"a": a, "b": b, "c": a, "d": rng.integers(0, 2, 200_000)})
    assert joint.independence("a", "b").verdict == "close to independent"
    assert joint.independence("a", "c").verdict == "dependent"
    assert joint.independence("a", "d").verdict == "independent"
    third = Joint.from_table({"a": [0, 1, 2], "b": [0, 0, 0]}, p=[1 / 3] * 3)
    assert third.independence("a", "b").verdict == "independent, up to rounding"


def test_an_event_of_missing_cells_is_never_unknown():
    joint = Joint.from_rows({"age": [None, 1, 2] * 60, "dead": ["yes", "no", "no"] * 60})
    found = joint.independence("age is missing", "dead")
    assert not found
    assert found.rows == 180
    assert joint.independence("age", "dead").left_out == 60


def test_what_cannot_be_is_refused():
    joint = Joint.from_rows({"a": [1, 0, 1], "b": [1, 1, 0], "g": ["x", "y", "x"]})
    with pytest.raises(ImpossibleCondition):
        joint.independence("a", "b", given="g=x, g=y")
    apart = Joint.from_rows({"a": [1, None], "b": [None, 2]})
    with pytest.raises(DataError, match="no row that has all cells of a, b"):
        apart.independence("a", "b")


def test_few_rows_tell_little():
    few = Joint.from_rows({"a": list(range(12)), "b": list(range(12))})
    assert "as far as so few rows can tell" in repr(few.independence("a", "b"))


def test_both_ways_to_the_shared_information_leave_out_the_same_rows():
    joint = Joint.from_rows({"a": ["x", "x", "y", None, "y"], "b": ["u", "v", "v", "u", None]})
    assert mutual_information(joint, "a", "b") == pytest.approx(
        joint.independence("a", "b").mutual_information
    )
