"""What the doubles of the smaller vendors refuse, each in its vendor's own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.fakes import FakeWorld

QUERY = "alderby ferry vote"
BEARER = "Bearer fake-{}_API_KEY"
# Engine: (method, address without scheme, headers, parameters or JSON body).
RIGHT: dict[str, tuple[str, str, dict[str, str], dict[str, Any]]] = {
    "ceramic": (
        "POST",
        "api.ceramic.ai/search",
        {"Authorization": BEARER.format("CERAMIC")},
        {"query": QUERY, "maxDescriptionLength": 2000},
    ),
    "you": (
        "POST",
        "ydc-index.io/v1/search",
        {"X-API-Key": "fake-YOU_API_KEY"},
        {"query": QUERY, "count": 10},
    ),
    "firecrawl": (
        "POST",
        "api.firecrawl.dev/v2/search",
        {"Authorization": BEARER.format("FIRECRAWL")},
        {"query": QUERY, "limit": 10, "sources": ["web"]},
    ),
    "tinyfish": (
        "GET",
        "api.search.tinyfish.ai",
        {"X-API-Key": "fake-TINYFISH_API_KEY"},
        {"query": QUERY},
    ),
    "kagi": (
        "POST",
        "kagi.com/api/v1/search",
        {"Authorization": BEARER.format("KAGI")},
        {"query": QUERY, "limit": 10},
    ),
    "jina": (
        "GET",
        "s.jina.ai/",
        {"Authorization": BEARER.format("JINA"), "Accept": "application/json"},
        {"q": QUERY, "num": "10"},
    ),
    "context": (
        "POST",
        "api.context.dev/v1/web/search",
        {"Authorization": BEARER.format("CONTEXT_DEV")},
        {"query": QUERY, "numResults": 10, "country": "us"},
    ),
    "deepseek": (
        "POST",
        "api.deepseek.com/v1/tools/search",
        {"Authorization": BEARER.format("DEEPSEEK")},
        {"query": QUERY, "count": 10},
    ),
}
# How each vendor numbers a request it does not understand, and where its text stands.
REFUSAL = {
    "ceramic": (422, ("detail",)),
    "you": (422, ("error",)),
    "firecrawl": (400, ("error",)),
    "tinyfish": (400, ("error", "message")),
    "kagi": (400, ("error", 0, "message")),
    "jina": (422, ("message",)),
    "context": (400, ("error",)),
    "deepseek": (422, ("error", "message")),
}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with FakeWorld() as world, httpx.Client(base_url=world.url, timeout=10) as running:
        yield running


def send(client: httpx.Client, engine: str, headers: Any = None, **changes: Any) -> httpx.Response:
    method, address, right, fields = RIGHT[engine]
    place = "params" if method == "GET" else "json"
    options: dict[str, Any] = {place: fields | changes}
    return client.request(
        method, f"/{address}", headers=right if headers is None else headers, **options
    )


@pytest.mark.parametrize("engine", RIGHT)
def test_a_right_request_is_taken(client: httpx.Client, engine: str) -> None:
    answer = send(client, engine)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("engine", RIGHT)
@pytest.mark.parametrize("value", [None, "Bearer wrong", "wrong"])
def test_a_wrong_key_is_a_401(client: httpx.Client, engine: str, value: str | None) -> None:
    *_, right, _ = RIGHT[engine]
    keys = {name: value for name in right if name != "Accept" and value}
    answer = send(client, engine, {"Accept": "application/json", **keys})
    assert answer.status_code == 401


REFUSED = [
    ("ceramic", {"query": "w " * 51}, "at most 50 words"),
    ("ceramic", {"maxDescriptionLength": 999}, "1000 to 8000"),
    ("ceramic", {"maxDescriptionLength": 8001}, "1000 to 8000"),
    ("ceramic", {"maxResults": 51}, "1 to 50"),
    ("you", {"count": "10"}, "an integer"),
    ("you", {"include_domains": ["https://a.example"]}, "host names"),
    ("you", {"freshness": "2026-06-01"}, "freshness"),
    ("firecrawl", {"limit": 101}, "1 to 100"),
    ("firecrawl", {"query": "x" * 501}, "500 characters"),
    ("firecrawl", {"tbs": "cdr:1"}, "cd_min"),
    ("firecrawl", {"tbs": "cdr:1,cd_min:13/1/2026"}, "cd_min"),
    ("firecrawl", {"tbs": "cdr:1,cd_min:2026-06-01"}, "cd_min"),
    ("tinyfish", {"query": "x" * 2001}, "2000 characters"),
    ("tinyfish", {"after_date": "6/1/2026"}, "YYYY-MM-DD"),
    ("tinyfish", {"after_date": "2026-06-02", "before_date": "2026-06-01"}, "later than"),
    ("tinyfish", {"include_domains": "a.example, b.example"}, "commas"),
    ("kagi", {"limit": 1025}, "1 to 1024"),
    ("kagi", {"filters": {"after": "2026-13-01"}}, "'filters' must be"),
    ("kagi", {"lens": {"sites": ["a.example"]}}, "'lens' must be"),
    ("jina", {"num": "21"}, "1 to 20"),
    ("context", {"numResults": 101}, "1 to 100"),
    ("context", {"query": "x" * 501}, "500 characters"),
    ("context", {"freshness": "last_day"}, "one of last_24_hours"),
    ("context", {"includeDomains": [f"h{n}.example" for n in range(101)]}, "1 to 100 host"),
    ("deepseek", {"query": "x" * 129}, "128 characters"),
    ("deepseek", {"count": 51}, "1 to 50"),
    *[(engine, {"query": f"{QUERY} {word}"}, word)
      for engine in ("you", "tinyfish", "kagi", "context")
      for word in ("site:a.example", "after:2026-06-01", "before:2026-06-01")],
    *[("firecrawl", {"query": f"{QUERY} {word}"}, word)
      for word in ("after:2026-06-01", "before:2026-06-01")],
    *[(engine, {"surprise": "1"}, "unknown field 'surprise'") for engine in RIGHT],
]  # fmt: skip


@pytest.mark.parametrize(("engine", "changes", "why"), REFUSED)
def test_what_a_vendor_would_refuse_is_refused_in_its_shape(
    client: httpx.Client, engine: str, changes: dict[str, Any], why: str
) -> None:
    status, path = REFUSAL[engine]
    answer = send(client, engine, **changes)
    assert answer.status_code == status, answer.text
    message: Any = answer.json()
    for name in path:
        message = message[name]
    assert why in message


def test_a_site_word_finds_nothing_at_ceramic(client: httpx.Client) -> None:
    answer = send(client, "ceramic", query=f"{QUERY} site:a.example")
    assert answer.json()["result"]["results"] == []


def test_ceramic_keeps_to_the_length_asked_for(client: httpx.Client) -> None:
    found = [
        len(hit["description"])
        for n in range(20)
        for hit in send(client, "ceramic", query=f"{QUERY} {n}", maxDescriptionLength=1000).json()[
            "result"
        ]["results"]
    ]
    assert 0 < max(found) <= 1000


def test_a_count_above_100_silently_finds_nothing_at_you(client: httpx.Client) -> None:
    answer = send(client, "you", count=101)
    assert (answer.status_code, answer.json()) == (200, {})


def test_nothing_found_is_a_422_of_its_own_at_jina(client: httpx.Client) -> None:
    answer = send(client, "jina", q="emptyanswer")
    assert (answer.status_code, answer.json()["status"]) == (422, 42206)


def test_kagi_takes_the_older_scheme_too(client: httpx.Client) -> None:
    answer = send(client, "kagi", {"Authorization": "Bot fake-KAGI_API_KEY"})
    assert answer.status_code == 200
