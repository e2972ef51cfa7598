"""api.tavily.com: one search endpoint; operators belong into fields."""

from __future__ import annotations

from tests.fakes import dates
from tests.fakes.checks import hosts, iso_day, one_of, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-TAVILY_API_KEY"
FIELDS = {
    "query": text(1, 400),
    "max_results": whole(0, 20),
    "search_depth": one_of("basic", "advanced", "fast", "ultra-fast"),
    "include_domains": hosts(300),
    "start_date": iso_day(),
    "end_date": iso_day(),
}


def error(status: int, message: str) -> Response:
    return json_answer({"detail": {"error": message}}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, "Not Found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Unauthorized: missing or invalid API key.")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    ask = Ask(
        body["query"],
        tuple(body.get("include_domains", ())),
        day(body.get("start_date")),
        day(body.get("end_date")),
    )
    documents = found(scene, "tavily", ask, body.get("max_results", 5))
    results = [
        {
            "title": one.title,
            "url": one.url,
            "content": one.text,
            "score": round(one.share, 3),
            "raw_content": None,
            "published_date": dates.iso_day(one.published),
        }
        for one in documents
    ]
    return json_answer({"query": body["query"], "results": results, "response_time": 0.8})


HOSTS = {"api.tavily.com": Host(answer, error, paid=True)}
