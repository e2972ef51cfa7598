"""Countries: the accept and reject examples of the specification, and snippets as they come."""

from __future__ import annotations

import string
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runner.benches.finance.matching.countries import CANONICAL
from runner.benches.finance.matching.country import matcher
from runner.benches.finance.matching.question import Evidence, Question


def find(gold: str | tuple[str, ...], text: str, company: str = "") -> str | None:
    values = (gold,) if isinstance(gold, str) else gold
    question = Question(field="hq_country", values=values, company=company)
    return matcher(question)(Evidence("https://x.test/", text))


SPECIFIED = [
    ("United States", "headquartered in the US", True),
    ("United States", "U.S. maker", True),
    ("United States", "let us know", False),
    ("United States", "in ten states", False),
    (("Canada", "CA"), "San Jose, CA 95110", False),
    (("Switzerland", "CH"), "CH Robinson", False),
    ("Netherlands", "based in Holland", True),
    ("United Kingdom", "London, England", True),
    ("Ireland", "offices in Northern Ireland", False),
    ("United States", "JOIN US TODAY", False),
    ("South Korea", "Republic of Korea", True),
    ("Sudan", "South Sudan", False),
    ("United Kingdom", "New Britain", False),
    ("China", "Republic of China", False),
    ("China", "People's Republic of China", True),
    ("United Kingdom", "Belfast, Northern Ireland", True),
    ("United Kingdom", "Edinburgh, Scotland", True),
    ("United Kingdom", "Cardiff, Wales", True),
    ("United States", "IN THE US", True),
    (("United States", "the States", "union"), "a union of states", False),
    *[
        (gold, f"The company is based in {form}.", True)
        for line in CANONICAL
        for gold in (line[0], line[1])
        for form in line
    ],
]

