"""api.exa.ai: one search endpoint, three types, contents options nested under `contents`."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from tests.fakes import dates
from tests.fakes.checks import Rule, hosts, one_of, problem, shape, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-EXA_API_KEY"
INSTANT = re.compile(r"(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{3})?Z")


def _is_instant(value: object) -> bool:
    match = INSTANT.fullmatch(value) if isinstance(value, str) else None
    return bool(match and day(match[1]))


INSTANT_RULE: Rule = ("an ISO 8601 time such as 2026-01-31T00:00:00.000Z", _is_instant)
FIELDS = {
    "query": text(1, 4000),
    "numResults": whole(1, 100),
    "type": one_of("auto", "instant", "lite"),
    "contents": shape(
        {
            "highlights": shape({"maxCharacters": whole(1, 10_000_000)}),
            "text": one_of(True, False),
        }
    ),
    "includeDomains": hosts(1200),
    "startPublishedDate": INSTANT_RULE,
    "endPublishedDate": INSTANT_RULE,
}
TAGS = {
    400: "INVALID_REQUEST_BODY",
    401: "INVALID_API_KEY",
    402: "NO_MORE_CREDITS",
    404: "NOT_FOUND",
    429: "RATE_LIMITED",
    503: "SERVICE_OVERLOADED",
}


def error(status: int, message: str) -> Response:
    tag = TAGS.get(status, "INTERNAL_ERROR")
    return json_answer({"requestId": "fake", "error": message, "tag": tag}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, f"Cannot {request.method} {request.path}")
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    if KEY not in (request.headers.get("x-api-key"), bearer):
        return error(401, "Invalid API key")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"query operators such as {word} are not supported, use the body fields")
    ask = Ask(
        body["query"],
        tuple(body.get("includeDomains", ())),
        day(body.get("startPublishedDate", "")[:10]),
        day(body.get("endPublishedDate", "")[:10]),
    )
    kind = body.get("type", "auto")
    documents = found(scene, f"exa {kind}", ask, body.get("numResults", 10))
    contents = body.get("contents", {})
    return json_answer(
        {
            "requestId": sha256(request.body).hexdigest()[:32],
            "resolvedSearchType": kind,
            "results": [_result(document, contents) for document in documents],
            "costDollars": {"total": 0.007 if kind == "auto" else 0.004},
        }
    )


def _result(document: Document, contents: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {"id": document.url, "url": document.url, "title": document.title}
    result["score"] = round(document.share, 2)
    if document.published:
        result["publishedDate"] = dates.iso_ms(document.published)
        result["author"] = None
    if contents.get("text"):
        result["text"] = document.text
    if "highlights" in contents:
        left = contents["highlights"].get("maxCharacters", 2000)
        result["highlights"] = []
        for sentence in document.sentences:
            if left > 0:
                result["highlights"].append(sentence[:left])
                left -= len(sentence)
    return result


HOSTS = {"api.exa.ai": Host(answer, error, paid=True)}
