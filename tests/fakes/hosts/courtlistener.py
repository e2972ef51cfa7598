"""www.courtlistener.com: the search for opinions, version 4 of its API.

A token is not needed, but a wrong one is refused. The limit of 50 searches an hour is a fault of
kind `quota` for a test to set, and a service that wants a token one of kind `status`.
"""

from __future__ import annotations

import base64
import re
from datetime import date, datetime
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import urlencode

from tests.fakes.cases import COURTS, Case, docket_book
from tests.fakes.hostile import hostile_text
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer, text_answer
from tests.fakes.words import content_words

KEY = "fake-COURTLISTENER_API_TOKEN"
SEARCH = "/api/rest/v4/search/"
PAGE = 20
OPINION = re.compile(r"/opinion/(\d+)/[\w-]*/?")
KNOWN = (
    *("type", "court", "filed_after", "filed_before", "order_by", "stat_Published"),
    *("stat_Unpublished", "q", "highlight", "cursor", "format"),
)
ORDERS = ("score desc", "dateFiled desc", "dateFiled asc", "citeCount desc", "citeCount asc")
DETAILS = {
    401: "Authentication credentials were not provided.",
    403: "You do not have permission to perform this action.",
    404: "Not found.",
}


def error(status: int, message: str) -> Response:
    """What the framework of the API says; a 401 names the scheme that it wants."""
    headers = {"WWW-Authenticate": "Token"} if status == 401 else {}
    return json_answer({"detail": DETAILS.get(status, message)}, status, headers)


def emptied(response: Response) -> Response:
    """The same page without its results."""
    return json_answer(response.data | {"results": []}) if response.data else response


def answer(request: Request, scene: Scene) -> Response:
    if match := OPINION.fullmatch(request.path):
        return _page(scene, int(match[1]))
    if request.path != SEARCH:
        return error(404, "Not found.")
    if request.method != "GET":
        return error(405, f'Method "{request.method}" not allowed.')
    sent = request.headers.get("authorization")
    if sent is not None and sent != f"Token {KEY}":
        refused = error(401, "")
        return json_answer({"detail": "Invalid token."}, 401, refused.headers)
    if wrong := _wrong(request.query):
        return error(400, wrong)
    return _search(request.query, scene)


def _wrong(query: dict[str, str]) -> str | None:
    """What the search refuses in a query, or None."""
    unknown = sorted(set(query) - set(KNOWN))
    if unknown:
        return f"Unknown parameter: {unknown[0]}"
    if query.get("type", "o") != "o":
        return f"This fake knows opinions only: type=o, not {query['type']}"
    for name in ("filed_after", "filed_before"):
        if query.get(name) and _day(query[name]) is None:
            return f"{name}: Enter a valid date."
    missing = [one for one in query.get("court", "").split() if one not in COURTS]
    if missing:
        return f"Unknown court: {missing[0]}"
    if query.get("order_by", ORDERS[0]) not in ORDERS:
        return f"Invalid order_by: {query['order_by']}"
    if "cursor" in query and _offset(query) is None:
        return "Invalid cursor"
    return None


