"""A model that remembers its answers, so that nothing equal is paid for twice.

Two places to remember in: a journal of one job, for the case that it is stopped, and a folder
that runs share (`--judge-cache`). The key is the hash of all that decides an answer: model,
effort, and both messages as sent, with the prompt's text, the query and the evidence in them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from runner.errors import UsageError
from runner.llm.client import Completion, LanguageModel, Prompt
from runner.llm.prompts import render
from runner.records.base import Row, encode_line
from runner.records.jsonl import read_rows
from runner.records.judgements import Spend
from runner.storage import Journal


class CompletionRecord(Row, frozen=True, kw_only=True):
    """A remembered answer, by the hash of all that was sent; `spend` is what it cost then."""

    key: str
    text: str
    spend: Spend
    provider_model: str | None


_decode = msgspec.json.Decoder(CompletionRecord).decode


class Memory(Protocol):
    """A place for answers."""

    def get(self, key: str) -> CompletionRecord | None: ...

    def put(self, record: CompletionRecord) -> None: ...

    def close(self) -> None: ...


class JobMemory:
    """The answers of one job in a file of lines; a line cut off by a lost machine is dropped."""

    def __init__(self, path: Path) -> None:
        self._known = {row.key: row for row in read_rows(path, _decode).good}
        self._journal = Journal(path)

    def get(self, key: str) -> CompletionRecord | None:
        return self._known.get(key)

    def put(self, record: CompletionRecord) -> None:
        self._journal.append(encode_line(record))
        self._known[record.key] = record

    def close(self) -> None:
        self._journal.close()


class SharedMemory:
    """The answers of many runs, a file each, named by its key; processes may share the folder.

    A file appears whole, by rename. It is not forced to disk: what a lost machine takes with it
    is asked for again. A file that cannot be read counts as unknown.
    """

    def __init__(self, root: Path) -> None:
        try:
            root.mkdir(parents=True, exist_ok=True)
            probe = root / f".{os.getpid()}.tmp"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            raise UsageError(
                f"--judge-cache {root}: cannot be written ({error.strerror}); name another folder"
            ) from error
        self._root = root

    def get(self, key: str) -> CompletionRecord | None:
        try:
            record = _decode(self._path(key).read_bytes())
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        return record if record.key == key else None

    def put(self, record: CompletionRecord) -> None:
        path = self._path(record.key)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        # A cache that cannot be filled must not end a run that has been paid for.
        with contextlib.suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            temporary.write_bytes(encode_line(record))
            temporary.replace(path)

    def close(self) -> None:
        return None

    def _path(self, key: str) -> Path:
        return self._root / key[:2] / f"{key}.json"


class Remembering:
    """Asks `inner` once for each distinct prompt; failed calls are not remembered.

    An answer from a job's own memory costs what it cost when it was asked for, one from another
    run (`is_shared`) costs this run nothing and counts no call. `is_readable` tells a reply worth
    keeping from one that must be asked for again.
    """

    def __init__(
        self,
        inner: LanguageModel,
        memory: Memory,
        *,
        is_shared: bool,
        is_readable: Callable[[Prompt, str], bool] = lambda prompt, text: True,
    ) -> None:
        self._inner = inner
        self._memory = memory
        self._is_shared = is_shared
        self._is_readable = is_readable

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def effort(self) -> str | None:
        return self._inner.effort

    async def complete(self, prompt: Prompt) -> Completion:
        """The remembered or the new answer; raises LlmError as the inner model does."""
        key = self._key(prompt)
        known = self._memory.get(key)
        if known is not None:
            spend = Spend() if self._is_shared else known.spend
            return Completion(known.text, spend, known.provider_model)
        completion = await self._inner.complete(prompt)
        if self._is_readable(prompt, completion.text):
            self._memory.put(
                CompletionRecord(
                    key=key,
                    text=completion.text,
                    spend=completion.spend,
                    provider_model=completion.provider_model,
                )
            )
        return completion

    async def aclose(self) -> None:
        self._memory.close()
        await self._inner.aclose()

    def _key(self, prompt: Prompt) -> str:
        messages = render(prompt)
        sent = [self._inner.model, self._inner.effort, messages.system, messages.user]
        return hashlib.sha256(msgspec.json.encode(sent)).hexdigest()
