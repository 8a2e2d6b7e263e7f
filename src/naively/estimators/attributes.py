"""scikit-learn's names for what a naive Bayes model has learned, where they mean something."""

from __future__ import annotations

from typing import Any

import numpy as np

from naively._typing import AnyArray, Matrix
from naively.factors import Linear, Quadratic, Table
from naively.factors.measures import Coin
from naively.models.model import Model

__all__ = ["gaussian", "log_probabilities"]


def gaussian(model: Model) -> tuple[Matrix, AnyArray]:
    """Means and variances of the Gaussian columns in the order of the schema."""
    found: dict[str, tuple[AnyArray, AnyArray]] = {}
    for part in model.parts:
        factor = part.factor
        if isinstance(factor, Quadratic) and part.term.coding is None:
            if factor.full and len(model.parts) == 1:
                return factor.mu, factor.var
            columns = zip(part.term.columns, factor.mu.T, factor.variances().T, strict=True)
            found |= {name: (mu, var) for name, mu, var in columns}
    if not found:
        raise AttributeError("theta_ and var_ belong to Gaussian columns, and there are none")
    ordered = [found[name] for name in model.schema.names if name in found]
    return np.column_stack([mu for mu, _ in ordered]), np.column_stack([v for _, v in ordered])


def log_probabilities(model: Model) -> Any:
    """Log theta: a matrix for counts and for coins, a list of matrices where there are categories.

    In the list a coin is a category with the labels false and true.
    """
    tables: dict[str, Matrix] = {}
    coins: dict[str, Matrix] = {}
    for part in (part for part in model.parts if part.term.coding is None):
        factor, columns = part.factor, tuple(enumerate(part.term.columns))
        if isinstance(factor, Linear) and not part.family.separable:
            return factor.weights()
        if isinstance(factor, Linear) and isinstance(factor.measure, Coin):
            coins |= {name: _coin(factor, j) for j, name in columns}
        if isinstance(factor, Table):
            tables |= {name: factor.column(j).T for j, name in columns}
    if not tables and not coins:
        raise AttributeError("feature_log_prob_ belongs to counted columns, and there are none")
    found = tables | coins
    ordered = [found[name] for name in model.schema.names if name in found]
    return ordered if tables else np.column_stack([table[:, 1] for table in ordered])


def _coin(factor: Linear, j: int) -> Matrix:
    """Log (1 - theta) and log theta of a column, classes by two: eta is the log odds."""
    eta, a = factor.weights()[:, j], factor.a[:, j]
    certain = np.isposinf(eta)
    no, yes = np.where(certain, -np.inf, -a), np.where(certain, 0.0, eta - a)
    return np.column_stack([no, yes])
