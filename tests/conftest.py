"""What the tests share: where tables lie, and how likelihoods are read off a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def examples():
    """The folder of the tables that the repository carries."""
    return ROOT / "examples"


@pytest.fixture(scope="session")
def shared():
    """The folder of public tables beside the repository; tests skip where it is not."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the public tables are not there ({folder})")
    return folder


@pytest.fixture(scope="session")
def log_likelihood():
    """log p(x | c) of a fitted estimator, rows by classes: its log joint without the prior."""

    def of(model, x):
        return model.predict_joint_log_proba(x) - model.class_log_prior_

    return of


@pytest.fixture
def rng():
    return np.random.default_rng(20)
