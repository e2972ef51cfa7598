"""What holds of every amount: written in any supported way it is found, and no other amount is."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from runner.benches.finance.matching.money import matcher
from runner.benches.finance.matching.question import Evidence, Question

Form = Callable[[int], str]


def states(gold: float, text: str, field: str = "net_income") -> bool:
    return matcher(Question(field, (gold,)))(Evidence("https://example.com/", text)) is not None


def in_words(size: int) -> str:
    """`185.8 million`: four digits and the scale word, the fewest that are within 0.1 %."""
    for factor, word in ((10**12, "trillion"), (10**9, "billion")):
        if size >= factor:
            return f"{_four_digits(size / factor)} {word}"
    return f"{_four_digits(size / 10**6)} million"


def _four_digits(number: float) -> str:
    whole = len(str(int(number)))
    return f"{number:,.{max(0, 4 - whole)}f}"


# How a size may be written without its sign. A year-like number needs its comma, so the plain
# digits come with a currency.
UNSIGNED: list[Form] = [
    lambda size: f"{size:,}",
    lambda size: f"${size}",
    lambda size: f"${size:,}",
    lambda size: f"USD {size:,}.00",
    lambda size: f"${in_words(size)}",
    lambda size: f"US${in_words(size)}",
    lambda size: f"USD{in_words(size)}",
    lambda size: f"{in_words(size)} US dollars",
    lambda size: f"${in_words(size).replace(' ', '-')}",
    lambda size: f"${in_words(size).replace(' million', 'M').replace(' billion', 'B')}",
    lambda size: f"${in_words(size).replace(' million', 'mn').replace(' billion', 'bn')}",
    lambda size: f"${in_words(size)}(1)",
    lambda size: f"${in_words(size)}¹",
    lambda size: f"${size / 10**9:.12f} billion",
    lambda size: f"&#36;{in_words(size)}",
    lambda size: f"<b>${in_words(size)}</b>",
    lambda size: f"{size / 1000:,.3f}".rstrip("0").rstrip("."),  # a table in thousands
    lambda size: f"$ {size / 1000:,.3f}",
    lambda size: f"{size / 10**6:,.6f}",  # in millions
    lambda size: f"(in thousands) {size / 1000:,.3f}",
    lambda size: f"(in millions) {size / 10**6:,.6f}",
    lambda size: f"($ in billions) {size / 10**9:.9f}",
    lambda size: f"{size / 10**6:.6f} (in millions)",
    lambda size: f"{size:,}".replace(",", "\u202f"),
    lambda size: f"${size:,} to $1",
]
# And with a minus: the form, then its sign.
NEGATIVE: list[Callable[[str], str]] = [
    lambda written: f"net loss of {written}",
    lambda written: f"Net loss for the second quarter of 2026 was {written}",
    lambda written: f"lost {written}",
    lambda written: f"minus {written}",
]
BRACKETED: list[Form] = [
    lambda size: f"({size:,})",
    lambda size: f"$({size:,})",
    lambda size: f"(${size:,})",
    lambda size: f"$ ({size:,} )",
    lambda size: f"-{size:,}",
    lambda size: f"-${size:,}",
    lambda size: f"−${in_words(size)}",
    lambda size: f"$-{size:,}",
    lambda size: f"$({in_words(size).replace(' ', ') ', 1)}",
    lambda size: f"Net loss ({size / 1000:,.3f})",
    lambda size: f"(in millions) Net loss | $ | ({size / 10**6:,.6f} | )",
]
CONTEXTS = st.sampled_from(
    ("{}", "Net income: {}", "Acme Widgets Q2 2026 results. It was {}, up 12%.", "| {} | 2025 |")
)
SIZES = st.one_of(
    st.integers(1_000, 10**7).map(lambda thousands: thousands * 1000),
    st.integers(1_000_000, 2 * 10**12),
)
# Further away than the band and the rounding of four digits together, and no power of ten.
FACTORS = st.one_of(st.floats(0.3, 0.998), st.floats(1.002, 3.0))


@given(SIZES, st.sampled_from(UNSIGNED), CONTEXTS)
def test_an_amount_is_found_however_it_is_written(size: int, form: Form, context: str) -> None:
    assert states(size, context.format(form(size)))


@given(SIZES, st.sampled_from(UNSIGNED), CONTEXTS, FACTORS)
def test_another_amount_is_never_found(size: int, form: Form, context: str, factor: float) -> None:
    assert not states(size, context.format(form(round(size * factor))))


@given(SIZES, st.sampled_from(UNSIGNED), CONTEXTS)
def test_a_positive_amount_is_no_loss(size: int, form: Form, context: str) -> None:
    assert not states(-size, context.format(form(size)))


@given(SIZES, st.sampled_from(UNSIGNED[:10]), st.sampled_from(NEGATIVE))
def test_a_loss_in_words_is_found_and_is_no_income(
    size: int, form: Form, sign: Callable[[str], str]
) -> None:
    text = sign(form(size))
    assert states(-size, text)
    assert not states(size, text)


@given(SIZES, st.sampled_from(BRACKETED), CONTEXTS)
def test_a_loss_in_signs_is_found_and_is_no_income(size: int, form: Form, context: str) -> None:
    text = context.format(form(size))
    assert states(-size, text)
    assert not states(size, text)


@given(SIZES, st.sampled_from(BRACKETED), CONTEXTS, FACTORS)
def test_another_loss_is_never_found(size: int, form: Form, context: str, factor: float) -> None:
    assert not states(-size, context.format(form(round(size * factor))))


CENTS = st.integers(1, 9999)
PER_SHARE: list[Callable[[int], str]] = [
    lambda cents: f"EPS {cents / 100:.2f}",
    lambda cents: f"EPS of ${cents / 100:.2f}",
    lambda cents: f"${cents / 100:.2f} per diluted share",
    lambda cents: f"${cents / 100:.2f}".replace("$0.", "$.") + " a share",
    lambda cents: f"{cents} cents a share",
    lambda cents: f"${cents / 100:.3f}/share",
]
PER_SHARE_LOSSES: list[Callable[[int], str]] = [
    lambda cents: f"EPS ({cents / 100:.2f})",
    lambda cents: f"EPS of $({cents / 100:.2f})",
    lambda cents: f"loss per share of ${cents / 100:.2f}",
    lambda cents: f"a loss of {cents} cents a share",
    lambda cents: f"-${cents / 100:.2f} per share",
]


@given(CENTS, CENTS, st.sampled_from(PER_SHARE))
def test_an_amount_a_share_is_found_and_no_other(
    cents: int, other: int, form: Callable[[int], str]
) -> None:
    assert states(cents / 100, form(cents), "eps_diluted")
    assert not states(-cents / 100, form(cents), "eps_diluted")
    if abs(other - cents) > 0.001 * cents:
        assert not states(cents / 100, form(other), "eps_diluted")


@given(CENTS, st.sampled_from(PER_SHARE_LOSSES))
def test_a_loss_a_share_is_found_and_is_no_income(cents: int, form: Callable[[int], str]) -> None:
    assert states(-cents / 100, form(cents), "eps_diluted")
    assert not states(cents / 100, form(cents), "eps_diluted")


@given(st.text(alphabet="0123456789.,()$-–% \n[]abkmNetloss&;<>/", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    states(458e6, text)
    states(0, text, "eps_diluted")


@given(st.text(max_size=200), st.integers(1, 10**6))
def test_a_figure_is_read_in_any_script_around_it(text: str, size: int) -> None:
    states(size, text + str(size) + text)
