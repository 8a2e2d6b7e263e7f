"""Files appear whole or not at all, in each of their formats."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from naively import save
from naively.data.output import WRITERS, beside, write_rows
from naively.engines.one_pass import train
from naively.errors import NotWritten, ParameterError, SourceNotFound

PARTS = [
    {"prediction": np.array(["a,b", 'q"\n']), "p_ø": np.array([0.25, 1 / 3])},
    {
        "prediction": np.ma.array(["x", "y"], mask=[True, False]),
        "p_ø": np.ma.array([0.5, 1e-300], mask=[True, False]),
    },
]
WHOLE = {"prediction": ["a,b", 'q"\n', None, "y"], "p_ø": [0.25, 1 / 3, None, 1e-300]}

READERS = {
    ".csv": lambda path: csv.read_csv(
        path,
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    ).to_pydict(),
    ".parquet": lambda path: parquet.read_table(path).to_pydict(),
    ".jsonl": lambda path: pa.Table.from_pylist(
        [json.loads(line) for line in path.read_text().splitlines()]
    ).to_pydict(),
}
READERS[".ndjson"] = READERS[".jsonl"]


@pytest.fixture
def model():
    return train({"x": [1.5, 2.0, 4.5], "c": ["u", "v", "v"]}, "c")


@pytest.mark.parametrize("ending", WRITERS)
def test_every_format_holds_the_rows_to_the_last_digit(ending, tmp_path):
    path = tmp_path / f"out{ending}"
    write_rows(iter(PARTS), path)
    assert READERS[ending](path) == WHOLE


@pytest.mark.parametrize("ending", [".CSV", ".Parquet"])
def test_endings_may_be_capitals(ending, tmp_path):
    write_rows(PARTS, tmp_path / f"out{ending}")
    assert os.listdir(tmp_path) == [f"out{ending}"]


@pytest.mark.parametrize("name", ["out", "out.xlsx", ".csv", "out.csv.gz"])
def test_another_ending_is_refused(name, tmp_path):
    with pytest.raises(ParameterError, match=r"a name that ends in \.csv, \.parquet"):
        write_rows(PARTS, tmp_path / name)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, MemoryError])
def test_a_failure_in_the_middle_leaves_what_was_there(ending, failure, tmp_path):
    def parts():
        yield PARTS[0]
        raise failure

    path = tmp_path / f"out{ending}"
    for before in (None, b"kept"):
        if before is not None:
            path.write_bytes(before)
        with pytest.raises(failure):
            write_rows(parts(), path)
        assert os.listdir(tmp_path) == ([] if before is None else [path.name])
    assert path.read_bytes() == b"kept"


def test_a_reader_never_sees_half_a_file(tmp_path):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")
    with beside(path) as file:
        file.write(b"half")
        file.flush()
        assert path.read_bytes() == b"old"
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_rows(PARTS[:1], tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith('"prediction"')


def test_a_long_name_is_written(tmp_path):
    write_rows(PARTS, tmp_path / f"{'x' * 251}.csv")
    assert len(os.listdir(tmp_path)) == 1


def test_a_folder_or_device_is_never_replaced(tmp_path, model):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe", "/dev/null"):
        with pytest.raises(
            NotWritten, match="is a folder or a device; expected the name of a file"
        ):
            save(model, place)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_folder_that_is_not_there_is_named(tmp_path, model):
    with pytest.raises(SourceNotFound, match=r"no folder '.*none' to write 'm\.naively' into"):
        save(model, tmp_path / "none" / "m.naively")


def test_a_folder_that_takes_no_files_is_said(model):
    with pytest.raises(NotWritten, match=r"'/proc/m\.naively' cannot be written \(.*\); expected"):
        save(model, "/proc/m.naively")


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000])
def test_a_name_too_long_is_said_in_words(name, tmp_path, model):
    with pytest.raises((NotWritten, SourceNotFound), match=r"File name too long|no folder"):
        save(model, tmp_path / name)
    assert not os.listdir(tmp_path)


FULL = """
import resource, sys, os
from pathlib import Path
import numpy as np
from naively import save, errors
from naively.data.output import write_rows
from naively.engines.one_pass import train
model = train({f"x{j}": [1.5, 2.0, 4.5] for j in range(300)}, np.array(["u", "v", "v"]))
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
rows = ({"p": np.random.default_rng(i).random(3000)} for i in range(20))
os.chdir(sys.argv[1])
for write in (lambda: save(model, "m.naively"), lambda: write_rows(rows, Path(sys.argv[2]))):
    try:
        write()
    except errors.NotWritten as error:
        print(error)
"""


@pytest.mark.parametrize("ending", WRITERS)
def test_a_full_disk_leaves_what_was_there(ending, tmp_path):
    """A limit on the size of files stands for the disk: writing fails in the middle."""
    for name in ("m.naively", f"out{ending}"):
        (tmp_path / name).write_text("kept")
    command = [sys.executable, "-c", FULL, str(tmp_path), f"out{ending}"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert [line.split(" (")[0] for line in run.stdout.splitlines()] == [
        "'m.naively' cannot be written",
        f"'out{ending}' cannot be written",
    ], run.stderr
    assert run.stderr == ""
    assert sorted(os.listdir(tmp_path)) == sorted(["m.naively", f"out{ending}"])
    assert {(tmp_path / name).read_text() for name in os.listdir(tmp_path)} == {"kept"}


def test_a_new_file_has_the_rights_of_other_new_files(tmp_path, monkeypatch):
    def refuse(mask):
        raise AssertionError("the mask belongs to all threads")

    (tmp_path / "plain").write_text("")
    monkeypatch.setattr("os.umask", refuse)
    write_rows([{"a": [1]}], tmp_path / "new.csv")
    assert (tmp_path / "new.csv").stat().st_mode == (tmp_path / "plain").stat().st_mode
