"""api.anthropic.com: a model that calls the web search tool once and writes down what it got.

Without the tool it is a plain chat model. Now and then the model leaves a row out or wraps its
array in a fence, as models do.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from tests.fakes.checks import Rule, hosts, number, one_of, problem, shape, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import Ask, read_query
from tests.fakes.plain_chat import refuses_temperature, said, tokens_of
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-ANTHROPIC_API_KEY"
VERSION = "2023-06-01"
TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
TOOL = shape(
    {
        "type": one_of("web_search_20250305"),
        "name": one_of("web_search"),
        "max_uses": whole(1, 20),
        "allowed_domains": hosts(1000),
    },
    ["type", "name"],
)
MESSAGE = shape({"role": one_of("user"), "content": text(1, 200_000)}, ["role", "content"])


def one(rule: Rule) -> Rule:
    """A list with one such value."""
    return f"a list with {rule[0]}", lambda v: isinstance(v, list) and len(v) == 1 and rule[1](v[0])


CHAT_FIELDS = {
    "model": text(3, 200),
    "max_tokens": whole(1, 64_000),
    "system": text(1, 200_000),
    "messages": one(shape({"role": one_of("user"), "content": text(1, 2_000_000, 400_000)})),
    "temperature": number(0, 1),
    "thinking": shape({"type": one_of("enabled"), "budget_tokens": whole(1024, 64_000)}),
}
FIELDS = {
    "model": text(3, 200),
    "max_tokens": whole(1, 64_000),
    "system": text(1, 200_000),
    "messages": one(MESSAGE),
    "tools": one(TOOL),
}


def error(status: int, message: str) -> Response:
    kind = {"type": TYPES.get(status, "api_error"), "message": message}
    return json_answer({"type": "error", "error": kind, "request_id": "req_fake"}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/messages"):
        return error(404, "Not found")
    if request.headers.get("x-api-key") != KEY:
        return error(401, "invalid x-api-key")
    if request.headers.get("anthropic-version") != VERSION:
        return error(400, "anthropic-version: header is required")
    body = request.json
    if isinstance(body, dict) and "tools" not in body:
        return _chat(body, request)
    if wrong := problem(body, FIELDS, ["model", "max_tokens", "messages"]):
        return error(400, wrong[1])
    query = body["messages"][0]["content"]
    hits = found(scene, "claude", asked(query, body["tools"][0].get("allowed_domains")), 10)
    return json_answer(
        {
            "id": f"msg_{sha256(request.body).hexdigest()[:16]}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "stop_reason": "end_turn",
            "content": [
                {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": {"query": query},
                },
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": [_hit(hit) for hit in hits],
                },
                {"type": "text", "text": written(scene, query, [(h.url, h) for h in hits])},
            ],
            "usage": {
                "input_tokens": 9000,
                "output_tokens": 900,
                "server_tool_use": {"web_search_requests": 1},
            },
        }
    )


def _chat(body: dict[str, Any], request: Request) -> Response:
    """The reply to a free prompt, a block of thinking before it where that was asked for."""
    if wrong := problem(body, CHAT_FIELDS, ["model", "max_tokens", "messages"]):
        return error(400, wrong[1])
    if "temperature" in body and refuses_temperature(body["model"]):
        return error(400, "`temperature` is not supported by this model")
    if body["model"].endswith("-gone"):
        return error(404, f"model: {body['model']}")
    answered = said(body["messages"])
    thinking = {"type": "thinking", "thinking": "Let me think, and think.", "signature": "c2ln"}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": answered}]
    return json_answer(
        {
            "id": f"msg_{sha256(request.body).hexdigest()[:16]}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "content": [thinking, *blocks] if "thinking" in body else blocks,
            "usage": {
                "input_tokens": tokens_of(body["messages"][0]["content"]),
                "output_tokens": tokens_of(answered),
            },
        }
    )


def asked(query: str, allowed: list[str] | None) -> Ask:
    """What the tool looks for: the allow-list counts, whatever hosts the query names."""
    read = read_query(query)
    return Ask(read.words, tuple(allowed or ()), read.after, read.before)


def written(scene: Scene, query: str, hits: list[tuple[str, Document]]) -> str:
    """What the model writes about the addresses the tool gave it."""
    draw = scene.draw("model", query)
    rows = [
        {"url": url, "title": hit.title, "snippet": hit.text[:500]}
        for url, hit in hits
        if draw.randrange(12)
    ]
    array = json.dumps(rows, ensure_ascii=False)
    return f"```json\n{array}\n```" if draw.randrange(5) == 0 else array


def _hit(document: Document) -> dict[str, Any]:
    published = document.published
    return {
        "type": "web_search_result",
        "url": document.url,
        "title": document.title,
        "encrypted_content": "Zm9v",
        "page_age": f"{published:%B} {published.day}, {published.year}" if published else None,
    }


HOSTS = {"api.anthropic.com": Host(answer, error, paid=True)}
