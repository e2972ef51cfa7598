"""Data sets of the hub that can be written to: commits, and what each of them holds.

Every `keenable-ai/written-<anything>` is one, empty until its first commit; a
`keenable-ai/made-<anything>` is there from the moment when it is made. A commit names the one that
it builds on and is refused with 412 where that is not the newest any more. Files over 10 MB, and
those named `*.bin`, go to the store of large files first, by an address that is signed for each.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from tests.fakes.scene import Scene
from tests.fakes.wire import Request, Response, json_answer, text_answer

OWNER = "keenable-ai"
WRITTEN = re.compile(rf"{OWNER}/(?:written|made)-[\w-]+")
API = re.compile(
    r"/api/datasets/([\w.-]+/[\w.-]+)/(revision|tree|commit|paths-info|preupload)"
    r"/([\w.-]+)(?:/(.*))?"
)
BATCH = re.compile(r"/datasets/([\w.-]+/[\w.-]+)\.git/info/lfs/objects/batch")
VERIFY = re.compile(r"/datasets/([\w.-]+/[\w.-]+)\.git/info/lfs/objects/verify")
CREATE = "/api/repos/create"
STORE = "hf-hub-lfs-us-east-1.s3-accelerate.amazonaws.com"
LFS_TYPE = "application/vnd.git-lfs+json"
RESOLVE = re.compile(r"/datasets/([\w.-]+/[\w.-]+)/resolve/([\w.-]+)/(.+)")
PAGE = 4  # small, so that the list of a run has pages
MAX_FILE_BYTES = 10_000_000
CONFLICT = "A commit has happened since. Please refresh and try again."


@dataclass
class Repository:
    """`states` maps each commit, oldest first, to its files; `summaries` are its messages."""

    states: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"0" * 40: {}})
    summaries: list[str] = field(default_factory=list)
    large: set[str] = field(default_factory=set)  # the paths of large files
    is_private: bool = False

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
LARGE: dict[str, bytes] = {}  # what the store holds, by SHA-256


def repository(name: str) -> Repository:
    """The data set of this name; it is there as soon as somebody asks for it."""
    return REPOSITORIES.setdefault(name, Repository())


def is_written(path: str) -> bool:
    """Whether a request for this path is for a data set that can be written to."""
    if path == CREATE:
        return True
    forms = (API, RESOLVE, BATCH, VERIFY)
    match = next((found for form in forms if (found := form.fullmatch(path))), None)
    return match is not None and WRITTEN.fullmatch(match[1]) is not None


def answer(request: Request) -> Response:
    """The answer to a request that carries a valid token."""
    if request.path == CREATE:
        return _create(request)
    for form, respond in ((BATCH, _batch), (VERIFY, _verify)):
        if match := form.fullmatch(request.path):
            if request.method != "POST":
                return _error(405, "Method not allowed")
            return respond(request) if _is_there(match[1]) else _not_there()
    if match := RESOLVE.fullmatch(request.path):
        files = _state(repository(match[1]), match[2])
        if files is None or match[3] not in files:
            return _error(404, "Entry not found")
        return Response(200, files[match[3]], {"Content-Type": "text/plain; charset=utf-8"})
    match = API.fullmatch(request.path)
    assert match is not None
    name, what, revision, folder = match.groups()
    if not _is_there(name):
        return _not_there()
    found = repository(name)
    posted = {"commit": _commit, "paths-info": _paths_info, "preupload": _preupload}.get(what)
    if posted is not None:
        is_posted = request.method == "POST"
        return posted(request, found, revision) if is_posted else _error(405, "Not allowed")
    if request.method != "GET":
        return _error(405, "Method not allowed")
    if what == "revision":
        return json_answer({"id": name, "sha": found.head, "private": found.is_private})
    return _tree(request, found, revision, (folder or "").strip("/"))


def _is_there(name: str) -> bool:
    return name in REPOSITORIES or name.startswith(f"{OWNER}/written-")


def _not_there() -> Response:
    response = _error(404, "Repository not found")
    response.headers["X-Error-Code"] = "RepoNotFound"
    return response


def _create(request: Request) -> Response:
    asked = request.json
    if not isinstance(asked, dict) or set(asked) - {"name", "organization", "type", "private"}:
        return _error(400, "Unrecognized keys")
    name = f"{asked.get('organization')}/{asked.get('name')}"
    if asked.get("type") != "dataset" or not isinstance(asked.get("private"), bool):
        return _error(400, "Expected a dataset that is private or not")
    if asked["organization"] != OWNER or not WRITTEN.fullmatch(name):
        text = f'You don\'t have the rights to create a dataset under "{asked["organization"]}"'
        return _error(403, text)
    if _is_there(name):
        return _error(409, "You already created this dataset repo")
    repository(name).is_private = asked["private"]
    return json_answer({"url": f"https://huggingface.co/datasets/{name}", "name": name})


def _paths_info(request: Request, found: Repository, revision: str) -> Response:
    files = _state(found, revision)
    if files is None:
        return _error(404, "Invalid rev id")
    if request.headers.get("content-type") != "application/x-www-form-urlencoded":
        return _error(400, "Expected a form")
    asked = [value for key, value in parse_qsl(request.body.decode()) if key == "paths"]
    return json_answer([_entry(found, name, files[name]) for name in asked if name in files])


def _preupload(request: Request, found: Repository, revision: str) -> Response:
    asked = request.json
    if not isinstance(asked, dict) or set(asked) != {"files"}:
        return _error(400, "Expected files")
    modes = []
    for each in asked["files"]:
        if set(each) != {"path", "sample", "size"} or len(base64.b64decode(each["sample"])) > 512:
            return _error(400, "Expected path, sample and size")
        is_large = each["size"] > MAX_FILE_BYTES or each["path"].endswith(".bin")
        mode = "lfs" if is_large else "regular"
        modes.append({"path": each["path"], "uploadMode": mode, "shouldIgnore": False})
    return json_answer({"files": modes})


def _batch(request: Request) -> Response:
    asked = request.json
    if request.headers.get("accept") != LFS_TYPE or not isinstance(asked, dict):
        return _error(406, f"Expected {LFS_TYPE}")
    if asked.get("operation") != "upload" or "basic" not in asked.get("transfers", ()):
        return _error(422, "Expected an upload by the basic transfer")
    objects = []
    for each in asked["objects"]:
        entry: dict[str, Any] = {"oid": each["oid"], "size": each["size"]}
        if each["oid"] not in LARGE:
            address = f"https://{STORE}/repos/{each['oid']}?X-Amz-Signature={_signed(each['oid'])}"
            verify = request.path.removesuffix("batch") + "verify"
            entry["actions"] = {
                "upload": {"href": address},
                "verify": {"href": f"https://huggingface.co{verify}"},
            }
        objects.append(entry)
    response = json_answer({"transfer": "basic", "objects": objects})
    response.headers["Content-Type"] = LFS_TYPE
    return response


def _verify(request: Request) -> Response:
    asked = request.json
    content = LARGE.get(asked["oid"])
    is_right = content is not None and len(content) == asked["size"]
    return json_answer({}) if is_right else _error(404, "The object is not in the store")


def _signed(oid: str) -> str:
    return sha256(f"upload {oid}".encode()).hexdigest()


def store(request: Request, scene: Scene) -> Response:
    """The store of large files, as it is written to."""
    oid = request.path.rpartition("/")[2]
    if request.method != "PUT":
        return store_error(405, "MethodNotAllowed")
    if "authorization" in request.headers:
        return store_error(400, "InvalidArgument: Only one auth mechanism allowed")
    if request.query.get("X-Amz-Signature") != _signed(oid):
        return store_error(403, "SignatureDoesNotMatch")
    if sha256(request.body).hexdigest() != oid:
        return store_error(400, "BadDigest")
    LARGE[oid] = request.body
    return Response(200, b"", {"ETag": f'"{oid[:32]}"'})


def store_error(status: int, message: str) -> Response:
    """An error in the form of the store."""
    code = message.partition(":")[0]
    text = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    return text_answer(text, status, "application/xml")


def _commit(request: Request, found: Repository, revision: str) -> Response:
    if request.headers.get("content-type") != "application/x-ndjson":
        return _error(400, "Expected application/x-ndjson")
    try:
        lines = [json.loads(line) for line in request.body.splitlines()]
        header, *entries = lines
        files = _files([entry for entry in entries if entry["key"] != "lfsFile"])
        large = _large_files([entry for entry in entries if entry["key"] == "lfsFile"])
    except (ValueError, KeyError, TypeError) as error:
        return _error(400, f"Malformed commit: {error}")
    if header.get("key") != "header" or not header["value"].get("summary"):
        return _error(400, "The first line must be a header with a summary")
    unknown = set(header["value"]) - {"summary", "description", "parentCommit"}
    if unknown or not files | large:
        return _error(400, f"Unrecognized keys {sorted(unknown)} or no file")
    if any(len(content) > MAX_FILE_BYTES for content in files.values()):
        return _error(400, "Files over 10 MB must be stored as LFS")
    if header["value"].get("parentCommit", found.head) != found.head:
        return _error(412, CONFLICT)
    name = found.commit(header["value"]["summary"], files | large)
    found.large = (found.large - set(files)) | set(large)
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


def _large_files(entries: list[dict[str, Any]]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for entry in entries:
        value = entry["value"]
        if set(value) != {"path", "algo", "oid", "size"} or value["algo"] != "sha256":
            raise ValueError(f"not a large file: {sorted(value)}")
        content = LARGE.get(value["oid"])
        if content is None or len(content) != value["size"]:
            raise ValueError(f"{value['path']} points to a file that is not in the store")
        files[value["path"]] = content
    return files


def _entry(found: Repository, name: str, content: bytes) -> dict[str, Any]:
    entry = {"type": "file", "oid": _oid(content), "size": len(content), "path": name}
    if name in found.large:
        pointer = f"oid sha256:{sha256(content).hexdigest()}".encode()
        large = {"oid": sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
        entry |= {"oid": _oid(pointer), "lfs": large}
    return entry


def _tree(request: Request, found: Repository, revision: str, folder: str) -> Response:
    files = _state(found, revision)
    names = sorted(name for name in files or {} if name.startswith(f"{folder}/" if folder else ""))
    if files is None or (folder and not names):
        return _error(404, "Entry not found")
    start = int(request.query.get("cursor", "0"))
    entries = [_entry(found, name, files[name]) for name in names[start : start + PAGE]]
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
