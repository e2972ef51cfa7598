"""Reporter citations: `197 F.4th 310` in a text, and the addresses that are made of one.

The scan is anchored on the reporters that federal opinions are cited by. It is a pattern of our
own and not eyecite's scan, for two reasons. That one takes 5 to 40 ms for 2,000 characters, where
the whole match of a result may take 0.3 ms. And it knows every reporter of the country, so that
where two abbreviations are alike it must guess, and here there is nothing to guess. What both
read is held against each other in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.benches.legal.citing.printed import Address

_SERIES = {"2": "2d", "3": "3d", "4": "4th", "5": "5th"}
_WITH_SERIES = re.compile(r"([a-z]+)([2-5])(?:n?d|r?d|th)?")
_ALIASES = {"fedappx": "fappx", "fedapp": "fappx", "fapp": "fappx", "fedappendix": "fappx"}
# Keys of all reporters, as `strip` writes them.
REPORTERS = frozenset(
    "us sct led led2d f f2d f3d f4th fsupp fsupp2d fsupp3d fappx wl a a2d a3d p p2d p3d "
    "ne ne2d ne3d nw nw2d nw3d se se2d se3d so so2d so3d sw sw2d sw3d "
    "cal cal2d cal3d cal4th cal5th nys nys2d nys3d".split()
)

# Letters without full stops are a reporter only where a series follows (`97 F3d 310`), where no
# word is written so, and in `US`. That one counts in capitals alone (`gave 2 us 500`), and so do
# the first series: a lower-case `a.` or `so.` ends a sentence.
_B = r"[\s_]?"  # a blank, also as file names have it
_23 = r"(?:2n?d|3r?d)"
_REPORTER = "|".join(
    (
        rf"(?-i:U\.?{_B}S\.?)",
        rf"S\.?{_B}Ct\.?",
        rf"L\.?{_B}Ed\.?(?:{_B}2n?d)?",
        rf"F(?:ed)?\.?{_B}App(?:'?x|endix)?\.?",
        rf"F\.?{_B}Supp\.?(?:{_B}{_23})?",
        rf"F\.?{_B}(?:{_23}|4th)",
        "WL",
        rf"[AP]\.?{_B}{_23}",
        rf"[NS]\.?{_B}[EW]\.?{_B}{_23}",
        rf"So\.?{_B}{_23}",
        rf"Cal\.?{_B}(?:{_23}|4th|5th)",
        rf"N\.?{_B}Y\.?{_B}S\.?(?:{_B}{_23})?",
        rf"(?-i:[FAP]\.|[NS]\.{_B}[EW]\.|So\.|Cal\.)(?=[\s_*])",
    )
)
_GAP = r"[\s_*]{0,3}+"  # stars are the italics of Markdown
# The pattern begins with a digit, and looks back after it: so the scan is anchored on digits, and
# five times as fast in prose.
_CITATION = re.compile(
    rf"(?P<volume>[0-9](?<![0-9A-Za-z].)[0-9]{{0,3}}+){_GAP}(?=[acflnpsuw])(?P<reporter>{_REPORTER}){_GAP}"
    r"(?P<page>[0-9]{1,8}+)(?![0-9A-Za-z])",
    re.IGNORECASE,
)

# Volume and page are whole segments: `/us/607/25-904/` is a docket of volume 607 and no page 25.
_VOLUME_PAGE = r"(?P<volume>[0-9]{1,4})/(?P<page>[0-9]{1,8})(?:\.html?)?(?:/|\Z)"
_NAME = r"(?P<reporter>[A-Za-z0-9. '_-]{1,16})"
# CourtListener's citation look-up, Justia's three shelves.
_SHELF = re.compile(
    rf"/(?:c|cases/federal|appellate-courts|district-courts)/{_NAME}/{_VOLUME_PAGE}", re.IGNORECASE
)
# Cornell and FindLaw leave the reporter of the Supreme Court out.
_SUPREME = re.compile(rf"/(?:supremecourt/text|us-supreme-court)/{_VOLUME_PAGE}", re.IGNORECASE)
_CASE_LAW = re.compile(rf"/{_NAME}/{_VOLUME_PAGE}", re.IGNORECASE)
_OPEN_JURIST = re.compile(
    rf"/(?P<volume>[0-9]{{1,4}})/{_NAME}/(?P<page>[0-9]{{1,8}})(?:/|\Z)", re.IGNORECASE
)


def strip(reporter: str) -> str:
    """The key of a reporter's name: `F. 3rd`, `F3d` and Justia's `F3` are all `f3d`."""
    bare = re.sub(r"[^a-z0-9]", "", reporter.lower())
    series = _WITH_SERIES.fullmatch(bare)
    if series:
        return series[1] + _SERIES[series[2]]
    return _ALIASES.get(bare, bare)


def citations(text: str) -> Iterator[str]:
    """The keys `volume:reporter:page` of a printed text, in its order."""
    for found in _CITATION.finditer(text):
        yield _key(found["volume"], found["reporter"], found["page"])


def citation_key(citation: str) -> str | None:
    """The key of one citation and nothing else, None where it is of no reporter known here."""
    found = _CITATION.fullmatch(citation.strip())
    return _key(found["volume"], found["reporter"], found["page"]) if found else None


def address_citations(address: Address) -> Iterator[str]:
    """The keys that an address is made of, and those of a file's name in it."""
    path = address.path
    for found in _SHELF.finditer(path):
        if strip(found["reporter"]) in REPORTERS:
            yield _key(found["volume"], found["reporter"], found["page"])
    for found in _SUPREME.finditer(path):
        yield _key(found["volume"], "us", found["page"])
    for domain, pattern in (("case.law", _CASE_LAW), ("openjurist.org", _OPEN_JURIST)):
        whole = pattern.match(path) if address.is_at(domain) else None
        if whole and strip(whole["reporter"]) in REPORTERS:
            yield _key(whole["volume"], whole["reporter"], whole["page"])
    yield from citations(path)


def _key(volume: str, reporter: str, page: str) -> str:
    return f"{int(volume)}:{strip(reporter)}:{int(page)}"
