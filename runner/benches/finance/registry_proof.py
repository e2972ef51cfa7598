"""Whether a Wikidata item is a company of the SEC's list, and not a subsidiary or a namesake.

The join is the SEC number (P5531). It is not enough: the number is also written on the items of
subsidiaries and predecessors, so that ticker or name must agree as well.
"""

from __future__ import annotations

import re

from runner.benches.finance.companies import Listing, query_name
from runner.benches.finance.sources import statements as wd
from runner.benches.finance.sources.statements import Item

SUBSIDIARY = "Q658255"
COMPANY_CLASSES = frozenset("Q4830453 Q783794 Q6881511 Q891723 Q18388277 Q43229 Q161726".split())
_SMALL_WORDS = frozenset("the of and de a an".split())


class DoubtError(Exception):
    """There is no value that can be trusted; `reason` is counted, the text says what was found."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(text or reason)
        self.reason = reason


def holds_cik(item: Item, cik: int) -> bool:
    """Whether the item states this SEC number, with or without its leading zeros."""
    return any(text.isdecimal() and int(text) == cik for text in item.texts(wd.CIK)[:20])


def has_other_cik(item: Item, cik: int) -> bool:
    return bool(item.texts(wd.CIK)) and not holds_cik(item, cik)


def is_company(item: Item) -> bool:
    """Whether the item has the class of a company, or what only companies have."""
    classes = set(item.texts(wd.CLASS))
    return bool(classes & COMPANY_CLASSES) or any(
        item.stated(prop) for prop in (wd.LEI, wd.EXCHANGE, wd.TICKER)
    )


def tickers_of(item: Item) -> set[str]:
    """The symbols of its current listings, class separators as `-`."""
    symbols = [
        symbol
        for listing in item.stated(wd.EXCHANGE)
        if not listing.has_ended
        for symbol in listing.qualifiers.get(wd.TICKER, ())
        if isinstance(symbol, str)
    ]
    return {_plain_ticker(symbol) for symbol in [*symbols, *item.texts(wd.TICKER)]}


def shares_ticker(item: Item, listing: Listing) -> bool:
    return bool(tickers_of(item) & {_plain_ticker(ticker) for ticker in listing.tickers})


def shares_name(item: Item, listing: Listing) -> bool:
    """Whether label or an alias has a word of the registered name that is no legal word."""
    wanted = _name_words(listing.title)
    names = [item.names.label or "", *item.names.aliases, *item.texts(wd.OFFICIAL_NAME)]
    return any(wanted & _name_words(name) for name in names)


def check_company(item: Item, listing: Listing) -> None:
    """Returns when an item with the company's number is the company itself, else DoubtError.

    Numbers are also written on the items of subsidiaries and predecessors.
    """
    what = f"{item.qid} for {listing.title}"
    if [claim for claim in item.stated(wd.DISSOLVED) if not claim.has_ended]:
        raise DoubtError("entity_dissolved", what)
    if shares_ticker(item, listing):
        return
    parents = {text for text in item.texts(wd.PARENT) if text != item.qid}
    if parents or SUBSIDIARY in item.texts(wd.CLASS):
        raise DoubtError("entity_subsidiary", what)
    if not shares_name(item, listing):
        raise DoubtError("entity_name_disagrees", f"{what}: is called {item.names.label}")


def choose_item(items: list[Item], listing: Listing) -> Item:
    """The one item that is the company, of those that state its number; else DoubtError."""
    fit, doubt = [], DoubtError("entity_missing", f"no item for {listing.title}")
    for item in items:
        try:
            if not holds_cik(item, listing.cik):
                raise DoubtError("entity_cik_disagrees", f"{item.qid} for {listing.title}")
            check_company(item, listing)
        except DoubtError as error:
            doubt = error
        else:
            fit.append(item)
    if len(fit) > 1:
        fit = [item for item in fit if shares_ticker(item, listing)] or fit
    if not fit:
        raise doubt
    if len(fit) > 1:
        found = ", ".join(item.qid for item in fit)
        raise DoubtError("entity_ambiguous", f"{found} for {listing.title}")
    return fit[0]


def _plain_ticker(ticker: str) -> str:
    return re.sub(r"[./ -]", "-", ticker.strip().upper())


def _name_words(name: str) -> set[str]:
    words = re.findall(r"\w+", query_name(name).casefold()) if name else []
    return set(words) - _SMALL_WORDS
