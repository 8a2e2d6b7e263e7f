"""An estimator of statistics alone takes the tables that the statistics were learned from."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from naively import NaiveBayes, load, save
from naively.errors import DataError

X = np.array([[9.0, 1.0, 2.0], [8.0, 1.5, 0.5], [7.0, 6.0, 7.5], [6.0, 7.0, 5.0]])
Y = np.array([0, 0, 1, 1])
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


@pytest.fixture(params=["as they are", "merged", "from a file"])
def travelled(request, tmp_path):
    """Statistics after a journey."""

    def of(columns, x):
        model = NaiveBayes(columns=columns).fit(x, Y)
        if request.param == "as they are":
            return model, model.stats_
        if request.param == "merged":
            halves = [x.iloc[i::2] if hasattr(x, "iloc") else x[i::2] for i in (0, 1)]
            parts = [NaiveBayes(model.schema_).fit(h, Y[i::2]) for i, h in enumerate(halves)]
            return model, parts[0].stats_ + parts[1].stats_
        save(model.stats_, tmp_path / "stats")
        return model, load(tmp_path / "stats")

    return of


@pytest.mark.parametrize("columns", ["gaussian", {0: "ignore"}, {1: "ignore", 2: "kernel"}])
@pytest.mark.parametrize("form", [np.array, csr_matrix])
def test_an_array_is_answered_without_a_warning(travelled, columns, form):
    model, stats = travelled(columns if form is np.array else "multinomial", form(X))
    new = NaiveBayes.from_stats(stats)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(new.predict_proba(form(X)), model.predict_proba(form(X)))
        np.testing.assert_allclose(new.predict_proba(form(X[:1])), model.predict_proba(form(X[:1])))
    assert new.n_features_in_ == 3
    assert not hasattr(new, "feature_names_in_")


def test_columns_that_were_left_out_are_still_the_tables(travelled):
    _, stats = travelled({0: "ignore"}, X)
    new = NaiveBayes.from_stats(stats)
    assert new.schema_["x0"].family is None
    with pytest.raises(DataError, match="X has 2 features, but NaiveBayes is expecting 3"):
        new.predict(X[:, 1:])


@pytest.mark.parametrize("columns", ["gaussian", {"a": "ignore"}])
def test_a_frame_is_answered_by_its_names(travelled, columns):
    model, stats = travelled(columns, FRAME)
    new = NaiveBayes.from_stats(stats)
    assert new.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(new.predict_proba(FRAME), model.predict_proba(FRAME))


@pytest.mark.parametrize("choice", ["gaussian", {2: "gaussian"}, {"x1": "gaussian", 0: "ignore"}])
def test_families_are_chosen_anew_for_what_was_counted(travelled, choice):
    model, stats = travelled({0: "ignore"}, X)
    new = NaiveBayes.from_stats(stats, choice, strength=1)
    np.testing.assert_allclose(new.predict_proba(X), model.predict_proba(X))
