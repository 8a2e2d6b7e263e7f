"""`naively fit`, `predict` and `demo`: what they answer, where, and with which exit code."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from naively import Model, NaiveBayes, save
from naively.cli import main
from naively.families import Categorical

GOLF = ["outlook", "temperature", "humidity", "wind"]


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    """The command in an empty folder: its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    # The command hides pandas from pyarrow, which must know it already for the other tests.
    assert pa.Array.from_pandas(pd.Series([1])).to_pylist() == [1]
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])

    def naively(*args):
        monkeypatch.setattr(sys, "argv", ["naively", *map(str, args)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return left.value.code, out, err

    return naively


@pytest.fixture
def golf(examples):
    return examples / "golf.csv"


@pytest.fixture
def model(run, golf):
    assert run("fit", golf, "-t", "play", "-o", "golf.naively")[0] == 0
    return "golf.naively"


def first_line(name):
    return Path(name).read_text().partition("\n")[0]


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


# The help


def test_help_lists_every_verb(run):
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for verb in ("demo", "fit", "predict"):
        assert f"\n  {verb} " in out
        assert run(verb, "--help")[0] == 0
    assert run("-h")[1] == out


def test_the_version_stands_alone(run):
    from importlib.metadata import version

    assert run("--version") == (0, f"naively {version('naively')}\n", "")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["ft"], "ft"),
        (["fit"], "SOURCE"),
        (["predict", "m"], "SOURCE"),
        (["fit", "x.csv", "-o", "m"], "--target"),
        (["fit", "x.csv", "-t", "y"], "--output"),
        (["fit", "x.csv", "-t", "y", "-o", "m", "--prior", "none"], "'none'"),
        (["--wrong"], "--wrong"),
    ],
)
def test_wrong_usage_is_code_2_and_says_what_is_missing(args, said, run):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert said in err


def test_without_a_verb_there_is_help(run):
    code, out, err = run()
    assert code in (0, 2)  # as the installed click has it
    assert "predict" in out + err


# fit


def test_fit_shows_the_schema_on_stdout_and_talks_on_stderr(run, golf):
    code, out, err = run("fit", golf, "--target", "play", "--output", "m.naively")
    assert code == 0
    assert out.splitlines()[0].split() == [
        "column",
        "kind",
        "family",
        "why",
        "distinct",
        "missing",
        "example",
    ]
    assert err == "learned 14 rows; wrote m.naively\n"
    assert Model.load("m.naively").classes.labels == ("no", "yes")


def test_quiet_shows_no_schema(run, golf):
    assert run("fit", golf, "-t", "play", "-o", "m.naively", "-q")[:2] == (0, "")


def test_fit_does_not_overwrite_unless_forced(run, golf, model):
    before = Path(model).read_bytes()
    code, _, err = run("fit", golf, "-t", "wind", "-o", model)
    assert code == 2
    assert "golf.naively exists; overwrite it with --force" in err
    assert Path(model).read_bytes() == before
    assert run("fit", golf, "-t", "wind", "-o", model, "--force")[0] == 0
    assert Model.load(model).stats.target == "wind"


def test_fit_takes_families_priors_and_weights(run):
    with open("t.csv", "w") as file:
        file.write("a,b,w,y\n1,x,2,u\n2,y,1,v\n4,x,0.5,u\n2,y,1,v\n")
    code, *_ = run(
        "fit",
        "t.csv",
        "-t",
        "y",
        "-o",
        "m",
        "--columns",
        "a=gaussian,b=ignore",
        "--weights",
        "w",
        "--prior",
        "uniform",
    )
    assert code == 0
    loaded = Model.load("m")
    assert [str(term) for term in loaded.stats.structure.terms] == ["gaussian(a)"]
    assert loaded.stats.class_count.tolist() == [2.5, 2.0]
    assert np.exp(loaded.log_prior).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("name", ["a=b", "a, b", "a=b,c=d", "a b", "ø", 'say "a"', "a=gaussian,b"])
