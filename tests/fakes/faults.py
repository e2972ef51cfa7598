"""Misbehaviour on demand: what a `Fault` is, which one fires, and how it changes an answer.

Three groups. Answer faults replace or change a `Response` and are all here or in `llm_faults`;
wire faults spoil the bytes and are carried out by `delivery`; `hostile` changes what the hosts
write. A request meets the first fault that applies, plus every companion (`delay`, `hostile`,
`idle_close`) that does.
"""

from __future__ import annotations

import math
import random
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from tests.fakes.llm_faults import LLM_ALTERATIONS, altered
from tests.fakes.scene import Host
from tests.fakes.wire import Request, Response, json_answer, text_answer

REQUIRED = object()

# Every kind with its arguments and their defaults.
KINDS: dict[str, dict[str, Any]] = {
    "status": {"status": 500, "body": None, "headers": {}},
    "rate_limit": {"retry_after": None},
    "pace": {"per_s": 10, "status": 429},
    "quota": {"calls": 50, "window_s": 3600.0, "status": 429, "tell": True},
    "empty_page": {},
    "refuse": {},
    "reset_before_headers": {},
    "reset_after_headers": {},
    "drip": {"bytes_per_s": 100},
    "delay": {"seconds": 1.0},
    "truncate": {},
    "not_json": {},
    "html": {"status": 200},
    "huge": {"mb": 50},
    "gzip_bomb": {"mb": 200},
    "nulls": {},
    "wrong_types": {},
    "redirect": {"to": REQUIRED, "status": 302},
    "echo_key": {},
    "idle_close": {"idle_s": 0.0},
    "hostile": {},
    "finish_length": {},
    "empty_choice": {"bare": False},
    "refusal": {},
    "error_in_200": {"code": 502, "in_choice": False},
    "fenced_draft": {},
    "prose_then_json": {},
    "bad_rating": {},
}
COMPANIONS = {"delay", "hostile", "idle_close"}
KEY_HEADERS = ("authorization", "x-api-key", "x-subscription-token")
KEY_PARAMETERS = ("api_key", "apikey", "key", "token")


class Fault:
    """One order to misbehave.

    `host`, `path`: shell patterns. `contains`: text the request body must contain. `times`: how
    many matching calls are spoilt (0 = all). `after`: how many are let through first. The rest
    are arguments of the kind (see `KINDS`). A wrong name raises ValueError.
    """

    def __init__(
        self,
        *,
        kind: str,
        host: str = "*",
        path: str = "*",
        contains: str = "",
        times: int = 0,
        after: int = 0,
        **arguments: Any,
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"unknown fault kind {kind!r}; known: {', '.join(sorted(KINDS))}")
        unknown = sorted(set(arguments) - set(KINDS[kind]))
        if unknown:
            known = ", ".join(KINDS[kind]) or "none"
            raise ValueError(f"fault {kind!r} has no argument {unknown[0]!r}; known: {known}")
        self.arguments = KINDS[kind] | arguments
        missing = [name for name, value in self.arguments.items() if value is REQUIRED]
        if missing:
            raise ValueError(f"fault {kind!r} needs the argument {missing[0]!r}")
        self.kind, self.host, self.path, self.contains = kind, host, path, contains
        self.times, self.after = times, after
        self.seen = 0
        self.arrivals: deque[float] = deque()
        self.wait_s = 0.0

    def __getitem__(self, argument: str) -> Any:
        return self.arguments[argument]

    def __repr__(self) -> str:
        return (
            f"Fault(kind={self.kind!r}, host={self.host!r}, path={self.path!r}, seen={self.seen})"
        )

    def fires_on(self, request: Request, now: float) -> bool:
        """Whether this request is spoilt; counts it when it matches. `now` is in seconds."""
        matches = fnmatchcase(request.host, self.host) and fnmatchcase(request.path, self.path)
        if not matches or self.contains.encode() not in request.body:
            return False
        if self.kind == "pace" and not self.is_too_fast(now):
            return False
        if self.kind == "quota" and not self.is_spent(now):
            return False
        self.seen += 1
        return self.seen > self.after and (not self.times or self.seen <= self.after + self.times)

    def is_too_fast(self, now: float) -> bool:
        """Whether more than `per_s` matching calls came within one second, this one included."""
        self.arrivals.append(now)
        while self.arrivals[0] <= now - 1.0:
            self.arrivals.popleft()
        return len(self.arrivals) > int(self["per_s"])

    def is_spent(self, now: float) -> bool:
        """Whether `calls` were let through in the last `window_s` seconds; if not, this one is.

        A refused call does not count. `wait_s` is how long the next one would have to wait.
        """
        while self.arrivals and self.arrivals[0] <= now - self["window_s"]:
            self.arrivals.popleft()
        if len(self.arrivals) < self["calls"]:
            self.arrivals.append(now)
            return False
        self.wait_s = self.arrivals[0] + self["window_s"] - now if self.arrivals else 0.0
        return True


