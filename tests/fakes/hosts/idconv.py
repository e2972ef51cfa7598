"""The id converter of PMC, at its address and at its old one, which leads to the new."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from tests.fakes.papers import Paper, library
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

PATH = "/tools/idconv/api/v1/articles/"
OLD_PATH = "/pmc/utils/idconv/v1.0/"
MAX_IDS = 200
KINDS = {
    "pmcid": re.compile(r"(?:PMC)?\d+(?:\.\d+)?"),
    "pmid": re.compile(r"\d+"),
    "doi": re.compile(r"10\.\d{4,9}/\S+"),
}
KNOWN = ("ids", "idtype", "format", "tool", "email", "versions", "showaiid")


def error(status: int, message: str) -> Response:
    return json_answer({"status": "error", "message": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    """pmc.ncbi.nlm.nih.gov."""
    query = request.query
    if request.path.rstrip("/") != PATH.rstrip("/"):
        return error(404, "Not Found")
    if request.method != "GET":
        return error(405, "Method Not Allowed")
    if unknown := sorted(set(query) - set(KNOWN)):
        return error(400, f"Unknown parameter: {unknown[0]}")
    ids = [part.strip() for part in query.get("ids", "").split(",") if part.strip()]
    if not ids:
        return error(400, "Parameter ids is required")
    if len(ids) > MAX_IDS:
        return error(400, f"Too many ids: at most {MAX_IDS} in one request")
    kind = query.get("idtype") or _kind(ids[0])
    if kind not in KINDS:
        return error(400, f"Invalid idtype: {kind}")
    if not all(
        KINDS[kind].fullmatch(one) and (kind != "pmid" or _kind(one) == kind) for one in ids
    ):
        return error(400, f"Invalid id: all ids must be of type {kind}")
    if query.get("format", "xml") != "json":
        return error(400, "This fake speaks JSON only: format=json")
    return json_answer(
        {
            "status": "ok",
            "response-date": f"{scene.clock:%Y-%m-%d %H:%M:%S}",
            "request": {
                "warnings": [] if query.get("email") else ["email is not set"],
                "format": "json",
                "ids": ids,
                "idtype": kind,
                "tool": query.get("tool", ""),
                "email": query.get("email", ""),
                "versions": query.get("versions", "no"),
                "showaiid": "no",
            },
            "records": [_record(scene, kind, one) for one in ids],
        }
    )


def _kind(one: str) -> str:
    if one.upper().startswith("PMC"):
        return "pmcid"
    return "doi" if one.startswith("10.") else "pmid"


def _record(scene: Scene, kind: str, asked: str) -> dict[str, Any]:
    """The ids of one paper in PMC. A PMID is a number here."""
    wanted = asked
    if kind == "pmcid":
        wanted = f"PMC{asked.upper().removeprefix('PMC').partition('.')[0]}"
    paper = next(
        (one for one in library(scene).of("europepmc") if _id(one, kind) == wanted.lower()), None
    )
    if paper is None or not paper.pmcid or "converter_unknown" in paper.traps:
        return {
            kind: wanted,
            "requested-id": asked,
            "status": "error",
            "errmsg": "Identifier not found in PMC",
        }
    record: dict[str, Any] = {"pmcid": paper.pmcid, "requested-id": asked}
    if paper.pmid and "converter_no_pmid" not in paper.traps:
        record["pmid"] = int(paper.pmid)
    if paper.doi:
        record["doi"] = paper.doi
    return record


def _id(paper: Paper, kind: str) -> str:
    found = {"pmcid": paper.pmcid, "pmid": paper.pmid, "doi": paper.doi}
    return found[kind].lower()


def old(request: Request, scene: Scene) -> Response:
    """www.ncbi.nlm.nih.gov."""
    if request.path.rstrip("/") != OLD_PATH.rstrip("/"):
        return error(404, "Not Found")
    target = f"https://pmc.ncbi.nlm.nih.gov{PATH}?{urlencode(request.query)}"
    return Response(301, b"", {"Location": target})


HOSTS = {
    "pmc.ncbi.nlm.nih.gov": Host(answer, error),
    "www.ncbi.nlm.nih.gov": Host(old, error),
}