def test_any_column_can_be_named(name, run):
    with open("t.csv", "w", newline="") as file:
        csv.writer(file).writerows([[name, "y"], [1, "u"], [2, "v"], [3, "u"]])
    quoted = '"' + name.replace('"', '""') + '"'
    code, _, err = run("fit", "t.csv", "-t", "y", "-o", "m", "--columns", f"{quoted}=poisson")
    assert (code, err.splitlines()[-1]) == (0, "learned 3 rows; wrote m")
    assert str(Model.load("m").schema[name].family) == "poisson"


@pytest.mark.parametrize(
    "text", ["wind", "wind=", "=ignore", "wind=ignore,wind=ignore", "wind=gausian"]
)
def test_columns_that_cannot_be_understood_are_wrong_usage(text, run, golf):
    code, out, err = run("fit", golf, "-t", "play", "-o", "m", "--columns", text)
    assert (code, out) == (2, "")
    assert "expected" in err
    assert not os.listdir()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.csv", "-t", "play"], "no file 'none.csv'"),
        (["golf.csv", "-t", "plya"], "did you mean 'play'?"),
        (["golf.csv", "-t", "play", "--weights", "wieght"], "wieght"),
        (["golf.csv", "-t", "play", "--weights", "wind"], "numbers as weights"),
        (["golf.csv", "-t", "play", "--columns", "wnd=ignore"], "did you mean 'wind'?"),
        (["golf.csv", "-t", "play", "--columns", "wind=gaussian"], "a column of numbers"),
        (["empty.csv", "-t", "play"], "empty.csv"),
        (["header.csv", "-t", "play"], "header.csv"),
        (["folder", "-t", "play"], "folder is a folder"),
        (["golf.csv", "-t", "play", "-o", "none/m"], "no folder 'none'"),
        (["golf.csv", "-t", "play", "-o", "folder", "--force"], "is a folder"),
        (["duckdb:SELEC", "-t", "play"], "query"),
        (["damaged.csv.gz", "-t", "play"], "damaged.csv.gz"),
    ],
)
def test_what_cannot_be_learned_is_code_1_and_leaves_nothing(args, said, run, golf):
    os.mkdir("folder")
    with open("golf.csv", "wb") as file:
        file.write(golf.read_bytes())
    open("empty.csv", "w").close()
    with open("header.csv", "w") as file:
        file.write("a,play\n")
    with open("damaged.csv.gz", "wb") as file:
        file.write(gzip.compress(golf.read_bytes())[:-20])
    before = sorted(os.listdir())
    code, out, err = run("fit", *args, *([] if "-o" in args else ["-o", "m"]))
    assert (code, out) == (1, "")
    assert err.startswith("error: ")
    assert said in err
    assert sorted(os.listdir()) == before
    assert not os.listdir("folder")


# predict


def test_predict_answers_every_row_as_the_model_does(run, golf, model):
    code, out, err = run("predict", model, golf)
    assert (code, err) == (0, "")
    rows = table(out)
    assert [*rows[0]] == ["prediction", "p_no", "p_yes", "status"]
    loaded = Model.load(model)
    assert [row["prediction"] for row in rows] == loaded.predict(golf).tolist()
    posterior = [[float(row["p_no"]), float(row["p_yes"])] for row in rows]
    assert np.array_equal(posterior, loaded.posterior(golf))


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".jsonl"])
def test_predict_writes_files_whole(ending, run, golf, model):
    out = f"out{ending}"
    assert run("predict", model, golf, "-o", out) == (0, "", "")
    if ending == ".parquet":
        rows = parquet.read_table(out).to_pylist()
    elif ending == ".jsonl":
        rows = [json.loads(line) for line in Path(out).read_text().splitlines()]
    else:
        rows = [{**row, "p_no": float(row["p_no"])} for row in table(Path(out).read_text())]
    loaded = Model.load(model)
    assert [row["p_no"] for row in rows] == loaded.posterior(golf)[:, 0].tolist()
    assert [row["prediction"] for row in rows] == loaded.predict(golf).tolist()
    assert sorted(os.listdir()) == sorted([model, out])


def test_predict_does_not_overwrite_unless_forced(run, golf, model):
    with open("out.csv", "w") as file:
        file.write("kept")
    code, _, err = run("predict", model, golf, "-o", "out.csv")
    assert (code, Path("out.csv").read_text()) == (2, "kept")
    assert "--force" in err
    assert run("predict", model, golf, "-o", "out.csv", "--force")[0] == 0
    assert len(Path("out.csv").read_text().splitlines()) == 15


