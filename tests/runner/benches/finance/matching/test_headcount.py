"""Numbers of employees: accept and reject side by side, then what holds of all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.finance.matching.headcount import matcher
from runner.benches.finance.matching.question import Evidence, Question


def via(gold: float, text: str, *aliases: float) -> str | None:
    return matcher(Question("employees", (gold, *aliases)))(Evidence("https://example.com/", text))


FORTY_WORDS = " ".join(["word"] * 40)

CASES = [
    # Every example of the specification.
    (17000, "about 17,000 employees", True),
    (17000, "17.5k staff", True),
    (17000, "employs 14,500", True),
    (17000, "14,400 employees", False),
    (17000, "$17,000 bonus for employees", False),
    (17000, "17,000 stores", False),
    (17000, "salary: 17,000 USD; our employees love it", False),
    (17000, "17,000 dollars for each of its employees", False),
    (17000, "17,000 U.S. dollars for each of its employees", False),
    (17000, "17,000 US employees", True),
    (2000, "staff since 2024", False),
    (2000, "2,024 employees", True),
    (100, "100% of employees", False),
    (150000, "headcount 150 thousand", True),
    (17000, f"employees {FORTY_WORDS} ZIP 17250", False),
    (17000, "employees; zip 17250", False),
    # The band.
    (17000, "19,550 employees", True),
    (17000, "19,551 employees", False),
    (17000, "14,450 employees", True),
    (17000, "14,449 employees", False),
    (100, "85 employees", True),
    (100, "84 employees", False),
    (1000, "999 employees", True),
    (1000, "1,001 employees", True),
    # Ways to write it.
    (17000, "17000 employees", True),
    (17000, "17K employees", True),
    (17000, "17,000+ employees", True),
    (17000, "~17,000 employees", True),
    (17000, "17,000 full-time employees", True),
    (17000, "17,000 full-time and 2,000 part-time employees", True),
    (17000, "17,000 people work there; its workforce is growing", True),
    (17000, "Employees: 17,000", True),
    (17000, "Employees 17,000 (2025)", True),
    (17000, "Employees | 17,000", True),
    (17000, "Number of employees\n17,000", True),
    (17000, "Number of employees 17,000[3]", True),
    (17000, "Number of employees (17,000)", True),
    (17000, "17\u202f000 employees", True),
    (17000, "a workforce of 17,000", True),
    (17000, "a staff of 17,000", True),
    (17000, "EMPLOYEES: 17,000", True),
    (17000, "17,000-strong workforce", True),
    (17000, "a 17,000-employee company", True),
    (2_100_000, "2.1 million employees", True),
    (2_100_000, "2.1M employees", True),
    (2_100_000, "2,100,000 employees", True),
    (17000, "between 16,000 and 18,000 employees", True),
    (17000, "10,001-20,000 employees", False),
    # Other numbers.
    (17, "17 employees", True),
    (17000, "17 employees", False),
    (17_000_000, "17 employees", False),
    (17000, "17.0 percent of employees", False),
    (17000, "€17,000 for each of the employees", False),
    (17000, "17,000 euros a year per employee", False),
    (17000, "USD 17,000 per employee", False),
    (17000, "17,000 customers and 40 employees", False),
    (17000, "employees own 17,000 shares", False),
    (17000, "employees in 17,000 locations", False),
    (17000, "employees number -17,000", False),
    (17000, "17,000 people", False),  # no cue
    (17000, "17,000", False),
    (2000, "2024 employees", False),  # a year, as far as anyone can tell
    (2000, "in 2024, employees", False),
    (17000, "employees, tel. 555-17000", False),
    (17000, "employees at Box 17000", False),
    (17000, "employees in Erie, PA 17001", False),
    (17000, "employees (CIK 0000017000)", False),
    (17000, f"17,000 {FORTY_WORDS} employees", False),
    (17000, "17,000 " + " ".join(["word"] * 18) + " employees", True),
    (30, "(in millions) June 30, employees", False),
    (17000, "misemployees 17,000", False),
    (17000, "unstaffed 17,000", False),
    (17000, "", False),
]


@pytest.mark.parametrize(("gold", "text", "expected"), CASES)
def test_a_text_states_a_head_count_or_does_not(gold: float, text: str, expected: bool) -> None:
    assert (via(gold, text) is not None) is expected


def test_a_hit_says_how() -> None:
    assert via(17000, "17,000 employees") == "text:figure"


def test_any_alias_may_match() -> None:
    assert via(500, "17,000 employees", 17000) == "text:figure"


COUNTS = st.integers(1, 3_000_000).filter(lambda count: not 1300 <= count <= 2500)
FORMS = st.sampled_from(
    ("{:,} employees", "Employees: {:,}", "employs {}", "a workforce of {:,}", "staff {}")
)


@given(COUNTS, FORMS)
def test_a_count_written_out_is_always_found(count: int, form: str) -> None:
    assert via(count, form.format(count)) == "text:figure"


@given(COUNTS, FORMS, st.sampled_from((0.5, 0.8, 0.849, 1.151, 1.3, 3.0)))
def test_a_count_outside_the_band_is_never_found(count: int, form: str, factor: float) -> None:
    other = round(count * factor)
    if abs(other - count) > 0.15 * count:
        assert via(count, form.format(other)) is None
