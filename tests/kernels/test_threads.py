"""How many threads: a whole number that makes sense."""

from __future__ import annotations

import numpy as np
import pytest

from naively import kernels, set_threads
from naively.errors import ParameterError


@pytest.mark.parametrize("n", [0, -1, 2.7, "2", 10**9, float("nan"), [2]])
def test_what_is_no_number_of_threads_is_refused(n):
    before = kernels.threads()
    with pytest.raises(ParameterError, match=r"threads; expected a whole number from 1 to 1,024"):
        set_threads(n)
    assert kernels.threads() == before


@pytest.mark.skipif(kernels.native is None, reason="the native module is not built")
def test_any_whole_number_will_do():
    before = kernels.threads()
    set_threads(np.int64(3))
    assert kernels.threads() == 3
    set_threads(before)