def test_what_is_read_is_never_overwritten(run, golf, model):
    Path("golf.csv").write_bytes(golf.read_bytes())
    Path("golf.csv.naively").symlink_to("golf.csv")
    for args in (
        ("fit", "golf.csv", "-t", "play", "-o", "golf.csv"),
        ("fit", "golf.csv", "-t", "play", "-o", "golf.csv.naively"),
        ("fit", "g*.csv", "-t", "play", "-o", "./golf.csv"),
        ("predict", model, "golf.csv", "-o", "golf.csv"),
    ):
        code, _, err = run(*args, "--force")
        assert code == 2
        assert "is read as well; expected another name for the output" in err
    assert Path("golf.csv").read_bytes() == golf.read_bytes()


def test_how_a_text_is_to_be_read_is_said_to_both_verbs(run):
    said = ("--delimiter", ";", "--decimal", ",", "--missing", "NA", "--missing", "")
    more = ("--comment", "#", "--encoding", "latin-1", "--dates", "%d/%m/%Y", "--header")
    text = "# x;d;y\nx;d;y\n1,5;01/02/2020;\xe9\nNA;02/02/2020;b\n2,5;01/03/2020;\xe9\n"
    Path("t.csv").write_text(text, encoding="latin-1")
    code, out, _ = run("fit", "t.csv", "-t", "y", "-o", "m", *said, *more)
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["x", "number"], ["d", "time"]]
    code, out, _ = run("predict", "m", "t.csv", *said, *more)
    assert code == 0
    assert [row["prediction"] for row in table(out)] == ["\xe9"] * 3
    code, _, err = run("predict", "m", "t.csv", *said[:2], *said[4:], *more)
    assert code == 1
    assert "column 'x', row 0: '1,5'; expected a number; mend the cell, or say decimal=','" in err
    assert "--decimal ','" in err


def test_a_table_without_names_is_said_to_be_one(run):
    Path("t.csv").write_text("a,1\nb,2\na,3\n")
    assert run("fit", "t.csv", "-t", "column0", "-o", "m", "--no-header")[0] == 0
    Path("h.csv").write_text("name,2019,2020\na,1,2\nb,2,3\na,4,3\n")
    code, _, err = run("fit", "h.csv", "-t", "2019", "-o", "n")
    assert code == 1
    assert "no header was found: say header=True if the first line is one" in err
    assert run("fit", "h.csv", "-t", "2019", "-o", "n", "--header")[0] == 0


def test_standard_input_is_no_source(run, model):
    for verb in (("fit", "-", "-t", "y", "-o", "n"), ("predict", model, "-")):
        code, _, err = run(*verb)
        assert code == 2
        assert "SOURCE is standard input; expected a file" in err


def test_nothing_is_left_behind_in_the_process(run, golf):
    import signal
    import warnings

    def state():
        return [*sys.meta_path], signal.getsignal(signal.SIGINT), warnings.showwarning

    before = state()
    assert run("fit", golf, "-t", "play", "-o", "m", "-q")[0] == 0
    assert run("predict", "none", golf)[0] == 1
    assert state() == before


@pytest.mark.parametrize("name", ["out.xlsx", "out"])
def test_an_unknown_ending_is_wrong_usage_before_anything_is_read(name, run):
    code, _, err = run("predict", "none.naively", "none.csv", "-o", name)
    assert code == 2
    assert "expected a name that ends in .csv, .parquet, .jsonl" in err


def test_predict_reads_gzip(run, golf, model):
    with gzip.open("golf.csv.gz", "wb") as file:
        file.write(golf.read_bytes())
    assert run("predict", model, "golf.csv.gz") == run("predict", model, golf)


