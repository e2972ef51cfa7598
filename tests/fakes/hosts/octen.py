"""api.octen.ai: success is a code of 0 inside the answer."""

from __future__ import annotations

import re

from tests.fakes import dates
from tests.fakes.checks import Rule, hosts, one_of, problem, shape, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-OCTEN_API_KEY"
MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}Z")


def _is_moment(value: object) -> bool:
    match = MOMENT.fullmatch(value) if isinstance(value, str) else None
    return bool(match and day(match[1]))


MOMENT_RULE: Rule = ("a time such as 2026-01-31T00:00:00Z", _is_moment)
DOMAINS = hosts(1200)


def _are_short_hosts(value: object) -> bool:
    return DOMAINS[1](value) and all(len(host) <= 60 for host in value)  # type: ignore[attr-defined]


FIELDS = {
    "query": text(1, 500),
    "count": whole(1, 100),
    "highlight": shape({"enable": one_of(True, False), "max_tokens": whole(100, 20_000)}),
    "include_domains": ("host names of at most 60 characters", _are_short_hosts),
    "start_time": MOMENT_RULE,
    "end_time": MOMENT_RULE,
}


def error(status: int, message: str) -> Response:
    return json_answer({"code": status, "msg": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, "not found")
    if request.headers.get("x-api-key") != KEY:
        return error(401, "invalid api key")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    ask = Ask(
        body["query"],
        tuple(body.get("include_domains", ())),
        day(body.get("start_time", "")[:10]),
        day(body.get("end_time", "")[:10]),
    )
    results = [
        {
            "title": one.title,
            "url": one.url,
            "highlight": one.text,
            "authors": "",
            "time_published": dates.iso_ms(one.published) or "",
        }
        for one in found(scene, "octen", ask, body.get("count", 5))
    ]
    data = {"query": body["query"], "results": results}
    return json_answer({"code": 0, "msg": "success", "data": data, "meta": {"latency": 80}})


HOSTS = {"api.octen.ai": Host(answer, error, paid=True)}
