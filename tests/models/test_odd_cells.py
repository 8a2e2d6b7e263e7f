"""Cells that a term cannot use: left out, counted, and named by their row."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from naively import NaiveBayes, load, read, save
from naively.engines.one_pass import train
from naively.errors import DataError, ImpossibleEvidence, ParameterError, UnseenWarning
from naively.families import Categorical, Complement, Gaussian, Inflated, LogNormal, Poisson


@pytest.mark.parametrize("odd", [0.0, -1.0])
def test_a_cell_outside_the_support_is_no_evidence(odd):
    model = train({"x": [1.0, 2, 3, 4], "y": list("pqpq")}, "y", columns={"x": "lognormal"})
    with pytest.warns(UnseenWarning):
        assert model.log_evidence({"x": odd}) == 0.0


def test_a_batch_in_its_own_domains_is_scored_in_the_models():
    model = NaiveBayes(unseen="error").fit({"x": list("abab"), "y": list("pqpq")}, "y")
    (batch,) = read({"x": ["zzz", "a"]}).batches(model.schema_)
    with pytest.raises(DataError, match="column 'x', row 0"):
        model.model_.posterior(batch)


def test_rows_keep_their_number_when_others_weigh_nothing():
    table = {"x": [1, 2, 3, -1], "y": list("pqpq")}
    with pytest.raises(DataError, match="row 3"):
        NaiveBayes({"x": "poisson"}).fit(table, "y", sample_weight=[0, 1, 1, 1])


def test_impossible_evidence_is_said_of_a_reader_too():
    table = pa.table({"x": ["a", "b"], "z": ["c", "d"], "y": ["u", "v"]})
    model = train(table, "y", alpha=0)
    asked = pa.table({"x": ["a", "a"], "z": ["c", "d"]})
    with pytest.raises(ImpossibleEvidence, match="1 rows, first 1; columns 'x', 'z'"):
        model.posterior(asked.to_reader())


def test_a_third_word_in_a_column_of_truth_values_is_unseen_and_not_missing():
    table = {"x": [True, False, None, True], "y": list("pqqp")}
    model = NaiveBayes(missing="value").fit(table, "y")
    with pytest.warns(UnseenWarning, match="'x': 1"):
        odd = model.predict_proba({"x": "maybe"})
    assert not np.allclose(odd, model.predict_proba({"x": None}))


def test_a_block_without_a_complete_row_is_refused():
    table = {"a": [1.0, None, 2.5, None], "b": [None, 1.0, None, 4.0], "y": list("pqpq")}
    with pytest.raises(DataError, match="no row is complete in the block a, b"):
        NaiveBayes(Gaussian(covariance="full")).fit(table, "y")


def test_an_empty_column_does_not_stand_in_a_block():
    table = {"a": [1.0, 8, 2, 9], "b": [1.5, 8, 1, 7], "none": [None] * 4, "y": list("pqpq")}
    assert NaiveBayes(Gaussian(covariance="full")).fit(table, "y").score(table, "y") == 1.0


@pytest.mark.parametrize("x", [1e3, 9e3, 2e4, 1e7, 5e7, 9e7, 1.1e8])
def test_no_digit_of_a_difference_is_lost_far_out(x):
    near, step = [-1.0, 1.0], 1e-8
    table = {"x": [*near, *(v + step for v in near)], "y": [0, 0, 1, 1]}
    model = NaiveBayes("gaussian", strength=0).fit(table, "y")
    (mu_0, mu_1), (var_0, var_1) = model.theta_[:, 0], model.var_[:, 0]
    d = (mu_1 - mu_0) * (x - (mu_0 + mu_1) / 2) / var_0 + (1 / var_0 - 1 / var_1) * x * x / 2
    ((p, q),) = model.predict_log_proba({"x": x})
    assert q - p == pytest.approx(d, rel=1e-6, abs=2e-8)


def test_a_reader_is_not_spent_by_cutting_its_bins():
    rng = np.random.default_rng(0)
    x = rng.normal(size=120_000)
    table = pa.table({"x": x, "y": (x > 0).astype(int)})
    model = NaiveBayes({"x": "histogram"}).fit(table.to_reader(), "y")
    assert model.score(table, "y") > 0.9
    assert "first" in model.schema_.note


def test_defaults_reach_the_density_beside_a_point_mass():
    inflated = NaiveBayes({"x": "inflated"}, strength=3, alpha=5)
    model = inflated.fit({"x": [0.0, 1, 2, 3], "y": list("pqpq")}, "y")
    assert model.schema_["x"].family == Inflated(Gaussian(strength=3), alpha=5)
    again = NaiveBayes.from_stats(model.stats_, strength=3, alpha=5)
    assert again.schema_["x"].family == model.schema_["x"].family


def test_equal_families_are_one_whatever_the_order_of_their_numbers():
    a, b = Categorical(alpha={"u": 1, "v": 2}), Categorical(alpha={"v": 2, "u": 1})
    assert (a, hash(a)) == (b, hash(b))


def test_scores_that_are_no_probabilities_have_no_evidence():
    table = {"a": [0, 0, 9, 9], "b": [9, 9, 0, 0], "y": [0, 0, 1, 1]}
    model = train(table, "y", columns={("a", "b"): Complement()})
    with pytest.raises(ValueError, match="complement"):
        model.evidence(table)


@pytest.mark.parametrize(
    ("family", "cells", "odd", "shown"),
    [
        ("poisson", [1, 0, 1, 1], -1, "-1"),
        ("poisson", [1, 0, 1, 1], 1.5, "1.5"),
        ("exponential", [1.0, 2, 3, 4], -0.5, "-0.5"),
        ("lognormal", [1.0, 2, 3, 4], 0, "0"),
        (Inflated(LogNormal(), at=0, unseen="error"), [0.0, 2, 3, 4], -1, "-1"),
        ("bernoulli", [1, 0, 1, 1], 2, "2"),
        ("bernoulli", [True, False, True, True], 2, "2"),
        ("bernoulli", [True, False, True, True], "maybe", "'maybe'"),
        ("categorical", [1, 0, 1, 1], 77, "77"),
        ("categorical", [1, 0, 1, 1], "abc", "'abc'"),
        ("categorical", ["u", "v", "u", "v"], "zz", "'zz'"),
        ("multinomial", [1, 0, 1, 1], -1, "-1"),
    ],
    ids=str,
)
def test_what_training_never_saw_is_refused_by_column_row_and_value(family, cells, odd, shown):
    more = {"w": ["x", "y", "x", "y"]}
    model = NaiveBayes({"c": family}, unseen="error").fit({"c": cells, **more}, list("aabb"))
    good = cells[0]
    for question, row in (({"c": odd, "w": "x"}, 0), ({"c": [good, odd], "w": ["x", "y"]}, 1)):
        if row and type(good) is not type(odd):
            question = {"c": [odd], "w": ["x"]}
            row = 0
        with pytest.raises(DataError, match=rf"column 'c', row {row}: {shown}[ ,;]"):
            model.predict(question)
    lenient = NaiveBayes({"c": "poisson" if isinstance(family, Inflated) else family})
    if not isinstance(cells[1], float):
        with pytest.warns(UnseenWarning):
            lenient.fit({"c": cells, **more}, list("aabb")).predict({"c": odd, "w": "x"})


def test_only_labels_can_have_a_bucket_of_their_own():
    table = {"c": [1, 0, 5, 1], "w": list("xyxy")}
    model = NaiveBayes({"c": "poisson"}, unseen="reserve").fit(table, list("aabb"))
    assert model.schema_["c"].family.unseen == "ignore"
    assert model.schema_["w"].family.unseen == "reserve"
    with pytest.raises(ParameterError, match="unseen='reserve'; expected 'ignore' or 'error'"):
        Poisson(unseen="reserve")


def test_the_way_of_the_unseen_is_saved(tmp_path):
    table = {"c": [1, 0, 5, 1], "w": [1.5, 2.0, 3.0, 2.5]}
    model = NaiveBayes({"c": "poisson", "w": "lognormal"}, unseen="error").fit(table, list("aabb"))
    save(model, tmp_path / "m.naively")
    for odd in ({"c": -1, "w": 1.0}, {"c": 1, "w": 0.0}):
        with pytest.raises(DataError, match="row 0"):
            load(tmp_path / "m.naively").predict(odd)


@pytest.mark.parametrize("covariance", ["diagonal", "full", "tied"])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_an_infinite_number_is_refused_wherever_it_stands(rng, covariance, column):
    x = rng.normal(size=(400, 3))
    x[:, 2] = 4  # the same everywhere: no evidence
    y = (x[:, 0] > 0).astype(int)
    model = NaiveBayes(Gaussian(covariance=covariance)).fit(x, y)
    x[7, 1], x[300, column], x[301, column] = np.nan, -np.inf, np.inf
    for answer in (model.predict, model.predict_proba, model.predict_joint_log_proba):
        with pytest.raises(DataError, match=f"column 'x{column}', row 300: -inf"):
            answer(x)
