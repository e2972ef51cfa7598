"""Paths of the charts as a browser reads them."""

from __future__ import annotations

import pytest

from sitebuilder.svg import _path


@pytest.mark.parametrize(
    ("drawn", "moved"),
    [
        ("M0,0L10,5", "M1 2l10 5"),
        ("M0,0L-1.42e-14,-48.98", "M1 2l0-49"),
        ("M0,0L7e-3,4", "M1 2l0 4"),
    ],
)
def test_a_line_to_a_place_next_to_zero_keeps_both_its_numbers(drawn: str, moved: str) -> None:
    assert _path(drawn, 1, 2) == moved
