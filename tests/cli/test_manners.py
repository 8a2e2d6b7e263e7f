"""The command among other commands: pipes, signals, closed and full outputs, and a quick start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from naively import save
from naively.engines.one_pass import train

NAIVELY = [sys.executable, "-m", "naively.cli"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, and a table that takes longer to answer than a pipe holds."""
    place = tmp_path_factory.mktemp("manners")
    save(
        train({"x": [0.5, 1.5, 3.5], "z": ["a", "b", "a"], "y": ["u", "v", "v"]}, "y"), place / "m"
    )
    with open(place / "small.csv", "w") as file:
        file.write("x,z\n1.5,a\n")
    with open(place / "long.csv", "w") as file:
        file.write("x,z\n")
        file.writelines(f"{i / 8},a\n" for i in range(200_000))
    return place


def naively(folder, *args, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.run([*NAIVELY, *args], cwd=folder, timeout=60, **options)


def shell(folder, line):
    program = " ".join(f"'{part}'" for part in NAIVELY)
    script = f'naively() {{ {program} "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_a_reader_that_leaves_early_is_no_error(folder):
    run = shell(folder, "naively predict m long.csv | head -1")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == '"prediction","p_u","p_v","status"\n'


@pytest.mark.parametrize("line", ["predict m long.csv", "demo", "--help"])
def test_an_answer_that_nobody_reads_to_its_end_is_done(line, folder):
    for reader in ("head -1", "true"):
        run = shell(folder, f"naively {line} | {reader}; exit ${{PIPESTATUS[0]}}")
        assert (run.returncode, run.stderr) == (0, "")


def test_nobody_at_the_other_end_is_no_traceback(folder):
    for line in (
        "naively --help | true",
        "naively predict m small.csv | true",
        "naively fit long.csv -t z -o n --force | true",
    ):
        said = shell(folder, line).stderr
        assert "Traceback" not in said
        assert "Exception" not in said


@pytest.mark.parametrize("line", ["naively predict m small.csv", "naively --version"])
def test_a_full_output_is_code_1_in_words(folder, line):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    run = shell(folder, f"{line} > /dev/full")
    assert run.returncode == 1
    assert run.stderr.splitlines() == ["error: standard output: No space left on device"]


def test_a_closed_output_is_code_1_in_words(folder):
    run = shell(folder, "naively predict m small.csv >&-")
    assert run.returncode == 1
    assert run.stderr.startswith("error: standard output is closed; expected")


def test_a_closed_error_channel_changes_no_answer(folder):
    run = shell(folder, "naively predict m small.csv 2>&-")
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, '"prediction","p_u","p_v","status"')


@pytest.mark.parametrize("verb", ["predict", "fit"])
def test_an_interrupt_is_code_130_and_leaves_nothing(verb, folder, tmp_path):
    """The reading takes its time, so the verb is interrupted while it reads."""
    (tmp_path / "t.csv").write_text("x,z,y\n1.5,a,u\n")
    (tmp_path / "m").symlink_to(folder / "m")
    args = (
        ["predict", "m", "t.csv", "-o", "out.csv"]
        if verb == "predict"
        else ["fit", "t.csv", "-t", "y", "-o", "out.naively"]
    )
    program = (
        "import sys, time\n"
        "from naively.engines import local, one_pass\n"
        "def slow(*_, **__):\n"
        "    print('reading', file=sys.stderr, flush=True)\n"
        "    time.sleep(30)\n"
        "    yield\n"
        "local.batches_of = slow\n"
        "one_pass.train = lambda *_, **__: next(slow())\n"
        "from naively.cli import main\n"
        "main()\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", program, *args], cwd=tmp_path, text=True, stderr=subprocess.PIPE
    )
    assert run.stderr.readline() == "reading\n"
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=30)[1]
    assert run.returncode == 130
    assert said.split() == ["interrupted"]
    assert sorted(os.listdir(tmp_path)) == ["m", "t.csv"]


def _size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:  # it was renamed meanwhile
        return 0


def test_an_interrupt_in_the_middle_of_an_answer_leaves_nothing(folder, tmp_path):
    out = tmp_path / "out.csv"
    for wait in (0.0, 0.01, 0.03, 0.06):
        run = subprocess.Popen(
            [*NAIVELY, "predict", "m", "long.csv", "-o", str(out), "--force"],
            cwd=folder,
            text=True,
            stderr=subprocess.PIPE,
        )
        while run.poll() is None and not any(_size(one) for one in tmp_path.glob(".naively-*")):
            time.sleep(0.002)
        time.sleep(wait)
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=30)[1]
        # It may have ended before; Python may pass the signal on, which a shell calls 130 too.
        assert (run.returncode, said.strip()) in (
            (130, "interrupted"),
            (-signal.SIGINT, "interrupted"),
            (-signal.SIGINT, ""),
            (0, ""),
        )
        assert os.listdir(tmp_path) in ([], ["out.csv"])
        if out.exists():
            assert len(out.read_text().splitlines()) == 200_001
            out.unlink()


@pytest.mark.parametrize("failure", ["RuntimeError('Query interrupted')", "KeyboardInterrupt"])
def test_a_library_that_turns_an_interrupt_into_its_own_error_is_seen_through(failure, folder):
    program = (
        "import os, signal\n"
        "from naively.engines import local\n"
        "def swallowing(*_):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        f"        raise {failure} from None\n"
        "local.answers = swallowing\n"
        "from naively.cli import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", program, "predict", "m", "small.csv"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr.strip()) == (130, "", "interrupted")


def modules_after(folder, *args):
    program = (
        "import json, sys\nfrom naively.cli import main\n"
        "try:\n    main()\nfinally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", program, *args]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0
    return set(json.loads(run.stderr.splitlines()[-1]))


HEAVY = {"sklearn", "scipy", "pandas", "polars", "matplotlib", "rich"}


@pytest.mark.parametrize(
    "args", [["--help"], ["--version"], ["fit", "--help"], ["predict", "--help"]]
)
def test_help_loads_nothing_heavy(args, folder):
    found = modules_after(folder, *args)
    assert not found & (HEAVY | {"numpy", "pyarrow", "duckdb", "msgspec"})
    assert "naively.cli" in found


def test_predict_loads_neither_scikit_learn_nor_pandas(folder):
    assert not modules_after(folder, "predict", "m", "small.csv") & HEAVY


def test_fit_loads_neither_scikit_learn_nor_pandas(folder):
    args = ["fit", "small.csv", "-t", "z", "-o", "one", "--force"]
    assert not modules_after(folder, *args) & HEAVY


def test_python_m_is_the_same_command(folder):
    assert naively(folder, "--version").stdout.startswith("naively ")
