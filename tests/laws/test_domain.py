"""Labels are names: renaming them permutes, adding one changes no count, order is free."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from naively import NaiveBayes
from naively.data.domain import Domain
from naively.engines import one_pass
from naively.families import Categorical

from .tables import (
    CLASSES,
    MEMBERS,
    each,
    every_family,
    fitted,
    law,
    learn,
    same_numbers,
    schema_of,
    tables,
)

labelled = [f for f in MEMBERS if f.form == "codes" and not f.labels]
NEW = {"a": "z", "b": "m", "c": "A", "d": "0", None: None}


@law
@each(labelled)
@given(data=st.data())
def test_renaming_labels_changes_no_posterior(family, data):
    table = data.draw(tables(family))
    renamed = replace(table, cells={n: [NEW[v] for v in c] for n, c in table.cells.items()})
    a, b = fitted(table, family), fitted(renamed, family)
    same_numbers(a.log_joint(table.cells), b.log_joint(renamed.cells))


@law
@every_family
@given(data=st.data())
def test_renaming_classes_permutes_the_posterior(family, data):
    table = data.draw(tables(family))
    names = dict(zip(CLASSES, data.draw(st.permutations(["red", "green", "blue"])), strict=True))
    renamed = replace(table, y=[names[c] for c in table.y])
    a, b = fitted(table, family), fitted(renamed, family)
    order = [b.classes.code(names[c]) for c in a.classes.labels]
    assert list(b.classes.labels) == sorted(b.classes.labels)
    same_numbers(a.log_joint(table.cells), b.log_joint(table.cells)[:, order])


@law
@each(labelled)
@given(data=st.data())
def test_another_label_changes_no_count(family, data):
    table = data.draw(tables(family))
    (statistic,) = learn(table, schema_of(table, family)).statistics
    wider = statistic.recoded(tuple(d.union(Domain(("e", "0"))) for d in statistic.domains))
    for j, domain in enumerate(statistic.domains):
        assert set(wider.domains[j].labels) == {*domain.labels, "e", "0"}
        at = domain.positions_in(wider.domains[j])
        assert np.array_equal(wider.counts(j)[:, at], statistic.counts(j))
        assert wider.counts(j).sum() == statistic.counts(j).sum()


@law
@given(data=st.data())
def test_a_declared_label_takes_its_share_and_no_count(data):
    table = data.draw(tables(Categorical(), columns=1, weighted=False, gaps=False))
    plain, declared = (fitted(table, f) for f in (Categorical(), Categorical(labels=("e",))))
    assert np.array_equal(plain.stats.statistics[0].t, declared.stats.statistics[0].t)
    k = len(plain.stats.statistics[0].domains[0])
    n = plain.stats.class_count
    unseen = declared.log_joint({"x0": ["e"]}) - declared.log_prior
    same_numbers(np.exp(unseen[0]), 1 / (n + k + 1))


def test_unused_levels_do_not_count():
    x = pd.Categorical(["a", "b", "a"], categories=["unused", "b", "a", "zebra"])
    y = pd.Series(pd.Categorical(["no", "yes", "no"], categories=["never", "yes", "no"]))
    frame, plain = pd.DataFrame({"x": x}), pd.DataFrame({"x": ["a", "b", "a"]})
    model, other = NaiveBayes().fit(frame, y), NaiveBayes().fit(plain, ["no", "yes", "no"])
    assert model.stats_.domains()["x"].labels == ("a", "b")
    assert model.classes_.tolist() == ["no", "yes"]
    same_numbers(model.predict_proba(frame), other.predict_proba(plain))


def test_labels_and_classes_are_sorted_whatever_comes_first():
    table = {"x": ["b", "c", "a"], "n": [10, 9, 2], "y": ["z", "y", "x"]}
    stats = one_pass.train(table, "y", columns="categorical").stats
    assert stats.domains() == {"x": Domain(("a", "b", "c")), "n": Domain((2, 9, 10))}
    assert stats.classes.labels == ("x", "y", "z")


def test_the_domain_of_a_batch_is_that_of_the_fold():
    x, y = ["a", "b", "c", "d"], np.array(["no", "no", "yes", "yes"])
    model = NaiveBayes(columns="categorical").partial_fit({"x": x[2:]}, y[2:])
    model.partial_fit({"x": x[:2]}, y[:2])
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.stats_.domains()["x"].labels == ("a", "b", "c", "d")
