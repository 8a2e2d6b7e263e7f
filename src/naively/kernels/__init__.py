"""Every kernel, defined in NumPy: the oracle and the documentation.

A kernel is a loop over cells, and the only place where cells are looped over. The
functions of this package define what each one computes; where the native module is
built, its function of the same name answers instead (`definitions` keeps the ones
written here).

Three rules hold for all of them. A missing cell (NaN, code -1) adds nothing. Codes and
groups are proven in range before anything is counted or looked up: a `ValueError` says
which are not. The answer does not depend on the number of threads.
"""

from __future__ import annotations

from naively.kernels.deciding import best_classes, impossible_rows, log_sum_exp, posterior
from naively.kernels.learning import (
    count_codes,
    group_moments,
    group_sums,
    group_weights,
    sparse_sums,
)
from naively.kernels.reading import (
    any_infinite,
    filled,
    occurring,
    outlines,
    small_codes,
    text_codes,
    view_codes,
)
from naively.kernels.registry import definitions, native
from naively.kernels.scoring import (
    gaussian_scores,
    linear_scores,
    prior_scores,
    sparse_scores,
    table_scores,
)
from naively.kernels.threads import set_threads, threads

__all__ = [
    "any_infinite",
    "best_classes",
    "count_codes",
    "definitions",
    "filled",
    "gaussian_scores",
    "group_moments",
    "group_sums",
    "group_weights",
    "impossible_rows",
    "linear_scores",
    "log_sum_exp",
    "native",
    "occurring",
    "outlines",
    "posterior",
    "prior_scores",
    "set_threads",
    "small_codes",
    "sparse_scores",
    "sparse_sums",
    "table_scores",
    "text_codes",
    "threads",
    "view_codes",
]
