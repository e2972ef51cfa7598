"""api.linkup.so: nothing found is a 400 with its own code."""

from __future__ import annotations

from html import escape

from tests.fakes.checks import hosts, iso_day, one_of, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-LINKUP_API_KEY"
FIELDS = {
    "q": text(1, 4000),
    "depth": one_of("flash", "fast", "standard", "deep"),
    "outputType": one_of("searchResults", "sourcedAnswer", "structured"),
    "maxResults": whole(1, 100_000),
    "includeDomains": hosts(100),
    "fromDate": iso_day(),
    "toDate": iso_day(),
}
CODES = {
    400: "VALIDATION_ERROR",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    429: "TOO_MANY_REQUESTS",
    504: "REQUEST_DEADLINE_EXCEEDED",
}


def error(status: int, message: str, code: str | None = None) -> Response:
    inner = {
        "code": code or CODES.get(status, "INTERNAL_SERVER_ERROR"),
        "message": message,
        "details": [],
    }
    return json_answer({"statusCode": status, "error": inner}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "The API key is invalid.")
    body = request.json
    if wrong := problem(body, FIELDS, ["q", "depth", "outputType"]):
        return error(400, wrong[1])
    if word := leftover(body["q"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    ask = Ask(
        body["q"],
        tuple(body.get("includeDomains", ())),
        day(body.get("fromDate")),
        day(body.get("toDate")),
    )
    documents = found(scene, "linkup", ask, body.get("maxResults", 10))
    if not documents:
        return error(400, "The query did not yield any result.", "SEARCH_QUERY_NO_RESULT")
    results = [
        {"type": "text", "name": escape(one.title), "url": one.url, "content": escape(one.text)}
        for one in documents
    ]
    image = {"type": "image", "name": "picture", "url": "https://img.example/a.png"}
    return json_answer({"results": [image, *results]})


HOSTS = {"api.linkup.so": Host(answer, error, paid=True)}
