"""What other libraries do in the places where naively differs, by the number of the truth.

Each test shows the fault where the library is installed, so that a claim about it stays
true or is withdrawn; beside it stands what naively answers.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

import naively
from naively.families import Gaussian

TWO = np.array([[-1.0], [1.0], [4.0], [6.0]])
Y2 = np.array([0, 0, 1, 1])
"""N(0, 1) and N(5, 1) by maximum likelihood."""

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def wnb():
    return pytest.importorskip("wnb", reason="wnb is not installed (extra 'peers')")


@pytest.fixture
def mixed():
    reason = "mixed-naive-bayes is not installed (extra 'peers')"
    return pytest.importorskip("mixed_naive_bayes", reason=reason).MixedNB


@pytest.fixture
def river():
    return pytest.importorskip("river.naive_bayes", reason="river is not installed (extra 'peers')")


def test_02_wnb_has_a_probability_above_1(wnb):
    x, y = np.array([[0.0], [0.0], [1.0]]), np.array([0, 0, 1])
    theirs = wnb.GeneralNB(distributions=["Categorical"], alpha=1).fit(x, y)
    assert theirs.likelihood_params_[0][0].prob[0.0] == pytest.approx(1.5)
    ours = naively.NaiveBayes("categorical").fit(x, y)
    assert np.exp(ours.feature_log_prob_[0]).sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("x", [-34.0, 60.0])
def test_04_river_gives_an_outlier_half_and_half(river, x):
    theirs = river.GaussianNB()
    for row, label in zip(TWO[:, 0], Y2, strict=True):
        theirs.learn_one({"x": row}, label)
    assert theirs.predict_proba_one({"x": x})[0] == pytest.approx(0.5, abs=1e-6)
    ours = naively.NaiveBayes(Gaussian(strength=0, ddof=1)).fit(TWO, Y2)
    assert ours.predict_proba([[x]])[0, int(x > 0)] == 1


def test_05_mixed_naive_bayes_has_nan_for_500_columns(mixed, rng):
    x, y = rng.normal(size=(40, 500)) * 30, np.arange(40) % 2
    assert np.isnan(mixed().fit(x, y).predict_proba(x)).all()
    ours = naively.NaiveBayes().fit(x, y)
    assert ours.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(40), abs=1e-12)


def test_05_wnb_has_nan_at_100(wnb):
    theirs = wnb.GeneralNB(distributions=["Normal"]).fit(TWO, Y2)
    assert np.isnan(theirs.predict_proba([[100.0]])).all()
    ours = naively.NaiveBayes(Gaussian(strength=0)).fit(TWO, Y2)
    log_odds = np.diff(ours.predict_log_proba([[100.0]]))
    assert log_odds == pytest.approx(np.array([[5 * 100 - 12.5]]), rel=1e-12)


def test_05_scikit_learns_linear_discriminant_cuts_log_probabilities_off(rng):
    x = TWO + np.array([[0.0], [0.0], [1e3], [1e3]])
    theirs = LinearDiscriminantAnalysis().fit(x, Y2).predict_log_proba([[-100.0]])
    assert theirs[0, 1] > -709
    ours = naively.NaiveBayes({(0,): Gaussian("tied", strength=0)}).fit(x, Y2)
    assert ours.predict_log_proba([[-100.0]])[0, 1] == pytest.approx((100**2 - 1105**2) / 2)


def test_06_scikit_learn_smooths_by_the_widest_column(rng):
    y = np.arange(2000) % 2
    x = np.column_stack([rng.normal(0, 1e6, 2000), 1e-3 * (rng.normal(size=2000) + 3 * y)])
    half = slice(1000), slice(1000, None)
    theirs = GaussianNB().fit(x[half[0]], y[half[0]])
    assert theirs.score(x[half[1]], y[half[1]]) < 0.56
    ours = naively.NaiveBayes().fit(x[half[0]], y[half[0]])
    assert ours.score(x[half[1]], y[half[1]]) > 0.91


def test_06_on_adult_scikit_learn_triples_the_variance_of_education(shared):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(shared / "adult" / "adult_train.csv.gz")
    numbers = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    theirs = GaussianNB().fit(table[numbers], table["income"])
    assert theirs.epsilon_ == pytest.approx(11.14, abs=0.005)
    ours = naively.NaiveBayes("gaussian").fit(table[numbers], table["income"])
    assert ours.var_[:, 2].max() < 6
    assert theirs.var_[:, 2].min() > 15


def test_08_a_constant_column_is_nan_in_scikit_learn():
    x, y = np.ones((4, 1)), np.array([0, 1, 1, 1])
    theirs = GaussianNB().fit(x, y)
    assert np.isnan(theirs.predict_proba(x)).all()
    assert theirs.predict(x).tolist() == [0] * 4
    ours = naively.NaiveBayes("gaussian").fit(x, y)
    assert ours.predict_proba(x) == pytest.approx(np.tile([0.25, 0.75], (4, 1)))


def test_09_scikit_learns_partial_fit_depends_on_which_rows_share_a_batch(rng):
    """Its smoothing is that of each batch, not that of all rows (whatever their order)."""
    x = np.concatenate([rng.normal(size=(40, 1)), 100 + rng.normal(size=(40, 1))])
    y = np.arange(80) // 2 % 2
    halves = [slice(0, 40), slice(40, 80)]
    turns = [slice(0, 80, 2), slice(1, 80, 2)]

    def variances(model, batches):
        for rows in batches:
            model.partial_fit(x[rows], y[rows], classes=[0, 1])
        return model.var_[:, 0]

    def theirs():
        return GaussianNB(var_smoothing=0.1)

    by_halves, by_turns = (variances(theirs(), batches) for batches in (halves, turns))
    assert np.abs(by_halves - by_turns).min() > 100
    assert np.abs(by_halves - theirs().fit(x, y).var_[:, 0]).min() > 100
    whole = naively.NaiveBayes("gaussian").fit(x, y).var_[:, 0]
    for batches in (halves, turns):
        ours = variances(naively.NaiveBayes("gaussian"), batches)
        assert ours == pytest.approx(whole, rel=1e-12)


def test_11_an_unseen_value_is_an_index_error_in_scikit_learn():
    x = np.array([[0], [1], [0], [1]])
    with pytest.raises(IndexError):
        CategoricalNB().fit(x, Y2).predict([[2]])
    ours = naively.NaiveBayes("categorical").fit(x, Y2)
    with pytest.warns(naively.errors.UnseenWarning):
        assert ours.predict_proba(np.array([[2]])) == pytest.approx(np.array([[0.5, 0.5]]))


def test_11_an_unseen_value_is_nan_in_wnb(wnb):
    x = np.array([[0.0], [1.0], [0.0], [1.0]])
    theirs = wnb.GeneralNB(distributions=["Categorical"]).fit(x, Y2)
    assert np.isnan(theirs.predict_proba([[7.0]])).all()


@pytest.mark.parametrize("peer", [GaussianNB, BernoulliNB, MultinomialNB])
def test_12_a_missing_cell_is_refused_by_scikit_learn(peer):
    x = np.array([[0.0], [np.nan], [1.0], [1.0]])
    with pytest.raises(ValueError, match="NaN"):
        peer().fit(x, Y2)
    assert naively.NaiveBayes("bernoulli").fit(x, Y2).class_count_.tolist() == [2, 2]


def test_13_scikit_learn_cuts_nine_tenths_to_0():
    x = np.array([[0.0], [0.0], [1.0], [1.0]])
    theirs = CategoricalNB().fit(x, Y2)
    assert theirs.predict_proba([[0.9]]).tolist() == theirs.predict_proba([[0.0]]).tolist()
    ours = naively.NaiveBayes("categorical").fit(x, Y2)
    with pytest.warns(naively.errors.UnseenWarning):
        assert ours.predict_proba([[0.9]])[0, 0] == pytest.approx(0.5)


def test_13_scikit_learn_makes_a_coin_of_any_number():
    x = np.array([[-3.0], [0.0], [7.5], [0.1]])
    BernoulliNB().fit(x, Y2)
    with pytest.raises(naively.errors.DataError, match="row 0: -3 has no bernoulli likelihood"):
        naively.NaiveBayes("bernoulli").fit(x, Y2)


def test_14_scikit_learn_takes_a_prior_that_does_not_sum_to_1():
    x = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
    theirs = MultinomialNB(class_prior=[2, 2]).fit(x, Y2)
    assert np.exp(theirs.class_log_prior_).sum() == pytest.approx(4)
    with pytest.raises(naively.errors.ParameterError, match="sum to 1"):
        naively.NaiveBayes("multinomial", prior=[2, 2]).fit(x, Y2)


def test_14_scikit_learns_complement_ignores_its_prior():
    x = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
    one, other = (ComplementNB(class_prior=p).fit(x, Y2) for p in ([0.9, 0.1], [0.1, 0.9]))
    assert one.predict_proba(x).tolist() == other.predict_proba(x).tolist()
    ours = [naively.NaiveBayes("complement", prior=p).fit(x, Y2) for p in ([0.9, 0.1], [0.1, 0.9])]
    shift = np.subtract(*[np.diff(model.predict_log_proba(x)) for model in ours])
    assert shift == pytest.approx(np.full((4, 1), 2 * np.log(0.1 / 0.9)))


def test_15_river_ignores_a_misspelt_column(river):
    """A row without the column that was learned is answered as if nothing were wrong."""
    theirs = river.GaussianNB()
    for row, label in zip(TWO[:, 0], Y2, strict=True):
        theirs.learn_one({"height": row}, label)
    assert set(theirs.predict_proba_one({"height": 4.0})) == {0, 1}
    ours = naively.NaiveBayes().fit({"height": TWO[:, 0]}, Y2)
    with pytest.raises(naively.errors.UnknownColumn, match="height"):
        ours.predict_proba({"hieght": [4.0]})
