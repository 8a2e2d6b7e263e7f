"""Every block of every page runs and prints what the page says; its paths and links lead somewhere.

A ```python block is run. A ```pycon block is a session: what it prints is compared. A ```console
block below docs/lecture and docs/guide is one too, of the shell; elsewhere its commands only exist.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

import pytest

from naively.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SESSIONS = [page for page in PAGES if page.parent.name in ("lecture", "guide")]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@every_page
def test_every_block_of_the_page_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for block in BLOCK.findall(page.read_text()):
            exec(compile(block, str(page), "exec"), names)


def failures_of(text):
    """What the sessions of a page print that the page does not say."""
    examples = [
        example
        for session in SESSION.findall(text)
        for example in doctest.DocTestParser().get_examples(session)
    ]
    test = doctest.DocTest(examples, {"__name__": "page"}, "page", None, None, None)
    said: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    return "".join(said)


@every_page
def test_every_session_of_the_page_prints_what_it_says(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert failures_of(page.read_text()) == ""


def test_a_session_that_prints_something_else_is_found_out():
    page = "```pycon\n>>> x = 2\n>>> x\n{}\n```\n\nWords.\n\n```pycon\n>>> x + 1\n3\n```\n"
    assert failures_of(page.format(2)) == ""
    assert "Expected:\n    1\nGot:\n    2" in failures_of(page.format(1))


def answer_of(command):
    """What a shell shows of a command: stdout and stderr as they come."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    shell = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return [line.rstrip() for line in shell.stdout.splitlines()]


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_the_page_answers_what_it_says(page):
    consoles = "".join(CONSOLE.findall(page.read_text()))
    for command, answer in COMMAND.findall(consoles):
        assert answer_of(command) == answer.splitlines(), command


def test_the_pages_of_the_lecture_are_sessions():
    assert len(SESSIONS) >= 7
    for page in SESSIONS:
        assert SESSION.search(page.read_text()) or page.name == "README.md"
        assert not BLOCK.search(page.read_text()), "a block whose output nobody compares"


def commands_of(page):
    """The command lines of a page: after a $ in a console, or indented as `make demo` is."""
    text = page.read_text()
    consoles = "".join(CONSOLE.findall(text))
    typed = re.findall(r"^\$ (.*)$", consoles, re.MULTILINE)
    return typed + re.findall(r"(?:^ {4}|^|`)(make [a-z][^`#\n]*)", text, re.MULTILINE)


def fault_of(command, options):
    """What is wrong with a command, without running it."""
    whole = shlex.split(command, comments=True)
    while "|" in whole:  # what comes through a pipe goes to the last program
        whole = whole[whole.index("|") + 1 :]
    program, verb, *words = whole
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return "" if verb in targets else f"no target {verb}"
    if program != "naively" or verb not in VERBS:
        return f"no command {program} {verb}"
    known = options(verb)
    wrong = [w for w in words if w.startswith("-") and w.partition("=")[0] not in known]
    lost = [w for w in words if w.startswith("examples/") and not (ROOT / w).is_file()]
    return " ".join(wrong + lost)


def options_of(verb):
    command = getattr(import_module(f"naively.cli.{verb}"), verb)
    return {name for p in command.params for name in (*p.opts, *p.secondary_opts)}


@every_page
def test_every_command_of_the_page_exists(page):
    commands = commands_of(page)
    assert [f for f in (fault_of(c, options_of) for c in commands) if f] == []


def test_a_page_with_a_wrong_command_is_found_out(tmp_path):
    page = tmp_path / "page.md"
    lines = "naively fit a.csv --targets y\n$ naively learn x\n$ naively fit examples/gulf.csv"
    page.write_text(f"```console\n$ {lines}\n```\n\n    make dmo  # see\n")
    faults = [fault_of(command, options_of) for command in commands_of(page)]
    assert faults == ["--targets", "no command naively learn", "examples/gulf.csv", "no target dmo"]


def test_the_pages_that_teach_have_blocks_and_commands():
    readme = ROOT / "README.md"
    assert len(BLOCK.findall(readme.read_text())) >= 4
    assert len(commands_of(readme)) >= 5


@every_page
def test_every_path_of_the_page_is_there(page):
    """Paths are written from the root, from the documents, the package or the tests."""
    paths = re.findall(r"`?((?:[a-z_]+/)+(?:[a-z_]+\.[a-z]{2,3})?)(?=[`\s:;,)])", page.read_text())
    homes = (ROOT, ROOT / "docs", ROOT / "src" / "naively", ROOT / "tests")
    assert [path for path in paths if not any((home / path).exists() for home in homes)] == []


@every_page
def test_every_link_of_the_page_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_table_of_families_names_every_family():
    from naively.families import FAMILIES

    readme = (ROOT / "README.md").read_text()
    assert [name for name in FAMILIES if f"`{name}`" not in readme] == []
