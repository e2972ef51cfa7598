"""One correct request to each engine and model task, for tests that need a call to spoil."""

from __future__ import annotations

from typing import Any

import httpx

QUERY = "alderby ferry vote"
# Engine: (method, address without scheme, headers, parameters or JSON body).
SEARCHES: dict[str, tuple[str, str, dict[str, str], dict[str, Any]]] = {
    "keenable public": (
        "POST",
        "api.keenable.ai/v1/search/public",
        {"X-Keenable-Title": "needle"},
        {"query": QUERY, "mode": "pro", "snippet_max_length": 2000},
    ),
    "keenable": (
        "POST",
        "api.keenable.ai/v1/search",
        {"X-API-Key": "fake-KEENABLE_API_KEY"},
        {"query": QUERY, "mode": "realtime", "snippet_max_length": 2000},
    ),
    "exa": (
        "POST",
        "api.exa.ai/search",
        {"x-api-key": "fake-EXA_API_KEY"},
        {
            "query": QUERY,
            "type": "auto",
            "numResults": 10,
            "contents": {"highlights": {"maxCharacters": 2000}},
        },
    ),
    "google": (
        "POST",
        "google.serper.dev/search",
        {"X-API-KEY": "fake-SERPER_API_KEY"},
        {"q": QUERY, "num": 10, "gl": "us", "hl": "en"},
    ),
    "brave": (
        "GET",
        "api.search.brave.com/res/v1/web/search",
        {"X-Subscription-Token": "fake-BRAVE_API_KEY"},
        {
            "q": QUERY,
            "count": "10",
            "country": "us",
            "search_lang": "en",
            "result_filter": "web",
            "text_decorations": "false",
            "extra_snippets": "true",
        },
    ),
    "brave-llmcontext": (
        "POST",
        "api.search.brave.com/res/v1/llm/context",
        {"X-Subscription-Token": "fake-BRAVE_API_KEY"},
        {
            "q": QUERY,
            "country": "us",
            "search_lang": "en",
            "maximum_number_of_urls": 10,
            "maximum_number_of_tokens_per_url": 769,
        },
    ),
    "searx": ("GET", "searx.example/search", {}, {"q": QUERY, "format": "json"}),
}
# Where each engine keeps its results, and the name of the address in one of them.
RESULTS = {
    "keenable public": (("results",), "url"),
    "keenable": (("results",), "url"),
    "exa": (("results",), "url"),
    "google": (("organic",), "link"),
    "brave": (("web", "results"), "url"),
    "brave-llmcontext": (("grounding", "generic"), "url"),
    "searx": (("results",), "url"),
}
REPLY_FIELDS = {
    "news_query": ("query", "refusal", "quoted_span", "evidence"),
    "query_profile": (
        "query_type",
        "query_content_archetype",
        "query_domain",
        "query_search_operators_exist",
        "query_main_aspects",
        "query_aux_aspects",
    ),
    "relevance": (
        "reasoning",
        "document_integrity_check",
        "document_spirit_condition",
        "document_coverage_condition",
        "document_completeness_condition",
        "freshness_gate",
        "staleness_gate",
        "domain_gate",
        "search_operators_gate",
        "rating",
        "label",
    ),
    "filing_query": ("query", "refusal", "quoted_span", "evidence"),
    "fact_match": ("answer",),
}
MARK_ID = "0123456789ab"
MODEL_PATH = "openrouter.ai/api/v1/chat/completions"
MODEL_HEADERS = {"Authorization": "Bearer fake-OPENROUTER_API_KEY"}


def search(client: httpx.Client, engine: str, **changes: Any) -> httpx.Response:
    """Send an engine its correct request with some fields changed; None takes a field away."""
    method, address, headers, fields = SEARCHES[engine]
    sent = {name: value for name, value in (fields | changes).items() if value is not None}
    if method == "GET":
        return client.get(f"/{address}", params=sent, headers=headers)
    return client.post(f"/{address}", json=sent, headers=headers)


def results_of(engine: str, response: httpx.Response) -> list[dict[str, Any]]:
    """The results in an answer; an empty list where the vendor leaves the section out."""
    path, _ = RESULTS[engine]
    value: Any = response.json()
    for name in path:
        value = value.get(name, {})
    return value or []


def addresses(engine: str, response: httpx.Response) -> list[str]:
    """The addresses of the results in an answer."""
    return [result[RESULTS[engine][1]] for result in results_of(engine, response)]


def value(label: str, text: str) -> str:
    """An untrusted value between its marks."""
    return f"[begin {label} {MARK_ID}]\n{text}\n[end {label} {MARK_ID}]"


def completion_body(task: str, user: str, **changes: Any) -> dict[str, Any]:
    """A correct request for one task of the model."""
    schema = {
        "type": "object",
        "properties": {name: {"type": ["string", "null"]} for name in REPLY_FIELDS[task]},
        "required": list(REPLY_FIELDS[task]),
        "additionalProperties": False,
    }
    body = {
        "model": "openai/gpt-6-luna",
        "messages": [
            {"role": "system", "content": "Follow the rules."},
            {"role": "user", "content": user},
        ],
        "max_tokens": 512,
        "temperature": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": task, "strict": True, "schema": schema},
        },
    }
    return body | changes


def complete(client: httpx.Client, task: str, user: str, **changes: Any) -> httpx.Response:
    """Ask the model."""
    body = completion_body(task, user, **changes)
    return client.post(f"/{MODEL_PATH}", json=body, headers=MODEL_HEADERS)


def judge_prompt(query: str, title: str, snippet: str) -> str:
    """A user message for `relevance`."""
    values = (("query", query), ("title", title), ("snippet", snippet))
    return "Judge this document.\n" + "\n".join(value(label, text) for label, text in values)
