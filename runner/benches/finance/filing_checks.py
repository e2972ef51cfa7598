"""What code checks of a query for one filing, whatever the model says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runner.benches.document_text import comparable, stands_in
from runner.benches.finance.companies import query_name
from runner.benches.proposals import (
    MAX_QUERY_CHARS,
    SPAN_WORDS,
    Proposal,
    outside_spans,
    span_of,
)

MIN_WORDS = 3

_NUMBERED = re.compile(r"\b\d{10}-?\d{2}-?\d{6}\b|\bcik\b|\b\d{3}-\d{5}\b", re.IGNORECASE)
_URL = re.compile(r"https?:|://|\bwww\.|\.(?:gov|html?)\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(?:site|after|before|inurl|intitle|filetype):", re.IGNORECASE)
_XBRL = re.compile(r"\w:\w|\w{6,}(?:member|axis|domain)\b", re.IGNORECASE)
_WORD = re.compile(r"\w[\w&']*")
_MONTHS = """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec""".split()
_DATE_WORDS = frozenset([*_MONTHS, "fiscal", "year", "quarter", "ended", "months", "day"])
_STOP_WORDS = frozenset(
    """a about after all also an and any are as at be been before by for from had has have if in
    into is it its may new no not of on or other our shall such than that the their these this to
    under was we were which will with""".split()
)
# Wording that most filings of a form share; what is left of a span without it must say something.
BOILERPLATE = tuple(
    re.compile(rf"\b{phrase.strip()}\b")
    for phrase in r"""forward-looking statements?
    private securities litigation reform act(?: of 1995)?
    securities (?:and )?exchange (?:act|commission)(?: of 1934)?
    securities act(?: of 1933)?
    (?:united states )?securities and exchange commission
    annual report on form 10-k
    quarterly report on form 10-q
    current report on form 8-k
    form (?:10-?k|10-?q|8-?k|20-?f|s-\d)
    (?:annual|quarterly|current) report
    risk factors?
    safe harbor
    emerging growth company
    (?:large |non-)?accelerated filer
    smaller reporting company
    shell company
    well-known seasoned issuer
    indicate by check ?mark
    financial (?:statements?|condition|reporting|instruments?)
    internal controls?(?: over)?
    disclosure controls(?: and procedures)?
    results of operations
    material(?:ly)? adverse(?:ly)? (?:effect|affect|impact)\w*
    critical accounting (?:policies|estimates)
    generally accepted accounting principles
    independent registered public accounting firm
    (?:common|preferred|capital|class [a-c]) (?:stock|shares?)
    par value(?: \$?[\d.]+)?(?: per share)?
    incorporat(?:ed|ion)(?: by reference| herein| into| or organization)*
    state or other jurisdiction
    table of contents
    commission file numbers?
    (?:irs )?employer identification(?: no| number)?
    exact name of (?:the )?registrant
    (?:the )?registrants?
    principal executive offices?
    (?:address|telephone|zip code|area code)
    new york stock exchange(?: llc)?
    nasdaq(?: global)?(?: select)?(?: stock)?(?: market)?(?: llc)?
    (?:trading|ticker) symbols?
    (?:chief|principal) (?:executive|financial|operating|accounting) officer
    board of directors
    vice president
    duly (?:caused|authorized)
    thereunto
    (?:written|rule 425) communications?
    soliciting material
    pre-commencement
    regulation fd(?: disclosure)?
    entry into a material definitive agreement
    material definitive agreement
    departure of (?:directors|certain officers)
    other events
    financial statements and exhibits
    interactive data file
    cover page
    unregistered sales
    legal proceedings
    mine safety disclosures
    market risk
    item \d+[a-c]?(?:\.\d\d)?
    exhibit \d+(?:\.\d+)?
    pursuant to
    (?:the )?company
    (?:press|news) release
    management'?s discussion(?: and analysis)?
    liquidity and capital resources
    subsequent events?
    net (?:income|loss|sales)
    (?:three|six|nine|twelve) months
    fiscal year
    earnings per share""".splitlines()
)


def rejection(proposal: Proposal, *, title: str, document: str) -> str | None:
    """Why the query must not be asked, or None where nothing speaks against it.

    `document` is the text of which the model saw an excerpt, `title` the company's registered
    name.
    """
    query = proposal.query or ""
    outside = outside_spans(query)
    if len(query) > MAX_QUERY_CHARS or len(query.split()) < MIN_WORDS:
        return "length"
    if _NUMBERED.search(query):
        return "number"
    if _URL.search(query):
        return "url"
    if _OPERATOR.search(outside):
        return "operator"
    span = span_of(query)
    if span is None:
        return "span_count"
    if proposal.quoted_span is not None and comparable(proposal.quoted_span) != comparable(span):
        return "span_differs"
    if not has_name(outside, title):
        return "no_company"
    if why := span_fault(span, title):
        return why
    if not stands_in(span, document):
        return "span_not_found"
    if proposal.evidence is not None and comparable(proposal.evidence) not in comparable(document):
        return "evidence_not_found"
    return None


def has_name(text: str, title: str) -> bool:
    """Whether one of the words of the company's common name stands in the text."""
    return bool(set(_bare(text)) & set(_name_words(title)))


def span_fault(span: str, title: str) -> str | None:
    """What makes a span unfit to find a filing by, or None."""
    words = _bare(span)
    if len(span.split()) not in SPAN_WORDS:
        return "span_length"
    if _XBRL.search(span):
        return "span_xbrl"
    if not any(word.isalpha() and word not in _DATE_WORDS | _STOP_WORDS for word in words):
        return "span_numbers"
    left = comparable(span)
    for phrase in BOILERPLATE:
        left = phrase.sub(" ", left)
    ignored = _STOP_WORDS | _DATE_WORDS | set(_name_words(title))
    if not any(len(word) >= 3 and word not in ignored for word in _bare(left)):
        return "span_boilerplate"
    return None


def _name_words(title: str) -> Sequence[str]:
    """The words of the common name that tell the company, all of them where all are short."""
    words = [word for word in _bare(query_name(title)) if word not in _STOP_WORDS]
    return [word for word in words if len(word) >= 3] or words


def _bare(text: str) -> list[str]:
    """The words in comparable form, parted at hyphens and points, without `'s`."""
    return [word.removesuffix("'s").strip("'") for word in _WORD.findall(comparable(text))]
