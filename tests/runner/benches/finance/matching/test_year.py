"""Years: the accept and reject examples of the specification, and snippets as they come."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching.question import Evidence, Question
from runner.benches.finance.matching.year import CUE_REACH, matcher


def find(gold: str | int | tuple[str, ...], text: str, field: str = "founded_year") -> str | None:
    values = gold if isinstance(gold, tuple) else (gold,)
    return matcher(Question(field=field, values=values))(Evidence("https://x.test/", text))


FAR = "word " * 40
SPECIFIED = [
    ("1987", "founded in 1987", True),
    ("1987", "since 1987", True),
    ("1987", "established 1987–88", True),
    ("1987", "(est. 1987)", True),
    ("1987", "sales peaked in 1987", False),
    ("1987", "founded in 1978", False),
    ("1987", "founded, id 19875", False),
    ("1987", "founded with $1,987", False),
    ("1987", "founded 38 years ago", False),
    ("1987", "founded in '87", False),
    ("1987", f"incorporated {FAR}1987", False),
    ("1987", f"1987 {FAR}incorporated", False),
    ("987", "founded in 987", False),
    ("1000", "founded in 1000", True),
    ("2099", "founded in 2099", True),
    ("2100", "founded in 2100", False),
    ("0999", "founded in 0999", False),
]
SNIPPETS = [
    ("1976", "Apple Computer was founded on April 1, 1976, by Steve Jobs", True),
    ("1976", "Founded: April 1, 1976; 49 years ago (1976-04-01)", True),
    ("1976", "Founded\t1976", True),
    ("1976", "Founded | 1976", True),
    ("1976", "| Founded | **1976** |", True),
    ("1976", "<b>1976</b> was the year it was founded", True),
    ("1976", "Founded 01.04.1976", True),
    ("1976", "Founded 1976.04.01", True),
    ("1976", "Founded 01/04/1976", True),
    ("1976", "Founded 1976-04-01", True),
    ("1976", "Founded in 1976²", True),
    ("1976", "Founded in 1976[3]", True),
    ("1976", "Founded in １９７６", True),
    ("1976", "FOUNDED 1976", True),
    ("1976", "Founded,1976", True),
    ("1976", "founded (1976)", True),
    ("1976", "started up in 1976", True),
    ("1976", "began operations in 1976.", True),
    ("1976", "its founding in 1976/77", True),
    ("1976", "incorporated in Delaware in 1976", True),
    ("1976", "co-founded in 1976", True),
    ("1976", "founded 1976–2020", True),
    ("1976", "born in 1976", False),
    ("1976", "foundation of 1976", False),
    ("1976", "founder, 1976", False),
    ("1976", "founded in 1975", False),
    ("1976", "founded; phone 212-555-1976", False),
    ("1976", "founded; 555-1976", False),
    ("1976", "founded with 1976% growth", False),
    ("1976", "founded with €1976", False),
    ("1976", "founded with $ 1976", False),
    ("1976", "founded with 1976.5 acres", False),
    ("1976", "founded, 3.1976 per cent", False),
    ("1976", "founded, 1976,500 shares", False),
    ("1976", "founded, rank #1976", False),
    ("1976", "founded, FY1976", False),
    ("1976", "founded, 1976s", False),
    ("1976", "founded, A1976", False),
    ("1976", "", False),
    (1976, "founded in 1976", True),
    ("1976-04-01", "founded in 1976", True),
    ("+1976-04-01T00:00:00Z", "founded in 1976", True),
    ("c. 1976", "founded in 1976", False),
    ("19760401", "founded in 1976", False),
    (("1976", "1977"), "incorporated January 3, 1977", True),
    (("1976", "1977"), "incorporated January 3, 1978", False),
]
CEO_SINCE = [
    ("2014", "became CEO on February 4, 2014", True),
    ("2014", "CEO since 2014", True),
    ("2014", "was appointed in 2014", True),
    ("2014", "took over in 2014", True),
    ("2014", "was named CEO in 2014", True),
    ("2014", "succeeded Ballmer (2014)", True),
    ("2014", "took the bus over in 2014", False),
    ("2014", "founded in 2014", False),
    ("2014", "CEO, 2014 annual report", False),
]


@pytest.mark.parametrize(("gold", "text", "is_hit"), SPECIFIED + SNIPPETS)
def test_a_founding_year_counts_near_its_cue(
    gold: str | int | tuple[str, ...], text: str, is_hit: bool
) -> None:
    assert (find(gold, text) is not None) is is_hit


@pytest.mark.parametrize(("gold", "text", "is_hit"), CEO_SINCE)
def test_a_year_in_office_has_its_own_cues(gold: str, text: str, is_hit: bool) -> None:
    assert (find(gold, text, "ceo_since") is not None) is is_hit


@pytest.mark.parametrize("distance", range(1, 40))
def test_a_cue_reaches_twenty_words_and_no_further(distance: int) -> None:
    between = "word " * (distance - 1)
    assert (find("1987", f"founded {between}1987") is not None) is (distance <= CUE_REACH)
    assert (find("1987", f"1987 {between}founded") is not None) is (distance <= CUE_REACH)


def test_articles_are_no_words_between() -> None:
    assert find("1987", "founded " + "the " * 60 + "1987")


YEARS = st.integers(1000, 2099)
CUES = st.sampled_from(FIELDS["founded_year"].cues)
FORMS = st.sampled_from(
    ["{}", "({})", "{}.", "May 4, {}", "{}-05-04", "04.05.{}", "{}–99", "<b>{}</b>", "“{}”", "{},"]
)


@settings(deadline=None)
@given(YEARS, CUES, FORMS, st.integers(0, 12), st.booleans())
def test_a_year_in_every_supported_form_is_found(
    year: int, cue: str, form: str, distance: int, is_first: bool
) -> None:
    written, between = form.format(year), " word" * distance + " "
    text = f"{written}{between}{cue}" if is_first else f"{cue.upper()}{between}{written}"
    assert find(str(year), text)


@settings(deadline=None)
@given(YEARS, st.integers(0, 3), st.integers(0, 9), CUES, FORMS)
def test_another_digit_is_another_year(
    year: int, place: int, digit: int, cue: str, form: str
) -> None:
    """No exceptions: one digit changed is no match."""
    digits = list(str(year))
    assume(digits[place] != str(digit))
    digits[place] = str(digit)
    assert find(str(year), f"{cue} {form.format(''.join(digits))}") is None


@settings(deadline=None)
@given(YEARS, st.sampled_from("0123456789"), CUES, st.booleans())
def test_a_longer_number_is_no_year(year: int, digit: str, cue: str, is_first: bool) -> None:
    number = f"{digit}{year}" if is_first else f"{year}{digit}"
    assert find(str(year), f"{cue} in {number}") is None


@pytest.mark.parametrize(
    ("text", "is_hit"),
    [
        ("Chief Executive Officer; Incumbent; Assumed office February 4, 2014", True),
        ("In office 2014 to present", True),
        ("was elected CEO in 2014", True),
        ("promoted to chief executive in 2014", True),
        ("hired as CEO in 2014", True),
        ("born in 2014", False),
        ("revenue of 2014 exceeded", False),
    ],
)
def test_how_pages_say_since_when_somebody_leads(text: str, is_hit: bool) -> None:
    assert (find("2014", text, "ceo_since") is not None) is is_hit
