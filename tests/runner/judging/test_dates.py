"""Every vendor's date form as one ISO date."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.judging.dates import iso_date

NOW = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, None),
        ("", None),
        ("2026-11-02", "2026-11-02"),
        ("2026-10-01T00:00:00.000Z", "2026-10-01"),
        ("2026-06-30T00:00:00", "2026-06-30"),
        ("2026-11-14T23:30:00-05:00", "2026-11-15"),
        ("2026-11-15T00:30:00+02:00", "2026-11-14"),
        ("2026-07-01 12:00", "2026-07-01"),
        ("2026/7/1", "2026-07-01"),
        ("Mar 3, 2026", "2026-03-03"),
        ("March 3 2026", "2026-03-03"),
        ("Sept. 9, 2026", "2026-09-09"),
        ("3 March 2026", "2026-03-03"),
        ("3rd Mar 2026", "2026-03-03"),
        ("Monday, March 02, 2026", "2026-03-02"),
        ("October 3, 2026", "2026-10-03"),
        ("Tue, 03 Nov 2026 23:41:00 -0500", "2026-11-04"),
        ("Tue, 03 Nov 2026 13:41:00 GMT", "2026-11-03"),
        ("2 days ago", "2026-11-13"),
        ("1 day ago", "2026-11-14"),
        ("a week ago", "2026-11-08"),
        ("3 hours ago", "2026-11-15"),
        ("11 hours ago", "2026-11-14"),
        ("5 mins ago", "2026-11-15"),
        ("8 months ago", "2026-03-20"),
        ("2 years ago", "2024-11-15"),
        ("yesterday", "2026-11-14"),
        ("Just now", "2026-11-15"),
        ("today", "2026-11-15"),
        ("03/04/2026", None),
        ("2026", None),
        ("2026-13-01", None),
        ("2026-02-30", None),
        ("soon", None),
        ("9999 years ago", None),
        ("Smarch 3, 2026", None),
        ("Mon, 99 Foo 2026 10:00:00 GMT", None),
        ("2026-11-15T99:00:00Z", None),
    ],
)
def test_a_vendors_date_becomes_an_iso_date(raw: str | None, expected: str | None) -> None:
    assert iso_date(raw, NOW) == expected


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(raw: str) -> None:
    found = iso_date(raw, NOW)
    assert found is None or datetime.fromisoformat(found)


@given(st.dates(min_value=datetime(1990, 1, 1).date(), max_value=datetime(2030, 1, 1).date()))
def test_all_forms_of_one_date_agree(day: object) -> None:
    forms = ("%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%A, %B %d, %Y", "%Y-%m-%dT10:00:00Z")
    assert {iso_date(f"{day:{form}}", NOW) for form in forms} == {f"{day}"}
