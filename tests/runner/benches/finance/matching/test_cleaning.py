"""The text that figures are read from."""

from __future__ import annotations

import pytest

from runner.benches.finance.matching.cleaning import clean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Net income 801 744", "Net income 801 744"),
        ("458¹", "458 "),
        ("458*", "458 "),
        ("458†", "458 "),
        ("458[2]", "458 "),
        ("458(1)", "458 "),
        ("458(a)", "458 "),
        ("458(1)(2)", "458 "),
        ("(458)(1)", "(458) "),
        ("$458 million(1)", "$458 million "),
        ("$458M(a)", "$458M "),
        ("458 (1)", "458 (1)"),  # a negative one, not a note
        ("458(19)", "458 "),  # two digits are a note
        ("458(207)", "458(207)"),  # three are an amount
        ("Net loss(19)", "Net loss(19)"),
        ("401(k)", "401 "),
        ("&#36;458", "$458"),
        ("&amp;#36;458", "$458"),
        ("AT&T 458", "AT&T 458"),
        ("&minus;458", "-458"),
        ("\u2010458 \u2011458 \u2212458", "-458 -458 -458"),
        ("185\u2009808", "185,808"),
        ("1\u202f185\u200a808", "1,185,808"),
        ("185\u2009\u2009808", "185  808"),
        ("185\u202f80", "185 80"),
        ("185\u00a0808", "185 808"),
        ("185\u00a0808 million", "185,808 million"),
        ("1\u00a0185\u00a0808\u00a0million", "1,185,808 million"),
        ("185\u00a0808 men", "185 808 men"),
        ("185 808 million", "185 808 million"),
        ("4\u200b58", "458"),
        ("４５８", "458"),
        ("＄458", "$458"),
        ("<td>458</td>", " 458 "),
        ("458<sup>1</sup>", "458 "),
        ("458 < 500 > 400", "458 < 500 > 400"),
        ("see https://example.com/458 now", "see   now"),
        ("a\tb\r\nc", "a b\n\nc"),
    ],
)
def test_a_text_is_cleaned_for_figures(text: str, expected: str) -> None:
    assert clean(text) == expected
