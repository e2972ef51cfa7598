"""www.wikidata.org and query.wikidata.org: items, the search for items, and one shape of query."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from tests.fakes.company_items import SUBSIDIARY, Entity, registry
from tests.fakes.hostile import hostile_text
from tests.fakes.scene import Host, Scene
from tests.fakes.validators import conditional
from tests.fakes.wire import Request, Response, json_answer, text_answer

ENTITY = re.compile(r"/wiki/Special:EntityData/(Q[1-9]\d*)\.json")
LIBRARIES = re.compile(
    r"(python|curl|wget|go-http|java|okhttp|axios|node|httpx|aiohttp|mozilla)", re.I
)
MAX_IDS, MAX_HITS = 50, 50
MAXLAG_ERROR = {
    "error": {
        "code": "maxlag",
        "info": "Waiting for a database server: 7.2 seconds lagged.",
        "host": "db1",
        "lag": 7.2,
        "type": "db",
    },
    "servedby": "fake",
}
MAXLAG_HEADERS = {"Retry-After": "5", "X-Database-Lag": "7", "MediaWiki-API-Error": "maxlag"}
POLICY = (
    "The user agent does not say who you are. Set one with the name of your tool and a way to "
    "reach you, as the user-agent policy of Wikimedia asks.\n"
)
TRIPLE = re.compile(r'\?(\w+)\s+wdt:P5531\s+(?:\?(\w+)|"(\d+)")')
LITERAL = re.compile(r'"([^"\\]*)"')
NOT_MODELLED = re.compile(r"\b(FILTER|OPTIONAL|UNION|BIND|SERVICE|MINUS|REPLACE)\b", re.IGNORECASE)


def error(status: int, message: str) -> Response:
    """The page of the servers in front; their 429 asks for patience without saying how much."""
    page = f"<!DOCTYPE html><html lang=en><title>Wikimedia Error</title><h1>{status}</h1>{message}"
    return text_answer(page, status, "text/html")


def is_declared(request: Request) -> bool:
    """Whether the User-Agent is something else than nothing or the default of a library."""
    agent = request.headers.get("user-agent", "")
    return bool(agent) and not LIBRARIES.match(agent)


def web(request: Request, scene: Scene) -> Response:
    if not is_declared(request):
        return text_answer(POLICY, 403)
    if request.method != "GET":
        return error(405, "Method not allowed")
    if match := ENTITY.fullmatch(request.path):
        return _entity_data(request, scene, match[1])
    if request.path == "/w/api.php":
        return _api(request.query, scene)
    return error(404, "No such page")


def _entity_data(request: Request, scene: Scene, qid: str) -> Response:
    """One item; an id that was merged leads to the item it was merged into, under that one's id."""
    found = registry(scene).entity(qid)
    if found is None:
        return error(404, f"No entity with ID {qid} was found.")
    changed = datetime.fromisoformat(found["modified"]).astimezone(UTC)
    document = {"entities": {found["id"]: _shown(found, scene)}}
    return conditional(request, json_answer(document), changed)


def _shown(entity: Entity, scene: Scene) -> Entity:
    """The item, with a label that attacks its reader in a hostile world."""
    if not scene.hostile:
        return entity
    rng = scene.draw("label", entity["id"])
    label = f"{next(iter(entity['labels'].values()))['value']} {hostile_text(rng)}"
    return entity | {"labels": {"en": {"language": "en", "value": label}}}


def api_error(code: str, info: str) -> Response:
    """An error of the action API: inside a 200."""
    shape = {"error": {"code": code, "info": info}, "servedby": "fake"}
    return json_answer(shape, 200, {"MediaWiki-API-Error": code})


def _api(query: dict[str, str], scene: Scene) -> Response:
    if query.get("format") != "json":
        return text_answer("<!DOCTYPE html><h1>MediaWiki API result</h1>", 200, "text/html")
    lag = query.get("maxlag", "99")
    if not re.fullmatch(r"-?\d+", lag):
        return api_error("badinteger", 'Invalid value for integer parameter "maxlag".')
    if int(lag) < 0:  # the documented way to see this error at any time
        return json_answer(MAXLAG_ERROR, 200, MAXLAG_HEADERS)
    match query.get("action"):
        case "wbsearchentities":
            return _search(query, scene)
        case "wbgetentities":
            return _get(query, scene)
    name = query.get("action", "")
    return api_error("badvalue", f'Unrecognized value for parameter "action": {name}.')


