"""The network edge, each rule through a real socket on this machine."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import subprocess
import sys
import zlib
from collections.abc import Coroutine
from typing import Any

import pytest

from runner.http import Exchange, HttpClient, HttpRequest, Limiter, RetryPolicy
from runner.settings import Mask
from tests.runner.wire import FakeTime, answer, wire

ASK = HttpRequest(method="POST", url="https://api.example/v1/search", json={"query": "q"})
ONCE = RetryPolicy(transport=0, server=0, rate_limited=0)


def run(test: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(test)


async def exchange(
    answers: list[bytes],
    request: HttpRequest = ASK,
    *,
    time: FakeTime | None = None,
    retry: RetryPolicy | None = None,
    follow_redirects: int = 0,
    **options: Any,
) -> tuple[Exchange, list[str]]:
    """One `send` against a script, and the heads of the requests that arrived."""
    time = time or FakeTime()
    async with wire(*answers) as script:
        client = HttpClient(gateway=script.url, clock=time.clock, sleep=time.sleep, **options)
        outcome = await client.send(request, retry=retry, follow_redirects=follow_redirects)
        await client.aclose()
        return outcome, script.heads


def body_of(outcome: Exchange) -> bytes:
    assert outcome.reply is not None, outcome.failure
    return outcome.reply.body


def problem_of(outcome: Exchange) -> str:
    assert outcome.failure is not None
    return outcome.failure.message


# What goes out


def test_a_request_carries_its_parts_and_our_name() -> None:
    request = HttpRequest(
        url="https://api.example/find?lang=en",
        params={"q": "a b&c é"},
        headers={"X-Key": "k", "accept": "application/json"},
    )
    outcome, heads = run(exchange([answer()], request))
    lines = heads[0].split("\r\n")
    assert lines[0] == "GET /api.example/find?lang=en&q=a%20b%26c%20%C3%A9 HTTP/1.1"
    assert "X-Key: k" in lines
    assert "accept: application/json" in lines
    assert "Accept: */*" not in lines
    assert "Accept-Encoding: gzip" in lines
    assert any(line.startswith("User-Agent: needle-benchmark/") for line in lines)
    assert outcome.reply.url == "https://api.example/find?lang=en&q=a%20b%26c%20%C3%A9"


def test_a_json_body_is_sent_as_json() -> None:
    async def test() -> tuple[list[bytes], list[str]]:
        async with wire(answer()) as script:
            client = HttpClient(gateway=script.url)
            await client.send(HttpRequest(method="POST", url="https://a.example/", json={"q": "é"}))
            await client.aclose()
            return script.bodies, script.heads

    bodies, heads = run(test())
    assert json.loads(bodies[0]) == {"q": "é"}
    assert "Content-Type: application/json" in heads[0]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://api.example/v1/search", "/api.example/v1/search"),
        ("https://api.example", "/api.example/"),
        ("https://API.example:8443/x?a=1&b=%20", "/api.example:8443/x?a=1&b=%20"),
        ("http://user:secret@feeds.example/rss#top", "/feeds.example/rss"),
    ],
)
def test_through_a_gateway_the_host_becomes_the_first_part_of_the_path(url: str, path: str) -> None:
    _, heads = run(exchange([answer()], HttpRequest(url=url)))
    assert heads[0].startswith(f"GET {path} HTTP/1.1\r\n")


def test_without_a_gateway_the_request_goes_to_its_host() -> None:
    async def test() -> str:
        async with wire(answer()) as script:
            client = HttpClient()
            outcome = await client.send(HttpRequest(url=f"{script.url}/x?y=1"))
            await client.aclose()
            assert outcome.reply is not None
            assert outcome.reply.url == f"{script.url}/x?y=1"
            return script.heads[0]

    assert run(test()).startswith("GET /x?y=1 HTTP/1.1")


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (HttpRequest(url="ftp://a.example/x"), "UnsupportedProtocol"),
        (HttpRequest(url="/etc/passwd"), "UnsupportedProtocol"),
        (HttpRequest(url="http://[bad"), "ValueError"),
        (HttpRequest(url="http://a.example:port/"), "ValueError"),
        (HttpRequest(url="http://a.example/", headers={"x": "snow ☃"}), "UnicodeEncodeError"),
        (HttpRequest(url="http://a.example/", headers={"x": "a\r\nb: c"}), "LocalProtocolError"),
        (HttpRequest(url="http://a.example/", params={"q": "\ud800"}), "UnicodeEncodeError"),
        (HttpRequest(url="http://a.example/", json={"q": "\ud800"}), "UnicodeEncodeError"),
    ],
)
def test_what_cannot_be_sent_is_a_failure_and_is_not_tried_again(
    request_: HttpRequest, named: str
) -> None:
    outcome, heads = run(exchange([answer()], request_, retry=RetryPolicy()))
    assert problem_of(outcome).startswith(named)
    assert (outcome.attempts, heads) == (1, [])


# Retries


SECOND = [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("bad", "times", "attempts", "slept"),
    [
        (answer(status=500), 3, 4, SECOND),
        (answer(status=503), 1, 2, SECOND[:1]),
        (answer(status=520), 2, 3, SECOND[:2]),
        (answer(status=529), 3, 4, SECOND),
        (answer(status=599), 4, 4, SECOND),
        (b"", 3, 4, SECOND),
        (b"", 4, 4, SECOND),
        (answer(b"short", content_length="99", connection="close"), 2, 3, SECOND[:2]),
        (answer(b"not gzip", content_encoding="gzip"), 1, 2, SECOND[:1]),
        (answer(status=429), 6, 7, [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]),
        (answer(status=429), 7, 7, [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]),
        (answer(status=400), 1, 1, []),
        (answer(status=401), 1, 1, []),
        (answer(status=404), 1, 1, []),
        (answer(status=408), 1, 1, []),
        (answer(status=302, location="/x"), 1, 1, []),
    ],
)
def test_each_kind_of_failure_has_its_number_of_retries(
    bad: bytes, times: int, attempts: int, slept: list[float]
) -> None:
    time = FakeTime()
    outcome, heads = run(exchange([bad] * times + [answer(b"good")], time=time))
    assert outcome.attempts == len(heads) == attempts
    assert time.slept == slept
    assert (outcome.reply is not None and outcome.reply.body == b"good") is (attempts > times)


def test_a_refused_connection_is_tried_four_times_and_opens_none() -> None:
    async def test() -> Exchange:
        time = FakeTime()
        client = HttpClient(gateway="http://127.0.0.1:1", clock=time.clock, sleep=time.sleep)
        outcome = await client.send(ASK)
        await client.aclose()
        assert time.slept == SECOND
        return outcome

    outcome = run(test())
    assert (outcome.attempts, outcome.opened) == (4, 0)
    assert outcome.failure.message.startswith("ConnectError")
    assert outcome.failure.is_timeout is False
    assert outcome.failure.opened_connection is False


def test_transport_and_server_errors_share_a_count_and_429_has_its_own() -> None:
    time = FakeTime()
    limited, broken = answer(status=429), answer(status=502)
    answers = [broken, limited, b"", limited, broken, limited, broken, answer()]
    outcome, heads = run(exchange(answers, time=time))
    assert outcome.reply.status == 502  # the fourth of its kind
    assert len(heads) == 7
    assert time.slept == [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"retry_after": "2"}, b"{}", 2.0),
        ({"retry_after": " 7.5 "}, b"{}", 7.5),
        ({"retry_after": "3600"}, b"{}", 30.0),
        ({"retry_after": "0"}, b"{}", 0.25),
        ({"retry_after": "-3"}, b"{}", 0.25),
        ({"retry_after": "soon"}, b"{}", 1.0),
        ({"retry_after": "nan"}, b"{}", 1.0),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:00 GMT"}, b"{}", 1.0),
        ({}, b'{"retry_after_seconds": 3}', 3.0),
        ({}, b'{"retry_after_seconds": 99.5}', 30.0),
        ({}, b'{"retry_after_seconds": "3"}', 1.0),
        ({}, b'{"retry_after_seconds": true}', 1.0),
        ({}, b'{"retry_after_seconds": NaN}', 1.0),
        ({}, b"retry_after_seconds " + b"[" * 5000, 1.0),
        ({"retry_after": "4"}, b'{"retry_after_seconds": 9}', 4.0),
        ({}, b"", 1.0),
    ],
)
def test_a_wait_the_server_asks_for_is_kept_within_bounds(
    headers: dict[str, str], body: bytes, wait: float
) -> None:
    time = FakeTime()
    limited = answer(body, 429, **headers)
    run(exchange([limited, answer()], time=time, min_interval_s=0.25))
    assert time.slept == [wait]


def test_a_wait_the_server_asks_for_leaves_the_series_alone() -> None:
    time = FakeTime()
    answers = [answer(status=429, retry_after="0"), *[answer(status=429)] * 3, answer()]
    run(exchange(answers, time=time))
    assert time.slept == [0.0, 2.0, 4.0, 8.0]


def test_a_policy_can_leave_out_timeouts() -> None:
    async def test(retry: RetryPolicy) -> Exchange:
        async with wire(answer()) as script:
            script.gate.clear()
            client = HttpClient(gateway=script.url, timeout_s=0.02, sleep=FakeTime().sleep)
            outcome = await client.send(ASK, retry=retry)
            script.gate.set()
            await client.aclose()
            return outcome

    assert run(test(RetryPolicy(timeouts=False))).attempts == 1
    assert run(test(RetryPolicy(transport=2))).attempts == 3


# Limits


def test_a_timeout_bounds_the_whole_attempt_though_bytes_keep_dripping() -> None:
    async def test() -> list[Exchange]:
        async with wire(answer(b"x" * 1000), drip_s=0.002) as script:
            client = HttpClient(gateway=script.url, timeout_s=0.04)
            # the second shows that the slot and the pool are free again
            outcomes = [await client.send(ASK, retry=ONCE) for _ in range(2)]
            await client.aclose()
            return outcomes

    for outcome in run(test()):
        assert outcome.failure.message == "TimeoutError: no complete answer within 0.04 s"
        assert outcome.failure.is_timeout is True
        assert outcome.failure.opened_connection is True


@pytest.mark.parametrize(
    "body",
    [
        answer(b"x" * 5001),
        answer(b"1389\r\n" + b"x" * 5001 + b"\r\n0\r\n\r\n", transfer_encoding="chunked"),
        answer(gzip.compress(b"\0" * 5_000_000, mtime=0), content_encoding="gzip"),
        answer(b"\x1f\x8b" + b"x" * 5001, content_encoding="identity"),
        answer(gzip.compress(b"small", mtime=0) + b"\0" * 5001, content_encoding="gzip"),
    ],
)
def test_a_body_over_the_limit_is_a_failure_and_is_not_fetched_again(body: bytes) -> None:
    if b"chunked" in body:
        body = body.replace(b"content-length: 5014\r\n", b"")
    outcome, heads = run(exchange([body], max_body_bytes=5000))
    assert problem_of(outcome) == "BodyTooLarge: more than 5000 bytes"
    assert len(heads) == 1


def test_a_body_of_exactly_the_limit_is_kept() -> None:
    outcome, _ = run(exchange([answer(b"x" * 5000)], max_body_bytes=5000))
    assert body_of(outcome) == b"x" * 5000


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"hello " * 50, mtime=0)),
        ("X-GZIP", gzip.compress(b"hello " * 50, mtime=0)),
        ("deflate", zlib.compress(b"hello " * 50)),
        ("identity", b"hello " * 50),
        ("", b"hello " * 50),
    ],
)
def test_packed_bodies_are_unpacked(encoding: str, packed: bytes) -> None:
    outcome, _ = run(exchange([answer(packed, content_encoding=encoding)]))
    assert body_of(outcome) == b"hello " * 50


@pytest.mark.parametrize(
    ("encoding", "body", "problem"),
    [
        ("br", b"x", "DecodingError: content-encoding 'br' was not asked for"),
        ("gzip", b"plain", "DecodingError: Error -3"),
        (
            "gzip",
            gzip.compress(b"cut" * 99, mtime=0)[:-9],
            "DecodingError: the compressed body ended",
        ),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_a_failure(
    encoding: str, body: bytes, problem: str
) -> None:
    outcome, _ = run(exchange([answer(body, content_encoding=encoding)], retry=ONCE))
    assert problem_of(outcome).startswith(problem)


# Redirects


def test_redirects_are_followed_only_when_asked_for() -> None:
    moved = answer(status=302, location="https://b.example/y")
    outcome, heads = run(exchange([moved, answer(b"there")]))
    assert (outcome.reply.status, len(heads)) == (302, 1)
    outcome, heads = run(exchange([moved, answer(b"there")], follow_redirects=3))
    assert body_of(outcome) == b"there"
    assert outcome.reply.url == "https://b.example/y"
    assert outcome.attempts == 1


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("https://b.example/y?z=1", "/b.example/y?z=1"),
        ("/y", "/a.example/y"),
        ("y", "/a.example/dir/y"),
        ("//b.example/y", "/b.example/y"),
        ("?page=2", "/a.example/dir/x?page=2"),
        ("http://a.example:8080/", "/a.example:8080/"),
    ],
)
def test_every_hop_goes_through_the_gateway(location: str, path: str) -> None:
    request = HttpRequest(url="https://a.example/dir/x")
    answers = [answer(status=301, location=location), answer()]
    _, heads = run(exchange(answers, request, follow_redirects=1))
    assert heads[1].startswith(f"GET {path} HTTP/1.1")


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://a.example/", "javascript:0"])
def test_a_redirect_to_another_scheme_is_refused(location: str) -> None:
    answers = [answer(status=302, location=location), answer()]
    outcome, heads = run(exchange(answers, follow_redirects=5))
    assert problem_of(outcome) == f"UnsupportedProtocol: redirect to {location!r} refused"
    assert len(heads) == 1


@pytest.mark.parametrize(
    "location",
    [
        "http://localhost/",
        "http://127.0.0.1:8080/x",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[fd00::1]/",
        "http://metadata.internal/",
        "//printer.local/",
    ],
)
def test_a_redirect_from_a_public_host_to_a_private_address_is_refused(location: str) -> None:
    answers = [answer(status=302, location=location), answer()]
    outcome, heads = run(exchange(answers, follow_redirects=5))
    assert problem_of(outcome) == f"PrivateAddress: redirect to {location!r} refused"
    assert len(heads) == 1


def test_an_engine_on_this_machine_may_redirect_to_itself() -> None:
    request = HttpRequest(url="http://localhost:8080/search")
    answers = [answer(status=302, location="http://localhost:8080/search/"), answer(b"there")]
    outcome, _ = run(exchange(answers, request, follow_redirects=1))
    assert body_of(outcome) == b"there"


def test_a_redirect_to_no_address_is_a_failure() -> None:
    answers = [answer(status=302, location="http://[bad"), answer()]
    outcome, _ = run(exchange(answers, follow_redirects=5))
    assert problem_of(outcome).startswith("ValueError")


def test_a_circle_of_redirects_ends() -> None:
    outcome, heads = run(exchange([answer(status=302, location="/x")], follow_redirects=4))
    assert problem_of(outcome) == "TooManyRedirects: more than 4 in a row"
    assert len(heads) == 5


@pytest.mark.parametrize(
    ("start", "location", "is_kept"),
    [
        ("https://a.example/", "https://a.example/y", True),
        ("http://a.example/", "https://a.example/y", True),
        ("https://a.example/", "https://b.example/y", False),
        ("https://a.example/", "https://a.example.evil.example/y", False),
        ("https://a.example/", "https://a.example:8443/y", False),
        ("https://a.example/", "http://a.example/y", False),
    ],
)
def test_a_key_goes_along_only_to_the_same_host(start: str, location: str, is_kept: bool) -> None:
    request = HttpRequest(url=start, headers={"X-Key": "secret", "Accept-Language": "en"})
    answers = [answer(status=307, location=location), answer()]
    _, heads = run(exchange(answers, request, follow_redirects=1))
    assert ("secret" in heads[1]) is is_kept
    assert "Accept-Language: en" in heads[1]
    assert "User-Agent: needle-benchmark" in heads[1]


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (303, "GET"), (307, "POST")])
def test_a_moved_post_keeps_its_body_only_where_the_status_says_so(
    status: int, method: str
) -> None:
    answers = [answer(status=status, location="/y"), answer()]
    _, heads = run(exchange(answers, follow_redirects=1))
    assert heads[1].startswith(f"{method} ")
    assert ("content-type" in heads[1].lower()) is (method == "POST")


# Pacing, slots, latency


def test_starts_keep_their_distance_retries_included() -> None:
    time = FakeTime()
    limiter = Limiter(5.0, time.clock, time.sleep)

    async def test() -> None:
        async with wire(answer(status=500), answer()) as script:
            for host in ("a", "b"):  # two clients that share a key
                client = HttpClient(
                    gateway=script.url, limiter=limiter, clock=time.clock, sleep=time.sleep
                )
                await client.send(HttpRequest(url=f"https://{host}.example/"))
                await client.aclose()

    run(test())
    assert time.slept == [1.0, 4.0, 5.0]  # back-off, the rest of the gap, a whole gap


def test_waiting_callers_each_get_a_turn_of_their_own() -> None:
    async def test() -> list[float]:
        time = FakeTime()
        turns = FakeTime()
        limiter = Limiter(2.0, time.clock, turns.sleep)
        await asyncio.gather(*(limiter.wait() for _ in range(4)))
        return turns.slept

    assert run(test()) == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("slots", [1, 3])
def test_no_more_requests_are_in_flight_than_there_are_slots(slots: int) -> None:
    async def test() -> tuple[int, int]:
        async with wire(answer()) as script:
            script.gate.clear()
            client = HttpClient(gateway=script.url, max_connections=slots)
            sending = asyncio.gather(*(client.send(ASK) for _ in range(8)))
            while script.most_in_flight < slots:  # noqa: ASYNC110 - the script has no such event
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.03)  # time for one too many to arrive
            script.gate.set()
            await sending
            await client.aclose()
            return script.most_in_flight, script.connections

    assert run(test()) == (slots, slots)


def test_a_slot_is_held_while_a_retry_waits() -> None:
    async def test() -> list[str]:
        async with wire(answer(status=500), answer()) as script:
            resume = asyncio.Event()

            async def sleep(seconds: float) -> None:
                await resume.wait()

            client = HttpClient(gateway=script.url, sleep=sleep)
            first = asyncio.create_task(client.send(HttpRequest(url="https://a.example/first")))
            await script.arrived.wait()
            second = asyncio.create_task(client.send(HttpRequest(url="https://a.example/second")))
            await asyncio.sleep(0.01)
            resume.set()
            await asyncio.gather(first, second)
            await client.aclose()
            return [head.split()[1] for head in script.heads]

    assert run(test()) == ["/a.example/first"] * 2 + ["/a.example/second"]


def test_latency_is_the_last_attempt_alone() -> None:
    async def test() -> Exchange:
        time = FakeTime()
        ticks = iter([0.0, 9.0, 50.0, 50.2])  # start and end of each attempt
        async with wire(answer(status=500), answer()) as script:
            client = HttpClient(
                gateway=script.url,
                limiter=Limiter(0.0, time.clock, time.sleep),
                clock=lambda: next(ticks),
                sleep=time.sleep,
            )
            outcome = await client.send(ASK)
            await client.aclose()
            return outcome

    outcome = run(test())
    assert outcome.attempts == 2
    assert outcome.reply.elapsed_ms == pytest.approx(200.0)


def test_a_connection_is_kept_and_its_opening_noted() -> None:
    async def test() -> list[tuple[bool, int]]:
        closing = answer(connection="close")
        async with wire(answer(), answer(), closing, answer()) as script:
            client = HttpClient(gateway=script.url)
            outcomes = [await client.send(ASK) for _ in range(4)]
            await client.aclose()
            assert script.connections == 2
            return [(o.reply.opened_connection, o.opened) for o in outcomes if o.reply]

    assert run(test()) == [(True, 1), (False, 0), (False, 0), (True, 1)]


def test_the_openings_of_earlier_attempts_are_counted() -> None:
    outcome, _ = run(exchange([b"", b"", answer()]))
    assert (outcome.attempts, outcome.opened) == (3, 3)
    outcome, _ = run(exchange([answer(status=500), answer()]))
    assert (outcome.attempts, outcome.opened) == (2, 1)
    assert outcome.reply.opened_connection is False


def test_a_closed_client_opens_again() -> None:
    async def test() -> list[int]:
        async with wire(answer()) as script:
            client = HttpClient(gateway=script.url)
            statuses = []
            for _ in range(2):
                outcome = await client.send(ASK)
                assert outcome.reply is not None
                assert outcome.reply.opened_connection
                statuses.append(outcome.reply.status)
                await client.aclose()
            await client.aclose()
            return statuses

    assert run(test()) == [200, 200]


def test_cancellation_passes_and_frees_the_slot() -> None:
    async def test() -> int:
        async with wire(answer()) as script:
            script.gate.clear()
            client = HttpClient(gateway=script.url)
            task = asyncio.create_task(client.send(ASK))
            await script.arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            script.gate.set()
            outcome = await client.send(ASK)
            await client.aclose()
            assert outcome.reply is not None
            return outcome.reply.status

    assert run(test()) == 200


# What may be said


KEY = "sk-se/cret+key"


def test_no_key_and_no_gateway_address_stands_in_an_error() -> None:
    request = HttpRequest(url="https://a.example/", headers={"X-Key": f"{KEY}\nx"})
    outcome, _ = run(exchange([answer()], request, mask=Mask([KEY])))
    assert "LocalProtocolError" in problem_of(outcome)
    assert "***" in problem_of(outcome)
    assert "cret" not in problem_of(outcome)


def test_a_text_is_scrubbed_of_every_form_of_a_key_and_of_the_gateway() -> None:
    client = HttpClient(gateway="http://127.0.0.1:8800/", mask=Mask([KEY]))
    said = f"{KEY} sk-se%2Fcret%2Bkey at http://127.0.0.1:8800/a.example or 127.0.0.1:8800"
    assert client.scrub(said) == "*** *** at [gateway]/a.example or [gateway]"


def test_a_message_is_cut_behind_its_masking() -> None:
    location = "ftp://" + "x" * 170 + KEY
    answers = [answer(status=302, location=location)]
    outcome, _ = run(exchange(answers, follow_redirects=1, mask=Mask([KEY])))
    assert len(problem_of(outcome)) <= 500
    assert "cret" not in problem_of(outcome)


def test_nothing_is_logged_that_could_hold_a_key(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        run(exchange([answer()], HttpRequest(url=f"https://a.example/?key={KEY}")))
    assert [record for record in caplog.records if record.name != "asyncio"] == []


def test_proxy_variables_and_cookies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    async def test() -> list[str]:
        async with wire(answer(set_cookie="id=1; Path=/")) as script:
            client = HttpClient(gateway=script.url)
            for _ in range(2):
                assert (await client.send(ASK)).reply is not None
            await client.aclose()
            return script.heads

    assert all("cookie" not in head.lower() for head in run(test()))


def test_the_edge_loads_httpx_only_with_the_first_request() -> None:
    code = "import sys, runner.http, runner.engines.registry; print('httpx' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "False\n"
