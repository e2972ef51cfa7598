"""The query language of arXiv's search: fields, quotes, brackets, AND, OR, ANDNOT."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from tests.fakes.papers import Paper

TOKEN = re.compile(r'\(|\)|\w+:\[[^\]]*\]|\w+:"[^"]*"|\w+:[^\s()]+|"[^"]*"|[^\s()]+')
RANGE = re.compile(r"\[(\d{8}(?:\d{4})?) TO (\d{8}(?:\d{4})?)\]")
FIELDS = ("all", "ti", "abs", "au", "cat", "id", "submittedDate", "lastUpdatedDate")

Test = Callable[[Paper], bool]


class QueryError(Exception):
    """A request that the search refuses; the text says why."""


def matches(query: str, papers: Iterable[Paper], summary: Callable[[Paper], str]) -> list[Paper]:
    """The papers that a query finds; `summary` gives the abstract. Raises QueryError."""
    tokens = TOKEN.findall(query)
    test = _either(tokens, summary)
    if tokens:
        raise QueryError(f"unbalanced query near {tokens[0]}")
    return [paper for paper in papers if test(paper)]


def _either(tokens: list[str], summary: Callable[[Paper], str]) -> Test:
    """Terms joined by operators, read from the left; two terms side by side are joined by OR."""
    test = _term(tokens, summary)
    while tokens and tokens[0] != ")":
        operator = tokens.pop(0) if tokens[0] in ("AND", "OR", "ANDNOT") else "OR"
        test = _joined(operator, test, _term(tokens, summary))
    return test


def _joined(operator: str, left: Test, right: Test) -> Test:
    if operator == "AND":
        return lambda paper: left(paper) and right(paper)
    if operator == "ANDNOT":
        return lambda paper: left(paper) and not right(paper)
    return lambda paper: left(paper) or right(paper)


def _term(tokens: list[str], summary: Callable[[Paper], str]) -> Test:
    if not tokens:
        raise QueryError("the query ends too early")
    token = tokens.pop(0)
    if token == "(":
        test = _either(tokens, summary)
        if not tokens or tokens.pop(0) != ")":
            raise QueryError("unbalanced parentheses in the query")
        return test
    field, colon, value = token.partition(":")
    if not colon:
        field, value = "all", token
    if field not in FIELDS:
        raise QueryError(f"unknown field {field}")
    if field.endswith("Date"):
        return _within(field, value)
    wanted = value.strip('"').lower()
    if field == "cat":
        return lambda paper: any(fnmatchcase(name.lower(), wanted) for name in paper.categories)
    if field == "id":
        return lambda paper: paper.arxiv_id == wanted
    if field == "au":
        return lambda paper: any(wanted in name.lower() for name in paper.authors)

    def says(paper: Paper) -> bool:
        text = paper.title if field == "ti" else summary(paper)
        return wanted in (f"{paper.title} {text}" if field == "all" else text).lower()

    return says


def _within(field: str, value: str) -> Test:
    """Dates to the minute (GMT), both ends included; a date without a time is its midnight."""
    match = RANGE.fullmatch(value)
    if not match:
        raise QueryError(f"{field} must be [YYYYMMDDHHMM TO YYYYMMDDHHMM]")
    try:
        first, last = (
            datetime.strptime(text.ljust(12, "0"), "%Y%m%d%H%M").replace(tzinfo=UTC)
            for text in match.groups()
        )
    except ValueError:
        raise QueryError(f"{field} holds no date: {value}") from None
    if field == "submittedDate":
        return lambda paper: first <= paper.indexed.replace(second=0) <= last
    return lambda paper: first <= paper.updated.replace(second=0) <= last
