"""api.search.tinyfish.ai: GET on the root, about ten results a page."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.fakes import dates
from tests.fakes.checks import Rule, iso_day, problem, text
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, is_bare_host, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-TINYFISH_API_KEY"


def _are_hosts(value: object) -> bool:
    return isinstance(value, str) and all(map(is_bare_host, value.split(",")))


DOMAINS: Rule = ("host names joined by commas", _are_hosts)
FIELDS = {
    "query": text(1, 2000),
    "include_domains": DOMAINS,
    "after_date": iso_day(),
    "before_date": iso_day(),
}


def error(status: int, message: str) -> Response:
    return json_answer({"error": {"code": "X", "message": message, "details": None}}, status)


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET" or request.path not in ("", "/"):
        return error(404, "not found")
    if request.headers.get("x-api-key") != KEY:
        return error(401, "invalid API key")
    asked = request.query
    if wrong := problem(asked, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(asked["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    after, before = day(asked.get("after_date")), day(asked.get("before_date"))
    if after and before and after > before:
        return error(400, "after_date is later than before_date")
    sites = tuple(asked["include_domains"].split(",")) if "include_domains" in asked else ()
    results = [
        {
            "position": place,
            "site_name": urlsplit(one.url).netloc,
            "title": one.title,
            "snippet": one.text,
            "url": one.url,
            "date": dates.iso_day(one.published),
        }
        for place, one in enumerate(
            found(scene, "tinyfish", Ask(asked["query"], sites, after, before), 10), start=1
        )
    ]
    return json_answer({"query": asked["query"], "results": results, "page": 0})


HOSTS = {"api.search.tinyfish.ai": Host(answer, error, paid=True)}
