"""The companies that the finance bench asks about: the SEC's list, by CIK, in tiers of size.

Source: `company_tickers.json`, an object of rows `{cik_str, ticker, title}` in descending order of
market value. A company with several share classes has several rows; it is one `Listing` here,
at the place of its first row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from runner.benches.drops import Drops
from runner.errors import TooLittleError
from runner.llm.prompts import visible
from runner.sampling import permutation

Tier = Literal["mega", "large", "mid"]
TIERS: dict[Tier, range] = {"mega": range(100), "large": range(100, 500), "mid": range(500, 2_500)}
# Companies that have been among the largest for a decade: one of them must lead the list.
LEADERS = ("AAPL", "MSFT", "NVDA", "GOOG", "GOOGL", "AMZN")
MAX_TITLE_CHARS = 150
MAX_ROWS = 50_000

_WAY_OUT = "without that the tiers mean nothing; the gold of before stands, run again later"
_TICKER = re.compile(r"[A-Z0-9]{1,8}(?:[-./][A-Z0-9]{1,4})?")
# At the end of a title: `/DE/`, `\DE\`, `/NEW/`, ` /NEW`, `/MN`, and a slash alone.
_MARKER = re.compile(
    r"\s*(?:[/\\]\s?[A-Za-z]{2,12}\s?[/\\]|(?<=\s)[/\\][A-Za-z]{2,6}|[/\\][A-Z]{2}|[/\\])$"
)
_LEGAL_WORDS = frozenset(
    """inc incorporated corp corporation co company companies ltd limited plc ag sa nv lp llc llp
    se ab asa oyj spa gmbh bv kgaa sab pte pty a/s com holding holdings group & and""".split()
)
_LEGAL_PAIRS = frozenset({("a", "s"), ("s", "a"), ("n", "v"), ("l", "p"), ("de", "cv")})


@dataclass(frozen=True)
class Listing:
    """One company: its title without state marker, its tickers in the list's order.

    `place` is the 0-based row of its first ticker. `tier` follows from it; it is None beyond the
    tiers, and where a larger company has the same common name: a question would mean that one.
    """

    cik: int
    tickers: tuple[str, ...]
    title: str
    place: int
    tier: Tier | None


def parse_companies(document: Any, drops: Drops) -> list[Listing]:
    """The companies of the SEC's list, one a CIK, in its order.

    Rows of a wrong shape keep their place and are counted as `company_malformed`, companies with
    the name of a larger one as `company_namesake`. Raises TooLittleError for a document of
    another shape, or one that is not in the order of size.
    """
    if not isinstance(document, dict):
        raise TooLittleError(
            "company_tickers.json: expected an object of rows {cik_str, ticker, title}, "
            f"found {type(document).__name__}; {_WAY_OUT}"
        )
    first: list[str] = []
    found: dict[int, Listing] = {}
    for place, raw in enumerate(_in_order(document)[:MAX_ROWS]):
        row = _read_row(raw, place)
        if row is None:
            drops.add("company_malformed", f"row {place} of company_tickers.json: {raw!r:.200}")
            continue
        if place in TIERS["mega"]:
            first += row.tickers
        known = found.get(row.cik)
        if known is None:
            found[row.cik] = row
        elif row.tickers[0] not in known.tickers:
            found[row.cik] = replace(known, tickers=known.tickers + row.tickers)
    if not set(first) & set(LEADERS):
        raise TooLittleError(
            f"company_tickers.json: expected one of {', '.join(LEADERS)} in the first "
            f"{len(TIERS['mega'])} rows, as the list goes by market value; it begins with "
            f"{', '.join(first[:5]) or 'nothing'}; {_WAY_OUT}"
        )
    return _without_namesakes(found.values(), drops)


def _without_namesakes(listings: Iterable[Listing], drops: Drops) -> list[Listing]:
    """The listings, without a tier where an earlier one is called the same."""
    names: set[str] = set()
    kept = []
    for listing in listings:
        name = query_name(listing.title)
        if name in names and listing.tier:
            drops.add("company_namesake", f"{listing.title}: not the first of that name")
            listing = replace(listing, tier=None)
        names.add(name)
        kept.append(listing)
    return kept


def pick_companies(listings: Sequence[Listing], count: int, seed: int) -> list[Listing]:
    """At most `count` companies, as many of each tier as there are, another choice for each seed.

    Each tier is shuffled with seed XOR the first row of the tier; then the tiers give one company
    in turn. Where a tier has too few the others make up for it. A larger count only adds.
    """
    queues = []
    for tier, places in TIERS.items():
        members = [listing for listing in listings if listing.tier == tier]
        queues.append([members[i] for i in permutation(len(members), seed ^ places.start)])
    depth = max(map(len, queues))
    turns = [queue[i] for i in range(depth) for queue in queues if i < len(queue)]
    return turns[: max(count, 0)]


def clean_title(title: str) -> str:
    """The registered name without the registrar's markers: `BANK CORP /DE/` is `BANK CORP`."""
    title = " ".join(visible(title).split())
    while (shorter := _MARKER.sub("", title)) != title and shorter:
        title = shorter
    return title


def query_name(title: str) -> str:
    """The company's name as people type it: lower case, without markers and closing legal words.

    A name of nothing but such words stays whole.
    """
    name = clean_title(title).lower().replace(",", " ")
    words = name.split()
    kept = len(words)
    while kept:
        bare = [word.replace(".", "") for word in words[:kept]]
        if bare[-1] in _LEGAL_WORDS or not bare[-1]:
            kept -= 1
        elif tuple(bare[-2:]) in _LEGAL_PAIRS:
            kept -= 2
        else:
            break
    if words[:kept] in ([], ["the"]):
        kept = len(words)
    return " ".join(words[:kept]).rstrip(".")


def _in_order(document: dict[Any, Any]) -> list[Any]:
    """The rows by their number, which is their key, or as they stand where a key is none."""
    if all(isinstance(key, str) and key.isdecimal() and len(key) < 9 for key in document):
        return [document[key] for key in sorted(document, key=int)]
    return list(document.values())


def _read_row(raw: Any, place: int) -> Listing | None:
    """The company of one row, or None where the row is not what it should be."""
    if not isinstance(raw, dict):
        return None
    cik, ticker, title = raw.get("cik_str"), raw.get("ticker"), raw.get("title")
    if isinstance(cik, str) and cik.isdecimal() and len(cik) <= 10:
        cik = int(cik)
    if type(cik) is not int or not 0 < cik < 10**10:
        return None
    if not isinstance(ticker, str) or not isinstance(title, str) or len(title) > MAX_TITLE_CHARS:
        return None
    ticker, title = ticker.strip().upper(), clean_title(title)
    if not _TICKER.fullmatch(ticker) or not any(char.isalnum() for char in title):
        return None
    return Listing(cik, (ticker,), title, place, _tier(place))


def _tier(place: int) -> Tier | None:
    return next((tier for tier, places in TIERS.items() if place in places), None)
