"""The part of Europe PMC's query language that is modelled: `FIELD:value` joined by AND."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date

from tests.fakes.papers import Paper

RANGE = re.compile(r"\[(\d{4}-\d{2}-\d{2}) TO (\d{4}-\d{2}-\d{2})\]")
TERM = re.compile(r'([A-Z_]+):(\[[^\]]*\]|"[^"]*"|\S+)')
JOIN = re.compile(r"\s+AND\s+|\s+")

Test = Callable[[Paper, str], bool]


class QueryError(Exception):
    """A query that is not modelled; the text says which part."""


def matches(query: str, papers: Iterable[Paper]) -> list[Paper]:
    """The papers that a query finds. Raises QueryError."""
    rest = query.replace("(", " ").replace(")", " ").strip()
    if re.search(r"\b(OR|NOT)\b", rest):
        raise QueryError("this fake knows AND only")
    tests: list[tuple[Test, str]] = []
    while rest:
        match = TERM.match(rest)
        if not match or match[1] not in FIELDS:
            raise QueryError(f"unknown part of the query: {rest[:60]}")
        value = match[2].strip('"')
        if match[1] == "FIRST_PDATE" and not RANGE.fullmatch(value):
            raise QueryError(f"FIRST_PDATE must be [YYYY-MM-DD TO YYYY-MM-DD], not {value}")
        tests.append((FIELDS[match[1]], value))
        rest = JOIN.sub("", rest[match.end() :], count=1)
    return [paper for paper in papers if all(test(paper, value) for test, value in tests)]


def is_open(paper: Paper) -> bool:
    return "closed" not in paper.traps


def has_full_text(paper: Paper) -> bool:
    """By the index, which is not always right: see the trap `no_jats`."""
    return is_open(paper) and bool(paper.pmcid)


def language(paper: Paper) -> str:
    return "ger" if "foreign" in paper.traps else "eng"


def _yes_or_no(is_so: Callable[[Paper], bool]) -> Test:
    return lambda paper, value: ("y" if is_so(paper) else "n") == value.lower()


def _equal(of: Callable[[Paper], str]) -> Test:
    return lambda paper, value: of(paper).lower() == value.lower()


def _first_date(paper: Paper, value: str) -> bool:
    match = RANGE.fullmatch(value)
    assert match
    first, last = (date.fromisoformat(text) for text in match.groups())
    return first <= paper.indexed.date() <= last


FIELDS: dict[str, Test] = {
    "OPEN_ACCESS": _yes_or_no(is_open),
    "HAS_FT": _yes_or_no(has_full_text),
    "IN_EPMC": _yes_or_no(has_full_text),
    "HAS_ABSTRACT": _yes_or_no(lambda paper: "no_abstract" not in paper.traps),
    "LANG": _equal(language),
    "SRC": _equal(lambda paper: paper.epmc_key[0]),
    "EXT_ID": _equal(lambda paper: paper.epmc_key[1]),
    "DOI": _equal(lambda paper: paper.doi),
    "PMCID": _equal(lambda paper: paper.pmcid),
    "FIRST_PDATE": _first_date,
}
