"""api.search.brave.com: web search (GET) and LLM context (POST)."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from tests.fakes import dates
from tests.fakes.checks import Rule, digits, one_of, problem, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import Ask, day, is_bare_host, leftover, read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-BRAVE_API_KEY"
SWITCH = one_of("true", "false", "1", "0")
COUNTRY = one_of("us", "US")


def _is_freshness(value: object) -> bool:
    if value in ("pd", "pw", "pm", "py"):
        return True
    start, to, end = str(value).partition("to")
    return bool(to and day(start) and day(end) and start <= end)


def _is_goggle(value: object) -> bool:
    """The inline form: discard everything, then one line per host to keep."""
    first, *lines = value.split("\n") if isinstance(value, str) else [""]
    sites = [line.removeprefix("$site=") for line in lines if line.startswith("$site=")]
    return first == "$discard" and len(sites) == len(lines) > 0 and all(map(is_bare_host, sites))


QUERY = text(1, 400, max_words=50)
FRESHNESS: Rule = ("pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD", _is_freshness)
WEB_FIELDS = {
    "q": QUERY,
    "count": digits(1, 20),
    "country": COUNTRY,
    "search_lang": one_of("en"),
    "result_filter": one_of("web"),
    "text_decorations": SWITCH,
    "extra_snippets": SWITCH,
    "spellcheck": SWITCH,
    "freshness": FRESHNESS,
}
CONTEXT_FIELDS = {
    "q": QUERY,
    "country": COUNTRY,
    "search_lang": one_of("en"),
    "count": whole(1, 50),
    "maximum_number_of_urls": whole(1, 50),
    "maximum_number_of_tokens": whole(1024, 32_768),
    "maximum_number_of_tokens_per_url": whole(512, 8192),
    "goggles": ("an inline goggle: $discard, then $site= lines", _is_goggle),
    "freshness": FRESHNESS,
}
CODES = {
    401: "UNAUTHORIZED",
    402: "USAGE_LIMIT_EXCEEDED",
    404: "NOT_FOUND",
    422: "VALIDATION",
    429: "RATE_LIMITED",
}
RATES = {
    "X-RateLimit-Limit": "50, 15000",
    "X-RateLimit-Remaining": "49, 14999",
    "X-RateLimit-Reset": "1, 1419704",
}


def error(status: int, message: str, code: str | None = None) -> Response:
    shape = {
        "type": "ErrorResponse",
        "error": {
            "id": "fake",
            "code": code or CODES.get(status, "INTERNAL"),
            "status": status,
            "detail": message,
            "meta": {},
        },
        "time": 1,
    }
    return json_answer(shape, status, RATES if status == 429 else None)


def answer(request: Request, scene: Scene) -> Response:
    is_web = (request.method, request.path) == ("GET", "/res/v1/web/search")
    is_context = (request.method, request.path) == ("POST", "/res/v1/llm/context")
    if not (is_web or is_context):
        return error(404, "The resource does not exist.")
    if request.headers.get("x-subscription-token") != KEY:
        message = "The provided subscription token is invalid."
        return error(422, message, "SUBSCRIPTION_TOKEN_INVALID")
    asked = request.query if is_web else request.json
    if wrong := problem(asked, WEB_FIELDS if is_web else CONTEXT_FIELDS, ["q"]):
        return error(422, f"Unable to validate request parameter(s): {wrong[1]}")
    refused = ("after", "before") if is_web else ("site", "after", "before")
    if word := leftover(asked["q"], *refused):
        return error(422, f"Unable to validate request parameter(s): operator {word} in q")
    return _web(request.query, scene) if is_web else _context(asked, scene)


def _ask(q: str, freshness: str, sites: tuple[str, ...] = ()) -> Ask:
    asked = read_query(q)
    start, _, end = freshness.partition("to")
    return Ask(asked.words, sites or asked.sites, day(start), day(end))


def _web(query: dict[str, str], scene: Scene) -> Response:
    ask = _ask(query["q"], query.get("freshness", ""))
    documents = found(scene, "brave", ask, int(query.get("count", "20")))
    page: dict[str, Any] = {
        "type": "search",
        "query": {"original": query["q"], "more_results_available": True},
    }
    if documents:
        is_decorated = query.get("text_decorations", "true") in ("true", "1")
        has_extra = query.get("extra_snippets", "false") in ("true", "1")
        results = [_web_result(d, scene, ask, is_decorated, has_extra) for d in documents]
        page["web"] = {"type": "search", "results": results, "family_friendly": True}
    return json_answer(page, headers=RATES)


def _web_result(
    document: Document, scene: Scene, ask: Ask, is_decorated: bool, has_extra: bool
) -> dict[str, Any]:
    description = document.sentences[0]
    if is_decorated:
        for word in set(re.findall(r"\w{3,}", ask.words)):
            pattern = rf"\b({re.escape(word)})\b"
            description = re.sub(pattern, r"<strong>\1</strong>", description, flags=re.I)
    result: dict[str, Any] = {
        "title": document.title,
        "url": document.url,
        "description": description,
        "language": "en",
        "profile": {"name": _hostname(document.url)},
    }
    if document.published:
        result["age"] = dates.human(document.published, scene.clock)
        result["page_age"] = dates.iso_local(document.published)
    if has_extra and len(document.sentences) > 4:
        result["extra_snippets"] = [
            " ".join(document.sentences[at : at + 2])
            for at in range(1, min(9, len(document.sentences)), 2)
        ]
    return result


def _context(body: dict[str, Any], scene: Scene) -> Response:
    lines = body.get("goggles", "").split("\n")
    sites = tuple(line.removeprefix("$site=") for line in lines if line.startswith("$site="))
    ask = _ask(body["q"], body.get("freshness", ""), sites)
    documents = found(scene, "brave context", ask, body.get("maximum_number_of_urls", 20))
    limit = 3 * body.get("maximum_number_of_tokens_per_url", 4096)
    left = 3 * body.get("maximum_number_of_tokens", 8192)
    generic, sources = [], {}
    for n, document in enumerate(documents):
        text_ = document.text[: min(limit, left)]
        left -= len(text_)
        if not text_:
            break
        middle = len(text_) // 2
        snippets = [text_[:middle], text_[middle:]] if n % 2 else [text_]
        generic.append({"url": document.url, "title": document.title, "snippets": snippets})
        sources[document.url] = {
            "title": document.title,
            "hostname": _hostname(document.url),
            "age": _ages(document, scene),
        }
    return json_answer({"grounding": {"generic": generic, "map": []}, "sources": sources})


def _ages(document: Document, scene: Scene) -> list[str] | None:
    moment = document.published
    if moment is None:
        return None
    return [dates.long_day(moment), moment.strftime("%Y-%m-%d"), dates.ago(moment, scene.clock)]


def _hostname(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


HOSTS = {"api.search.brave.com": Host(answer, error, paid=True)}
