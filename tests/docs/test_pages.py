"""Every Python block of every page runs, in order, from the root of the repository."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for block in BLOCK.findall(page.read_text()):
            exec(compile(block, str(page), "exec"), names)
    assert "Traceback" not in names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_the_page_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_table_of_families_names_every_family():
    from naively.families import FAMILIES

    readme = (ROOT / "README.md").read_text()
    assert [name for name in FAMILIES if f"`{name}`" not in readme] == []
