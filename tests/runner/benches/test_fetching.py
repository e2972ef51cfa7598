"""Sources over HTTP: each kind of failure has a name, and the cache can only save requests."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from runner.benches.fetching import Fetcher, SourceError
from runner.http import RetryPolicy
from runner.settings import Settings
from tests.runner.wire import FakeTime, Script, answer, wire

URL = "https://data.example/api/facts.json"
ONCE = RetryPolicy(transport=0, server=0, rate_limited=0)


def with_fetcher(
    answers: list[bytes], ask: Callable[[Fetcher], Awaitable[Any]], **options: Any
) -> tuple[Any, Script]:
    """What `ask` gave (a SourceError as a value), and the script with the requests."""

    async def run() -> tuple[Any, Script]:
        async with wire(*answers) as script:
            env = {"NEEDLE_CONTACT": "ops@example.org", "EXA_API_KEY": "secret-key"}
            settings = Settings(env=env, gateway=script.url, sleep=FakeTime().sleep)
            options.setdefault("retry", ONCE)
            fetcher = Fetcher(settings, **options)
            try:
                return await ask(fetcher), script
            except SourceError as error:
                return error, script
            finally:
                await fetcher.aclose()

    return asyncio.run(run())


def get(answers: list[bytes], **options: Any) -> tuple[Any, Script]:
    return with_fetcher(answers, lambda fetcher: fetcher.get_json(URL), **options)


def entry_of(cache: Path) -> Path:
    [path] = [path for path in cache.rglob("*") if path.is_file()]
    return path


def test_a_request_says_who_asks_and_what_it_can_read() -> None:
    value, script = with_fetcher(
        [answer(b'{"a": [1, null]}')],
        lambda fetcher: fetcher.get_json(URL, {"q": "a b", "n": "1"}),
        accept="application/vnd.api+json",
    )
    assert value == {"a": [1, None]}
    [head] = script.heads
    assert head.startswith("GET /data.example/api/facts.json?q=a%20b&n=1 ")
    assert "(+ops@example.org)" in head
    assert "Accept: application/vnd.api+json" in head
    assert "If-None-Match" not in head


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (answer(status=404), "not_found", "HTTP 404"),
        (answer(status=410), "not_found", "HTTP 410"),
        (answer(status=401), "forbidden", "HTTP 401"),
        (answer(b"<html>", status=403), "forbidden", "HTTP 403"),
        (answer(status=429), "rate_limited", "HTTP 429"),
        (answer(status=400), "http_error", "HTTP 400"),
        (answer(status=500), "http_error", "HTTP 500"),
        (answer(status=503), "http_error", "HTTP 503"),
        (answer(status=304), "http_error", "HTTP 304"),
        (answer(b"", status=204), "http_error", "HTTP 204"),
        (answer(status=302, location="http://127.0.0.1/x"), "transport", "PrivateAddress"),
        (answer(status=302, location="ftp://a.example/x"), "transport", "UnsupportedProtocol"),
        (b"", "transport", "data.example/api/facts.json"),
        (answer(b"{", content_length="9", connection="close"), "transport", "RemoteProtocol"),
        (answer(b"<!doctype html><p>Sorry"), "malformed", "not JSON"),
        (answer(b""), "malformed", "not JSON"),
        (answer(b'{"a": '), "malformed", "not JSON"),
        (answer(b'{"a": "\xff\xfe"}'), "malformed", "not JSON"),
        (answer(b"[" * 5000), "malformed", "not JSON"),
        (answer(b"NaN"), "malformed", "not JSON"),
        (answer(b"[" + b"0," * 3000 + b"0]"), "too_large", "more than 5000 bytes"),
        (
            answer(gzip.compress(b"[" + b"0," * 900_000 + b"0]"), content_encoding="gzip"),
            "too_large",
            "more than 5000 bytes",
        ),
    ],
)
def test_each_failure_has_its_kind(reply: bytes, kind: str, text: str) -> None:
    error, _ = get([reply], max_body_bytes=5000)
    assert isinstance(error, SourceError)
    assert (error.kind, text in error.message) == (kind, True), error.message
    assert error.message.startswith("data.example/api/facts.json: ")
    assert len(error.message) < 700


def test_values_of_any_shape_are_handed_on() -> None:
    for body, value in [(b"null", None), (b"[]", []), (b'"x"', "x"), (b"1.5", 1.5)]:
        assert get([answer(body)])[0] == value


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Zürich €".encode(), "Zürich €"),
        (b"\xef\xbb\xbfplain", "plain"),
        (b"Z\xfcrich \x80", "Zürich €"),
        (b"", ""),
    ],
)
def test_text_is_read_in_the_encoding_it_has(body: bytes, text: str) -> None:
    assert with_fetcher([answer(body)], lambda fetcher: fetcher.get_text(URL))[0] == text


def test_bytes_are_handed_on_as_they_are() -> None:
    body = b"PAR1\x00\xff\r\n"
    assert with_fetcher([answer(body)], lambda fetcher: fetcher.get_bytes(URL))[0] == body


def test_more_headers_go_along_but_to_no_other_host() -> None:
    hop = answer(status=302, location="https://cdn.example/x")
    _, script = with_fetcher(
        [hop, answer(b"1")],
        lambda fetcher: fetcher.get_bytes(URL),
        headers={"Authorization": "Bearer t0ken"},
    )
    first, second = script.heads
    assert "Authorization: Bearer t0ken" in first
    assert "t0ken" not in second


def test_a_refusal_that_passes_is_waited_out() -> None:
    time = FakeTime()

    async def run() -> Any:
        replies = [answer(status=429, retry_after="7"), answer(status=503), answer(b"[1]")]
        async with wire(*replies) as script:
            fetcher = Fetcher(Settings(env={}, gateway=script.url, sleep=time.sleep))
            value = await fetcher.get_json(URL)
            await fetcher.aclose()
            return value, len(script.heads)

    assert asyncio.run(run()) == ([1], 3)
    assert time.slept[0] == 7


def test_an_unchanged_answer_comes_from_the_cache(tmp_path: Path) -> None:
    first = answer(b'{"n": 1}', etag='"v1"', last_modified="Mon, 02 Nov 2026 10:00:00 GMT")
    assert get([first], cache=tmp_path)[0] == {"n": 1}
    value, script = get([answer(b"", status=304)], cache=tmp_path)
    assert value == {"n": 1}
    assert 'If-None-Match: "v1"' in script.heads[0]
    assert "If-Modified-Since: Mon, 02 Nov 2026 10:00:00 GMT" in script.heads[0]


def test_a_changed_answer_replaces_the_cached_one(tmp_path: Path) -> None:
    get([answer(b"1", etag="a")], cache=tmp_path)
    assert get([answer(b"2", etag="b")], cache=tmp_path)[0] == 2
    value, script = get([answer(b"", status=304)], cache=tmp_path)
    assert value == 2
    assert "If-None-Match: b" in script.heads[0]


@pytest.mark.parametrize(
    "reply",
    [answer(b"1"), answer(b"<p>", etag="a"), answer(b"{}", status=404, etag="a")],
    ids=["no version", "not what was asked for", "not found"],
)
def test_only_good_answers_with_a_version_are_kept(reply: bytes, tmp_path: Path) -> None:
    get([reply], cache=tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_cache_tells_questions_apart(tmp_path: Path) -> None:
    async def both(fetcher: Fetcher) -> list[Any]:
        return [await fetcher.get_json(URL, {"q": q}) for q in ("a", "b")]

    replies = [answer(b"1", etag="x"), answer(b"2", etag="y")]
    assert with_fetcher(replies, both, cache=tmp_path)[0] == [1, 2]
    value, script = with_fetcher([answer(b"", status=304)], both, cache=tmp_path)
    assert value == [1, 2]
    assert ["If-None-Match: x" in script.heads[0], "If-None-Match: y" in script.heads[1]] == [
        True,
        True,
    ]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b" ",
        lambda data: data.replace(b'{"n"', b'{"m"'),
        lambda data: data.replace(b"data.example", b"evil.example"),
        lambda data: data.partition(b"\n")[2],
        lambda data: b"\x00\xff" * 50,
        lambda data: b"[" * 5000 + data,
        lambda data: b"null\n" + data,
        lambda data: data.replace(b'"etag":"a"', b'"etag":"a\\r\\nX-Evil: 1"'),
        lambda data: data.replace(b'"etag":"a"', b'"etag":""'),
        lambda data: data.replace(b'"etag":"a"', b'"etag":null'),
    ],
)
def test_a_damaged_cache_entry_is_passed_over_and_replaced(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    get([answer(b'{"n": 1}', etag="a")], cache=tmp_path)
    path = entry_of(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    value, script = get([answer(b'{"n": 1}', etag="a")], cache=tmp_path)
    assert value == {"n": 1}
    assert "If-None-Match" not in script.heads[0]
    assert path.read_bytes() == whole


def test_a_cache_that_cannot_be_written_or_read_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    assert get([answer(b"1", etag="a")], cache=file / "cache")[0] == 1
    get([answer(b"1", etag="a")], cache=tmp_path / "c")
    path = entry_of(tmp_path / "c")
    path.unlink()
    path.mkdir()
    assert get([answer(b"1", etag="a")], cache=tmp_path / "c")[0] == 1


def test_a_version_that_is_no_plain_header_is_not_kept(tmp_path: Path) -> None:
    get([answer(b"1", etag="a" * 9000)], cache=tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_no_more_requests_are_in_flight_than_allowed() -> None:
    async def many(fetcher: Fetcher) -> list[Any]:
        return list(await asyncio.gather(*(fetcher.get_json(URL) for _ in range(12))))

    values, script = with_fetcher([answer(b"1")], many, concurrency=3)
    assert (values, script.most_in_flight <= 3) == ([1] * 12, True)


def test_a_host_that_does_not_answer_is_given_up() -> None:
    async def ask(fetcher: Fetcher) -> list[str]:
        kinds = []
        for _ in range(6):
            try:
                await fetcher.get_json(URL)
                kinds.append("value")
            except SourceError as error:
                kinds.append(
                    f"{error.kind} given up" if "given up" in error.message else error.kind
                )
        return kinds

    down = [answer(status=503), answer(status=403), answer(status=429)]
    kinds, script = with_fetcher([*down, answer(b"1")], ask, gives_up_after=3)
    assert kinds == ["http_error", "forbidden", "rate_limited", *["rate_limited given up"] * 3]
    assert len(script.heads) == 3
    up_again = [answer(status=503), answer(status=404), answer(status=503), answer(b"<p>")]
    kinds, _ = with_fetcher([*up_again, answer(b"1")], ask, gives_up_after=2)
    assert kinds == ["http_error", "not_found", "http_error", "malformed", "value", "value"]
    assert "given up" not in " ".join(with_fetcher(down, ask)[0])


def test_one_host_that_is_given_up_leaves_the_others() -> None:
    async def ask(fetcher: Fetcher) -> Any:
        for _ in range(2):
            with pytest.raises(SourceError):
                await fetcher.get_json(URL)
        return await fetcher.get_json("https://other.example/")

    assert with_fetcher([answer(status=503), answer(b"1")], ask, gives_up_after=1)[0] == 1


def test_a_long_address_is_named_by_its_beginning() -> None:
    error, _ = with_fetcher(
        [answer(status=404)], lambda fetcher: fetcher.get_json(URL + "/x" * 200, {"q": "y" * 999})
    )
    assert error.message.startswith("data.example/api/facts.json/x/x")
    assert error.message.endswith("?q=yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...: HTTP 404")
    assert len(error.message) < 200
