"""Data sets of the hub that can be written to: commits, and what each of them holds.

Every `keenable-ai/written-<anything>` is one, empty until its first commit. A commit names the one
that it builds on and is refused with 412 where that is not the newest any more.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any
from urllib.parse import quote, urlencode

from tests.fakes.wire import Request, Response, json_answer

WRITTEN = re.compile(r"keenable-ai/written-[\w-]+")
API = re.compile(r"/api/datasets/([\w.-]+/[\w.-]+)/(revision|tree|commit)/([\w.-]+)(?:/(.*))?")
RESOLVE = re.compile(r"/datasets/([\w.-]+/[\w.-]+)/resolve/([\w.-]+)/(.+)")
PAGE = 4  # small, so that the list of a run has pages
MAX_FILE_BYTES = 10_000_000
CONFLICT = "A commit has happened since. Please refresh and try again."


@dataclass
class Repository:
    """`states` maps each commit, oldest first, to its files; `summaries` are its messages."""

    states: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"0" * 40: {}})
    summaries: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        return list(self.states)[-1]

    @property
    def files(self) -> dict[str, bytes]:
        return self.states[self.head]

    def commit(self, summary: str, files: dict[str, bytes]) -> str:
        state = {**self.files, **files}
        name = sha1(f"{self.head} {sorted(files)} {summary}".encode()).hexdigest()
        self.states[name] = state
        self.summaries.append(summary)
        return name


REPOSITORIES: dict[str, Repository] = {}


def repository(name: str) -> Repository:
    """The data set of this name; it is there as soon as somebody asks for it."""
    return REPOSITORIES.setdefault(name, Repository())


def is_written(path: str) -> bool:
    """Whether a request for this path is for a data set that can be written to."""
    match = API.fullmatch(path) or RESOLVE.fullmatch(path)
    return match is not None and WRITTEN.fullmatch(match[1]) is not None


def answer(request: Request) -> Response:
    """The answer to a request that carries a valid token."""
    if match := RESOLVE.fullmatch(request.path):
        files = _state(repository(match[1]), match[2])
        if files is None or match[3] not in files:
            return _error(404, "Entry not found")
        return Response(200, files[match[3]], {"Content-Type": "text/plain; charset=utf-8"})
    match = API.fullmatch(request.path)
    assert match is not None
    name, what, revision, folder = match.groups()
    found = repository(name)
    if what == "commit":
        return _commit(request, found) if request.method == "POST" else _error(405, "Not allowed")
    if request.method != "GET":
        return _error(405, "Method not allowed")
    if what == "revision":
        return json_answer({"id": name, "sha": found.head, "private": False})
    return _tree(request, found, revision, (folder or "").strip("/"))


def _commit(request: Request, found: Repository) -> Response:
    if request.headers.get("content-type") != "application/x-ndjson":
        return _error(400, "Expected application/x-ndjson")
    try:
        lines = [json.loads(line) for line in request.body.splitlines()]
        header, *entries = lines
        files = _files(entries)
    except (ValueError, KeyError, TypeError) as error:
        return _error(400, f"Malformed commit: {error}")
    if header.get("key") != "header" or not header["value"].get("summary"):
        return _error(400, "The first line must be a header with a summary")
    unknown = set(header["value"]) - {"summary", "description", "parentCommit"}
    if unknown or not files:
        return _error(400, f"Unrecognized keys {sorted(unknown)} or no file")
    if any(len(content) > MAX_FILE_BYTES for content in files.values()):
        return _error(400, "Files over 10 MB must be stored as LFS")
    if header["value"].get("parentCommit", found.head) != found.head:
        return _error(412, CONFLICT)
    name = found.commit(header["value"]["summary"], files)
    return json_answer({"success": True, "commitOid": name, "commitUrl": "", "hookOutput": ""})


def _files(entries: list[dict[str, Any]]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for entry in entries:
        value = entry["value"]
        if entry["key"] != "file" or set(value) != {"content", "path", "encoding"}:
            raise ValueError(f"not a file: {sorted(value)}")
        if value["encoding"] != "base64" or value["path"].startswith(("/", ".")):
            raise ValueError(f"not a file of ours: {value['path']}")
        files[value["path"]] = base64.b64decode(value["content"], validate=True)
    return files


def _tree(request: Request, found: Repository, revision: str, folder: str) -> Response:
    files = _state(found, revision)
    names = sorted(name for name in files or {} if name.startswith(f"{folder}/" if folder else ""))
    if files is None or (folder and not names):
        return _error(404, "Entry not found")
    start = int(request.query.get("cursor", "0"))
    entries = [
        {"type": "file", "oid": _oid(files[name]), "size": len(files[name]), "path": name}
        for name in names[start : start + PAGE]
    ]
    response = json_answer(entries)
    if start + PAGE < len(names):
        fields = urlencode({**request.query, "cursor": start + PAGE})
        address = f"https://huggingface.co{quote(request.path)}?{fields}"
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


def _oid(content: bytes) -> str:
    return sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _state(found: Repository, revision: str) -> dict[str, bytes] | None:
    return found.files if revision == "main" else found.states.get(revision)


def _error(status: int, message: str) -> Response:
    return json_answer({"error": message}, status, {"X-Error-Message": message})
