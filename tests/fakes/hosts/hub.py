"""huggingface.co and the store it redirects large files to: files, lists of files, errors.

Public repositories need no token; a wrong one is refused all the same. Large files come from
another host by a signed address, which refuses a request that brings a token as well. Some data
sets can be written to: see `tests.fakes.hub_commits`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode

from tests.fakes import hub_commits, hub_contents
from tests.fakes.hosts import feeds
from tests.fakes.rare_queries import artifact_parquet, stream_parquet
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-HF_TOKEN"
DATASET, PRIVATE = "keenable-ai/needle-results", "keenable-ai/needle-private"
MODEL, OLD_MODEL = "google-bert/bert-base-uncased", "bert-base-uncased"
STORE = "cas-bridge.xethub.hf.co"
ARCHIVED = 2_300
PAGE = 1_000
COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILE = re.compile(r"/(datasets/)?((?:[\w.-]+/)?[\w.-]+)/resolve/([\w.-]+)/(.+)")
TREE = re.compile(r"/api/(datasets|models)/([\w.-]+/[\w.-]+)/tree/([\w.-]+)(?:/(.*))?")
REVISION = re.compile(r"/api/(datasets|models)/([\w.-]+/[\w.-]+)/revision/(.+)")
SIGNED = re.compile(r"/xet-bridge-us/([0-9a-f]{64})")
FIELDS = ("recursive", "expand", "cursor", "limit")
MESSAGES = {
    "RepoNotFound": "Repository not found",
    "EntryNotFound": "Entry not found",
    "RevisionNotFound": "Invalid rev id",
    "GatedRepo": "Access to this model is restricted. You must be authenticated to access it.",
}


def error(status: int, message: str) -> Response:
    if status == 429:
        message = "We had to rate limit you. Upgrade your plan or try again later."
    return json_answer({"error": message}, status, {"X-Error-Message": message})


def _missing(code: str, status: int = 404) -> Response:
    answer = error(status, MESSAGES[code])
    answer.headers["X-Error-Code"] = code
    return answer


def answer(request: Request, scene: Scene) -> Response:
    """huggingface.co."""
    if request.path == "/blog/feed.xml":
        return feeds.answer(request, scene)
    sent = request.headers.get("authorization")
    if sent is not None and sent != f"Bearer {KEY}":
        return error(401, "Invalid credentials in Authorization header")
    if hub_commits.is_written(request.path):
        return hub_commits.answer(request) if sent else _missing("RepoNotFound", 401)
    if request.method != "GET":
        return error(405, "Method not allowed")
    if match := REVISION.fullmatch(request.path):
        kind, repo, revision = match.groups()
        refused = _closed(f"{kind}/{repo}", revision, is_known=sent is not None)
        return refused or _revision(f"{kind}/{repo}")
    if match := TREE.fullmatch(request.path):
        kind, repo, revision, folder = match.groups()
        refused = _closed(f"{kind}/{repo}", revision, is_known=sent is not None)
        return refused or _tree(scene, request, f"{kind}/{repo}", folder or "")
    if match := FILE.fullmatch(request.path):
        is_dataset, repo, revision, path = match.groups()
        if repo == OLD_MODEL and not is_dataset:
            target = request.path.replace(f"/{OLD_MODEL}/", f"/{MODEL}/", 1)
            return Response(307, b"", {"Location": target})
        repository = f"{'datasets' if is_dataset else 'models'}/{repo}"
        refused = _closed(repository, revision, is_known=sent is not None)
        return refused or _file(scene.seed, repository, path)
    return error(404, "Sorry, we can't find the page you are looking for.")


def _closed(repository: str, revision: str, *, is_known: bool) -> Response | None:
    """The refusal of a repository; one that is not there looks like one that is private."""
    is_there = repository in REPOSITORIES and (is_known or not repository.endswith(PRIVATE))
    if not is_there:
        return _missing("RepoNotFound", 404 if is_known else 401)
    if repository.endswith(hub_contents.GATED) and not is_known:
        return _missing("GatedRepo", 401)
    return None if revision in ("main", COMMIT) else _missing("RevisionNotFound")


# Files


@lru_cache(maxsize=64)
def _made(seed: int, repository: str, path: str) -> bytes | None:
    make = REPOSITORIES[repository].get(path)
    if make is not None:
        return make(seed)
    is_archived = repository == f"datasets/{DATASET}" and path in _archived()
    return f'{{"bench":"news","path":"{path}"}}\n'.encode() if is_archived else None


def _vocabulary(seed: int) -> bytes:
    from tests.vocabulary import bert_tokens

    return ("\n".join(bert_tokens()) + "\n").encode()


REPOSITORIES: dict[str, dict[str, Callable[[int], bytes]]] = {
    f"datasets/{DATASET}": {
        ".gitattributes": lambda seed: b"*.parquet filter=lfs diff=lfs merge=lfs -text\n",
        "README.md": lambda seed: b"---\nlicense: cc-by-4.0\n---\n# Results\n",
        "agentic/broken.parquet": lambda seed: artifact_parquet(seed)[:2_000],
        "agentic/queries.parquet": stream_parquet,
        "agentic/queries_by_query.parquet": lambda seed: stream_parquet(seed, "query"),
        "agentic/rare_entity.parquet": artifact_parquet,
        "agentic/rare_entity_nested.parquet": lambda seed: artifact_parquet(seed, is_nested=True),
    },
    f"datasets/{PRIVATE}": {"agentic/rare_entity.parquet": artifact_parquet},
    f"models/{MODEL}": {
        "config.json": lambda seed: b'{"model_type":"bert","vocab_size":30522}\n',
        "vocab.txt": _vocabulary,
    },
    **hub_contents.REPOSITORIES,
}


@lru_cache(maxsize=1)
def _archived() -> frozenset[str]:
    """The reports of earlier runs: more than a page of the list holds."""
    return frozenset(
        f"runs/2026/{1 + at // 240:02d}/2026-{1 + at // 240:02d}-{1 + at // 10 % 24:02d}"
        f"T{at % 10:02d}/news.json"
        for at in range(ARCHIVED)
    )


def _file(seed: int, repository: str, path: str) -> Response:
    body = _made(seed, repository, path)
    if body is None:
        return _missing("EntryNotFound")
    digest = sha256(body).hexdigest()
    headers = {"X-Repo-Commit": COMMIT, "ETag": f'"{digest[:40]}"'}
    if not path.endswith(".parquet"):
        return Response(200, body, headers | {"Content-Type": "text/plain; charset=utf-8"})
    # A large file has its own tag and size in other headers: these are those of the pointer.
    linked = {"X-Linked-Size": str(len(body)), "X-Linked-ETag": f'"{digest}"'}
    fields = {"X-Amz-Expires": "3600", "X-Amz-Signature": _signature(digest)}
    address = f"https://{STORE}/xet-bridge-us/{digest}?{urlencode(fields)}"
    return Response(302, b"", headers | linked | {"Location": address})


@lru_cache(maxsize=4)
def _stored(seed: int) -> dict[str, bytes]:
    """The large files of all repositories by digest."""
    bodies = (
        make(seed)
        for files in REPOSITORIES.values()
        for path, make in files.items()
        if path.endswith(".parquet")
    )
    return {sha256(body).hexdigest(): body for body in bodies}


def _signature(digest: str) -> str:
    return sha256(f"signed {digest}".encode()).hexdigest()


def store(request: Request, scene: Scene) -> Response:
    """The store of large files."""
    match = SIGNED.fullmatch(request.path)
    digest = match[1] if match else ""
    if "authorization" in request.headers:
        return hub_commits.store_error(400, "InvalidArgument: Only one auth mechanism allowed")
    if request.query.get("X-Amz-Signature") != _signature(digest):
        return hub_commits.store_error(403, "SignatureDoesNotMatch")
    body = _stored(scene.seed).get(digest)
    if body is None:
        return hub_commits.store_error(404, "NoSuchKey")
    headers = {"Content-Type": "application/octet-stream", "ETag": f'"{digest}"'}
    return Response(200, body, headers)


# Lists


def _revision(repository: str) -> Response:
    """A repository at the only commit that it has, and the names of its files."""
    paths = set(REPOSITORIES[repository])
    if repository == f"datasets/{DATASET}":
        paths |= _archived()
    siblings = [{"rfilename": path} for path in sorted(paths)]
    fields = {"id": repository.partition("/")[2], "sha": COMMIT, "private": False}
    return json_answer({**fields, "siblings": siblings})


def _tree(scene: Scene, request: Request, repository: str, folder: str) -> Response:
    query = request.query
    if unknown := sorted(set(query) - set(FIELDS)):
        return error(400, f"Unrecognized key: {unknown[0]}")
    limit = query.get("limit", str(PAGE))
    if not limit.isdigit() or not 1 <= int(limit) <= PAGE:
        return error(400, f"limit must be between 1 and {PAGE}")
    folder = folder.strip("/")
    entries = _entries(scene.seed, repository, folder, query.get("recursive") == "true")
    if not entries and folder:
        return _missing("EntryNotFound")
    start = _place(query["cursor"]) if "cursor" in query else 0
    if start is None:
        return error(400, "Invalid cursor")
    size = int(limit)
    answer = json_answer(entries[start : start + size])
    if start + size < len(entries):
        cursor = base64.b64encode(f"at:{start + size}".encode()).decode()
        fields = urlencode({**query, "cursor": cursor})
        address = f"https://huggingface.co{quote(request.path)}?{fields}"
        answer.headers["Link"] = f'<{address}>; rel="next"'
    return answer


def _place(cursor: str) -> int | None:
    try:
        name, _, at = base64.b64decode(cursor, validate=True).decode().partition(":")
    except ValueError:
        return None
    return int(at) if name == "at" and at.isdigit() else None


@lru_cache(maxsize=16)
def _entries(seed: int, repository: str, folder: str, is_recursive: bool) -> list[dict[str, Any]]:
    """Files and folders in order of path; without `recursive` those of the folder itself only."""
    paths = set(REPOSITORIES[repository])
    if repository == f"datasets/{DATASET}":
        paths |= _archived()
    prefix = f"{folder}/" if folder else ""
    below = [path for path in paths if path.startswith(prefix)]
    folders = {
        path[: at.start()]
        for path in below
        for at in re.finditer("/", path)
        if at.start() >= len(prefix)
    }
    shown = [path for path in {*below, *folders} if is_recursive or "/" not in path[len(prefix) :]]
    return [_entry(seed, repository, path, is_folder=path in folders) for path in sorted(shown)]


def _entry(seed: int, repository: str, path: str, *, is_folder: bool) -> dict[str, Any]:
    if is_folder:
        return {"type": "directory", "oid": _oid(path), "size": 0, "path": path}
    body = _made(seed, repository, path) or b""
    entry = {"type": "file", "oid": _oid(path), "size": len(body), "path": path}
    if path.endswith(".parquet"):
        lfs = {"oid": sha256(body).hexdigest(), "size": len(body), "pointerSize": 132}
        entry |= {"lfs": lfs, "xetHash": sha256(b"xet" + body).hexdigest()}
    return entry


def _oid(path: str) -> str:
    return sha256(path.encode()).hexdigest()[:40]


HOSTS = {
    "huggingface.co": Host(answer, error),
    STORE: Host(store, hub_commits.store_error),
    hub_commits.STORE: Host(hub_commits.store, hub_commits.store_error),
}