def test_predict_needs_no_target_and_takes_columns_in_any_order(run, golf, model):
    rows = table(golf.read_text())
    with open("t.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["more", *reversed(GOLF)], extrasaction="ignore", restval="1")
        writer.writeheader()
        writer.writerows(rows)
    assert run("predict", model, "t.csv") == run("predict", model, golf)


def test_a_column_that_is_not_there_is_named(run, model):
    with open("t.csv", "w") as file:
        file.write("outlook,temperature,humidty,wind\nsunny,hot,high,weak\n")
    code, out, err = run("predict", model, "t.csv", "-o", "out.csv")
    assert (code, out) == (1, "")
    assert "no column 'humidity' in t.csv" in err
    assert "did you mean 'humidty'?" in err
    assert not os.path.exists("out.csv")


@pytest.mark.parametrize("raw", [b"", b"a,b\n1,2\n", b"PK\x03\x04"])
def test_a_model_that_is_none_is_code_1(raw, run, golf):
    with open("m.naively", "wb") as file:
        file.write(raw)
    code, out, err = run("predict", "m.naively", golf)
    assert (code, out) == (1, "")
    assert "expected a file written by naively.save" in err


def test_a_model_that_is_not_there_is_code_1_with_the_nearest(run, golf, model):
    code, _, err = run("predict", "glof.naively", golf)
    assert code == 1
    assert "did you mean 'golf.naively'?" in err


def test_unseen_values_are_said_once_for_all_batches(run, model):
    with open("t.csv", "w") as file:
        file.write("outlook,temperature,humidity,wind\n")
        file.write("foggy,hot,high,weak\n" * 70_000)
    code, out, err = run("predict", model, "t.csv")
    assert code == 0
    assert len(out.splitlines()) == 70_001
    assert err == (
        "warning: values never seen in training count as no evidence "
        "('outlook': 70,000; 70,000 rows)\n"
    )


def test_impossible_rows_are_left_empty_and_counted(run):
    table = {"x": ["a", "b"], "z": ["c", "d"], "y": ["u", "v"]}
    strict = dict.fromkeys("xz", Categorical(alpha=0))
    save(NaiveBayes(strict).fit(table, "y"), "strict.naively")
    with open("w.csv", "w") as file:
        file.write("x,z\na,d\na,c\n")
    code, out, err = run("predict", "strict.naively", "w.csv")
    assert (code, out) == (0, '"prediction","p_u","p_v","status"\n,,,"impossible"\n"u",1,0,"ok"\n')
    assert err == "warning: 1 rows are impossible under every class: their answers are left empty\n"
    for name in ("out.jsonl", "out.parquet"):
        assert run("predict", "strict.naively", "w.csv", "-o", name)[0] == 0
    empty = {"prediction": None, "p_u": None, "p_v": None, "status": "impossible"}
    assert json.loads(first_line("out.jsonl")) == empty
    assert parquet.read_table("out.parquet").to_pylist()[0] == empty


@pytest.mark.parametrize(
    "labels", [["a,b", 'say "c"'], ["\\", "ø🎲"], [" a", "="], ["p_x", "x"]], ids=str
)
def test_class_labels_of_any_characters_come_out_as_they_are(labels, run):
    with open("t.csv", "w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(
            [["x", "y"], *([i / 2, label] for i, label in enumerate(labels * 3))]
        )
    assert run("fit", "t.csv", "-t", "y", "-o", "m")[0] == 0
    found = Model.load("m").classes.labels
    code, out, _ = run("predict", "m", "t.csv")
    assert code == 0
    assert [*table(out)[0]] == ["prediction", *(f"p_{label}" for label in found), "status"]
    assert {row["prediction"] for row in table(out)} <= set(found)
    run("predict", "m", "t.csv", "-o", "o.jsonl")
    assert [*json.loads(first_line("o.jsonl"))] == [
        "prediction",
        *(f"p_{v}" for v in found),
        "status",
    ]


def test_numbers_as_classes_stay_numbers(run):
    with open("t.csv", "w") as file:
        file.write("x,y\n1.5,0\n2.5,1\n0.5,0\n")
    run("fit", "t.csv", "-t", "y", "-o", "m")
    run("predict", "m", "t.csv", "-o", "o.jsonl")
    assert isinstance(json.loads(first_line("o.jsonl"))["prediction"], int)


# demo


def test_the_demo_learns_and_answers(run):
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    for words in ("column", "accuracy 0.", "log loss 0.", "P(survived) = 0."):
        assert words in out
    assert float(out.partition("log loss ")[2].split()[0]) < 0.55
    assert not os.listdir()
