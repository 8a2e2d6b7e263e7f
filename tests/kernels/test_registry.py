"""The native module: used where it is there, and a damaged one is not passed over."""

from __future__ import annotations

import sys

import pytest

from naively.errors import NaivelyWarning
from naively.kernels.registry import loaded


def test_a_module_that_is_not_built_is_not_missed(recwarn):
    assert loaded("naively._not_built") is None
    assert not recwarn.list


@pytest.mark.parametrize("body", ["raise ImportError('no symbol')", "import not_there_at_all"])
def test_a_damaged_module_is_said_to_be(body, tmp_path, monkeypatch):
    (tmp_path / "damaged_module.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "damaged_module", raising=False)
    with pytest.warns(NaivelyWarning, match=r"damaged_module is there and cannot be loaded"):
        assert loaded("damaged_module") is None


def test_a_file_that_is_no_library_is_said_to_be(tmp_path, monkeypatch):
    from importlib.machinery import EXTENSION_SUFFIXES

    (tmp_path / f"cut_short{EXTENSION_SUFFIXES[-1]}").write_bytes(b"\x7fELF")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(NaivelyWarning, match="install naively again"):
        assert loaded("cut_short") is None
