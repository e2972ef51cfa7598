"""www.ebi.ac.uk: Europe PMC's search with its cursor, and the full text of open papers."""

from __future__ import annotations

import base64
import re
from datetime import datetime
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import quote

from tests.fakes.epmc_query import QueryError, has_full_text, is_open, language, matches
from tests.fakes.hostile import hostile_text
from tests.fakes.paper_texts import abstract, jats
from tests.fakes.papers import Paper, library
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer, text_answer

ROOT = "/europepmc/webservices/rest"
FULL_TEXT = re.compile(rf"{ROOT}/(?:PMC/)?(PMC\d+)/fullTextXML")
MAX_PAGE, DEFAULT_PAGE = 1000, 25
VERSION = "6.9"
TYPES = ("idlist", "lite", "core")
SORT = re.compile(r"(P_PDATE_D|FIRST_PDATE_D|FIRST_IDATE_D|CITED)(?: (asc|desc))?")


def error(status: int, message: str) -> Response:
    return json_answer({"version": VERSION, "errCode": status, "errMsg": message}, status)


def emptied(response: Response) -> Response:
    """The same page without its results."""
    if not isinstance(response.data, dict) or "resultList" not in response.data:
        return response
    return json_answer(response.data | {"resultList": {"result": []}})


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET":
        return error(405, "Method not allowed")
    if request.path == f"{ROOT}/search":
        try:
            return _search(request.query, scene)
        except QueryError as wrong:
            return error(400, str(wrong))
    if match := FULL_TEXT.fullmatch(request.path):
        paper = library(scene).by_pmcid.get(match[1])
        if paper and has_full_text(paper) and "no_jats" not in paper.traps:
            return text_answer(jats(scene, paper), 200, "application/xml")
        return text_answer("<error><message>No full text found</message></error>", 404, "text/xml")
    return error(404, "No such service")


def _search(query: dict[str, str], scene: Scene) -> Response:
    asked = query.get("query", "").strip()
    if not asked:
        raise QueryError("Query parameter is missing")
    if query.get("format", "xml").lower() != "json":
        return text_answer("<responseWrapper/>", 200, "application/xml")
    kind = query.get("resultType", "lite")
    if kind not in TYPES:
        raise QueryError(f"resultType must be one of {', '.join(TYPES)}")
    size = query.get("pageSize", str(DEFAULT_PAGE))
    if not size.isdigit() or not 1 <= int(size) <= MAX_PAGE:
        raise QueryError(f"pageSize must be between 1 and {MAX_PAGE}")
    sort = query.get("sort", "")
    found = _sorted(matches(asked, library(scene).of("europepmc")), sort)
    cursor = query.get("cursorMark", "*")
    start = _offset(cursor, asked, sort)
    shown = found[start : start + int(size)]
    # A page beyond the last one is empty and repeats the cursor it was asked with.
    after = _cursor(start + len(shown), asked, sort) if shown else cursor
    data: dict[str, Any] = {"version": VERSION, "hitCount": len(found), "nextCursorMark": after}
    if start + len(shown) < len(found):
        fields = f"query={quote(asked)}&cursorMark={quote(after)}&resultType={kind}"
        data["nextPageUrl"] = f"https://www.ebi.ac.uk{ROOT}/search?{fields}&pageSize={size}"
    data["request"] = {
        "queryString": asked,
        "resultType": kind,
        "cursorMark": cursor,
        "pageSize": int(size),
        "sort": sort,
        "synonym": False,
    }
    data["resultList"] = {"result": [_result(scene, paper, kind) for paper in shown]}
    return json_answer(data)


def _sorted(papers: list[Paper], sort: str) -> list[Paper]:
    """By relevance (which is no date) unless a sort is asked for."""
    if not sort:
        return sorted(papers, key=lambda paper: sha256(paper.title.encode()).digest())
    match = SORT.fullmatch(sort)
    if not match:
        raise QueryError(f"unknown sort: {sort}")

    def key(paper: Paper) -> tuple[float, int]:
        by = _citations(paper) if match[1] == "CITED" else paper.indexed.timestamp()
        return by, paper.number

    return sorted(papers, key=key, reverse=match[2] != "asc")