SNIPPETS = [
    ("United States", "Cupertino, California, U.S.", True),
    ("United States", "Cupertino, California, USA", True),
    ("United States", "Country: United States", True),
    ("United States", "country/united-states", True),
    ("United States", "UNITED STATES", True),
    ("United States", "united states", True),
    ("United States", "United\nStates of America", True),
    ("United States", "the United&nbsp;States", True),
    ("United States", "a U.S.-based maker", True),
    ("United States", "a US-based maker", True),
    ("United States", "(US)", True),
    ("United States", "U. S. company", True),
    ("United States", "US", True),
    ("United States", "USB cables", False),
    ("United States", "about us", False),
    ("United States", "About Us", False),
    ("United States", "CONTACT US", False),
    ("United States", "FOLLOW US ON SOCIAL", False),
    ("United States", "Contact US", True),
    ("United States", "usa", False),
    ("United States", "u.s.", False),
    ("United States", "in JERUSALEM", False),
    ("United States", "HQ: AUSTIN, US", True),
    ("United States", "revenue of US$5 billion", False),
    ("United States", "five billion US dollars", False),
    ("United States", "quoted in United States dollars", False),
    ("United States", "filed with the U.S. Securities and Exchange Commission", False),
    ("United States", "prepared under US GAAP", False),
    ("United States", "yields of U.S. Treasuries", False),
    ("United States", "the U.S. Food & Drug Administration", False),
    ("United States", "the United States District Court", False),
    ("United States", "Employer in the U.S. Department store chain", True),
    (
        "United States",
        "a U.S. company; files with the U.S. Securities and Exchange Commission",
        True,
    ),
    ("India", "Mumbai, India. Securities listed there", True),
    ("United States", "five billion US Dollars", False),
    ("United States", "the U.S. Virgin Islands", False),
    ("United States", "USA TODAY", False),
    ("United States", "it moved to the U.S. Today it has", True),
    ("United States", "Latin America", False),
    ("United States", "South America and Asia", False),
    ("United States", "North America", False),
    ("United States", "Central America", False),
    ("United States", "Americas", False),
    ("United States", "American", False),
    ("United States", "made in America", True),
    ("United States", "the heart of America", True),
    ("United States", "Laboratory Corporation of America", False),
    ("United States", "United States of America", True),
    ("United States", "the former U.S.S.R.", False),
    ("United States", "the United Nations and the States", False),
    ("United States", "Austin, Texas", False),
    ("United States", "United Mexican States", False),
    ("United States", "", False),
    ("United States of America", "the US", True),
    ("USA", "the United States", True),
    ("us", "let us know", False),
    ("United Kingdom", "London, UK", True),
    ("United Kingdom", "a U.K. lender", True),
    ("United Kingdom", "Great Britain", True),
    ("United Kingdom", "New England", False),
    ("United Kingdom", "New South Wales", False),
    ("United Kingdom", "the Bank of England", False),
    ("United Kingdom", "British", False),
    ("United Kingdom", "Kingdom of Bahrain", False),
    ("United Kingdom", "Ukraine", False),
    ("United Kingdom", "UKG Inc", False),
    ("United Kingdom", "the United Arab Kingdom", False),
    ("United Arab Emirates", "Dubai, UAE", True),
    ("United Arab Emirates", "Emirates airline", False),
    ("China", "Shenzhen, China", True),
    ("China", "PRC residents", True),
    ("China", "the South China Sea", False),
    ("China", "fine china plates", False),
    ("China", "China Mobile announced", False),
    ("China", "Indochina", False),
    ("China", "Mainland China", True),
    ("China", "Hong Kong", False),
    ("People's Republic of China", "Beijing, China", True),
    (("Taiwan", "Republic of China"), "People's Republic of China", False),
    (("Taiwan", "Republic of China"), "Taipei, Republic of China", True),
    (("Taiwan", "Republic of China"), "Hsinchu, Taiwan", True),
    ("South Korea", "Seoul, South Korea", True),
    ("South Korea", "Seoul, Korea", True),
    ("South Korea", "Pyongyang, North Korea", False),
    ("South Korea", "Democratic People's Republic of Korea", False),
    ("North Korea", "Seoul, South Korea", False),
    ("Russia", "Moscow, Russian Federation", True),
    ("Russia", "Prussia", False),
    ("Russia", "Russian", False),
    ("Germany", "Deutschland", True),
    ("Germany", "Walldorf, Germany", True),
    ("Germany", "East Germany", False),
    ("Germany", "in southern Germany", True),
    ("Germany", "Germantown", False),
    (("Germany", "DE"), "Wilmington, DE", False),
    ("Netherlands", "Veldhoven, The Netherlands", True),
    ("Netherlands", "Kingdom of the Netherlands", True),
    ("Netherlands", "Netherlands Antilles", False),
    ("Netherlands", "Holland, MI 49423", False),
    ("Netherlands", "Holland, Michigan", False),
    ("Netherlands", "Holland America Line", False),
    ("Netherlands", "Hollander", False),
    ("Ireland", "Dublin, Ireland", True),
    ("Ireland", "Republic of Ireland", True),
    (("Ireland", "IE"), "IE 11", False),
    ("Canada", "Toronto, Canada", True),
    ("Canada", "Air Canada", False),
    ("Canada", "Royal Bank of Canada", False),
    ("Canada", "Canadian", False),
    ("Mexico", "Santa Fe, New Mexico", False),
    ("Mexico", "the Gulf of Mexico", False),
    ("Mexico", "Monterrey, Mexico", True),
    ("Mexico", "Mexico, Missouri", False),
    ("Mexico", "Mexico City", True),
    ("Mexico", "México", True),
    ("Lebanon", "Lebanon, PA", False),
    ("Lebanon", "Beirut, Lebanon", True),
    ("Peru", "Peru, Indiana", False),
    ("Peru", "Lima, Peru", True),
    ("India", "Mumbai, India", True),
    ("India", "Indiana", False),
    (("India", "IN"), "based IN Mumbai", False),
    ("India", "India, IN", True),
    ("Peru", "Peru, IN 46970", False),
    ("Poland", "Poland, OH", False),
    ("Canada", "offices in Canada, California and Ohio", True),
    ("Armenia", "Armenia, Georgia and Turkey", True),
    ("Mexico", "Mexico, Washington and Ottawa agreed", True),
    ("Germany", "plants in Germany, New York", False),
    ("Japan", "Tokyo, Japan (HQ), Dallas, Texas", True),
    ("Georgia", "Atlanta, Georgia", False),
    ("Georgia", "Tbilisi, Georgia", True),
    ("Georgia", "Georgia, USA", True),
    ("Georgia", "South Georgia", False),
    ("Panama", "Panama City, Panama", True),
    ("Jersey", "New Jersey", False),
    ("Jersey", "St Helier, Jersey", True),
    ("Jersey", "a jersey", False),
    ("Guinea", "Papua New Guinea", False),
    ("Guinea", "Equatorial Guinea", False),
    ("Guinea", "Guinea-Bissau", False),
    ("Papua New Guinea", "Papua New Guinea", True),
    ("Turkey", "turkey sandwiches", False),
    ("Turkey", "Istanbul, Turkey", True),
    (("Turkey", "Türkiye"), "Istanbul, Turkiye", True),
    ("Samoa", "American Samoa", False),
    ("Niger", "Nigeria", False),
    ("Israel", "Tel Aviv-Yafo, Israel", True),
    ("Switzerland", "Zürich, Switzerland", True),
    (("Switzerland", "Schweiz"), "8001 Zürich, Schweiz", True),
    (("Japan", "日本"), "東京、日本", True),
    (("Japan", "JP"), "JP Morgan", False),
    ("New Zealand", "Auckland, New Zealand", True),
    ("Zealand", "Auckland, New Zealand", False),
    ("South Africa", "Cape Town, South Africa", True),
    ("North Macedonia", "Skopje, North Macedonia", True),
    (("Ivory Coast", "Côte d'Ivoire"), "Abidjan, Côte d’Ivoire", True),
    ("Bermuda", "Hamilton, Bermuda", True),
    ("Congo", "Democratic Republic of the Congo", False),
]

