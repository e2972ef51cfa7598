"""searx.example: a self-hosted metasearch instance with its JSON output switched on."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.fakes import dates
from tests.fakes.corpus import found
from tests.fakes.operators import read_query
from tests.fakes.scene import Host, Scene, plain_error
from tests.fakes.wire import Request, Response, json_answer

PARAMETERS = {
    "q",
    "format",
    "pageno",
    "language",
    "categories",
    "engines",
    "time_range",
    "safesearch",
}


def answer(request: Request, scene: Scene) -> Response:
    query = request.query
    if request.method != "GET" or request.path != "/search":
        return plain_error(404, "Not Found")
    if query.get("format") != "json":
        return plain_error(403, "Forbidden")
    if not query.get("q", "").strip():
        return plain_error(400, "No query")
    if unknown := sorted(set(query) - PARAMETERS):
        return plain_error(400, f"unknown parameter {unknown[0]}")
    results = []
    for position, document in enumerate(found(scene, "searx", read_query(query["q"]), 20), 1):
        engines = ["alpha", "beta"] if position % 3 else ["beta"]
        result = {
            "url": document.url,
            "title": document.title,
            "content": document.text[:300],
            "engine": engines[0],
            "engines": engines,
            "positions": [position] * len(engines),
            "score": round(len(engines) / position, 4),
            "category": "general",
            "template": "default.html",
            "publishedDate": dates.iso_local(document.published),
        }
        if not scene.hostile:
            result["parsed_url"] = [*urlsplit(document.url)]
        results.append(result)
    return json_answer(
        {
            "query": query["q"],
            "number_of_results": 0,
            "results": results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [["gamma", "timeout"]],
        }
    )


HOSTS = {"searx.example": Host(answer)}
