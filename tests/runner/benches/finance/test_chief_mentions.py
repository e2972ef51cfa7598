"""The second source of a chief executive: who bears the title in a filing."""

from __future__ import annotations

import time

import pytest

from runner.benches.finance.chief_mentions import title_places

COMPANY = "Acme Widgets Inc."


def named(markup: str, name: str = "Jane A. Roe") -> bool:
    return any(place.is_named for place in title_places(markup, name, COMPANY))


@pytest.mark.parametrize(
    "text",
    [
        "Jane Roe, Chief Executive Officer",
        "Jane A. Roe is our President and Chief Executive Officer.",
        "Jane Roe has been our Chair, President and Chief Executive Officer since 2019.",
        "our CEO, Jane Roe, said",
        "CEO Jane Roe",
        "Chief Executive Officer Jane Roe",
        "<td>/s/ JANE A. ROE</td><td>Jane A. Roe</td><td>Chairman and Chief Executive Officer</td>",
        "<p>Jane Roe</p><p>(Principal Executive Officer)</p>",
        "<b>Jane</b>&nbsp;<b>Roe</b>, Co-Founder, President, and Chief&#160;Executive Officer",
        "John Old, Executive Chairman, and Jane Roe, our Chief Executive Officer",
    ],
)
def test_the_bearer_of_the_title_is_named(text: str) -> None:
    assert named(f"<p>Some words before. </p>{text}<p>and after</p>")


@pytest.mark.parametrize(
    "text",
    [
        "Jane Roe",
        "Ms. Roe, Chief Executive Officer",
        "Jane told Ms. Roe, Chief Executive Officer",
        "Jane Roe, Chief Financial Officer",
        "Jane Roe, former Chief Executive Officer",
        "Jane Roe served as Chief Executive Officer until March 2026",
        "Jane Roe, our Executive Chair, and John New, our Chief Executive Officer",
        "<td>Jane Roe</td><td>Executive Chair</td><td>John New</td><td>CEO</td>",
        "<td>John New</td><td>Chief Executive Officer</td><td>Jane Roe</td><td>Director</td>",
        "Jane Roe" + " and so on" * 20 + " Chief Executive Officer",
        "<script>Jane Roe, CEO</script>",
        "",
    ],
)
def test_a_name_elsewhere_is_no_bearer(text: str) -> None:
    assert not named(f"<p>Some words before. </p>{text}<p>and after</p>")


@pytest.mark.parametrize(
    ("text", "is_changing", "is_appointment"),
    [
        ("Jane Roe, Chief Executive Officer, opened a plant.", False, False),
        ("Jane Roe, Chief Executive Officer, will retire in May.", True, False),
        ("Jane Roe resigned as Chief Executive Officer.", True, False),
        (
            "The board appointed John B. New Jr. as President and Chief Executive Officer.",
            False,
            True,
        ),
        ("the appointment of John New to be Chief Executive Officer", False, True),
        ("John New succeeds Jane Roe as Chief Executive Officer.", True, False),
        ("The board appointed John New. Jane Roe is Chief Executive Officer.", False, False),
        ("The board appointed John New, Chief Executive Officer of Other Corp.", False, False),
    ],
)
def test_changes_and_appointments_are_seen(
    text: str, is_changing: bool, is_appointment: bool
) -> None:
    (place,) = title_places(text, "Jane Roe", COMPANY)
    assert (place.is_changing, place.is_appointment) == (is_changing, is_appointment)


@pytest.mark.parametrize(
    "unit", ["<", "<p", "&", "CEO ", "appointed as to ", "<script>", "Chief Executive, and "]
)
def test_a_hostile_document_takes_no_longer_than_its_length_allows(unit: str) -> None:
    started = time.process_time()
    title_places(unit * (1_000_000 // len(unit)), "Jane Roe", COMPANY)
    assert time.process_time() - started < 5.0
