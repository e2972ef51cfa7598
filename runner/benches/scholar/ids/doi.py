"""DOIs in text and addresses, in lower case and without what stands around them.

A DOI is `10.`, four to nine digits, a slash and a suffix that may hold any printed character
(DOI Handbook §2.2, https://doi.org/10.1000/182), so its end is where the text around it must
begin: a blank, a quote, `?`, `#`, markup, a bracket that the DOI did not open. What sites hang on
(`/full`, `.pdf`, the version of a bioRxiv paper) goes as well, from gold and result alike.
"""

from __future__ import annotations

import re

from runner.benches.scholar.ids.printed import as_printed, named

# The longest real ones (SICI, ISO 10957 style) have about 130 characters.
MAX_SUFFIX_CHARS = 256

_START = re.compile(r"10\.(?:(?<![a-z0-9]10\.)|(?<=doi10\.))(?<![0-9]\.10\.)[0-9]{4,9}/(?=[!-~])")
# No blank, quote, `#`, `?`, `\`, `^`, `` ` ``, `|`, and nothing beyond ASCII.
_SUFFIX = re.compile(rf"[!$-&(->@-\[\]_a-{{}}~]{{1,{MAX_SUFFIX_CHARS}}}")
# The next thing of a list or address that was set without a blank.
_NEXT = re.compile(
    r"https?:/|&[a-z_.-]{1,30}=|;jsessionid|pmc?id:"
    r"|[,;]+(?:10\.[0-9]{4}|doi|pmid|pmc|arxiv|epub|www\.)"
)
# A display that was cut; what is left of the id may be another one's.
_CUT = re.compile(r"\.{3,}\Z")
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENERS = frozenset(_CLOSERS.values())
_TRAILING = ".,;:!*_~&=/+([{<"
_VIEW = re.compile(
    r"(?:/(?:full(?:[-_]?text)?|e?pdf(?:direct|ft|plus)?|epub|x?html?|xml|meta|abs(?:tract)?"
    r"|citations?|references|(?:figures|tables)(?:/[0-9]{1,3})?|metrics|summary|related|reader"
    r"|download)"
    r"|\.(?:pdf|x?html?|xml|epub|full(?:[-_]?text)?|abstract|short|long|article-info"
    r"|article-metrics|supplementary-material)"
    r"|\+html)\Z"
)
_VERSION = re.compile(r"(10\.(?:1101|64898)/[0-9.]+|10\.48550/arxiv\..+)v[0-9]{1,3}\Z")
# An article's number in the addresses of Oxford University Press.
_OXFORD = re.compile(r"(10\.1093/[a-z_]{1,40}/[a-z0-9]{1,20})/[0-9]{6,9}\Z")
# Pages whose text runs on without a blank: `...001Get rights and content`, `...701Corpus ID: 5`.
_GLUED = (("get", " rights and"), ("corpus", " id"))
# Publishers whose addresses hold their DOIs without the prefix.
_PUBLISHERS = (
    (named("nature.com/articles/", r"([a-z0-9.-]{4,60})"), "10.1038/"),
    (
        named("elifesciences.org/", r"(?:articles|reviewed-preprints)/([0-9]{4,7})(?![0-9])"),
        "10.7554/elife.",
    ),
    (
        named(
            "thelancet.com/",
            r"[a-z/]{1,60}/pii(s[0-9]{4}-[0-9]{3}[0-9x]\([0-9]{2}\)[0-9]{5}-[0-9x])(?![a-z0-9])",
        ),
        "10.1016/",
    ),
)
_RESOLVER = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s?)")


def dois(printed: str) -> list[str]:
    """The DOIs in a text as printed (`as_printed`), in their order, with repetitions."""
    found = []
    at = 0
    while start := _START.search(printed, at):
        doi, at = _read(printed, start)
        if doi is not None:
            found.append(doi)
    return found


def publisher_dois(printed_url: str) -> list[str]:
    """The DOIs that the addresses of some publishers stand for."""
    return [
        _stripped(prefix + match[1])
        for pattern, prefix in _PUBLISHERS
        for match in pattern.finditer(printed_url)
    ]


def canonical_doi(written: str) -> str | None:
    """A gold DOI as the reader gives it, None where it cannot be read whole."""
    printed = as_printed(written.strip())
    resolver = _RESOLVER.match(printed)
    bare = printed[resolver.end() :] if resolver else printed
    found = dois(bare)
    is_whole = len(found) == 1 and bare.startswith(found[0]) and not re.search(r"\s", bare)
    return found[0] if is_whole else None


def _read(printed: str, start: re.Match[str]) -> tuple[str | None, int]:
    """The DOI that starts there (None where it is cut or empty) and where to read on."""
    suffix = _SUFFIX.match(printed, start.end())
    if suffix is None:
        return None, start.end()
    raw = suffix[0]
    if following := _NEXT.search(raw):
        raw = raw[: following.start()]
    for word, rest in _GLUED:
        if raw.endswith(word) and printed.startswith(rest, start.end() + len(raw)):
            raw = raw.removesuffix(word)
    raw = _balanced(raw)
    end = start.end() + len(raw)
    if _CUT.search(raw) or printed.startswith("…", end):
        return None, end
    doi = _stripped(start[0] + raw)
    is_empty = len(doi) <= len(start[0]) or not any(map(str.isalnum, doi[len(start[0]) :]))
    return (None if is_empty else doi), end


def _balanced(raw: str) -> str:
    """The text before the first bracket that closes none of its own."""
    open_: list[str] = []
    for place, char in enumerate(raw):
        if char in _OPENERS:
            open_.append(char)
        elif char in _CLOSERS and (not open_ or open_.pop() != _CLOSERS[char]):
            return raw[:place]
    return raw


def _stripped(doi: str) -> str:
    """The DOI without trailing punctuation, views and versions, in whatever order they came."""
    while True:
        shorter = _VIEW.sub("", doi.rstrip(_TRAILING))
        shorter = _OXFORD.sub(r"\1", _VERSION.sub(r"\1", shorter))
        if shorter == doi:
            return doi
        doi = shorter
