"""The contract of a factor."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from naively._typing import Indices, Matrix, Vector
from naively.data.column import Block

__all__ = ["Factor"]


class Factor(Protocol):
    """log p(x | group) for a block of columns, in two parts.

    `score` is what differs between groups; `log_measure` is what does not, and so never
    changes a posterior.
    """

    @property
    def n_groups(self) -> int: ...

    def score(self, block: Block, out: Matrix) -> None:
        """Add to out[i, g] the part of log p(x_i | g) that depends on g."""
        ...

    def log_measure(self, block: Block) -> Vector | float:
        """The rest of log p(x_i | g), a number per row."""
        ...

    def sample(self, group: Indices, rng: np.random.Generator) -> Block:
        """A drawn row for each entry of `group`."""
        ...
