"""A unit of measurement is no evidence: multiplying a column changes no posterior."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naively.errors import DataError
from naively.families import FAMILIES, Histogram, Inflated, Kernel

from .tables import MEMBERS, each, fitted, law, same_numbers, tables

equivariant = [
    family
    for family in MEMBERS
    if family.scale_equivariant and getattr(family, "bandwidth", None) is None
]
BINARY = [2.0**-20, 0.5, 2.0**30]
UNITS = [1e-9, 0.001, 0.3048, 1000.0, 1e12]
EXTREME = [1e-300, 1e-200, 2.0**-520, 1e-140, 1e140, 2.0**520, 1e200, 1e300]


def times(table, unit):
    """Every cell in another unit."""
    scaled = {n: [None if v is None else v * unit for v in c] for n, c in table.cells.items()}
    return replace(table, cells=scaled)


@law
@each(equivariant)
@given(data=st.data())
def test_a_unit_changes_no_posterior(family, data):
    table = data.draw(tables(family))
    # Rounding may carry a cell that lies on an edge into the next bin, but not by binary units.
    units = BINARY if isinstance(family, Histogram) else [*BINARY, *UNITS]
    scaled = times(table, data.draw(st.sampled_from(units)))
    a, b = fitted(table, family), fitted(scaled, family)
    same_numbers(a.posterior(table.cells), b.posterior(scaled.cells), 1e-8)


@law
@each(equivariant)
@given(data=st.data())
def test_an_extreme_unit_changes_no_posterior_or_is_refused_in_words(family, data):
    table = data.draw(tables(family))
    scaled = times(table, data.draw(st.sampled_from(EXTREME)))
    answers = fitted(table, family).posterior(table.cells)
    found = posterior_or_refusal(scaled, family)
    if found is not None and not isinstance(family, Histogram):  # edges are rounded by units
        same_numbers(answers, found, 1e-8)


def posterior_or_refusal(table, family):
    """The posterior, or None where the numbers were refused with advice on their unit."""
    try:
        return fitted(table, family).posterior(table.cells)
    except DataError as refusal:
        if not refusal.fix.startswith("measure it in a"):
            raise
    return None


@pytest.mark.parametrize("cut", ["width", "frequency"])
@given(data=st.data())
@law
def test_the_edges_of_bins_scale_with_the_column(cut, data):
    family = Histogram(bins=4, cut=cut)
    table = data.draw(tables(family, columns=1))
    unit = data.draw(st.sampled_from(UNITS))
    edges = fitted(table, family).schema["x0"].family.edges
    scaled = fitted(times(table, unit), family).schema["x0"].family.edges
    if len(set(table.cells["x0"]) - {None}) > 1:
        same_numbers([edge * unit for edge in edges], scaled)


def test_the_families_that_scale_are_known():
    assert {name for name, family in FAMILIES.items() if family.scale_equivariant} >= {
        "exponential",
        "gaussian",
        "histogram",
        "kernel",
        "lognormal",
    }
    assert not Inflated.scale_equivariant
    assert Kernel in map(type, equivariant)
