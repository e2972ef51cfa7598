"""s.jina.ai: whole pages; nothing found is a 422."""

from __future__ import annotations

from typing import Any

from tests.fakes import dates
from tests.fakes.checks import digits, problem, text
from tests.fakes.corpus import found
from tests.fakes.operators import read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-JINA_API_KEY"
FIELDS = {"q": text(1, 4000), "num": digits(1, 20)}
STATUSES = {401: 40103, 402: 40203, 422: 42201, 429: 42903}


def error(status: int, message: str, own: int | None = None) -> Response:
    shape: dict[str, Any] = {
        "data": None,
        "code": status,
        "name": "Error",
        "status": own or STATUSES.get(status, status * 100),
        "message": message,
        "readableMessage": message,
    }
    return json_answer(shape, status)


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET" or request.path not in ("", "/"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Authentication is required to use this endpoint.")
    if request.headers.get("accept") != "application/json":
        return error(406, "this fake answers in JSON only")
    asked = request.query
    if wrong := problem(asked, FIELDS, ["q"]):
        return error(422, wrong[1])
    documents = found(scene, "jina", read_query(asked["q"]), int(asked.get("num", "10")))
    if not documents:
        return error(422, f"No search results available for query {asked['q']}", 42206)
    data = [
        {
            "title": one.title,
            "url": one.url,
            "description": one.sentences[0],
            "content": f"# {one.title}\n{one.text}",
            "publishedTime": dates.iso_day(one.published),
            "usage": {"tokens": 900},
        }
        for one in documents
    ]
    return json_answer({"code": 200, "status": 20000, "data": data})


HOSTS = {"s.jina.ai": Host(answer, error, paid=True)}
