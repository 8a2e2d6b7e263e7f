"""scikit-learn's names for what a naive Bayes model has learned, where they mean something."""

from __future__ import annotations

from typing import Any

import numpy as np

from naively._typing import AnyArray, Matrix
from naively.factors import Linear, Quadratic, Table
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
    """log theta: a matrix for counts and coins, a list of matrices for categories."""
    tables: dict[str, Matrix] = {}
    for part in model.parts:
        factor = part.factor
        if isinstance(factor, Linear) and part.term.kind in ("multinomial", "bernoulli"):
            # A coin's eta is its log odds: log theta = eta - log(1 + exp(eta)).
            return factor.weights() - (factor.a if part.term.kind == "bernoulli" else 0.0)
        if isinstance(factor, Table) and part.term.coding is None:
            columns = enumerate(part.term.columns)
            tables |= {name: factor.column(j).T for j, name in columns}
    if not tables:
        raise AttributeError("feature_log_prob_ belongs to counted columns, and there are none")
    return [tables[name] for name in model.schema.names if name in tables]
