"""One look at a table says what two looks say, whatever its later rows hold."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naively import NaiveBayes, errors, read
from naively.data import schema as schemas
from naively.data import source as sources
from naively.engines import one_pass
from naively.engines.local import learn_whole, schema_of
from naively.engines.one_pass import learn_table

PIECES = {
    "few integers": lambda i: i % 3,
    "many integers": lambda i: i,
    "fractions": lambda i: i / 4,
    "words": lambda i: "abc"[i % 3],
    "identifiers": lambda i: f"id {i}",
    "truth": lambda i: "tf"[i % 2],
    "missing": lambda i: None,
    "large": lambda i: 2**60 + i,
}
NUMBERS = ("few integers", "many integers", "fractions", "missing", "large")
WORDS = ("words", "identifiers", "truth", "missing")
kinds = st.one_of(*(st.tuples(*[st.sampled_from(of)] * 2) for of in (NUMBERS, WORDS)))


@pytest.fixture(autouse=True)
def a_glance_is_short(monkeypatch):
    """First rows are few, so that small tables have later ones."""
    short = schemas.Thresholds(glance_rows=4, categories=5, identifier_distinct=5)
    monkeypatch.setattr(schemas, "THRESHOLDS", short)
    monkeypatch.setattr("naively.data.watch.THRESHOLDS", short)
    monkeypatch.setattr(sources, "ROWS", 16)


def table_of(columns, first=8, n=60):
    cells = {
        f"x{j}": [PIECES[kind[i >= first]](i) for i in range(n)] for j, kind in enumerate(columns)
    }
    return {**cells, "y": ["no", "yes", "yes"] * (n // 3)}


def answers(make, target="y", **choices):
    """Schema and statistics in one look and in two, or the words of the refusal."""
    found = []
    for way in (learn_table, _two_looks):
        try:
            schema, stats = way(make(), target, None, **choices)
        except errors.NaivelyError as error:
            found.append(str(error))
        else:
            arrays = [s.arrays() for s in stats.statistics]
            domains = [s.domains for s in stats.statistics]
            found.append((str(schema), domains, arrays, stats.class_count.tolist()))
    return found


def _two_looks(source, target, weight, columns=None, **defaults):
    schema = schema_of(source, target, weight, columns, **defaults)
    return schema, learn_whole(source, schema, target, weight)


def assert_same(one, two):
    if isinstance(two, str):
        assert one == two
        return
    assert one[0] == two[0]
    assert (one[1], one[3]) == (two[1], two[3])
    for a, b in zip(one[2], two[2], strict=True):
        for name in a:
            np.testing.assert_allclose(a[name], b[name], rtol=1e-9, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(kinds, min_size=1, max_size=4))
def test_one_look_at_a_table_in_memory_is_two(columns):
    table = table_of(columns)
    assert_same(*answers(lambda: read(table)))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("first", WORDS[:2] + NUMBERS[:3])
@pytest.mark.parametrize("later", WORDS[:2] + NUMBERS[:3])
def test_one_look_at_a_file_is_two(kind, first, later, tmp_path):
    same = (first in WORDS) == (later in WORDS)
    if not same and kind == "parquet":
        pytest.skip("a Parquet column has one type")
    table = table_of([(first, later), ("words", "words")])
    if not same:
        table["x0"] = [str(cell) for cell in table["x0"]]
    path = str(tmp_path / f"table.{kind}")
    {"csv": csv.write_csv, "parquet": pq.write_table}[kind](pa.table(table), path)
    assert_same(*answers(lambda: read(path)))


def test_a_plain_table_is_read_once(tmp_path, monkeypatch):
    path = str(tmp_path / "table.parquet")
    pq.write_table(pa.table(table_of([("words", "words"), ("fractions", "fractions")])), path)
    monkeypatch.setattr(one_pass, "schema_of", _never)
    schema, stats = learn_table(read(path), "y")
    assert stats.rows == 60
    assert schema["x1"].maximum == 59 / 4


def test_weights_of_0_are_not_seen_in_one_look_either():
    table = table_of([("few integers", "many integers"), ("words", "identifiers")])
    weight = [1.0] * 8 + [0.0] * 52
    one = NaiveBayes().fit(table, "y", sample_weight=weight)
    assert one.schema_["x0"].distinct == 3
    assert one.stats_.rows == 8


def _never(*_, **__):
    raise AssertionError("the table was looked at twice")
