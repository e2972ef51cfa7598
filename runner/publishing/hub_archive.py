"""The archive as a data set on the Hugging Face hub: one commit for each run of a bench.

Read the newest commit, take from the run's files those that are not there yet, offer them on top
of that very commit (`parentCommit`). The hub refuses with 412 where another commit came first;
then, and after every answer that leaves open whether the commit was made (5xx, a broken
connection), all is looked at again. A run that is there already makes no commit, so storing may be
stopped and repeated at any moment.

Source of the form: the commit, tree and resolve end points of the hub's HTTP API; files as base64
lines of one NDJSON body, git blob ids in the tree.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from runner.errors import DataError, PublishError, UsageError
from runner.http import Exchange, HttpClient, HttpReply, HttpRequest, RetryPolicy
from runner.publishing import daily_queries
from runner.publishing.archive import archived_files, run_folder
from runner.records.base import encode_line
from runner.records.needleif import Published
from runner.settings import Settings

HUB = "https://huggingface.co"
TRIES = 8
MAX_FILE_BYTES = 10_000_000
"""Larger files would have to go to the hub's store of large files first."""
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
_COMMIT_RETRY = RetryPolicy(transport=0, server=0, rate_limited=6)
_NEXT = re.compile(r'<([^>]+)>\s*;\s*rel="next"')


class HubArchive:
    """The data set `repository` (OWNER/NAME), written to its `main`."""

    def __init__(self, repository: str, *, token: str, settings: Settings) -> None:
        if _REPOSITORY.fullmatch(repository) is None:
            raise UsageError(f"{repository!r} is no data set of the hub; write hub:OWNER/NAME")
        self._repository = repository
        self._headers = {"Authorization": f"Bearer {token}"}
        self._settings = settings

    def store_run(self, report: Published, queries: bytes) -> list[str]:
        """Stores a run with its daily queries in one commit; gives the names of its files.

        Raises PublishError where the hub refuses, or takes no commit in several tries.
        """
        files = archived_files(report, queries)
        for name, content in files.items():
            if len(content) > MAX_FILE_BYTES:
                raise PublishError(
                    f"{name} has {len(content)} bytes, and the hub takes at most {MAX_FILE_BYTES} "
                    "in a commit; archive this run into a folder"
                )
        asyncio.run(self._store(report, queries, files))
        return list(files)

    async def _store(self, report: Published, queries: bytes, files: Mapping[str, bytes]) -> None:
        folder = run_folder(report.run_id, report.bench)
        wanted = {f"{folder}/{name}": content for name, content in files.items()}
        client = HttpClient(
            timeout_s=120,
            max_body_bytes=50_000_000,
            gateway=self._settings.gateway,
            mask=self._settings.mask,
            user_agent=self._settings.user_agent,
            sleep=self._settings.sleep,
        )
        problem = ""
        try:
            for tried in range(TRIES):
                if tried:
                    await self._settings.sleep(min(2.0 ** (tried - 1), 30.0))
                head = await self._head(client)
                stored = await self._stored(client, head, folder)
                missing = {n: c for n, c in wanted.items() if stored.get(n) != blob_id(c)}
                daily = await self._daily(client, head, report, queries)
                if daily is not None:
                    missing[daily_queries.NAME] = daily
                if not missing:
                    return
                summary = f"bench: {report.ts} {report.bench}"
                exchange = await self._commit(client, head, summary, missing)
                problem = client.scrub(_described(exchange))
                if exchange.reply is not None and exchange.reply.status == 200:
                    return
                if not _may_pass(exchange):
                    raise PublishError(f"the hub refused {report.bench} {report.ts}: {problem}")
        finally:
            await client.aclose()
        raise PublishError(
            f"the hub took no commit of {report.bench} {report.ts} in {TRIES} tries ({problem}); "
            "run the same command again: what it holds already is not sent twice"
        )

    async def _head(self, client: HttpClient) -> str:
        """The newest commit."""
        reply = await self._get(client, f"/api/datasets/{self._repository}/revision/main")
        sha = _json(reply, dict[str, Any]).get("sha")
        if not isinstance(sha, str):
            raise PublishError(f"the hub names no newest commit of {self._repository}")
        return sha

    async def _stored(self, client: HttpClient, head: str, folder: str) -> dict[str, str]:
        """The git blob id of every file below a folder at a commit; empty where it is not there."""
        path = f"/api/datasets/{self._repository}/tree/{head}/{folder}?recursive=true"
        found: dict[str, str] = {}
        while path:
            reply = await self._get(client, path, may_be_missing=True)
            if reply.status == 404:
                return {}
            for entry in _json(reply, list[dict[str, Any]]):
                if entry.get("type") == "file":
                    found[str(entry.get("path"))] = str(entry.get("oid"))
            following = _NEXT.search(reply.headers.get("link", ""))
            path = following[1].removeprefix(HUB) if following else ""
        return found

    async def _daily(
        self, client: HttpClient, head: str, report: Published, queries: bytes
    ) -> bytes | None:
        """`daily_queries.jsonl` with this run, None where that changes nothing.

        A broken one is no reason to lose the run: it starts anew with this run.
        """
        name = daily_queries.NAME
        path = f"/datasets/{self._repository}/resolve/{head}/{name}"
        reply = await self._get(client, path, may_be_missing=True)
        old = reply.body if reply.status == 200 else b""
        rows = daily_queries.daily_rows(report, queries)
        try:
            new = daily_queries.merged(old, rows)
        except DataError:
            new = daily_queries.merged(b"", rows)
        return None if new == old else new

    async def _commit(
        self, client: HttpClient, head: str, summary: str, files: Mapping[str, bytes]
    ) -> Exchange:
        header = {"summary": summary, "description": "", "parentCommit": head}
        lines = [encode_line({"key": "header", "value": header})]
        for name, content in files.items():
            text = base64.b64encode(content).decode()
            value = {"content": text, "path": name, "encoding": "base64"}
            lines.append(encode_line({"key": "file", "value": value}))
        request = HttpRequest(
            method="POST",
            url=f"{HUB}/api/datasets/{self._repository}/commit/main",
            headers={**self._headers, "Content-Type": "application/x-ndjson"},
            content=b"".join(lines),
        )
        # no retry of its own: whether an unanswered commit was made is seen in the tree only
        return await client.send(request, retry=_COMMIT_RETRY)

    async def _get(
        self, client: HttpClient, path: str, *, may_be_missing: bool = False
    ) -> HttpReply:
        request = HttpRequest(url=f"{HUB}{quote(path, safe='/?=&%:')}", headers=self._headers)
        exchange = await client.send(request, follow_redirects=3)
        reply = exchange.reply
        if reply is not None and (reply.status == 200 or (may_be_missing and reply.status == 404)):
            return reply
        raise PublishError(
            f"the hub does not show {self._repository}: {client.scrub(_described(exchange))}"
        )


def blob_id(content: bytes) -> str:
    """The id under which git keeps a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _may_pass(exchange: Exchange) -> bool:
    """Whether another try may go better: not where the hub understood and refused."""
    reply = exchange.reply
    return reply is None or reply.status in (408, 409, 412, 429) or reply.status >= 500


def _described(exchange: Exchange) -> str:
    if exchange.reply is None:
        return exchange.failure.message if exchange.failure else "no answer"
    text = " ".join(exchange.reply.body[:300].decode("utf-8", "replace").split())
    return f"{exchange.reply.status} {text}"


def _json(reply: HttpReply, kind: Any) -> Any:
    try:
        return msgspec.json.decode(reply.body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise PublishError(f"the hub's answer at {reply.url} cannot be read ({error})") from error