def _cursor(start: int, asked: str, sort: str) -> str:
    """An opaque mark of a place in the results of one query."""
    seal = sha256(f"{asked}|{sort}".encode()).hexdigest()[:8]
    return base64.b64encode(f"AoE/{seal}/{start}".encode()).decode()


def _offset(cursor: str, asked: str, sort: str) -> int:
    if cursor == "*":
        return 0
    try:
        start = base64.b64decode(cursor, validate=True).decode().rpartition("/")[2]
    except ValueError:
        start = ""
    if not start.isdigit() or _cursor(int(start), asked, sort) != cursor:
        raise QueryError(f"Unable to parse 'cursorMark' after totem: value was '{cursor[:60]}'")
    return int(start)


def _citations(paper: Paper) -> int:
    return paper.number * 7 % 41


def _result(scene: Scene, paper: Paper, kind: str) -> dict[str, Any]:
    source, key = paper.epmc_key
    ids = {"id": key, "source": source}
    if paper.pmid and "search_no_pmid" not in paper.traps:
        ids["pmid"] = paper.pmid
    if paper.pmcid:
        ids["pmcid"] = paper.pmcid
    if paper.doi:
        ids["doi"] = paper.doi
    if kind == "idlist":
        return ids
    title = paper.title
    if scene.hostile:
        title = f"{title} {hostile_text(scene.draw('title', paper.number))[:4_000]}"
    data: dict[str, Any] = ids | {
        "title": title,
        "authorString": ", ".join(_short(name) for name in paper.authors) + ".",
        "pubYear": f"{paper.published:%Y}",
        "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
        "isOpenAccess": _flag(is_open(paper)),
        "inEPMC": _flag(has_full_text(paper)),
        "inPMC": _flag(bool(paper.pmcid)),
        "hasPDF": _flag(has_full_text(paper)),
        "hasBook": "N",
        "hasSuppl": "N",
        "citedByCount": _citations(paper),
        "hasReferences": "Y",
        "hasTextMinedTerms": _flag(has_full_text(paper)),
        "hasDbCrossReferences": "N",
        "hasLabsLinks": "Y",
        "hasTMAccessionNumbers": "N",
        "firstIndexDate": _day(paper.indexed),
        "firstPublicationDate": _day(paper.published),
    }
    return data | _core(scene, paper) if kind == "core" else data


def _core(scene: Scene, paper: Paper) -> dict[str, Any]:
    """The fields that only the long form has."""
    authors = [{"fullName": _short(name), "lastName": name.split()[-1]} for name in paper.authors]
    data: dict[str, Any] = {
        "authorList": {"author": authors},
        "journalInfo": {
            "volume": "7",
            "yearOfPublication": paper.published.year,
            "printPublicationDate": _day(paper.published.replace(day=1)),
            "journal": {"title": "Annals of Invented Medicine", "issn": "0000-0019"},
        },
        "language": language(paper),
        "publicationStatus": "epublish",
        "license": "cc by",
        "dateOfCreation": _day(paper.indexed),
        "dateOfRevision": _day(paper.indexed),
        "electronicPublicationDate": _day(paper.published),
        "fullTextUrlList": {
            "fullTextUrl": [
                {
                    "availability": "Open access",
                    "availabilityCode": "OA",
                    "documentStyle": "html",
                    "site": "Europe_PMC",
                    "url": f"https://europepmc.org/articles/{paper.pmcid}",
                }
            ]
        }
        if paper.pmcid
        else {},
    }
    if "no_abstract" not in paper.traps:
        text = escape(abstract(scene, paper), quote=False)
        data["abstractText"] = f"<h4>Background</h4>{text}" if paper.number % 2 else text
    return data


def _short(name: str) -> str:
    given, _, surname = name.partition(" ")
    return f"{surname} {given[0]}"


def _flag(is_so: bool) -> str:
    return "Y" if is_so else "N"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


HOSTS = {"www.ebi.ac.uk": Host(answer, error, empty=emptied)}
