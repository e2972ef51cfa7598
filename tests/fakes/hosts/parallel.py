"""api.parallel.ai: any unknown or misplaced field is a 422."""

from __future__ import annotations

from tests.fakes import dates
from tests.fakes.checks import Rule, hosts, iso_day, one_of, problem, shape, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-PARALLEL_API_KEY"
QUERY = text(1, 200)


def _are_queries(value: object) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= 5 and all(map(QUERY[1], value))


QUERIES: Rule = ("a list of 1 to 5 strings of at most 200 characters", _are_queries)
POLICY = shape({"include_domains": hosts(200), "after_date": iso_day()})
FIELDS = {
    "search_queries": QUERIES,
    "mode": one_of("turbo", "fast", "basic", "advanced"),
    "advanced_settings": shape({"max_results": whole(1, 40), "source_policy": POLICY}),
}


def error(status: int, message: str) -> Response:
    inner = {"ref_id": "fake", "message": message, "detail": None}
    return json_answer({"type": "error", "error": inner}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/search"):
        return error(404, "Not found")
    if request.headers.get("x-api-key") != KEY:
        return error(401, "Invalid API key")
    body = request.json
    if wrong := problem(body, FIELDS, ["search_queries"]):
        return error(422, wrong[1])
    query = body["search_queries"][0]
    if word := leftover(query, "site", "after", "before"):
        return error(422, f"operator {word} is not supported")
    settings = body.get("advanced_settings", {})
    policy = settings.get("source_policy", {})
    ask = Ask(query, tuple(policy.get("include_domains", ())), day(policy.get("after_date")))
    mode = body.get("mode", "advanced")
    results = [
        {
            "url": one.url,
            "title": one.title,
            "publish_date": dates.iso_day(one.published),
            "excerpts": list(one.sentences),
        }
        for one in found(scene, f"parallel {mode}", ask, settings.get("max_results", 10))
    ]
    usage = [{"name": "sku_search", "count": 1}]
    return json_answer(
        {"search_id": "search_1", "results": results, "warnings": None, "usage": usage}
    )


HOSTS = {"api.parallel.ai": Host(answer, error, paid=True)}
