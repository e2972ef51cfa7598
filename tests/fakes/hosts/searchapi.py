"""www.searchapi.io with engine=bing: "no results" is an error inside a 200."""

from __future__ import annotations

from tests.fakes import dates
from tests.fakes.checks import digits, one_of, problem, text
from tests.fakes.corpus import found
from tests.fakes.operators import read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-SEARCHAPI_API_KEY"
FIELDS = {"engine": one_of("bing"), "q": text(1, 4000), "num": digits(1, 50)}


def error(status: int, message: str) -> Response:
    return json_answer({"error": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("GET", "/api/v1/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Invalid API key")
    asked = request.query
    if wrong := problem(asked, FIELDS, ["engine", "q"]):
        return error(400, wrong[1])
    documents = found(scene, "bing", read_query(asked["q"]), int(asked.get("num", "10")))
    if not documents:
        return json_answer({"error": "Bing didn't return any results."})
    organic = [
        {
            "position": place,
            "title": one.title,
            "link": one.url,
            "snippet": one.text,
            "date": dates.human(one.published, scene.clock),
        }
        for place, one in enumerate(documents, start=1)
    ]
    return json_answer({"search_metadata": {"status": "Success"}, "organic_results": organic})


HOSTS = {"www.searchapi.io": Host(answer, error, paid=True)}
