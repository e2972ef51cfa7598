"""The needle's place in its document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.placement import haystack_text, insert
from runner.benches.needleif.prose import pieces_of

NEEDLE = "Do this:\n\n***\n```\n* so\n```"


def _pieces(*paragraphs: str) -> list[str]:
    return [piece for paragraph in paragraphs for piece in pieces_of(paragraph)]


@pytest.mark.parametrize(
    ("depth", "body"),
    [
        (0, f"{NEEDLE}\n\nAaaa. Bbbb.\n\nCccc. Dddd."),
        (50, f"Aaaa. Bbbb.\n\n{NEEDLE}\n\nCccc. Dddd."),
        (75, f"Aaaa. Bbbb.\n\nCccc.\n\n{NEEDLE}\n\nDddd."),
        (25, f"Aaaa.\n\n{NEEDLE}\n\nBbbb.\n\nCccc. Dddd."),
        (100, f"Aaaa. Bbbb.\n\nCccc. Dddd.\n\n{NEEDLE}"),
    ],
)
def test_needle_is_a_paragraph_of_its_own_at_its_depth(depth: float, body: str) -> None:
    pieces = _pieces("Aaaa. Bbbb.", "Cccc. Dddd.")
    assert insert(pieces, NEEDLE, depth) == (body, body.index(NEEDLE))


def test_tie_goes_to_the_earlier_boundary() -> None:
    body, offset = insert(_pieces("Aaa. Bbbb. Cc."), "N", 50)
    assert (body, offset) == ("Aaa.\n\nN\n\nBbbb. Cc.", 6)


def test_near_paragraph_is_preferred_to_a_nearer_sentence() -> None:
    left, right = "A" * 480 + ". Bb.", "C" * 480 + ". Dd. " + "E" * 30 + "."
    pieces = _pieces(left, right)
    body, _ = insert(pieces, "N", 100 * 486 / len(haystack_text(pieces)))
    assert body.startswith(left + "\n\nN")


@given(
    st.lists(st.lists(st.integers(1, 90), min_size=1, max_size=6), min_size=40, max_size=60),
    st.sampled_from([0.0, 10.0, 50.0, 90.0, 100.0]),
)
def test_taking_the_needle_out_gives_the_haystack_back(
    shape: list[list[int]], depth: float
) -> None:
    pieces = _pieces(*(" ".join("X" * n + "." for n in lengths) for lengths in shape))
    body, offset = insert(pieces, "needle", depth)
    assert body[offset : offset + 6] == "needle"
    before, after = body[:offset].removesuffix("\n\n"), body[offset + 6 :].removeprefix("\n\n")
    haystack = haystack_text(pieces)
    assert haystack.startswith(before)
    assert haystack.endswith(after)
    assert haystack[len(before) : len(haystack) - len(after)] in ("", " ", "\n\n")
    assert abs(len(before) - depth / 100 * len(haystack)) <= max(0.02 * len(haystack), 50)
