"""How the legal bench scores: gold to matcher, and the breakdowns of its report.

A result is a hit by any identifier of the document, its own page or one that cites it;
`match_via` says which it was. An identifier in the address goes before one in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import msgspec

from runner.benches.bench import Found, Target
from runner.benches.legal.citing.cfr import (
    address_forms,
    address_sections,
    section_key,
    sections,
)
from runner.benches.legal.citing.clusters import address_clusters
from runner.benches.legal.citing.dockets import address_dockets, dockets, gold_dockets
from runner.benches.legal.citing.parties import party_finder
from runner.benches.legal.citing.printed import address_of, printed_text
from runner.benches.legal.citing.reporters import address_citations, citation_key, citations
from runner.benches.legal.rows import SUITES, LegalGold, decode_gold
from runner.records.queries import QueryRow

MAX_IDS = 20  # of each kind that a result reports

Match = Callable[[str, str], Found]


def suite_of(row: QueryRow) -> str:
    """The part of the generation that a row is from."""
    return row.query_origin.bucket


def stratum(row: QueryRow) -> str:
    """Bucket and syntax, so that no kind of question is left out of a small sample."""
    return f"{row.query_origin.bucket}:{row.query_origin.syntax}"


def legal_target(row: QueryRow) -> Target:
    """What a row asks for; raises msgspec.ValidationError for gold that cannot be matched."""
    gold = decode_gold(row.gold)
    suite = suite_of(row)
    if suite not in SUITES:
        known = ", ".join(SUITES)
        raise msgspec.ValidationError(f"unknown bucket {suite[:40]!r} (known: {known})")
    if suite != gold.suite:
        raise msgspec.ValidationError(f"the bucket is {suite}, but the gold is of {gold.suite}")
    groups = {"bucket": suite, "suite": suite, "syntax": row.query_origin.syntax or "plain"}
    if suite == "caselaw":
        if gold.court:
            groups["court"] = gold.court
        return Target(
            item=gold.case_key or gold.ids.cluster or "",
            gold=_opinion_text(gold),
            groups=groups,
            match=_opinion_matcher(gold),
        )
    key = section_key(gold.ids.cfr or "") or ""
    title, _, section = key.partition(":")
    return Target(
        item=key,
        gold=gold.citation or f"{title} CFR {section}",
        groups=groups | {"title": title},
        match=_section_matcher(key),
    )


def _opinion_matcher(gold: LegalGold) -> Match:
    clusters = {gold.ids.cluster}
    cites = {key for cite in gold.ids.cites if (key := citation_key(printed_text(cite)))}
    numbers = gold_dockets(printed_text(gold.ids.docket or ""))
    names_party = party_finder(gold.party_tokens)

    def match(url: str, text: str) -> Found:
        address, printed = address_of(url), printed_text(text)
        found_clusters = list(address_clusters(address))
        cites_of_url, cites_of_text = list(address_citations(address)), list(citations(printed))
        numbers_of_url, numbers_of_text = list(address_dockets(address)), list(dockets(printed))
        via = _first(
            ("url:cluster", found_clusters, clusters),
            ("url:reporter", cites_of_url, cites),
            ("text:reporter", cites_of_text, cites),
        )
        if via is None:
            via = _first(
                ("url:docket", numbers_of_url, numbers), ("text:docket", numbers_of_text, numbers)
            )
            where = (printed, address.path, address.query, address.host)
            if via and not any(map(names_party, where)):
                via = None
        ids = {
            "cluster": _reported(found_clusters, clusters),
            "cites": _reported(cites_of_url + cites_of_text, cites),
            "docket": _reported(numbers_of_url + numbers_of_text, numbers),
        }
        return Found(via, {kind: listed for kind, listed in ids.items() if listed})

    return match


def _section_matcher(key: str) -> Match:
    forms = address_forms(key)

    def match(url: str, text: str) -> Found:
        of_url, of_text = (
            list(address_sections(address_of(url))),
            list(sections(printed_text(text))),
        )
        via = _first(("url:cfr", of_url, forms), ("text:cfr", of_text, {key}))
        ids = _reported(of_url + of_text, forms)
        return Found(via, {"cfr": ids} if ids else {})

    return match


def _first(*rules: tuple[str, Iterable[str], Collection[str | None]]) -> str | None:
    """The name of the first rule that found an identifier of the gold."""
    return next((via for via, found, gold in rules if any(each in gold for each in found)), None)


def _reported(found: Iterable[str], gold: Collection[str | None]) -> list[str]:
    """Each identifier once, the gold's own first, so that a cut leaves them in."""
    return sorted(dict.fromkeys(found), key=lambda each: each not in gold)[:MAX_IDS]


def _opinion_text(gold: LegalGold) -> str:
    """The opinion as a reader of the report knows it."""
    docket = f"No. {gold.ids.docket}" if gold.ids.docket else ""
    where = " ".join(part for part in (gold.court, gold.date_filed[:4]) if part)
    named = ", ".join(part for part in (gold.case_name, *gold.ids.cites, docket) if part)
    return f"{named} ({where})" if where else named or f"cluster {gold.ids.cluster}"
