"""JSON means what the rows of a frame mean, cell by cell."""

from __future__ import annotations

import pytest

from naively import errors, read

pytest.importorskip("duckdb")


def rows(tmp_path, *cells):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"a": {cell}, "i": {i}}}\n' for i, cell in enumerate(cells)))
    return read(path)


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (['"x"', "1"], r"column 'a', row 1: 1 \(int\) among cells of another kind"),
        (['"x"', "true"], r"column 'a', row 1: True \(bool\) among cells of another kind"),
        (['"x"', "[1, 2]"], r"column 'a', row 1: \[1, 2\] \(list\); expected a single value"),
        (["1", '{"k": 1}'], r"column 'a', row 1: \{'k': 1\} \(dict\); expected a single value"),
    ],
)
def test_cells_of_several_kinds_are_refused_by_column_row_and_value(cells, says, tmp_path):
    source = rows(tmp_path, *cells)
    with pytest.raises(errors.DataError, match=says):
        source.schema  # noqa: B018
    with pytest.raises(errors.DataError, match=says):
        source.column("a")


def test_texts_are_without_their_quotes(tmp_path):
    assert rows(tmp_path, '"x"', '"a \\"b\\" \\u00e9"', "null").column("a") == [
        "x",
        'a "b" é',
        None,
    ]


def test_truth_values_beside_integers_are_integers(tmp_path):
    source = rows(tmp_path, "true", "1", "0", "null")
    assert (source.schema["a"].type, source.schema["a"].missing) == ("integer", 1)


def test_only_days_whose_year_comes_first_are_times(tmp_path):
    assert rows(tmp_path, '"2020-01-02"', '"2020-12-31"').schema["a"].type == "time"
    for text in ("01-02-2020", "01/02/2020", "13-02-2020"):
        column = rows(tmp_path, f'"{text}"', f'"{text}"').schema["a"]
        assert (column.type, column.example) == ("string", text)
