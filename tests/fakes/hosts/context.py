"""api.context.dev: web search with windows of freshness."""

from __future__ import annotations

from datetime import timedelta

from tests.fakes.checks import hosts, one_of, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-CONTEXT_DEV_API_KEY"
WINDOWS = {"last_24_hours": 1, "last_week": 7, "last_month": 31, "last_year": 366}
FIELDS = {
    "query": text(1, 500),
    "numResults": whole(1, 100),
    "country": one_of("us"),
    "includeDomains": hosts(100),
    "freshness": one_of(*WINDOWS),
}


def error(status: int, message: str) -> Response:
    return json_answer({"error": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/web/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Invalid API key")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    after = None
    if "freshness" in body:
        after = scene.clock.date() - timedelta(days=WINDOWS[body["freshness"]])
    ask = Ask(body["query"], tuple(body.get("includeDomains", ())), after)
    nothing = {"code": "NOT_REQUESTED", "markdown": None}
    results = [
        {
            "url": one.url,
            "title": one.title,
            "description": one.text,
            "relevance": "high",
            "markdown": nothing,
        }
        for one in found(scene, "context", ask, body.get("numResults", 10))
    ]
    return json_answer({"requestId": "r", "query": body["query"], "results": results})


HOSTS = {"api.context.dev": Host(answer, error, paid=True)}
