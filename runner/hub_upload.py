"""Files to a data set of the Hugging Face hub: one commit, large files by way of its store.

The hub says of each file whether it goes into the commit itself or, as all of 10 MB and more, to
the store of large files first; the commit then names it by its SHA-256. Read the newest commit,
leave out what is there already, offer the rest on top of that very commit (`parentCommit`). After
412 (another commit came first) and after every answer that leaves open whether the commit was made,
all is looked at again, so that pushing may be stopped and repeated at any moment.

The hub's own library would open connections of its own, past the gateway, the limits, the retries
and the masking of keys (and for large files from compiled code), so it is not used.

Source of the form: the repos/create, revision, paths-info, preupload and commit end points of the
hub's HTTP API, and the batch API of Git LFS with its basic transfer.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from runner.errors import PublishError
from runner.http import Exchange, HttpClient, HttpReply, HttpRequest, RetryPolicy
from runner.settings import Settings

HUB = "https://huggingface.co"
TRIES = 8
SAMPLE_BYTES = 512  # of each file, from which the hub tells text from binary
TIMEOUT_S = 900.0  # of one request; a large file is one
MAX_READ_BYTES = 50_000_000
_LFS = "application/vnd.git-lfs+json"
T = TypeVar("T")
Also = Callable[[str], Awaitable[Sequence["Upload"]]]
_COMMIT_RETRY = RetryPolicy(transport=0, server=0, rate_limited=6)


class _Revision(msgspec.Struct):
    sha: str
    private: bool = False


class _LargeEntry(msgspec.Struct):
    oid: str


class _Entry(msgspec.Struct):
    path: str
    oid: str
    lfs: _LargeEntry | None = None


class _Mode(msgspec.Struct, rename="camel"):
    path: str
    upload_mode: Literal["regular", "lfs"]


class _Modes(msgspec.Struct):
    files: list[_Mode]


class _Action(msgspec.Struct):
    href: str
    header: dict[str, str] | None = None


class _Object(msgspec.Struct):
    oid: str
    actions: dict[str, _Action] | None = None
    error: Any = None


class _Batch(msgspec.Struct):
    objects: list[_Object]


@dataclass(frozen=True)
class Upload:
    """A file of the repository and its bytes."""

    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The id under which the store keeps it."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def blob_id(self) -> str:
        """The id under which git keeps it."""
        head = b"blob %d\0" % len(self.content)
        return hashlib.sha1(head + self.content, usedforsecurity=False).hexdigest()


class DatasetUpload:
    """The data set OWNER/NAME, written to its `main` by whoever has the token."""

    def __init__(self, repo: str, *, token: str, settings: Settings) -> None:
        self._repo = repo
        self._token = {"Authorization": f"Bearer {token}"}
        self._settings = settings
        self._client = HttpClient(
            timeout_s=TIMEOUT_S,
            max_body_bytes=MAX_READ_BYTES,
            gateway=settings.gateway,
            mask=settings.mask,
            user_agent=settings.user_agent,
            sleep=settings.sleep,
        )

    async def push(self, files: Sequence[Upload], *, message: str, private: bool) -> None:
        """Makes one commit of the files, and the data set where it is not there yet.

        Raises PublishError where the hub refuses, takes no commit in several tries, or shows to
        everybody what should be private.
        """
        try:
            await self._create(private)
            await self._push(files, message, private, None)
        finally:
            await self._client.aclose()

    async def add(self, files: Sequence[Upload], *, message: str, also: Also | None = None) -> None:
        """Makes one commit of the files in a data set that is there.

        `also(commit)` gives more files, made from what stands at the commit to be built upon.
        Raises PublishError as `push` does.
        """
        try:
            await self._push(files, message, False, also)
        finally:
            await self._client.aclose()

    async def read(self, path: str, commit: str) -> bytes | None:
        """A file at a commit, None where it is not there; raises PublishError."""
        request = HttpRequest(
            url=f"{HUB}/datasets/{self._repo}/resolve/{commit}/{quote(path)}", headers=self._token
        )
        exchange = await self._client.send(request, follow_redirects=3)
        if exchange.reply is not None and exchange.reply.status == 404:
            return None
        return self._answered(exchange).body

    async def _create(self, private: bool) -> None:
        owner, _, name = self._repo.partition("/")
        body = {"type": "dataset", "organization": owner, "name": name, "private": private}
        exchange = await self._post("/api/repos/create", body)
        status = exchange.reply.status if exchange.reply else 0
        # 403: may write here but make nothing new; whether it is there is seen when it is read
        if status not in (200, 201, 403, 409):
            raise PublishError(f"the hub does not make {self._repo}: {self._told(exchange)}")

    async def _push(
        self, own: Sequence[Upload], message: str, private: bool, also: Also | None
    ) -> None:
        modes: dict[str, str] = {}
        problem = ""
        for tried in range(TRIES):
            if tried:
                await self._settings.sleep(min(2.0 ** (tried - 1), 30.0))
            head = await self._head(private)
            files = [*own, *(await also(head) if also else ())]
            stored = await self._stored(head, files)
            missing = [f for f in files if stored.get(f.path) not in (f.blob_id, f.sha256)]
            if not missing:
                return
            if unasked := [file for file in files if file.path not in modes]:
                modes |= await self._modes(unasked)
            await self._store([file for file in missing if modes[file.path] == "lfs"])
            exchange = await self._commit(head, message, missing, modes)
            problem = self._told(exchange)
            reply = exchange.reply
            if reply is not None and reply.status == 200:
                return
            if (
                reply is not None
                and reply.status not in (408, 409, 412, 429)
                and reply.status < 500
            ):
                raise PublishError(f"the hub refused the commit to {self._repo}: {problem}")
        raise PublishError(
            f"the hub took no commit to {self._repo} in {TRIES} tries ({problem}); run the same "
            "command again: what it holds already is not sent twice"
        )

    async def _head(self, private: bool) -> str:
        """The newest commit."""
        request = HttpRequest(
            url=f"{HUB}/api/datasets/{self._repo}/revision/main", headers=self._token
        )
        reply = self._answered(await self._client.send(request, follow_redirects=3))
        found = _decoded(reply, _Revision)
        if private and not found.private:
            raise PublishError(
                f"{self._repo} is public; make it private on the hub, or push without --private"
            )
        return found.sha

    async def _stored(self, head: str, files: Sequence[Upload]) -> dict[str, str]:
        """What is at the paths of the files: the SHA-256 of a large one, else the git blob id."""
        fields = [*(("paths", file.path) for file in files), ("expand", "false")]
        request = HttpRequest(
            method="POST",
            url=f"{HUB}/api/datasets/{self._repo}/paths-info/{head}",
            headers={**self._token, "Content-Type": "application/x-www-form-urlencoded"},
            content=urlencode(fields).encode(),
        )
        entries = _decoded(self._answered(await self._client.send(request)), list[_Entry])
        return {entry.path: (entry.lfs or entry).oid for entry in entries}

    async def _modes(self, files: Sequence[Upload]) -> dict[str, str]:
        """`regular` or `lfs` for each path, as the hub wants it."""
        asked = [
            {
                "path": file.path,
                "sample": base64.b64encode(file.content[:SAMPLE_BYTES]).decode(),
                "size": len(file.content),
            }
            for file in files
        ]
        path = f"/api/datasets/{self._repo}/preupload/main"
        answer = _decoded(self._answered(await self._post(path, {"files": asked})), _Modes)
        modes: dict[str, str] = {mode.path: mode.upload_mode for mode in answer.files}
        for file in files:
            if file.path not in modes:
                raise PublishError(f"the hub does not say how {file.path} is to be sent")
        return modes

    async def _store(self, files: Sequence[Upload]) -> None:
        """Sends the files that the store does not have yet."""
        if not files:
            return
        by_id = {file.sha256: file for file in files}
        body = {
            "operation": "upload",
            "transfers": ["basic"],
            "objects": [{"oid": oid, "size": len(f.content)} for oid, f in by_id.items()],
            "hash_algo": "sha256",
        }
        path = f"/datasets/{self._repo}.git/info/lfs/objects/batch"
        answer = _decoded(self._answered(await self._post(path, body, _LFS)), _Batch)
        for entry in answer.objects:
            file = by_id.pop(entry.oid, None)
            if file is None:
                continue
            if entry.error is not None:
                raise PublishError(f"the hub does not store {file.path}: {entry.error!r:.300}")
            await self._send(file, entry.actions or {})
        if by_id:
            names = ", ".join(file.path for file in by_id.values())
            raise PublishError(f"the hub does not say where to store {names}")

    async def _send(self, file: Upload, actions: Mapping[str, _Action]) -> None:
        """One file to the address that the hub gave for it; none where it is stored already."""
        if "upload" in actions:
            step = _checked(file, actions["upload"])
            # the address is signed: the token must not go there
            sent = HttpRequest(
                method="PUT", url=step.href, headers=step.header or {}, content=file.content
            )
            self._answered(await self._client.send(sent))
        if "verify" in actions:
            step = _checked(file, actions["verify"])
            known = self._token if step.href.startswith(f"{HUB}/") else {}
            told = {"oid": file.sha256, "size": len(file.content)}
            headers = {**(step.header or {}), **known}
            check = HttpRequest(method="POST", url=step.href, headers=headers, json=told)
            self._answered(await self._client.send(check))

    async def _commit(
        self, head: str, message: str, files: Sequence[Upload], modes: Mapping[str, str]
    ) -> Exchange:
        header = {"summary": message, "description": "", "parentCommit": head}
        lines: list[dict[str, Any]] = [{"key": "header", "value": header}]
        for file in files:
            if modes[file.path] == "lfs":
                pointer = {"algo": "sha256", "oid": file.sha256, "size": len(file.content)}
                lines.append({"key": "lfsFile", "value": {"path": file.path, **pointer}})
            else:
                text = base64.b64encode(file.content).decode()
                value = {"content": text, "path": file.path, "encoding": "base64"}
                lines.append({"key": "file", "value": value})
        request = HttpRequest(
            method="POST",
            url=f"{HUB}/api/datasets/{self._repo}/commit/main",
            headers={**self._token, "Content-Type": "application/x-ndjson"},
            content=b"".join(msgspec.json.encode(line) + b"\n" for line in lines),
        )
        # no retry of its own: whether an unanswered commit was made is seen by looking again
        return await self._client.send(request, retry=_COMMIT_RETRY)

    async def _post(self, path: str, body: Any, kind: str = "application/json") -> Exchange:
        headers = {**self._token, "Accept": kind, "Content-Type": kind}
        return await self._client.send(
            HttpRequest(method="POST", url=f"{HUB}{path}", headers=headers, json=body)
        )

    def _answered(self, exchange: Exchange) -> HttpReply:
        """The reply where it says yes; raises PublishError for anything else."""
        reply = exchange.reply
        if reply is not None and reply.status in (200, 201):
            return reply
        where = urlsplit(reply.url).netloc if reply else "the hub"
        raise PublishError(f"{where} did not serve {self._repo}: {self._told(exchange)}")

    def _told(self, exchange: Exchange) -> str:
        if exchange.reply is None:
            return exchange.failure.message if exchange.failure else "no answer"
        text = " ".join(exchange.reply.body[:300].decode("utf-8", "replace").split())
        return self._client.scrub(f"{exchange.reply.status} {text}")


def _checked(file: Upload, action: _Action) -> _Action:
    """A step of the transfer; raises PublishError for an address that is not https."""
    if not action.href.startswith("https://"):
        raise PublishError(f"the hub names no address to store {file.path} at")
    return action


def _decoded(reply: HttpReply, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(reply.body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise PublishError(f"the hub's answer at {reply.url} cannot be read ({error})") from error
