"""Identifiers: the accept and reject examples of the specification, and snippets as they come."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runner.benches.finance.matching.exact_id import CUE_REACH, is_lei, is_word_like, matcher
from runner.benches.finance.matching.question import Evidence, Question

LEI = "5299000ACMEWIDGET011"
ACCESSION = "000123456726000089"
Gold = str | tuple[str, ...]


def find(
    field: str, gold: Gold, text: str = "", url: str = "https://x.test/", company: str = ""
) -> str | None:
    values = (gold,) if isinstance(gold, str) else gold
    question = Question(field=field, values=values, company=company)
    return matcher(question)(Evidence(url, text))


TICKERS = [
    ("MSFT", "Nasdaq: MSFT", True),
    ("MSFT", "msft stock", False),
    ("TGT", "TGTX shares", False),
    ("TGT", "target stock", False),
    ("BRK-B", "NYSE: BRK.B", True),
    ("BRK-B", "NYSE: BRK/B", True),
    ("BRK-B", "NYSE: BRK-B", True),
    ("BRK.B", "NYSE: BRK-B", True),
    ("BRK/B", "NYSE: BRK.B", True),
    ("BRK-B", "NYSE: BRKB", True),
    ("BRK-B", "NYSE: BRK B", True),
    ("BRK-B", "NYSE: BRK‑B", True),
    ("BRK-B", "NYSE: BRK.A", False),
    ("BRK-B", "NYSE: BRK", False),
    ("BRK-B", "NYSE: BRK. B", False),
    (("BRK-B", "BRK-A"), "NYSE: BRK.A", True),
    ("ALL", "ALL RIGHTS RESERVED stock", False),
    ("MSFT", "MSFT.O stock", True),
    ("MSFT", "$MSFT shares", True),
    (("GOOGL", "GOOG"), "GOOG stock", True),
    ("GOOGL", "GOOG stock", False),
    ("F", "NYSE: F", False),
    ("F", "ticker F", False),
    # The cue: in the sentence, or at most twelve words away.
    ("MSFT", "MSFT", False),
    ("MSFT", "MSFT results", False),
    ("MSFT", "MSFT quote", True),
    ("MSFT", "MSFT share price", True),
    ("MSFT", "MSFT: NasdaqGS", True),
    ("MSFT", "MSFT on the Euronext", True),
    ("MSFT", "The symbol is MSFT.", True),
    ("MSFT", "It is listed. " + "Word word. " * 8 + "MSFT.", False),
    ("MSFT", "It is listed. " + "Word word. " * 4 + "MSFT.", True),
    ("MSFT", "It is listed " + "word word " * 30 + "as MSFT.", True),
    ("MSFT", "Microsoft Corporation (MSFT) Stock Price, News & Quote", True),
    ("MSFT", "MSFT&#39;s stock", True),
    ("MSFT", "<b>MSFT</b> stock", True),
    ("MSFT", "MSFTX stock", False),
    ("MSFT", "XMSFT stock", False),
    ("MSFT", "MSFT2 stock", False),
    ("MSFT", "Msft stock", False),
    ("MSFT", "stock of R&MSFT", False),
    ("MSFT", "stock MSFT®", True),
    ("MSFT", "MSFT | Stock", True),
    ("MSFT", "stock: https://x.test/quote/MSFT", True),
    ("MSFT", "", False),
    # Short tickers and words in capitals: a listing, a `$`, or the stock itself.
    ("TGT", "Target Corp (NYSE: TGT)", True),
    ("TGT", "NYSE:TGT", True),
    ("TGT", "(TGT) trades on the exchange", True),
    ("TGT", "Target's ticker is TGT", True),
    ("TGT", "Target's symbol: “TGT”", True),
    ("TGT", "TGT stock", True),
    ("TGT", "TGT shares fell", True),
    ("TGT", "TGT, shares of which fell", True),
    ("TGT", "$TGT stock", True),
    ("TGT", "the $TGT quote", True),
    ("TGT", "TGT’s stock", True),
    ("TGT", "(TGT) stock", True),
    ("LOW", "a new LOW. Shares fell", False),
    ("TGT", "TGT quote", False),
    ("TGT", "shares fell, says TGT", False),
    ("TGT", "shares fell; TGT is a code", False),
    ("GE", "GE NYSE", True),
    ("GE", "NYSE GE", True),
    ("GE", "GE CEO sold stock on the NYSE", False),
    ("GE", "IBM GE listed", False),
    ("GE", "GE-owned, listed", False),
    ("ALL", "Allstate (NYSE: ALL)", True),
    ("ALL", "ALL stock", True),
    ("ALL", "ALL-STAR ticker", False),
    ("ALL", "BUY ALL STOCK", False),
    ("ALL", "all stock", False),
    ("ALL", "ALL NEW listed homes", False),
    ("CAT", "Caterpillar (CAT) is listed", True),
    ("CAT", "CAT SCAN listed", False),
    ("CAT", "CAT food in stock", False),
    ("NOW", "ServiceNow, Inc. (NOW) Stock", True),
    ("NOW", "BUY NOW, in stock", False),
    ("NOW", "In stock NOW! Buy.", False),
    ("CAT", "The CAT; stocks of food", False),
    ("NOW", "CALL NOW ticker", False),
    ("SNAP", "Snap Inc. (NYSE: SNAP)", True),
    ("SNAP", "SNAP benefits, stock up", False),
    ("SNAP", "SNAP stock", True),
    ("COST", "COST OF GOODS, shares", False),
    ("COST", "Costco (NASDAQ: COST)", True),
    ("COST", "COST is high, shares fell", False),
    ("META", "META TAGS stock", False),
    ("META", "$META stock", True),
    ("IT", "Gartner (NYSE: IT)", True),
    ("IT", "IT DEPARTMENT stock", False),
    ("IT", "IT shares", True),
    ("IT", "our IT staff own shares", False),
    ("A.B", "NYSE: A.B", True),
    # A state behind its city, a rating, a word of an exchange's letters.
    ("MA", "Mastercard (NYSE: MA)", True),
    ("MA", "Mastercard Inc., MA, listed on the NYSE", True),
    ("MA", "Boston, MA 02110; listed on the NYSE", False),
    ("MA", "BOSTON, MA stock", False),
    ("DE", "Wilmington, DE; its ticker", False),
    ("DE", "Deere & Company NYSE: DE", True),
    ("PG", "PG-13, now listed", False),
    ("PG", "P&G (PG) shares", True),
    ("MSFT", "six MSFT engineers aim a bit higher", False),
    ("HD", "HD video in stock", False),
    ("LOW", "52-WEEK LOW stock", False),
    ("KEY", "KEY STATISTICS NYSE", False),
    ("ON", "onsemi (Nasdaq: ON)", True),
    ("GOOGL", "GOOGL:US stock", True),
    ("HEI-A", "HEI stock", False),
    ("CBOE", "the CBOE volatility index", False),
    ("CBOE", "Cboe Global Markets (BATS: CBOE), ticker", True),
    ("-BRK", "NYSE: BRK", True),
    ("..", "NYSE: ..", False),
]


@pytest.mark.parametrize(("gold", "text", "is_hit"), TICKERS)
def test_a_ticker_counts_in_its_case_with_a_cue(gold: Gold, text: str, is_hit: bool) -> None:
    assert (find("ticker", gold, text) is not None) is is_hit


@pytest.mark.parametrize(
    ("text", "is_hit"),
    [
        ("Target shares fell; TGT is a code", True),
        ("Shares of Target Corporation, TGT, fell", True),
        ("Target fell. Its shares are TGT", False),
        ("target shares, TGT", False),
        ("Walmart shares, TGT", False),
        ("Target, TGT, fell", False),
    ],
)
def test_stock_and_the_company_s_name_in_the_sentence_make_a_short_ticker_one(
    text: str, is_hit: bool
) -> None:
    assert (find("ticker", "TGT", text, company="TARGET CORP") is not None) is is_hit


@pytest.mark.parametrize("distance", range(1, 25))
def test_a_cue_in_another_sentence_reaches_twelve_words(distance: int) -> None:
    text = "The stock" + " x" * (distance - 1) + ". \n MSFT"
    assert (find("ticker", "MSFT", text) is not None) is (distance <= CUE_REACH)


def test_a_ticker_is_not_looked_for_in_the_address() -> None:
    assert find("ticker", "MSFT", "stock", "https://x.test/MSFT/stock") is None


LONG_IDS = [
    (LEI, "5299 000A CMEW IDGE T011", True),
    (LEI, "5299000ACMEWIDGET012", False),
    (LEI, "LEI 5299000ACMEWIDGET011 Legal form", True),
    (LEI, "lei: 5299000acmewidget011", True),
    (LEI, "5299000ACMEWIDGET011.", True),
    (LEI, "(5299000ACMEWIDGET011)", True),
    (LEI, "5299-000A-CMEW-IDGE-T011", True),
    (LEI, "5299.000A.CMEW.IDGE.T011", True),
    (LEI, "5299000ACME\nWIDGET011", True),
    (LEI, "5299000ACME\u2011WIDGET011", True),
    (LEI, "5299000ACME - WIDGET011", False),
    (LEI, "5299000ACME -WIDGET011", True),
    (LEI, "5299000ACME/WIDGET011", False),
    (LEI, "5299000ACME_WIDGET011", False),
    (LEI, "X5299000ACMEWIDGET011", False),
    (LEI, "5299000ACMEWIDGET0111", False),
    (LEI, "5299000ACMEWIDGET01", False),
    (LEI, "5299000ACMEWIDGET", False),
    (LEI, "<b>5299000ACMEWIDGET011</b>", True),
    (LEI, "5299000ACMÉWIDGET011", False),
    (LEI, "", False),
    ("5299 000A CMEW IDGE T011", "5299000ACMEWIDGET011", True),
    ((LEI, "9" * 20), "9" * 20, True),
    (ACCESSION, "0001234567-26-000089", True),
    (ACCESSION, "0001234567-26-000090", False),
    (ACCESSION, "0001234567-25-000089", False),
    (ACCESSION, "accession no. 0001234567 26 000089", True),
    (ACCESSION, "0001234567–26–000089", False),
    (ACCESSION, "000123456726000089", True),
    (ACCESSION, "10001234567-26-000089", False),
    (ACCESSION, "0001234567-26-0000891", False),
    (ACCESSION, "1234567-26-89", False),
    (ACCESSION, "0001234567-26-000089.txt", True),
    (ACCESSION, "0001234567-26-000089-index.htm", True),
    ("0001234567-26-000089", "000123456726000089", True),
]
ADDRESSES = [
    (LEI, "https://search.gleif.org/#/record/5299000ACMEWIDGET011", True),
    (LEI, "https://search.gleif.org/#/record/5299000ACMEWIDGET012", False),
    (LEI, "https://x.test/lei/5299000acmewidget011/", True),
    (LEI, "https://x.test/a5299000ACMEWIDGET011", False),
    (ACCESSION, "https://x.test/data/1234567/000123456726000089/d.htm", True),
    (ACCESSION, "https://x.test/data/1234567/0001234567-26-000089-index.htm", True),
    (ACCESSION, "https://x.test/data/1234567/000123456726000089_x.htm", True),
    (ACCESSION, "https://x.test/data/1234567/000123456726000090/d.htm", False),
    (ACCESSION, "https://x.test/data/0001234567/26000089", False),
]


@pytest.mark.parametrize(("gold", "text", "is_hit"), LONG_IDS)
def test_a_long_id_counts_in_any_grouping_of_the_text(gold: Gold, text: str, is_hit: bool) -> None:
    assert (find("lei", gold, text) == "text:id") is is_hit
    assert (find("filing", gold, text) == "text:id") is is_hit


@pytest.mark.parametrize(("gold", "url", "is_hit"), ADDRESSES)
def test_a_long_id_counts_in_the_address(gold: Gold, url: str, is_hit: bool) -> None:
    assert (find("lei", gold, "", url) == "url:id") is is_hit


def test_no_id_is_pieced_together_from_the_address_and_the_text() -> None:
    assert find("lei", LEI, LEI[10:], f"https://x.test/{LEI[:10]}") is None


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        # Published codes of public companies, and what a typist makes of them.
        ("HWUPKR0MPOU8FGXBT394", True),
        ("5493001KJTIIGC8Y1R12", True),
        ("HWUPKR0MPOU8FGXBT395", False),
        ("HWUPKR0MPOU8FGXBT934", False),
        ("WHUPKR0MPOU8FGXBT394", False),
        ("hwupkr0mpou8fgxbt394", False),
        ("HWUPKR0MPOU8FGXBT39", False),
        ("HWUPKR0MPOU8FGXBT3941", False),
        ("HWUPKR0MPOU8FGXBT394\n", False),
        (" HWUPKR0MPOU8FGXBT394", False),
        ("HWUPKR0MPOU8FGXBT3９4", False),
        ("HWUPKR0MPOU8FGXBTABC", False),
        ("", False),
    ],
)
def test_a_lei_has_twenty_characters_and_check_digits(text: str, is_valid: bool) -> None:
    assert is_lei(text) is is_valid


@pytest.mark.parametrize("ticker", ["TGT", "BF-B", "ALL", "SNAP", "COST", "META", "TEAM"])
def test_a_short_ticker_or_an_english_word_needs_more(ticker: str) -> None:
    assert is_word_like(ticker)


@pytest.mark.parametrize("ticker", ["MSFT", "AAPL", "GOOGL", "NVDA", "BRK-B", "TSLA"])
def test_other_tickers_are_no_words(ticker: str) -> None:
    assert not is_word_like(ticker)


CHARS = st.text(string.digits + string.ascii_uppercase, min_size=18, max_size=18)


def with_check_digits(body: str) -> str:
    """The LEI of 18 characters, its check digits by the rule of ISO 7064 mod 97-10."""
    value = int("".join(str(int(char, 36)) for char in body + "00"))
    return f"{body}{98 - value % 97:02d}"


@settings(deadline=None)  # the first example reads word lists
@given(CHARS, st.data())
def test_check_digits_show_a_wrong_digit_or_letter(body: str, data: st.DataObject) -> None:
    lei = with_check_digits(body)
    assert is_lei(lei)
    place = data.draw(st.integers(0, 19))
    kind = string.digits if lei[place].isdigit() else string.ascii_uppercase
    char = data.draw(st.sampled_from(kind))
    assume(lei[place] != char)
    assert not is_lei(lei[:place] + char + lei[place + 1 :])


@settings(deadline=None)  # the first example reads word lists
@given(CHARS, st.lists(st.sampled_from(["", " ", "-", ". ", "\n", "--"]), min_size=20, max_size=20))
def test_a_long_id_in_every_supported_form_is_found(body: str, joints: list[str]) -> None:
    lei = with_check_digits(body)
    written = "".join(char + joint for char, joint in zip(lei, [*joints[:19], ""], strict=True))
    assert find("lei", lei, f"LEI {written} Legal") == "text:id"
    assert find("lei", lei, f"({written.lower()})") == "text:id"


@settings(deadline=None)  # the first example reads word lists
@given(CHARS, st.data())
def test_another_character_is_another_id(body: str, data: st.DataObject) -> None:
    """One character changed, put in or taken out; no exceptions."""
    lei = with_check_digits(body)
    place = data.draw(st.integers(0, 19))
    char = data.draw(st.sampled_from(string.digits + string.ascii_uppercase))
    other = (
        lei[:place] + data.draw(st.sampled_from(["", char, char + lei[place]])) + lei[place + 1 :]
    )
    assume(other != lei)
    assert find("lei", lei, f"LEI {other} Legal", f"https://x.test/{other}") is None


FRAMES = ["NYSE: {}", "NASDAQ:{}", "({}) is listed", "ticker {}", "{} stock", "trades as {}."]


@settings(deadline=None)  # the first example reads word lists
@given(
    st.text(string.ascii_uppercase, min_size=2, max_size=5),
    st.sampled_from(["", "-A", ".B"]),
    st.sampled_from(FRAMES),
    st.sampled_from("-./ "),
)
def test_a_ticker_in_every_supported_form_is_found(
    name: str, share_class: str, frame: str, separator: str
) -> None:
    written = name + share_class.replace("-", separator).replace(".", separator)
    assert find("ticker", name + share_class, frame.format(written))


@settings(deadline=None)  # the first example reads word lists
@given(st.text(string.ascii_uppercase, min_size=3, max_size=5), st.sampled_from(FRAMES), st.data())
def test_another_letter_is_another_ticker(name: str, frame: str, data: st.DataObject) -> None:
    """One letter changed, put in or taken out, or its case. The exceptions, which the test leaves
    out: a ticker that the frame itself holds, and a suffix after a dot (`MSFT.O`)."""
    place = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from(string.ascii_letters))
    other = name[:place] + data.draw(st.sampled_from(["", letter, letter + name[place]]))
    other += name[place + 1 :]
    assume(other != name and name not in frame.format(""))
    assert find("ticker", name, frame.format(other)) is None
