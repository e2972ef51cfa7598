"""Paragraphs and sentences of plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.prose import paragraphs, pieces_of, sentences
from runner.benches.needleif.records import BEGIN, END


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("One. Two! Three? Four… Five.", ["One.", "Two!", "Three?", "Four…", "Five."]),
        ("He met Mr. Holt. Then Dr. Ash came.", ["He met Mr. Holt.", "Then Dr. Ash came."]),
        ("J. R. Holt came. He sat.", ["J. R. Holt came.", "He sat."]),
        ("“Go!” She went.", ["“Go!”", "She went."]),
        ('It ended. "Why?" (Nobody knew.) So.', ["It ended.", '"Why?" (Nobody knew.)', "So."]),
        ("About 3.5 miles. 40 men. then none.", ["About 3.5 miles.", "40 men. then none."]),
        ("The Colonel. Mister. Est. Then.", ["The Colonel.", "Mister.", "Est.", "Then."]),
        ("See Vol. II and No. 7. End.", ["See Vol. II and No. 7.", "End."]),
        ("Élan was gone. Être was not.", ["Élan was gone.", "Être was not."]),
        ("no stop at all", ["no stop at all"]),
    ],
)
def test_sentences_end_at_stops_but_not_after_abbreviations(
    paragraph: str, expected: list[str]
) -> None:
    assert list(sentences(paragraph)) == expected


def test_wrapped_lines_are_joined_and_paragraphs_kept() -> None:
    text = "\ufeffA  first\r\nline. \r\n\r\n \t\r\nA\tsecond\rone.\n\n\n\n   \n"
    assert paragraphs(text) == ["A first line.", "A second one."]


@pytest.mark.parametrize("marker", [BEGIN, END])
def test_paragraph_with_a_marker_line_is_left_out(marker: str) -> None:
    assert paragraphs(f"One.\n\nTwo\n{marker}\nthree.\n\nFour.") == ["One.", "Four."]


@given(st.text(alphabet="aB. !?”\"'…\n\r\t1Mr", max_size=200))
def test_pieces_joined_are_the_normalised_text(text: str) -> None:
    whole = paragraphs(text)
    pieces = [piece for paragraph in whole for piece in pieces_of(paragraph)]
    assert "".join(pieces).lstrip() == "\n\n".join(whole)
    assert paragraphs("\n\n".join(whole)) == whole
