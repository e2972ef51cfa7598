"""Docket numbers: `25-904` and `23A123`, alone, in lists, and in the courts' own forms.

A docket number is two short numbers, and so is much else. Dates and telephone numbers are told
apart by what stands right before and after; statutes and district cases by the word before. The
caller must see a party's name in the same result besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.benches.legal.citing.printed import Address

# A suffix of the Second Circuit may be glued on (`05-1234cv`); after a hyphen any letters may.
_GLUED = r"(?:cv|cr|pr|ag|bk|op|mv)(?![A-Za-z0-9])"
# Files: `25-904-7654321.pdf` of the D.C. Circuit, `25-904P-01A.pdf` of the First.
_FILE = r"-[0-9]{6,}\.pdf|[PU](?:-[0-9]{2}A)?\.pdf"
# Like the citations' pattern it begins with a digit, for speed.
_DOCKET = re.compile(
    r"(?P<year>[0-9](?<![0-9A-Za-z$-].)(?<![0-9][:.].)[0-9](?:[0-9]{2})?+)"
    r"(?:A(?P<application>[0-9]{1,4})(?![0-9A-Za-z])"
    r"|(?P<joint>\s?-\s?)(?P<serial>[0-9]{1,5}+)"
    rf"(?:{_FILE}|{_GLUED}|(?![0-9A-Za-z]|-[0-9]|\.[0-9])))",
    re.IGNORECASE,
)
# `Nos. 23-1234/1235`, `23-1234, -1235`: the Sixth Circuit's way with the year of several.
_SAME_YEAR = re.compile(r"(?:/|,?\s?(?:&\s|and\s)?-)(?P<serial>[0-9]{4,5}+)(?![0-9A-Za-z.-])")
# Words in a path are joined by hyphens: `case-no-25-904`.
_AFTER_NO = re.compile(r"(?<![a-z0-9])(?:nos?|docket)-(?=[0-9])", re.IGNORECASE)
_GOVINFO = re.compile(
    r"USCOURTS-ca(?:[0-9]{1,2}|dc|fc)-(?P<year>[0-9]{2})-(?P<serial>[0-9]{5})(?:-[0-9]{1,3})?"
    r"(?![0-9A-Za-z-])",
    re.IGNORECASE,
)
# File names that run year and serial together: the Third, Fourth and Eighth Circuit with four
# digits of serial and a letter for published or not, the Eleventh with a whole year and five.
_RUN_TOGETHER = re.compile(
    r"/(?:(?P<year>[0-9]{2})(?P<serial>[0-9]{4})\.?(?:p|np?|u)[0-9]?"
    r"|20(?P<year11>[0-9]{2})(?P<serial11>[0-9]{5})(?:\.[a-z]{2,3}[0-9]?)?)\.pdf\Z",
    re.IGNORECASE,
)

_CONTEXT = 32
_BLANKS = " :\n\t\u00a0"
# What a text says right before the number of a statute, or of a district court's case.
_OF_OTHERS = (
    "§",
    *(f" {word}" for word in ("section", "sections", "sec.", "secs.", "code", "stat.", "rule")),
    *(
        f"{kind}{what}{number}"
        for kind in ("civil", "civ.", "criminal", "crim.")
        for what in ("", " action", " a.", " case")
        for number in ("", " no.", " nos.", " no")
    ),
)
_CUE = re.compile(r"\b(?:nos?\.|docket|appeal)", re.IGNORECASE)
_LONGEST_SPAN = 30
_YEARS = range(1950, 2050)  # so that two digits of a year are enough


def dockets(text: str, *, is_gold: bool = False) -> Iterator[str]:
    """The docket numbers of a printed text: `25-904`, `23A123`, without leading zeros.

    A span of years (`2024-2025`, `24-25`) is one only with `No.` or the like before it. In gold
    everything of the form is a docket number.
    """
    for found in _DOCKET.finditer(text):
        key = _key_of(found)
        if key is None:
            continue
        if not is_gold:
            before = text[max(0, found.start() - _CONTEXT) : found.start()]
            if f" {before.lower().rstrip(_BLANKS)}".endswith(_OF_OTHERS):
                continue
            if _is_span_of_years(found) and not _CUE.search(before):
                continue
        yield key
        yield from _of_same_year(found)
    yield from _govinfo_dockets(text)


def gold_dockets(text: str) -> frozenset[str]:
    """The docket numbers of a gold string, which may hold several: `24-916(L); 24-2594`."""
    return frozenset(dockets(text, is_gold=True))


def address_dockets(address: Address) -> Iterator[str]:
    """The docket numbers of an address, its query included."""
    for part in (address.path, address.query):
        for found in _DOCKET.finditer(_AFTER_NO.sub(" ", part)):
            key = _key_of(found)
            if key is not None and not (len(found["year"]) == 4 and _is_span_of_years(found)):
                yield key
    yield from _govinfo_dockets(address.path)
    together = _RUN_TOGETHER.search(address.path) if address.is_at("uscourts.gov") else None
    if together:
        yield _key(
            together["year"] or together["year11"], together["serial"] or together["serial11"]
        )


def _of_same_year(first: re.Match[str]) -> Iterator[str]:
    """The serials that follow a number without its year, as long as its own."""
    year, serial = first["year"][-2:], first["serial"] or ""
    more = _SAME_YEAR.match(first.string, first.end())
    while more and len(more["serial"]) == len(serial):
        yield _key(year, more["serial"])
        more = _SAME_YEAR.match(first.string, more.end())


def _govinfo_dockets(text: str) -> Iterator[str]:
    if "uscourts-" in text.lower():
        for found in _GOVINFO.finditer(text):
            yield _key(found["year"], found["serial"])


def _key_of(found: re.Match[str]) -> str | None:
    """The number, None where a four-digit year is none of a docket (`2025-9`, `1925-904`)."""
    year = found["year"]
    if len(year) == 4:
        is_docket = found["joint"] == "-" and len(found["serial"]) >= 3
        if not is_docket or int(year) not in _YEARS:
            return None
    if found["application"]:
        return f"{year}A{int(found['application'])}"
    return _key(year[-2:], found["serial"])


def _key(year: str, serial: str) -> str:
    return f"{year}-{int(serial)}"


def _is_span_of_years(found: re.Match[str]) -> bool:
    year, serial = found["year"], found["serial"] or "0"
    if len(year) == 4:
        return 0 < int(serial) - int(year) <= _LONGEST_SPAN
    return len(serial) == 2 and int(serial) == int(year) + 1
