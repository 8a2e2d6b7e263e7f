"""Titanic: a Gaussian for age, counts for sex and class."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

import naively

COLUMNS = ["Pclass", "Sex", "Age"]


@pytest.fixture(scope="module")
def passengers(shared):
    pandas = pytest.importorskip("pandas")
    return pandas.read_csv(shared / "titanic" / "titanic_kaggle_train.csv")


def sexes(model):
    """P(sex | outcome) by name: rows are died, survived."""
    column = model.schema_.names.index("Sex") if "Sex" in model.schema_.names else 0
    table = np.exp(model.feature_log_prob_[column])
    return dict(zip(("female", "male"), table.T.tolist(), strict=True))


def test_the_share_of_men_among_survivors_and_dead(passengers):
    model = naively.NaiveBayes(alpha=0).fit(passengers[["Sex"]], passengers["Survived"])
    died, survived = sexes(model)["male"]
    assert round(survived, 3) == 0.319
    assert survived == pytest.approx(109 / 342)
    assert died == pytest.approx(468 / 549)


def test_each_column_has_the_lectures_distribution(passengers):
    model = naively.NaiveBayes().fit(passengers[COLUMNS], passengers["Survived"])
    families = {name: str(model.schema_[name].family) for name in COLUMNS}
    assert families == {"Pclass": "categorical", "Sex": "categorical", "Age": "gaussian"}


def test_the_ages_are_those_of_the_passengers_whose_age_is_known(passengers):
    model = naively.NaiveBayes(strength=0).fit(passengers[COLUMNS], passengers["Survived"])
    known = passengers.dropna(subset=["Age"]).groupby("Survived")["Age"]
    assert model.theta_[:, 0] == pytest.approx(known.mean().to_numpy())
    assert model.var_[:, 0] == pytest.approx(known.var(ddof=0).to_numpy())


@pytest.mark.parametrize("seed", [0, 1])
def test_accuracy_in_cross_validation_is_78_to_79_percent(passengers, seed):
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    model = naively.NaiveBayes(columns={"Age": "gaussian"})
    scores = cross_val_score(model, passengers[COLUMNS], passengers["Survived"], cv=folds)
    assert 0.78 <= scores.mean() <= 0.79


def test_the_table_in_the_repository_tells_the_same(examples):
    model = naively.NaiveBayes({"sex": "categorical"}, alpha=0).fit(
        examples / "titanic3.csv", "survived"
    )
    column = [name for name in model.schema_.names if model.schema_[name].form == "codes"]
    died, survived = np.exp(model.feature_log_prob_[column.index("sex")])
    assert survived == pytest.approx([339 / 500, 161 / 500])
    assert died == pytest.approx([127 / 809, 682 / 809])
