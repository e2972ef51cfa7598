"""google.serper.dev: result pages with operators left in the query, sometimes with a box on top."""

from __future__ import annotations

from typing import Any

from tests.fakes import dates
from tests.fakes.checks import problem, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-SERPER_API_KEY"
FIELDS = {
    "q": text(1, 2048),
    "num": whole(1, 100),
    "gl": text(2, 2),
    "hl": text(2, 5),
    "page": whole(1, 100),
}


def error(status: int, message: str) -> Response:
    return json_answer({"message": message, "statusCode": status}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, "Not found.")
    if request.headers.get("x-api-key") != KEY:
        return error(403, "Unauthorized.")
    body = request.json
    if wrong := problem(body, FIELDS, ["q"]):
        return error(400, wrong[1])
    count = body.get("num", 10)
    documents = found(scene, "google", read_query(body["q"]), count)
    page: dict[str, Any] = {"searchParameters": {**body, "type": "search", "engine": "google"}}
    rng = scene.draw("box", body["q"])
    if documents and rng.randrange(4) == 0:
        page["knowledgeGraph"] = _knowledge(documents[0], has_site=rng.randrange(3) > 0)
    if documents and rng.randrange(5) == 0:
        page["answerBox"] = _answer_box(documents[-1], rng.randrange(3))
    if documents or rng.randrange(2):
        page["organic"] = [_organic(d, n, scene) for n, d in enumerate(documents, 1)]
    page["credits"] = 1 if count <= 10 else 2
    return json_answer(page)


def _organic(document: Document, position: int, scene: Scene) -> dict[str, Any]:
    result: dict[str, Any] = {
        "title": document.title,
        "link": document.url,
        "snippet": document.text[:160].rstrip() + "...",
        "position": position,
    }
    if document.published:
        result["date"] = dates.human(document.published, scene.clock)
    return result


def _knowledge(document: Document, *, has_site: bool) -> dict[str, Any]:
    """Without a website the panel points nowhere and is no result."""
    panel = {"title": document.title, "type": "Topic", "description": document.sentences[0]}
    return panel | {"website": document.url} if has_site else panel


def _answer_box(document: Document, form: int) -> dict[str, Any]:
    """With a snippet, with a bare answer, or (no link) with nothing a reader could cite."""
    if form == 2:
        return {"answer": document.sentences[0]}
    text_field = "snippet" if form == 0 else "answer"
    box = {"title": document.title, "link": document.url}
    return box | {text_field: document.sentences[0]}


HOSTS = {"google.serper.dev": Host(answer, error, paid=True)}
