"""Why a column of numbers or days is text is said, and what to say about it."""

from __future__ import annotations

import pytest

from naively import NaiveBayes, errors, read
from naively.data.clues import Clue, clue_of

pd = pytest.importorskip("pandas")
pytest.importorskip("duckdb")


def why(tmp_path, cells, **options):
    (tmp_path / "t.csv").write_text("n;x\n" + "".join(f"1;{cell}\n" for cell in cells))
    return read(tmp_path / "t.csv", **options).schema["x"].why


@pytest.mark.parametrize("word", ["NA", "N/A", "n/a", "NULL", "null", "None", "-", ".", " "])
def test_a_word_among_numbers_is_said_with_the_option_that_takes_it(word, tmp_path):
    cells = [str(i / 7) for i in range(9)] + [word]
    said = why(tmp_path, cells)
    option = f"missing={['', '?', word]!r}"
    assert said.endswith(
        f"9 of 10 cells are numbers; the others are such as {word!r}: say {option}"
    )
    taken = read(tmp_path / "t.csv", missing=["", "?", word]).schema["x"]
    assert (taken.type, taken.missing) == ("number", 1)


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (["1,5", "2,25"], "all 2 cells are numbers with a decimal comma: say decimal=','"),
        (["1.200,5", "-"], "1 of 2 cells are numbers with a decimal comma; the others are"),
        (["1,200", "12,000"], "all 2 cells are numbers with thousands separators: write them"),
        (["12%", "2.5 %"], "all 2 cells are numbers with %: write them"),
        (["$1.5", "€ 3", "4"], "all 3 cells are numbers, some with a currency: write them"),
    ],
)
def test_other_ways_to_write_numbers_are_said(cells, says, tmp_path):
    assert says in why(tmp_path, cells)


@pytest.mark.parametrize("cells", [["a", "b"], ["a1", "b2", "3"], ["a", "b", "1", "c", "d"]])
def test_words_are_words(cells, tmp_path):
    assert why(tmp_path, cells) == f"{len(cells)} distinct texts"


def test_a_frame_of_texts_that_are_numbers_is_told_so():
    schema = read(pd.DataFrame({"x": ["1.5", "2.5", "NA"], "d": ["2020-01-01"] * 3})).schema
    assert schema["x"].why.endswith("the others are such as 'NA': turn them into numbers")
    assert schema["d"].why.endswith("all 3 cells are dates: turn them into dates")


def test_a_table_that_cannot_be_used_says_why(tmp_path):
    rows = "".join(f"{i / 7},a\n" for i in range(60))
    (tmp_path / "na.csv").write_text(f"x,y\n{rows}NA,b\n")
    with pytest.raises(errors.DataError, match=r"na.csv can be used \('x'.*60 of 61 cells are num"):
        NaiveBayes().fit(tmp_path / "na.csv", "y")


def test_a_long_reason_stands_whole_below_the_table(tmp_path):
    said = why(tmp_path, ["1.5", "NA"])
    assert str(read(tmp_path / "t.csv").schema).splitlines()[-1] == f"x: {said}"


def test_clues_of_parts_add_up():
    texts = ["1", "2,5", "NA", "x"]
    whole = clue_of(texts, [4, 3, 2, 1])
    assert clue_of(texts[:2], [4, 3]) + clue_of(texts[2:], [2, 1]) == whole
    assert whole + Clue() == whole