OWN_NAMES = [
    ("United States", "Bank of America", "BANK OF AMERICA CORP /DE/", False),
    ("United States", "Bank of America, Charlotte, US", "BANK OF AMERICA CORP /DE/", True),
    ("United States", "United States Steel reports", "UNITED STATES STEEL CORP", False),
    ("United States", "U.S. Steel reports", "UNITED STATES STEEL CORP", False),
    ("United States", "US Steel is in the United States", "UNITED STATES STEEL CORP", True),
    ("United States", "US Bancorp", "US BANCORP \\DE\\", False),
    ("United States", "U.S. Bancorp", "US BANCORP \\DE\\", False),
    ("Mexico", "Mexico Fund results", "MEXICO FUND INC", False),
    ("Canada", "Thomson Canada Bank", "CANADA BANK INC", False),
    ("Canada", "Canada Bank, Toronto, Canada", "CANADA BANK INC", True),
    ("Canada", "Toronto, Canada", "CANADA", True),
    ("Japan", "Japan Tobacco Inc", "Japan Tobacco Inc.", False),
    ("Japan", "Japan Tobacco, Tokyo, Japan", "Japan Tobacco Inc.", True),
    ("Taiwan", "Taiwan Semiconductor", "TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD", False),
    ("United States", "Toys R Us", "TOYS R US INC", False),
    ("United States", "T-Mobile US", "T-Mobile US, Inc.", False),
    ("United States", "T-Mobile US, Bellevue, US", "T-Mobile US, Inc.", True),
    ("Taiwan", "Taiwan\u2019s TSMC", "TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD", True),
]


@pytest.mark.parametrize(("gold", "text", "is_hit"), SPECIFIED + SNIPPETS)
def test_a_country_counts_in_any_form_outside_a_longer_name(
    gold: str | tuple[str, ...], text: str, is_hit: bool
) -> None:
    assert (find(gold, text) is not None) is is_hit


@pytest.mark.parametrize(("gold", "text", "company", "is_hit"), OWN_NAMES)
def test_the_company_s_own_name_states_no_country(
    gold: str, text: str, company: str, is_hit: bool
) -> None:
    assert (find(gold, text, company) is not None) is is_hit


@pytest.mark.parametrize(
    ("text", "via"),
    [
        ("United States", "text:exact"),
        ("America", "text:alias"),
        ("U.S.", "text:short_form"),
        ("USA", "text:short_form"),
    ],
)
def test_the_record_says_how_a_country_was_found(text: str, via: str) -> None:
    assert find("United States", text) == via


COUNTRIES = ["Bermuda", "Canada", "Switzerland", "Japan", "Brazil", "Sweden", "Saudi Arabia"]
FRAMES = st.sampled_from(
    ["{}", "based in {}.", "Bern, {}", "Country: {}", "({})", "{}-based", "{}’s", "<b>{}</b>"]
)


@settings(deadline=None)
@given(st.sampled_from(COUNTRIES), FRAMES, st.sampled_from([str.title, str.upper, str.lower]))
def test_a_country_in_every_supported_form_is_found(
    country: str, frame: str, case: Callable[[str], str]
) -> None:
    assert find(country, frame.format(case(country)))


@settings(deadline=None)
@given(st.sampled_from(CANONICAL), FRAMES, st.data())
def test_every_form_of_a_canonical_line_stands_for_every_other(
    line: tuple[str, ...], frame: str, data: st.DataObject
) -> None:
    form = data.draw(st.sampled_from(line))
    assert find(line[0], frame.format(form))


@settings(deadline=None)
@given(st.sampled_from(COUNTRIES), FRAMES, st.data())
def test_another_letter_makes_another_country(
    country: str, frame: str, data: st.DataObject
) -> None:
    """One letter put in or changed; no exceptions."""
    place = data.draw(st.sampled_from([i for i, char in enumerate(country) if char.isalpha()]))
    letter = data.draw(st.sampled_from(string.ascii_lowercase))
    width = data.draw(st.sampled_from([0, 1]))
    other = country[:place] + letter + country[place + width :]
    assume(other.lower() != country.lower())
    assert find(country, frame.format(other.capitalize())) is None
