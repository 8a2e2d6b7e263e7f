"""What was decided: actions, their risks, and where two actions were equally good."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from naively._typing import AnyArray, Flags

__all__ = ["Decided", "chosen"]

EQUAL = 1e-12
"""Risks that differ by less than this share of themselves are equal."""


class _Pair(NamedTuple):
    actions: Any
    risks: Any


class Decided(_Pair):
    """Actions and risks, to be taken apart as two; `ties` says where the choice was free."""

    ties: Any = None

    def __repr__(self) -> str:
        return f"Decided(actions={self.actions!r}, risks={self.risks!r})"


def chosen(risks: AnyArray, labels: AnyArray) -> tuple[AnyArray, AnyArray, Flags]:
    """The action of least risk in every row, the first of equal ones.

    >>> chosen(np.array([[1.0, 1.0], [2.0, 1.0]]), np.array(["a", "b"]))
    (array(['a', 'b'], dtype='<U1'), array([1., 1.]), array([ True, False]))
    """
    least = risks.min(axis=1)
    near = risks <= (least + EQUAL * np.abs(least))[:, None]
    best = near.argmax(axis=1)
    return labels[best], least, near.sum(axis=1) > 1


def single(actions: AnyArray, risks: AnyArray, ties: Flags) -> Decided:
    """A decision about one posterior, without arrays."""
    decided = Decided(actions.tolist()[0], float(risks[0]))
    decided.ties = bool(np.asarray(ties)[0])
    return decided
