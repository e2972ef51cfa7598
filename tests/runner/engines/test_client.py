"""An engine from question to outcome, over a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from runner.engines import keenable
from runner.engines.client import HttpEngine
from runner.engines.registry import build_engines, load_catalog
from runner.engines.spec import SearchOutcome
from runner.http import HttpClient, Limiter
from runner.settings import Mask, Settings
from tests.fakes import FakeWorld, Fault
from tests.runner.engines.asking import TODAY
from tests.runner.wire import FakeTime, Script, answer, wire

LIVE = ["keenable-realtime", "keenable", "exa-instant", "exa-lite", "exa", "google", "brave"]
LIVE.append("brave-llmcontext")
KEYS = {
    name: f"fake-{name}"
    for name in ("KEENABLE_API_KEY", "EXA_API_KEY", "SERPER_API_KEY", "BRAVE_API_KEY")
}
HOSTS = {"keenable": "api.keenable.ai", "exa": "api.exa.ai", "google": "google.serper.dev"}


def hits(count: int = 1, **fields: Any) -> bytes:
    listed = [{"url": f"https://a.example/{n}", "title": "T", **fields} for n in range(count)]
    return answer(json.dumps({"results": listed}).encode())


def engine(script: Script, *, snippet_chars: int = 2000, **options: Any) -> HttpEngine:
    concurrency = options.pop("max_connections", 1)
    mask_results = options.pop("mask_results", None)
    http = HttpClient(
        gateway=script.url, sleep=FakeTime().sleep, max_connections=concurrency, **options
    )
    return HttpEngine(
        load_catalog()["keenable"],
        keenable,
        http,
        key="secret-key",
        snippet_chars=snippet_chars,
        today=TODAY,
        concurrency=concurrency,
        mask_results=mask_results,
    )


def asked(
    *answers: bytes, query: str = "acme", num_results: int = 10, **options: Any
) -> SearchOutcome:
    async def test() -> SearchOutcome:
        async with wire(*answers) as script:
            asking = engine(script, **options)
            outcome = await asking.search(query, num_results=num_results)
            await asking.aclose()
            return outcome

    return asyncio.run(test())


# Results


def test_invalid_entries_are_dropped_before_the_cut_to_the_number_asked_for() -> None:
    good = [{"url": f"https://a.example/{n}"} for n in range(5)]
    body = json.dumps({"results": [{}, None, {"url": 3}, *good]}).encode()
    outcome = asked(answer(body), num_results=3)
    assert [r.url for r in outcome.results or []] == [hit["url"] for hit in good[:3]]
    assert (outcome.error, outcome.attempts) == (None, 1)


@pytest.mark.parametrize(("budget", "length"), [(0, 3000), (500, 500), (2000, 2000), (9000, 3000)])
def test_snippets_are_clipped_by_plain_slicing(budget: int, length: int) -> None:
    text = "é \U0001f600" * 1000
    outcome = asked(hits(snippet=text), snippet_chars=budget)
    assert outcome.results is not None
    assert outcome.results[0].snippet == text[:length]


def test_an_empty_list_is_a_result() -> None:
    outcome = asked(hits(0))
    assert (outcome.results, outcome.error) == ([], None)


@pytest.mark.parametrize(
    ("body", "snippet"),
    [
        (b'\xef\xbb\xbf{"results":[{"url":"u","snippet":"x"}]}', "x"),
        (b'{"results":[{"url":"u","snippet":"cut \\ud83d"}]}', "cut \ufffd"),
        (b'{"results":[{"url":"u","snippet":"bad \xff"}]}', "bad \ufffd"),
        (b'{"results":[{"url":"u","snippet":"x","score":NaN}]}', "x"),
    ],
)
def test_small_sins_against_json_are_forgiven(body: bytes, snippet: str) -> None:
    outcome = asked(answer(body))
    assert [result.snippet for result in outcome.results or []] == [snippet]


# Errors


@pytest.mark.parametrize(
    ("reply", "error_type", "error_class", "status", "message"),
    [
        (answer(b'{"message":"bad key"}', 401), "http_error", "account", 401, '401: {"message"'),
        (answer(b"no\n\n  money", 402), "http_error", "account", 402, "402: no money"),
        (answer(b"slow down", 429), "http_error", "account", 429, "429: slow down"),
        (answer(b"gone", 404), "http_error", "service", 404, "404: gone"),
        (answer(b"down", 503), "http_error", "service", 503, "503: down"),
        (answer(b"", 204), "http_error", "service", 204, "204:"),
        (answer(b"", 302, location="/x"), "http_error", "service", 302, "302:"),
        (answer(b"quota used up", 400), "http_error", "account", 400, "400: quota used up"),
        (answer(b"bad words: acme quota", 400), "http_error", "service", 400, "400: bad words"),
        (answer(b"<html>hello</html>"), "bad_json", "service", None, "not JSON: <html>hello"),
        (answer(b""), "bad_json", "service", None, "not JSON:"),
        (answer(b"[" * 100_000), "bad_json", "service", None, "not JSON: [[["),
        (answer(b'{"error":"overloaded"}'), "api_error", "service", None, "overloaded"),
        (answer(b'{"error":"no credits"}'), "api_error", "account", None, "no credits"),
        (b"", "transport", "service", None, "RemoteProtocolError: Server disconnected"),
    ],
)
def test_every_failure_has_a_kind_an_owner_and_a_message(
    reply: bytes, error_type: str, error_class: str, status: int | None, message: str
) -> None:
    outcome = asked(reply, query="acme quota")
    error = outcome.error
    assert outcome.results is None
    assert error is not None
    assert (error.error_type, error.error_class, error.status) == (error_type, error_class, status)
    assert error.error_message.startswith(message)
    assert len(error.error_message) <= 500
    assert (outcome.latency_ms, outcome.reconnected) == (None, False)


def test_a_key_that_is_echoed_is_masked_wherever_the_message_is_cut() -> None:
    for padding in range(470, 500):
        body = b"x" * padding + b" secret-key"
        outcome = asked(answer(body, 404), mask=Mask(["secret-key"]))
        assert outcome.error is not None
        assert "secr" not in outcome.error.error_message


def test_an_error_is_one_line_that_a_terminal_can_show() -> None:
    body = "down \x1b[2J\x07 \u202e again".encode()
    error = asked(answer(body, 503)).error
    assert error is not None
    assert error.error_message == "503: down \ufffd[2J\ufffd \ufffd again"


def test_only_the_start_of_a_huge_error_is_looked_at() -> None:
    plain = b"x" * 200_000 + b" quota"
    for body, owner in ((plain, "service"), (b"quota " + plain, "account")):
        error = asked(answer(body, 400)).error
        assert error is not None
        assert (error.error_class, len(error.error_message)) == (owner, 500)


def test_a_key_that_is_echoed_in_results_is_masked_before_they_are_clipped() -> None:
    key = "a-key-of-20-letters/"
    text = "x" * 10 + key
    fields = {"url": f"https://a.example/?key={quote(key, safe='')}", "title": text}
    body = answer(json.dumps({"results": [fields | {"snippet": text}]}).encode())
    outcome = asked(body, snippet_chars=15, mask_results=Mask([key]))
    assert outcome.results is not None
    (found,) = outcome.results
    assert found.url == "https://a.example/?key=***"
    assert (found.title, found.snippet) == ("x" * 10 + "***", "x" * 10 + "***")


def test_attempts_count_every_request() -> None:
    outcome = asked(answer(b"", 500), answer(b"", 429), hits())
    assert (outcome.attempts, outcome.error) == (3, None)


# Latency


class Ticks:
    """A clock that takes its readings from a list of attempt durations in ms."""

    def __init__(self, *durations_ms: float) -> None:
        self._readings = [
            reading
            for n, ms in enumerate(durations_ms)
            for reading in (n * 1000.0, n * 1000.0 + ms / 1000)
        ]

    def __call__(self) -> float:
        return self._readings.pop(0)


def timed(
    replies: list[bytes], *durations_ms: float, searches: int
) -> list[tuple[float | None, bool]]:
    async def test() -> list[SearchOutcome]:
        async with wire(*replies) as script:
            free = Limiter(0.0, lambda: 0.0, FakeTime().sleep)
            asking = engine(script, clock=Ticks(*durations_ms), limiter=free)
            outcomes = [await asking.search("acme") for _ in range(searches)]
            await asking.aclose()
            return outcomes

    outcomes = asyncio.run(test())
    return [(o.latency_ms and round(o.latency_ms, 3), o.reconnected) for o in outcomes]


def test_the_first_connection_is_a_warm_up_and_a_later_one_a_reconnect() -> None:
    """Opening 900 ms, then 200, 210, a failure that closes, 650 on a new connection."""
    replies = [hits(), hits(), hits(), answer(b"", 400, connection="close"), hits()]
    assert timed(replies, 900, 200, 210, 300, 650, searches=5) == [
        (None, False),
        (200.0, False),
        (210.0, False),
        (None, False),
        (650.0, True),
    ]


def test_a_failed_first_attempt_warms_the_connection_for_its_retry() -> None:
    assert timed([answer(b"", 500), hits()], 900, 200, searches=1) == [(200.0, False)]


def test_a_retry_that_must_connect_again_is_a_reconnect() -> None:
    closing = answer(b"", 500, connection="close")
    assert timed([closing, hits()], 900, 200, searches=1) == [(200.0, True)]


def test_as_many_connections_as_slots_are_warm_ups() -> None:
    async def test() -> list[SearchOutcome]:
        async with wire(hits()) as script:
            script.gate.clear()
            asking = engine(script, max_connections=2)
            pair = asyncio.gather(asking.search("a"), asking.search("b"))
            await asyncio.sleep(0.02)
            script.gate.set()
            outcomes = [*await pair, await asking.search("c")]
            await asking.aclose()
            assert script.connections == 2
            return outcomes

    outcomes = asyncio.run(test())
    assert [outcome.latency_ms is None for outcome in outcomes] == [True, True, False]
    assert not any(outcome.reconnected for outcome in outcomes)


# Against the fake vendors


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


def search_all(
    world: FakeWorld, query: str, *, env: dict[str, str] | None = None, **options: Any
) -> dict[str, SearchOutcome]:
    async def test() -> dict[str, SearchOutcome]:
        env_ = KEYS if env is None else env
        settings = Settings(env=env_, gateway=world.url)
        engines = build_engines(
            options.get("names", LIVE),
            settings=settings,
            snippet_chars=options.get("snippet_chars", 2000),
            corpus=None,
            today=TODAY,
            sleep=FakeTime().sleep,
        )
        number = options.get("num_results", 10)
        outcomes = {e.spec.id: await e.search(query, num_results=number) for e in engines}
        for closing in engines:
            await closing.aclose()
        return outcomes

    return asyncio.run(test())


@pytest.mark.parametrize("num_results", [1, 5, 10, 20])
@pytest.mark.parametrize("snippet_chars", [0, 100, 2000, 20_000])
@pytest.mark.parametrize(
    "query",
    [
        "storm harbour",
        "storm after:2026-01-01",
        "storm before:2026-10-01 site:www.example.org",
        '"storm" harbour site:a.example after:2026-01-01 before:2026-10-01',
        "site:a.example",
        "東京 café \U0001f600",
        "storm " * 65 + "site:a.example",
    ],
)
def test_strict_vendors_accept_every_request(
    world: FakeWorld, query: str, snippet_chars: int, num_results: int
) -> None:
    outcomes = search_all(world, query, snippet_chars=snippet_chars, num_results=num_results)
    for name, outcome in outcomes.items():
        assert outcome.error is None, (name, outcome.error)
        assert outcome.results is not None
        assert len(outcome.results) <= num_results
        assert all(0 < len(r.snippet or "x") <= (snippet_chars or 10**6) for r in outcome.results)


def test_the_vendors_find_something(world: FakeWorld) -> None:
    rounds = [search_all(world, query) for query in ("storm harbour", "council vote", "rate rise")]
    for name in LIVE:
        found = [result for outcomes in rounds for result in outcomes[name].results or []]
        assert len(found) > 10, name
        assert any(result.published_date for result in found), name
        assert all(result.snippet for result in found), name


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"kind": "status", "status": 401}, "http_error", "account"),
    ({"kind": "status", "status": 402}, "http_error", "account"),
    ({"kind": "status", "status": 433}, "http_error", "account"),
    ({"kind": "status", "status": 422}, "http_error", "service"),
    ({"kind": "status", "status": 500}, "http_error", "service"),
    ({"kind": "status", "status": 524}, "http_error", "service"),
    ({"kind": "rate_limit", "retry_after": "2"}, "http_error", "account"),
    ({"kind": "rate_limit", "retry_after": "soon"}, "http_error", "account"),
    ({"kind": "refuse"}, "transport", "service"),
    ({"kind": "reset_before_headers"}, "transport", "service"),
    ({"kind": "reset_after_headers"}, "transport", "service"),
    ({"kind": "truncate"}, "transport", "service"),
    ({"kind": "huge", "mb": 12}, "transport", "service"),
    ({"kind": "gzip_bomb", "mb": 12}, "transport", "service"),
    ({"kind": "not_json"}, "bad_json", "service"),
    ({"kind": "html"}, "bad_json", "service"),
    ({"kind": "html", "status": 500}, "http_error", "service"),
    ({"kind": "redirect", "to": "file:///etc/passwd"}, "http_error", "service"),
    ({"kind": "redirect", "to": "https://other.example/"}, "http_error", "service"),
    ({"kind": "echo_key"}, "http_error", "service"),
]


@pytest.mark.parametrize(("fault", "error_type", "error_class"), FAULTS)
def test_every_fault_of_the_fake_world_is_an_error_of_the_right_class(
    world: FakeWorld, fault: dict[str, Any], error_type: str, error_class: str
) -> None:
    world.reset()
    world.add_faults([Fault(**fault)])
    try:
        names = ["keenable", "exa", "google", "brave", "brave-llmcontext"]
        for name, outcome in search_all(world, "storm harbour", names=names).items():
            assert outcome.error is not None, name
            assert outcome.error.error_type == error_type, (name, outcome.error)
            assert outcome.error.error_class == error_class, (name, outcome.error)
            assert "fake-" not in outcome.error.error_message
            assert "127.0.0.1" not in outcome.error.error_message
    finally:
        world.reset()


@pytest.mark.parametrize("kind", ["nulls", "wrong_types", "hostile"])
def test_spoilt_and_hostile_answers_never_raise(world: FakeWorld, kind: str) -> None:
    world.reset()
    world.add_faults([Fault(kind=kind)])
    try:
        for word in ("storm", "harbour", "council", "match", "rate"):
            for name, outcome in search_all(world, word).items():
                assert (outcome.results is None) is (outcome.error is not None), name
    finally:
        world.reset()


@pytest.mark.parametrize("times", [1, 3])
def test_passing_trouble_is_outlasted(world: FakeWorld, times: int) -> None:
    for kind in ("refuse", "reset_before_headers", "truncate"):
        world.reset()
        world.add_faults([Fault(kind=kind, host="api.exa.ai", times=times)])
        outcome = search_all(world, "storm", names=["exa"])["exa"]
        assert (outcome.error, outcome.attempts) == (None, times + 1)
    world.reset()


def test_without_a_key_keenable_uses_its_public_endpoint(world: FakeWorld) -> None:
    outcomes = search_all(world, "storm", env={}, names=["keenable", "keenable-realtime"])
    assert outcomes["keenable"].results
    refused = outcomes["keenable-realtime"].error
    assert refused is not None
    assert (refused.status, refused.error_class) == (403, "account")


def test_a_wrong_key_is_our_own_fault_where_the_vendor_says_so(world: FakeWorld) -> None:
    wrong = dict.fromkeys(KEYS, "wrong-key")
    statuses = {
        name: (outcome.error.status, outcome.error.error_class)
        for name, outcome in search_all(world, "storm", env=wrong).items()
        if outcome.error is not None
    }
    assert statuses == {
        "keenable-realtime": (401, "account"),
        "keenable": (401, "account"),
        "exa-instant": (401, "account"),
        "exa-lite": (401, "account"),
        "exa": (401, "account"),
        "google": (403, "account"),
        "brave": (422, "service"),  # what the vendor answers; check keys before a run
        "brave-llmcontext": (422, "service"),
    }
