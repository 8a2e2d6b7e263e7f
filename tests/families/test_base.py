"""What every family holds to, whatever it counts."""

from __future__ import annotations

import numpy as np
import pytest

from naively import NaiveBayes
from naively.errors import ImpossibleEvidence, ParameterError
from naively.families import FAMILIES, Gaussian, Inflated, LogNormal

every_class = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


@every_class
@pytest.mark.parametrize("odd", [{"missing": "bogus"}, {"missing": None}, {"missing_alpha": -1}])
def test_what_becomes_of_missing_cells_is_checked_where_it_is_stated(family, odd):
    with pytest.raises(ParameterError, match="missing"):
        family(**odd)


@every_class
def test_missing_counts_cannot_be_evidence(family):
    if family.form != "counts":
        assert family(missing="value").missing == "value"
        return
    with pytest.raises(ParameterError, match="counts that are not there are 0"):
        family(missing="value")


@pytest.mark.parametrize("density", [Gaussian(missing="value"), LogNormal(missing="value")])
def test_missing_cells_are_evidence_for_an_inflated_column_as_a_whole(density):
    with pytest.raises(ParameterError, match=r"write Inflated\(\.\.\., missing='value'\)"):
        Inflated(density)


GAPS = {"x": [1.0, 2.0, 3.0, None, 2.5, None, 1.5, 2.0]}
Y = ["whole"] * 3 + ["gaps"] * 5


def test_the_models_alpha_smooths_missingness_too():
    """2 of 5 and 0 of 3 are missing: (2 + a) / (5 + 2a) against (0 + a) / (3 + 2a)."""
    for alpha in (0.5, 2.0):
        model = NaiveBayes("gaussian", alpha=alpha, missing="value", prior="uniform").fit(GAPS, Y)
        gaps, whole = (2 + alpha) / (5 + 2 * alpha), alpha / (3 + 2 * alpha)
        found = model.predict_proba({"x": [None]})[0]
        np.testing.assert_allclose(found, [gaps / (gaps + whole), whole / (gaps + whole)])


def test_without_smoothing_what_was_never_missing_is_impossible_to_miss():
    model = NaiveBayes("gaussian", alpha=0, missing="value").fit(GAPS, Y)
    assert model.predict_proba({"x": [None]}).tolist() == [[1.0, 0.0]]
    model = NaiveBayes("gaussian", alpha=0, missing="value").fit({"x": [1.0, 2.5]}, [0, 1])
    with pytest.raises(ImpossibleEvidence):
        model.predict({"x": [None]})


def test_alpha_divides_no_block_where_missing_cells_are_left_out():
    model = NaiveBayes({"a": Gaussian(), "b": "gaussian"}, alpha=0.5)
    model.fit({"a": [1.5, 2.5, 3.0], "b": [1.5, 0.5, 2.0]}, [0, 1, 1])
    assert len(model.model_.parts) == 1