def _day(text: str) -> date | None:
    for form in ("%m/%d/%Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _cursor(query: dict[str, str], start: int) -> str:
    """An opaque mark of a place in the results of one query."""
    asked = sorted((name, value) for name, value in query.items() if name != "cursor")
    seal = sha256(repr(asked).encode()).hexdigest()[:10]
    return base64.urlsafe_b64encode(f"s={start}&t={seal}".encode()).decode()


def _offset(query: dict[str, str]) -> int | None:
    """Where a cursor points to; None for one of another query."""
    try:
        found = re.match(rb"s=(\d+)&t=", base64.urlsafe_b64decode(query["cursor"]))
    except ValueError:
        return None
    start = int(found[1]) if found else -1
    return start if start >= 0 and _cursor(query, start) == query["cursor"] else None


def _search(query: dict[str, str], scene: Scene) -> Response:
    cases = [case for case in docket_book(scene).cases if _fits(case, query)]
    by, _, way = query.get("order_by", ORDERS[0]).partition(" ")

    def key(case: Case) -> tuple[float, int]:
        if by == "dateFiled":
            return case.filed.toordinal(), case.number
        return (_cite_count(case) if by == "citeCount" else _score(case)), case.number

    ranked = sorted(cases, key=key, reverse=way == "desc")
    start = _offset(query) or 0 if "cursor" in query else 0
    shown = ranked[start : start + PAGE]
    is_more = start + PAGE < len(ranked)
    return json_answer(
        {
            "count": len(ranked),
            "document_count": len(ranked),
            "next": _link(query, start + PAGE) if is_more else None,
            "previous": _link(query, max(0, start - PAGE)) if start else None,
            "results": [_result(scene, case, query) for case in shown],
        }
    )


def _link(query: dict[str, str], start: int) -> str:
    fields = {name: value for name, value in query.items() if name != "cursor"}
    return f"https://www.courtlistener.com{SEARCH}?" + urlencode(
        {"cursor": _cursor(query, start), **fields}
    )


def _fits(case: Case, query: dict[str, str]) -> bool:
    courts = query.get("court", "").split()
    after, before = _day(query.get("filed_after", "")), _day(query.get("filed_before", ""))
    wants_all = "stat_Published" not in query and "stat_Unpublished" not in query
    wanted = "stat_Published" if case.is_published else "stat_Unpublished"
    is_wanted = case.is_published if wants_all else query.get(wanted) == "on"
    text = f"{case.caption} {case.docket} {case.summary}"
    return (
        is_wanted
        and (not courts or case.court in courts)
        and (after is None or after <= case.filed)
        and (before is None or case.filed <= before)
        and set(content_words(query.get("q", ""))) <= set(content_words(text))
    )


def _score(case: Case) -> float:
    return case.number * 7919 % 1009 / 100


def _cite_count(case: Case) -> int:
    return case.number * 31 % 17


def _result(scene: Scene, case: Case, query: dict[str, str]) -> dict[str, Any]:
    name, cited, _ = COURTS[case.court]
    caption, snippet = case.caption, case.summary
    if scene.hostile:
        attack = hostile_text(scene.draw("caption", case.number))[:4_000]
        caption, snippet = f"{caption} {attack}", f"{snippet} {attack}"
    if query.get("highlight") == "on":
        for word in content_words(query.get("q", "")):
            snippet = re.sub(rf"\b({word})\b", r"<mark>\1</mark>", snippet, flags=re.IGNORECASE)
    stamp = f"{case.filed}T18:03:11.120000Z"
    return {
        "absolute_url": case.path,
        "attorney": "",
        "caseName": caption,
        "caseNameFull": "",
        "citation": list(case.citations),
        "citeCount": _cite_count(case),
        "cluster_id": case.cluster,
        "court": name,
        "court_citation_string": cited,
        "court_id": case.court,
        "dateArgued": None,
        "dateFiled": case.filed.isoformat(),
        "dateReargued": None,
        "dateReargumentDenied": None,
        "docketNumber": case.docket,
        "docket_id": 70_000_000 + case.number,
        "judge": case.judge,
        "lexisCite": "",
        "meta": {"timestamp": stamp, "date_created": stamp, "score": {"bm25": _score(case)}},
        "neutralCite": "",
        "non_participating_judge_ids": [],
        "opinions": [
            {
                "author_id": None,
                "cites": [],
                "download_url": f"https://opinions.example/{case.cluster}.pdf",
                "id": case.cluster + 300_000,
                "joined_by_ids": [],
                "local_path": f"pdf/{case.filed:%Y/%m/%d}/{case.cluster}.pdf",
                "meta": {"timestamp": stamp, "date_created": stamp},
                "ordering_key": None,
                "per_curiam": False,
                "sha1": sha256(case.caption.encode()).hexdigest()[:40],
                "snippet": snippet,
                "type": "combined-opinion",
            }
        ],
        "panel_ids": [],
        "panel_names": [],
        "posture": "",
        "procedural_history": "",
        "scdb_id": "",
        "sibling_ids": [case.cluster + 300_000],
        "source": "C",
        "status": "Published" if case.is_published else "Unpublished",
        "suitNature": "",
        "syllabus": "",
    }


def _page(scene: Scene, cluster: int) -> Response:
    """The page of an opinion."""
    case = docket_book(scene).by_cluster.get(cluster)
    if case is None:
        return text_answer("<h1>404: Page not found</h1>", 404, "text/html")
    text = f"<title>{escape(case.caption)}</title><h1>{escape(case.caption)}</h1>"
    return text_answer(f"<!DOCTYPE html>{text}<p>{escape(case.summary)}</p>", 200, "text/html")


HOSTS = {"www.courtlistener.com": Host(answer, error, empty=emptied)}
