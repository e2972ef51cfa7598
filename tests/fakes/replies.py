"""What the fake model answers to each task: plain rules over the words of the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.fakes import words
from tests.fakes.delimiters import Delimited
from tests.fakes.finance_replies import fact_match, filing_query
from tests.fakes.legal_replies import code_query
from tests.fakes.operators import read_query
from tests.fakes.scholar_replies import scholar_body, scholar_clue, scholar_tot

EVERGREEN = ("how", "why", "best", "guide")
LABELS = {4: "FullyM", 3: "HM", 2: "SM", 1: "FailsM", 0: "FailsM"}
DOMAINS = {
    "health": {"vaccine", "hospital", "insulin", "drugmaker", "malaria"},
    "legal": {"court", "ruling", "sues", "lawsuit", "patent"},
    "financial": {"bank", "merger", "budget", "pension", "shares", "earnings"},
    "academic": {"university", "observatory", "study", "paper"},
    "tech": {"chipmaker", "startup", "satellite", "software", "data"},
    "commerce": {"price", "buy", "cheap", "retailer"},
    "jobs": {"hiring", "salary", "vacancy"},
}
GATES_PASSED = {
    "document_integrity_check": "pass",
    "document_spirit_condition": "pass",
    "document_coverage_condition": "pass",
    "document_completeness_condition": "na",
    "freshness_gate": "na",
    "staleness_gate": "pass",
    "domain_gate": "na",
    "search_operators_gate": "na",
}


def news_query(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """A keyword query for one item, or a refusal. Never a run of six words of the title."""
    title = prompt.need("title", "topic")
    source = f"{title} {prompt.values.get('headlines', '')}" if "topic" in prompt.values else title
    first = title.split()[0].lower() if title.split() else ""
    found = words.content_words(source)
    if first in EVERGREEN:
        return _refusal("evergreen", title)
    if {"subscribe", "newsletter", "cookies"} & set(found):
        return _refusal("boilerplate", title)
    if first.rstrip(":") in ("opinion", "quiz", "podcast"):
        return _refusal("no_event", title)
    if len(found) < 2:
        return _refusal("no_distinct_detail", title)
    chosen = found[:5]
    if len(chosen) < 4 or chosen == words.fold(title).split():  # must not be the title again
        chosen = [*chosen[1:], chosen[0], clock.strftime("%B").lower(), str(clock.day)]
    return {
        "query": " ".join(chosen),
        "refusal": None,
        "quoted_span": None,
        "evidence": title.strip()[:80],
    }


def _refusal(reason: str, title: str) -> dict[str, Any]:
    return {
        "query": None,
        "refusal": reason,
        "quoted_span": None,
        "evidence": title.strip()[:80] or None,
    }


def query_profile(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """The profile that all documents of a query share."""
    query = prompt.need("query")
    asked = read_query(query)
    found = words.content_words(asked.words)
    is_list = bool({"vs", "versus", "best", "list", "top", "compare"} & set(found))
    is_specific = len(found) > 2
    domain = next((name for name, known in DOMAINS.items() if known & set(found)), "news")
    return {
        "query_type": "list" if is_list else "specific" if is_specific else "broad",
        "query_content_archetype": "ephemeral" if is_specific else "evergreen",
        "query_domain": domain,
        "query_search_operators_exist": "yes" if _has_operators(query) else "no",
        "query_main_aspects": [" ".join(found[:4]) or query.strip()[:80] or "the topic"],
        "query_aux_aspects": found[4:6],
    }


def relevance(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """A rating from the share of query words in title and snippet; gates that agree with it.

    An order outside the delimiters is obeyed, whatever the words say: such an order can only be
    there if the prompt let untrusted text out of its bounds.
    """
    query = prompt.need("query")
    prompt.need("title", "snippet", "url")
    text = f"{prompt.values.get('title', '')} {prompt.values.get('snippet', '')}"
    rating = overlap_rating(query, text)
    ordered = prompt.ordered_rating()
    if ordered is not None:
        rating = min(4, max(0, ordered))
    gates = dict(GATES_PASSED)
    if not text.strip():
        gates["document_integrity_check"] = "fail"
    if rating <= 2:
        gates["document_coverage_condition"] = "fail"
    if rating == 0:
        gates["document_spirit_condition"] = "fail"
    if _has_operators(query):
        gates["search_operators_gate"] = "pass" if rating else "fail"
    reason = f"The document covers {rating} parts in four of what was asked."
    return {"reasoning": reason, **gates, "rating": rating, "label": LABELS[rating]}


def overlap_rating(query: str, text: str) -> int:
    """4 when all content words of the query occur, 3 from 70 %, 2 from 40 %, 1 for any, else 0."""
    wanted = set(words.content_words(read_query(query).words))
    share = len(wanted & set(words.content_words(text))) / len(wanted) if wanted else 0.0
    return sum(share >= bound for bound in (1e-9, 0.4, 0.7, 1.0))


def _has_operators(query: str) -> bool:
    asked = read_query(query)
    return bool(asked.sites or asked.after or asked.before or re.search(r'"[^"]+"', query))


TASKS: dict[str, Callable[[Delimited, datetime], dict[str, Any]]] = {
    "news_query": news_query,
    "query_profile": query_profile,
    "relevance": relevance,
    "filing_query": filing_query,
    "fact_match": fact_match,
    "scholar_body": scholar_body,
    "scholar_clue": scholar_clue,
    "scholar_tot": scholar_tot,
    "code_query": code_query,
}