def firing(faults: Iterable[Fault], request: Request, now: float) -> dict[str, Fault]:
    """The faults that spoil this request, by kind; later ones do not even count a taken call."""
    chosen: dict[str, Fault] = {}
    is_taken = False
    for fault in faults:
        is_companion = fault.kind in COMPANIONS
        if (is_companion or not is_taken) and fault.fires_on(request, now):
            chosen[fault.kind] = fault
            is_taken = is_taken or not is_companion
    return chosen


def alter(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    """The spoilt answer; unchanged for wire faults and for bodies the kind has no power over."""
    if fault.kind in LLM_ALTERATIONS:
        return altered(fault.kind, fault.arguments, response)
    change = ALTERATIONS.get(fault.kind)
    return change(fault, request, response, host) if change else response


def _status(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    status, body = fault["status"], fault["body"]
    if body is None:
        answer = host.error(status, f"The service answered {status}.")
    elif isinstance(body, str):
        answer = text_answer(body, status)
    else:
        answer = json_answer(body, status)
    return replace(answer, headers=answer.headers | fault["headers"], billable=False)


def _rate_limit(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    answer = host.error(429, "Too many requests, slow down.")
    if fault["retry_after"] is not None:
        answer.headers["Retry-After"] = str(fault["retry_after"])
    return answer


def _pace(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return host.error(fault["status"], "Request rate threshold exceeded.")


def _quota(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    wait_s = max(1, math.ceil(fault.wait_s))
    text = f"Request was throttled. Expected available in {wait_s} seconds."
    answer = host.error(fault["status"], text)
    if fault["tell"]:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def _empty_page(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return host.empty(response) if host.empty and response.status == 200 else response


def _not_json(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return text_answer("upstream said: all fine {not json")


def _html(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    page = "<!doctype html><html><title>Just a moment...</title><body><h1>Checking your browser"
    return text_answer(page + "</h1></body></html>", fault["status"], "text/html")


def _gzip_bomb(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    headers = response.headers | {"Content-Encoding": "gzip"}
    return replace(response, body=bomb(fault["mb"], response.body), headers=headers)


def _redirect(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return Response(fault["status"], b"", {"Location": fault["to"]})


def _echo_key(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return host.error(400, f"Bad request: the key {sent_key(request)!r} may not do this.")


def _nulls(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    return _mutated(response, request, [lambda value: None])


def _wrong_types(fault: Fault, request: Request, response: Response, host: Host) -> Response:
    kinds: list[Callable[[Any], Any]] = [
        lambda value: None,
        lambda value: 17 if not isinstance(value, (int, float)) else "17",
        lambda value: "text" if not isinstance(value, str) else ["text"],
        lambda value: [value] if not isinstance(value, list) else {"0": value},
    ]
    return _mutated(response, request, kinds)


ALTERATIONS: dict[str, Callable[[Fault, Request, Response, Host], Response]] = {
    "status": _status,
    "rate_limit": _rate_limit,
    "pace": _pace,
    "quota": _quota,
    "empty_page": _empty_page,
    "not_json": _not_json,
    "html": _html,
    "gzip_bomb": _gzip_bomb,
    "redirect": _redirect,
    "echo_key": _echo_key,
    "nulls": _nulls,
    "wrong_types": _wrong_types,
}


def sent_key(request: Request) -> str:
    """The key this request carried, in a header or in the address; empty when it had none."""
    for name in KEY_HEADERS:
        if name in request.headers:
            return request.headers[name].removeprefix("Bearer ").removeprefix("Bot ")
    return next((request.query[name] for name in KEY_PARAMETERS if name in request.query), "")


def _mutated(response: Response, request: Request, kinds: list[Callable[[Any], Any]]) -> Response:
    """The JSON answer with about one value in four replaced; which ones depends on the request."""
    if response.data is None:
        return response
    rng = random.Random(request.text)

    def walk(value: Any) -> Any:
        if rng.random() < 0.25:
            return rng.choice(kinds)(value)
        if isinstance(value, dict):
            return {name: walk(part) for name, part in value.items()}
        return [walk(part) for part in value] if isinstance(value, list) else value

    data = response.data
    inner = {name: walk(part) for name, part in data.items()} if isinstance(data, dict) else data
    return json_answer(inner, response.status)


@lru_cache(maxsize=2)
def _padding(mb: int) -> tuple[bytes, int]:
    """A raw deflate stream of `mb` MiB of spaces, unfinished, and the CRC of those spaces."""
    block = b" " * (1 << 20)
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(mb):
        crc = zlib.crc32(block, crc)
    return packed * mb, crc


def bomb(mb: int, tail: bytes) -> bytes:
    """A valid gzip file that unpacks to `mb` MiB of spaces and then `tail`.

    The spaces make it valid JSON, so a client without a cap pays the price and sees no error.
    """
    packed, crc = _padding(mb)
    packer = zlib.compressobj(9, wbits=-15)
    end = packer.compress(tail) + packer.flush()
    size = ((mb << 20) + len(tail)) & 0xFFFFFFFF
    trailer = zlib.crc32(tail, crc).to_bytes(4, "little") + size.to_bytes(4, "little")
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + packed + end + trailer
