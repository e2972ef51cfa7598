"""Sections of the Code of Federal Regulations: `17 CFR 240.15c3-1` in every form it is printed.

A key is `title:section` in lower case. Paragraphs are left out (`(b)(1)`), but brackets before a
hyphen and a digit belong to the section, as in the tax rules (`1.401(k)-1`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.benches.legal.citing.printed import Address

LAST_TITLE = 50

# `-240` of `15c3-1-240.15c3-3` begins the second end of a range.
_DASHED = r"-[0-9][0-9a-z]{0,6}(?![0-9a-z]|\.[0-9])"
_BRACKET = r"\([0-9a-z]{1,4}\)"
_BRACKETS = rf"(?:{_BRACKET}(?=(?:{_BRACKET}){{0,3}}{_DASHED}))"
_SECTION_FORM = (
    r"[0-9]{1,4}[a-z]{0,2}(?:-[0-9]{1,4})?"
    rf"\.[0-9][0-9a-z]{{0,9}}{_BRACKETS}{{0,4}}(?:{_DASHED}){{0,4}}(?![0-9a-z])"
)
_SECTION = re.compile(_SECTION_FORM, re.IGNORECASE)
_PART = re.compile(r"[0-9]{1,4}[a-z]?(?![0-9a-z]|\.[0-9])", re.IGNORECASE)

# The letter before the flag is for speed: the scan is anchored on it.
_CODE = re.compile(
    r"[Cc](?<![A-Za-z].)(?i:\.?\s?F\.?\s?R\.?(?![a-z])"
    r"|ode\s{1,2}of\s{1,2}Federal\s{1,2}Regulations?(?![a-z]))"
)
_BEFORE_CODE = 24
_TITLE_BEFORE = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9]\.)([0-9]{1,2})"
    r"[\s,_*-]{0,3}(?:of\s{1,2}the\s{1,2})?(?:U\.?S\.?\s{1,2})?\Z",
    re.IGNORECASE,
)
_TITLE_AFTER = re.compile(r"[\s,:;-]{0,3}(?:at\s)?title\s{1,2}([0-9]{1,2})(?![0-9])", re.IGNORECASE)
# What may stand before a section or between two: separators, words, paragraphs, a remark.
_GLUE = re.compile(
    r"(?:[\s,;:&/*_\[\]—-]{1,4}|§|\([^()]{0,24}\)"
    r"|(?:and|or|through|thru|to|sections?|secs?\.?|ss?\.|parts?|pts?\.?)(?![a-z])"
    r"|(?:sub)?chapter\s[a-z]{1,6}(?![a-z])|ch\.\s[ivxl]{1,6}(?![a-z])"
    r"|sub(?:part|title)\s[a-z]{1,3}(?![a-z])"
    r"){0,16}+",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^()]{0,24}\)")
_SECTION_WORD = re.compile(r"(?:§|(?<![a-z])sec(?:tions?|s?\.)\s{0,2}(?=[0-9§]))", re.IGNORECASE)
_OF = re.compile(r"[Oo][Ff]\s{1,2}(?:[Tt]|[0-9]{1,2}\s{0,2}[Cc])")  # fast: is there any of them?
_OF_TITLE = re.compile(
    rf"(?:{_BRACKET}){{0,6}}\s{{0,2}},?\s{{0,2}}of\s{{1,2}}"
    r"(?:title\s{1,2}([0-9]{1,2})(?![0-9])|([0-9]{1,2})\s{0,2}(?=C\.?\s?F\.?\s?R(?![a-z])))",
    re.IGNORECASE,
)
# `of title 22, California Code of Regulations`, `of title 17, United States Code`.
_OTHER_CODE = re.compile(
    r"[\s,(]{0,3}(?:of\s{1,2})?(?:the\s{1,2})?(?!Code\s{1,2}of\s{1,2}Federal)"
    r"(?:[A-Z][A-Za-z.]{0,15}\s{1,2}){0,4}Code(?:s|\s{1,2}of)?(?![A-Za-z])"
)

_CORNELL = re.compile(rf"/cfr/text/([0-9]{{1,2}})/(?:section-)?({_SECTION_FORM})", re.IGNORECASE)
# Justia writes hyphens alone, and so does govinfo in its file names; a heading may follow.
_HYPHENS = r"[0-9]{1,4}[a-z]{0,2}-[0-9][0-9a-z]{0,9}(?:-(?:[0-9][0-9a-z]{0,6}|[a-z]{1,2})){0,8}"
_UNDER_TITLE = re.compile(
    r"title-?(?P<title>[0-9]{1,2})(?![0-9])"
    rf"(?:[^?#]{{0,300}}?[/_]section-?(?:(?P<section>{_SECTION_FORM})|(?P<hyphens>{_HYPHENS}))"
    rf"|-[^/?#]{{0,24}}?-?sec(?P<file>{_HYPHENS}))(?![0-9a-z]|-[0-9])",
    re.IGNORECASE,
)
_GOVINFO_LINK = re.compile(
    r"/link/cfr/(?P<title>[0-9]{1,2})/(?P<part>[0-9]{1,4}[a-z]?)\?(?:[^#]{0,200}?&)?"
    r"section(?:num)?=(?P<rest>[0-9a-z().-]{1,24})",
    re.IGNORECASE,
)
# Agencies that publish their own title leave its number out.
_OF_AGENCIES = (
    ("fda.gov", "21", re.compile(rf"/cfrsearch\.cfm\?fr=({_SECTION_FORM})", re.IGNORECASE)),
    ("osha.gov", "29", re.compile(rf"/standardnumber/[0-9]{{1,4}}/({_SECTION_FORM})", re.I)),
)


def section_key(text: str) -> str | None:
    """The key of a gold `title:section`, None where it is not of that form."""
    title, _, section = text.strip().partition(":")
    if not re.fullmatch("[0-9]{1,2}", title) or not _SECTION.fullmatch(section):
        return None
    return _key(title, section)


def sections(text: str) -> Iterator[str]:
    """The keys of a printed text; each one of a list, both ends of a range."""
    for code in _CODE.finditer(text):
        after = _TITLE_AFTER.match(text, code.end())
        before = _TITLE_BEFORE.search(text, max(0, code.start() - _BEFORE_CODE), code.start())
        title = after or before
        if title:
            start = after.end() if after else code.end()
            yield from _keys(title[1], _listed(text, start)[0])
    if _OF.search(text):
        yield from _sections_of_titles(text)


def address_sections(address: Address) -> Iterator[str]:
    """The keys of an address. Where it has hyphens alone, the first is taken for the full stop."""
    path = address.path
    for found in _CORNELL.finditer(path):
        yield from _keys(found[1], [found[2]])
    for found in _UNDER_TITLE.finditer(path):
        hyphens = found["hyphens"] or found["file"]
        yield from _keys(found["title"], [found["section"] or hyphens.replace("-", ".", 1)])
    whole = path + address.query
    link = _GOVINFO_LINK.search(whole)
    if link:
        yield from _keys(link["title"], [f"{link['part']}.{link['rest']}"])
    for domain, title, pattern in _OF_AGENCIES:
        own = pattern.search(whole) if address.is_at(domain) else None
        if own:
            yield from _keys(title, [own[1]])
    yield from sections(path)


def address_forms(key: str) -> frozenset[str]:
    """What `address_sections` may read where an address means this key.

    Brackets vanish from addresses, with a hyphen in their place or without.
    """
    title, _, section = key.partition(":")
    without = re.sub(r"[()]", "", section)
    hyphens = re.sub(r"-{2,}", "-", re.sub(r"[().]", "-", section))
    return frozenset(
        {key}
        | {f"{title}:{form.replace('-', '.', 1)}" for form in (hyphens, without.replace(".", "-"))}
    )


def _sections_of_titles(text: str) -> Iterator[str]:
    """`§ 240.15c3-1 of title 17` where no other code is named, `§ 240.15c3-1 of 17 CFR`."""
    place = 0
    while word := _SECTION_WORD.search(text, place):
        listed, place = _listed(text, word.end())
        of_title = _OF_TITLE.match(text, place) if listed else None
        if of_title and not _OTHER_CODE.match(text, of_title.end()):
            yield from _keys(of_title[1] or of_title[2], listed)
        place = max(place, word.end())


def _listed(text: str, start: int) -> tuple[list[str], int]:
    """The sections that a list names from an offset on, and where its last item ends.

    A number after the first is a section where a section sign or the form of its part says so:
    the `2.5` of `17 CFR 1.5, 2.5 percent` is none.
    """
    found: list[str] = []
    end = start
    while True:
        glue = _GLUE.match(text, end)
        assert glue is not None  # it matches the empty text
        item = _SECTION.match(text, glue.end())
        if found and not _IN_BRACKETS.sub("", glue.group()).strip():
            return found, end
        if item is None:
            part = _PART.match(text, glue.end())
            if part is None:
                return found, end
            end = part.end()
            continue
        part_of = item.group().partition(".")[0]
        is_sure = "§" in glue.group() or len(part_of) >= 3 or not found
        if not is_sure and part_of != found[-1].partition(".")[0]:
            return found, end
        found.append(item.group())
        end = item.end()


def _keys(title: str, listed: list[str]) -> Iterator[str]:
    for section in listed:
        key = _key(title, section)
        if key is not None:
            yield key


def _key(title: str, section: str) -> str | None:
    return f"{int(title)}:{section.lower()}" if 1 <= int(title) <= LAST_TITLE else None