def _search(query: dict[str, str], scene: Scene) -> Response:
    """The items whose label or alias begins with the text, exact matches first."""
    for name in ("search", "language"):
        if not query.get(name):
            return api_error(f"missingparam-{name}", f'The "{name}" parameter must be set.')
    limit = query.get("limit", "7")
    if not limit.isdigit() or not 1 <= int(limit) <= MAX_HITS:
        return api_error("badinteger", f'"limit" must be between 1 and {MAX_HITS}.')
    wanted = " ".join(query["search"].casefold().split())
    known = registry(scene)
    best: dict[str, tuple[str, str]] = {}
    for folded, text, qid, kind in known.names:
        if folded.startswith(wanted):
            best.setdefault(qid, (text, kind))
    # A subsidiary's item is the better known one here: it stands before the company's own.
    ranked = sorted(
        best, key=lambda qid: (not qid.endswith(str(SUBSIDIARY)), best[qid][1] == "alias", qid)
    )
    hits = []
    for qid in ranked[: int(limit)]:
        found = known.entity(qid)
        assert found
        hits.append(_hit(_shown(found, scene), *best[qid]))
    answer: dict[str, Any] = {"searchinfo": {"search": query["search"]}, "search": hits}
    if len(ranked) > int(limit):
        answer["search-continue"] = int(limit)
    return json_answer(answer | {"success": 1})


def _hit(entity: Entity, text: str, kind: str) -> dict[str, Any]:
    qid, label = entity["id"], next(iter(entity["labels"].values()))
    description = entity["descriptions"]["en"]
    hit = {
        "id": qid,
        "title": qid,
        "pageid": entity["pageid"],
        "concepturi": f"http://www.wikidata.org/entity/{qid}",
        "repository": "wikidata",
        "url": f"//www.wikidata.org/wiki/{qid}",
        "display": {"label": label, "description": description},
        "label": label["value"],
        "description": description["value"],
        "match": {"type": kind, "language": "en", "text": text},
    }
    return hit | {"aliases": [text]} if kind == "alias" else hit


PARTS = {
    "labels": "labels",
    "aliases": "aliases",
    "descriptions": "descriptions",
    "claims": "claims",
}


def _get(query: dict[str, str], scene: Scene) -> Response:
    """The asked parts of up to 50 items, in the asked languages only."""
    ids = [qid for qid in query.get("ids", "").split("|") if qid]
    if not ids:
        return api_error("param-missing", 'Either provide "ids" or pairs of "sites" and "titles".')
    if len(ids) > MAX_IDS:
        return api_error("toomanyvalues", f'Too many values for "ids". The limit is {MAX_IDS}.')
    props = query.get("props", "|".join(PARTS)).split("|")
    languages = query["languages"].split("|") if query.get("languages") else None
    entities: dict[str, Any] = {}
    for qid in ids:
        if not re.fullmatch(r"Q[1-9]\d*", qid):
            return api_error("no-such-entity", f'Could not find an entity with the ID "{qid}".')
        found = registry(scene).entity(qid)
        entities[qid] = {"id": qid, "missing": ""}
        if found:
            shown = _shown(found, scene)
            kept = {part: shown[part] for part in PARTS if part in props}
            for part in ("labels", "aliases", "descriptions"):
                if languages and part in kept:
                    named = kept[part].items()
                    kept[part] = {code: text for code, text in named if code in languages}
            entities[qid] = {"type": "item", "id": found["id"], **kept}
    return json_answer({"entities": entities, "success": 1})


def sparql(request: Request, scene: Scene) -> Response:
    """The items that state SEC numbers; a query of another shape is refused as malformed."""
    if not is_declared(request):
        return text_answer(POLICY, 403)
    if request.path != "/sparql":
        return error(404, "Not found")
    fields = request.query
    if request.method == "POST":
        fields = fields | dict(parse_qsl(request.body.decode("utf-8", "replace")))
    query = fields.get("query", "")
    triple = TRIPLE.search(query)
    if not triple or not re.search(r"\bSELECT\b", query, re.I) or NOT_MODELLED.search(query):
        return text_answer(f"SPARQL-QUERY: queryStr={query}\nMalformedQueryException\n", 400)
    item, variable, literal = triple.groups()
    wanted = [literal] if literal else LITERAL.findall(query)
    rows = []
    for text in dict.fromkeys(wanted):
        for qid in registry(scene).ciks.get(text, []):
            uri = {"type": "uri", "value": f"http://www.wikidata.org/entity/{qid}"}
            rows.append(
                {item: uri} | ({variable: {"type": "literal", "value": text}} if variable else {})
            )
    accepts_json = "json" in fields.get("format", "") + request.headers.get("accept", "")
    if not accepts_json:
        return text_answer("<?xml version='1.0'?><sparql/>", 200, "application/sparql-results+xml")
    names = [item, variable] if variable else [item]
    answer = json_answer({"head": {"vars": names}, "results": {"bindings": rows}})
    answer.headers["Content-Type"] = "application/sparql-results+json;charset=utf-8"
    return answer


HOSTS = {"www.wikidata.org": Host(web, error), "query.wikidata.org": Host(sparql, error)}
