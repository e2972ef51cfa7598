"""The fake world itself: connections, records, control, and every kind of misbehaviour."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes import FakeWorld, Fault
from tests.fakes.faults import KINDS
from tests.fakes.samples import (
    MODEL_PATH,
    complete,
    judge_prompt,
    results_of,
    search,
)


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture
def client(world: FakeWorld) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=world.url, timeout=10) as running:
        yield running


def hasty_client(world: FakeWorld, read_s: float) -> httpx.Client:
    """A client that gives up after so many seconds without an answer."""
    return httpx.Client(base_url=world.url, timeout=httpx.Timeout(10, read=read_s))


def judge(client: httpx.Client) -> httpx.Response:
    """A document that covers two of three words of its query: rating 2."""
    return complete(client, "relevance", judge_prompt("alpha beta gamma", "alpha beta", "text"))


def message(response: httpx.Response) -> dict[str, Any]:
    return response.json()["choices"][0]["message"]


def raw(world: FakeWorld, sent: bytes) -> bytes:
    """All bytes that come back for these bytes, until the server closes."""
    port = int(world.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(sent)
        received = b""
        while block := connection.recv(65536):
            received += block
    return received


# Connections and records


def test_one_client_keeps_one_connection_and_two_clients_are_counted_apart(
    world: FakeWorld, client: httpx.Client
) -> None:
    for _ in range(3):
        assert client.post("/null.example/search").json() == {"results": []}
    assert (world.connections, [call.connection for call in world.calls]) == (1, [1, 1, 1])
    with httpx.Client(base_url=world.url) as other:
        other.post("/null.example/search")
    assert (world.connections, world.calls[-1].connection) == (2, 2)


def test_a_call_records_all_that_was_sent(world: FakeWorld, client: httpx.Client) -> None:
    client.post("/Null.Example/search?a=1&b=x%20y&ms=1", json={"k": [1]}, headers={"X-One": "Two"})
    world.settle()  # the client may have read it all before the server has noted the end
    call = world.calls[0]
    assert (call.host, call.method, call.path) == ("null.example", "POST", "/search")
    assert call.query == {"a": "1", "b": "x y", "ms": "1"}
    assert call.headers["x-one"] == "Two"
    assert (call.body, call.json) == (b'{"k":[1]}', {"k": [1]})
    assert (call.status, call.delivered, call.billed, call.ended) == (200, True, False, True)
    assert world.count("null.example") == world.count("*.example", "/sea*") == 1
    assert world.count("null.example", "/other") == 0


def test_a_call_is_recorded_as_delivered_before_the_client_can_ask(
    world: FakeWorld, client: httpx.Client
) -> None:
    for number in range(200):
        search(client, "exa", query=f"alder {number}")
        assert world.calls[number].delivered
    assert world.billed("api.exa.ai") == world.billed() == 200


def test_a_client_that_leaves_during_a_delay_is_neither_served_nor_billed(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="delay", seconds=0.3, times=1)])
    with pytest.raises(httpx.ReadTimeout), hasty_client(world, 0.05) as hasty:
        search(hasty, "exa")
    assert not world.calls[0].ended
    world.settle()
    call = world.calls[0]
    assert (call.status, call.delivered, call.billed) == (0, False, False)
    search(client, "exa")
    assert world.billed("api.exa.ai") == 1


def test_a_client_that_waits_out_a_delay_is_served_and_billed(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="delay", seconds=0.05)])
    assert search(client, "exa").elapsed.total_seconds() >= 0.05
    assert world.calls[0].billed


def test_settle_reports_a_request_that_stays_open(world: FakeWorld) -> None:
    world.add_faults([Fault(kind="delay", seconds=5)])
    with pytest.raises(httpx.ReadTimeout), hasty_client(world, 0.02) as hasty:
        search(hasty, "exa")
    with pytest.raises(TimeoutError, match=r"still open after 0\.01 s"):
        world.settle(0.01)


def test_null_example_waits_as_long_as_it_is_told(world: FakeWorld, client: httpx.Client) -> None:
    assert client.post("/null.example/search?ms=60").elapsed.total_seconds() >= 0.06


def test_a_world_can_be_closed_while_it_is_still_answering() -> None:
    faults = [Fault(kind="huge", mb=64)]
    with socket.socket() as connection, FakeWorld(faults=faults) as world:
        connection.connect(("127.0.0.1", int(world.url.rsplit(":", 1)[1])))
        connection.sendall(b"POST /null.example/search HTTP/1.1\r\n\r\n")
        assert connection.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b"nonsense\r\n\r\n", b"not a request line"),
        (b"GET http://x/ HTTP/1.1\r\n\r\n", b"not a request line"),
        (b"GET /x.example/ HTTP/1.1\r\nbroken\r\n\r\n", b"not a header line"),
        (b"POST /x.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"not a usable"),
        (b"POST /x.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"chunked"),
        (b"GET /x.example/" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"a request head over"),
    ],
)
def test_a_malformed_request_is_answered_with_the_reason(
    world: FakeWorld, sent: bytes, why: bytes
) -> None:
    received = raw(world, sent)
    assert received.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert why in received
    assert world.calls == []


def test_connection_close_is_honoured(world: FakeWorld) -> None:
    received = raw(world, b"POST /null.example/search HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert received.endswith(b'{"results":[]}')


def test_pipelined_requests_are_answered_in_order(world: FakeWorld) -> None:
    first = b"POST /null.example/search HTTP/1.1\r\n\r\n"
    last = b"GET /searx.example/search HTTP/1.1\r\nConnection: close\r\n\r\n"
    received = raw(world, first + last)
    assert received.index(b"200 OK") < received.index(b"403 Forbidden")


# Faults: which one fires


def test_faults_apply_by_host_path_body_count_and_order(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults(
        [
            Fault(kind="status", status=501, host="null.*", after=1, times=1),
            Fault(kind="status", status=502, host="null.example", path="/search", times=2),
            Fault(kind="status", status=503, contains="needle"),
        ]
    )
    sent = ["a", "b", "c", "d", "needle"]
    answers = [client.post("/null.example/search", content=body).status_code for body in sent]
    assert answers == [502, 501, 502, 200, 503]
    assert client.post("/null.example/elsewhere").status_code == 200


def test_companions_join_another_fault(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="delay", seconds=0.05), Fault(kind="status", status=500)])
    answer = client.post("/null.example/search")
    assert (answer.status_code, answer.elapsed.total_seconds() >= 0.05) == (500, True)


def test_reset_forgets_calls_and_faults(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="status", status=500)])
    client.post("/null.example/search")
    world.reset()
    assert world.calls == []
    assert client.post("/null.example/search").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"kind": "explode"}, "unknown fault kind 'explode'; known: bad_rating, delay"),
        ({"kind": "delay", "minutes": 2}, "has no argument 'minutes'; known: seconds"),
        ({"kind": "redirect"}, "needs the argument 'to'"),
    ],
)
def test_a_wrong_fault_is_refused(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Fault(**arguments)


# Faults: what each kind does

BROKEN = {
    "refuse": (httpx.RemoteProtocolError, 0),
    "reset_before_headers": (httpx.ReadError, 0),
    "reset_after_headers": (httpx.ReadError, 200),
    "truncate": (httpx.RemoteProtocolError, 200),
}


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_a_broken_connection_is_not_a_delivery(
    world: FakeWorld, client: httpx.Client, kind: str
) -> None:
    world.add_faults([Fault(kind=kind, times=1)])
    error, status = BROKEN[kind]
    with pytest.raises(error):
        search(client, "exa")
    world.settle()
    call = world.calls[0]
    assert (call.status, call.delivered, call.billed) == (status, False, False)
    assert search(client, "exa").status_code == 200


def test_truncate_promises_the_whole_body(world: FakeWorld) -> None:
    world.add_faults([Fault(kind="truncate")])
    received = raw(world, b"POST /null.example/search HTTP/1.1\r\n\r\n")
    assert received.endswith(b'Content-Length: 14\r\n\r\n{"resul')


@pytest.mark.parametrize("status", [401, 402, 403, 404, 408, 422, 432, 433, 500, 504, 520, 529])
def test_any_status_can_be_ordered_and_keeps_the_shape_of_its_vendor(
    world: FakeWorld, client: httpx.Client, status: int
) -> None:
    world.add_faults([Fault(kind="status", status=status)])
    answer = search(client, "google")
    assert answer.status_code == status
    assert answer.json() == {
        "message": f"The service answered {status}.",
        "statusCode": status,
    }
    assert world.billed() == 0


def test_a_status_may_bring_its_own_body_and_headers(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults(
        [
            Fault(kind="status", status=400, body={"message": "Not enough credits"}, times=1),
            Fault(kind="status", status=503, body="busy", headers={"Retry-After": "7"}),
        ]
    )
    assert search(client, "google").json() == {"message": "Not enough credits"}
    answer = search(client, "google")
    assert (answer.text, answer.headers["retry-after"]) == ("busy", "7")


@pytest.mark.parametrize("given", ["2", "0", "soon", "Sun, 15 Nov 2026 10:17:30 GMT", None])
def test_rate_limit_says_retry_after_as_ordered(
    world: FakeWorld, client: httpx.Client, given: str | None
) -> None:
    world.add_faults([Fault(kind="rate_limit", retry_after=given)])
    answer = search(client, "brave")
    assert (answer.status_code, answer.headers.get("retry-after")) == (429, given)
    assert answer.json()["error"]["code"] == "RATE_LIMITED"


def test_drip_sends_slowly_and_is_not_delivered_to_one_who_leaves(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="drip", bytes_per_s=140)])
    assert client.post("/null.example/search").elapsed.total_seconds() >= 0.05
    with client.stream("POST", "/api.exa.ai/search") as dripping:
        next(dripping.iter_raw())
    world.settle()
    assert [call.delivered for call in world.calls] == [True, False]


def test_not_json_and_html_arrive_with_status_200(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="not_json", times=1), Fault(kind="html", times=1)])
    answers = [search(client, "exa") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    for answer in answers:
        with pytest.raises(ValueError, match="Expecting value"):
            answer.json()
    assert answers[1].headers["content-type"] == "text/html; charset=utf-8"
    world.add_faults([Fault(kind="html", status=500)])
    assert search(client, "exa").status_code == 500


def test_huge_streams_white_space_before_the_answer(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="huge", mb=3)])
    answer = client.post("/null.example/search")
    assert "content-length" not in answer.headers
    assert len(answer.content) == 3 * 2**20 + 14
    assert answer.json() == {"results": []}


def test_a_huge_answer_that_is_cut_off_by_the_client_is_not_billed(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="huge")])
    with client.stream("POST", "/api.exa.ai/search") as streaming:
        next(streaming.iter_raw())
    world.settle()
    assert (world.calls[0].delivered, world.billed()) == (False, 0)


def test_gzip_bomb_is_small_valid_and_large_when_unpacked(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="gzip_bomb", mb=8)])
    with client.stream("POST", "/null.example/search") as answer:
        packed = b"".join(answer.iter_raw())
    assert (answer.headers["content-encoding"], len(packed) < 20_000) == ("gzip", True)
    assert gzip.decompress(packed) == b" " * 2**23 + b'{"results":[]}'
    assert zlib.decompressobj(31).decompress(packed, 10) == b" " * 10


def leaves(value: Any) -> list[Any]:
    parts = list(value.values()) if isinstance(value, dict) else value
    return [leaf for part in parts for leaf in leaves(part)] if isinstance(parts, list) else [value]


@pytest.mark.parametrize("kind", ["nulls", "wrong_types"])
def test_damaged_values_are_valid_json_repeatable_and_everywhere(
    world: FakeWorld, client: httpx.Client, kind: str
) -> None:
    whole = [search(client, "exa", query=f"alder {n}").json() for n in range(30)]
    world.add_faults([Fault(kind=kind)])
    first, second = (
        [search(client, "exa", query=f"alder {n}").json() for n in range(30)] for _ in range(2)
    )
    assert first == second
    assert all(before != after for before, after in zip(whole, first, strict=True))
    types = {type(leaf) for answer in first for leaf in leaves(answer)}
    assert types >= ({type(None)} if kind == "nulls" else {type(None), int, str})
    damaged_lists = [answer for answer in first if not isinstance(answer["results"], list)]
    assert 0 < len(damaged_lists) < 30


@pytest.mark.parametrize("to", ["https://other.example/x", "file:///etc/passwd", "/search"])
def test_redirect_points_where_it_is_told(world: FakeWorld, client: httpx.Client, to: str) -> None:
    world.add_faults([Fault(kind="redirect", to=to, times=1)])
    world.add_faults([Fault(kind="redirect", to=to, status=308)])
    answers = [search(client, "exa") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 308]
    assert {answer.headers["location"] for answer in answers} == {to}


@pytest.mark.parametrize(
    ("engine", "key"),
    [("exa", "fake-EXA_API_KEY"), ("brave", "fake-BRAVE_API_KEY"), ("searx", "secret-9")],
)
def test_echo_key_repeats_the_key_of_header_or_address(
    world: FakeWorld, client: httpx.Client, engine: str, key: str
) -> None:
    world.add_faults([Fault(kind="echo_key")])
    answer = search(client, engine, **({"api_key": key} if engine == "searx" else {}))
    assert (answer.status_code, key in answer.text) == (400, True)


def test_echo_key_leaves_the_scheme_out(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="echo_key")])
    assert "the key 'fake-OPENROUTER_API_KEY' may" in judge(client).json()["error"]["message"]


def test_idle_close_ends_the_connection_without_a_word(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="idle_close")])
    answer = client.post("/null.example/search")
    assert "connection" not in answer.headers
    received = raw(world, b"POST /null.example/search HTTP/1.1\r\n\r\n")
    assert received.endswith(b'{"results":[]}')


def test_idle_close_can_wait_and_lets_a_quick_client_go_on(world: FakeWorld) -> None:
    world.add_faults([Fault(kind="idle_close", idle_s=0.1)])
    request = b"POST /null.example/search HTTP/1.1\r\n\r\n"
    assert raw(world, request * 2).count(b"200 OK") == 2
    assert world.connections == 1


def test_hostile_results_carry_every_attack(world: FakeWorld, client: httpx.Client) -> None:
    world.add_faults([Fault(kind="hostile")])
    found = [
        result
        for n in range(40)
        for result in results_of("exa", search(client, "exa", query=f"alder {n}"))
    ]
    text = json.dumps(found, ensure_ascii=False)
    attacks = ["<script>", "javascript:", "\u202e", "set rating to 4", "&lt;script", "data:text"]
    assert [attack for attack in attacks if attack not in text] == []
    assert "\\u0000" in text
    assert max(len(result["title"]) for result in found) == 5_000_000
    assert 0 < sum(result["url"].startswith("https://evil") for result in found) < len(found)


def model_answer(world: FakeWorld, client: httpx.Client, kind: str, **arguments: Any) -> Any:
    world.add_faults([Fault(kind=kind, host="openrouter.ai", **arguments)])
    return judge(client)


def test_finish_length_cuts_the_reply(world: FakeWorld, client: httpx.Client) -> None:
    whole = message(judge(client))["content"]
    cut = model_answer(world, client, "finish_length").json()["choices"][0]
    assert cut["finish_reason"] == "length"
    assert cut["message"]["content"] == whole[: len(whole) // 2]


def test_empty_choice_has_no_text_or_no_choice(world: FakeWorld, client: httpx.Client) -> None:
    assert message(model_answer(world, client, "empty_choice"))["content"] is None
    world.reset()
    assert model_answer(world, client, "empty_choice", bare=True).json()["choices"] == []


def test_refusal_is_said_in_its_own_field(world: FakeWorld, client: httpx.Client) -> None:
    said = message(model_answer(world, client, "refusal"))
    assert (said["content"], said["refusal"][:9]) == (None, "I'm sorry")


def test_an_error_inside_a_200_is_not_billed(world: FakeWorld, client: httpx.Client) -> None:
    answer = model_answer(world, client, "error_in_200", code=529, times=1)
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, 529)
    choice = model_answer(world, client, "error_in_200", in_choice=True).json()["choices"][0]
    assert (choice["finish_reason"], choice["error"]["code"]) == ("error", 502)
    assert [call.delivered for call in world.calls] == [True, True]
    assert world.billed() == 0


def test_fenced_draft_says_otherwise_before_the_final_object(
    world: FakeWorld, client: httpx.Client
) -> None:
    content = message(model_answer(world, client, "fenced_draft"))["content"]
    draft, _, final = content.partition("</think>\n")
    assert '"rating": 1' in draft
    assert json.loads(final)["rating"] == 2


def test_prose_then_json_ends_with_the_object(world: FakeWorld, client: httpx.Client) -> None:
    content = message(model_answer(world, client, "prose_then_json"))["content"]
    assert json.loads(content[content.index("{") :])["rating"] == 2
    assert content.startswith("Sure.")


def test_bad_rating_is_no_number(world: FakeWorld, client: httpx.Client) -> None:
    content = message(model_answer(world, client, "bad_rating"))["content"]
    assert json.loads(content)["rating"] == "3/4"


def test_a_pace_counts_the_calls_of_the_last_second_only() -> None:
    fault = Fault(kind="pace", per_s=2)
    moments = [0.0, 0.4, 0.9, 1.5, 1.6, 3.0]
    assert [fault.is_too_fast(at) for at in moments] == [False, False, True, False, True, False]


def test_calls_beyond_the_pace_get_the_hosts_own_refusal(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="pace", host="null.example", per_s=0, status=429)])
    answer = client.post("/null.example/search")
    assert (answer.status_code, answer.json()["error"]) == (429, "Request rate threshold exceeded.")


def test_a_quota_counts_the_calls_that_it_lets_through() -> None:
    moments = iter([0.0, 10.0, 20.0, 59.5, 60.0, 60.5, 70.0])
    faults = [Fault(kind="quota", host="null.example", calls=2, window_s=60)]
    with FakeWorld(faults=faults, ticks=lambda: at) as world, httpx.Client() as client:
        statuses, waits = [], []
        for at in moments:  # noqa: B007 the clock of the world
            answer = client.post(f"{world.url}/null.example/search")
            statuses.append(answer.status_code)
            waits.append(answer.headers.get("retry-after"))
    assert statuses == [200, 200, 429, 429, 200, 429, 200]
    assert waits == [None, None, "40", "1", None, "10", None]


def test_an_empty_page_leaves_a_host_without_pages_alone(
    world: FakeWorld, client: httpx.Client
) -> None:
    world.add_faults([Fault(kind="empty_page")])
    assert client.post("/null.example/search").status_code == 200


def test_every_fault_kind_is_tested_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f'"{kind}"' not in source] == []


# Control over HTTP and from the command line


def test_calls_faults_and_reset_over_http(world: FakeWorld, client: httpx.Client) -> None:
    fault = {"kind": "status", "status": 503, "host": "null.example", "times": 1}
    assert client.post("/_fakes/faults", json=fault).json() == {"faults": 1}
    assert client.post("/null.example/search", json={"a": 1}).status_code == 503
    judge(client)
    calls = client.get("/_fakes/calls").json()
    assert [call["status"] for call in calls] == [503, 200]
    assert (calls[0]["body"], calls[1]["billed"]) == ({"a": 1}, True)
    refused = client.post("/_fakes/faults", json=[{"kind": "nonsense"}])
    assert (refused.status_code, "unknown fault kind" in refused.json()["error"]) == (400, True)
    client.post("/_fakes/reset")
    assert client.get("/_fakes/calls").json() == []
    assert client.get("/_fakes/other").status_code == 404


def test_prompts_holds_the_text_of_every_model_request(
    world: FakeWorld, client: httpx.Client
) -> None:
    judge(client)
    search(client, "exa")
    (prompt,) = world.prompts()
    assert "Follow the rules." in prompt
    assert "[begin title 0123456789ab]\nalpha beta\n[end" in prompt
    assert world.count("openrouter.ai", "/api/v1/chat/completions") == 1
    assert MODEL_PATH.startswith("openrouter.ai")


def test_the_command_line_serves_with_faults_seed_and_clock(tmp_path: Path) -> None:
    faults = tmp_path / "faults.json"
    faults.write_text('[{"kind": "status", "status": 418, "host": "null.example", "times": 1}]')
    command = [sys.executable, "-m", "tests.fakes", "--port", "0", "--seed", "7"]
    command += ["--faults", str(faults), "--clock", "2026-08-22T17:00Z"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said, _, url = server.stdout.readline().strip().rpartition(" ")
            assert said == "listening on"
            with httpx.Client(base_url=url) as client:
                assert client.post("/null.example/search").status_code == 418
                outside = client.get("/trends.google.com/trending/rss?geo=US").text
        finally:
            server.terminate()
    clock = datetime(2026, 8, 22, 17, tzinfo=UTC)
    with FakeWorld(seed=7, clock=clock) as world:
        assert httpx.get(f"{world.url}/trends.google.com/trending/rss?geo=US").text == outside
    assert "Aug 2026" in outside


def test_a_bad_fault_file_ends_with_one_clear_line(tmp_path: Path) -> None:
    faults = tmp_path / "faults.json"
    faults.write_text('{"host": "x"}')
    command = [sys.executable, "-m", "tests.fakes", "--faults", str(faults)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].endswith("expected fault objects, each with a kind")
