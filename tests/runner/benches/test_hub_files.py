"""Files of the hub: the token stays with it, and a copy stands in when it does not answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.benches.fetching import SourceError
from runner.benches.hub_files import (
    HubFile,
    Kind,
    Loaded,
    Snapshot,
    load,
    load_once,
    snapshot,
)
from runner.errors import UsageError
from runner.settings import Settings
from tests.runner.wire import FakeTime, Script, answer, wire

FILE = HubFile("datasets", "owner/needle-results", "agentic/rare_entity.parquet")


def read(body: bytes) -> str:
    if not body.startswith(b"rows"):
        raise ValueError("no rows")
    return body.decode()


def ask(
    answers: list[bytes],
    cache: Path,
    *,
    env: dict[str, str] | None = None,
    how: Callable[..., object] = load,
) -> tuple[object, Script]:
    async def run() -> tuple[object, Script]:
        async with wire(*answers) as script:
            settings = Settings(env=env or {}, gateway=script.url, sleep=FakeTime().sleep)
            try:
                return await how(FILE, read, settings=settings, cache=cache), script  # type: ignore[misc]
            except SourceError as error:
                return error, script

    return asyncio.run(run())


def test_a_file_is_asked_at_its_address_without_a_token(tmp_path: Path) -> None:
    found, script = ask([answer(b"rows 1")], tmp_path)
    assert found == Loaded("rows 1")
    [head] = script.heads
    path = "/huggingface.co/datasets/owner/needle-results/resolve/main/agentic/rare_entity.parquet"
    assert head.startswith(f"GET {path} ")
    assert "authorization" not in head.lower()
    assert FILE.kept_in(tmp_path).read_bytes() == b"rows 1"


def test_a_model_has_its_own_address() -> None:
    file = HubFile("models", "google-bert/bert-base-uncased", "vocab.txt")
    assert file.url == "https://huggingface.co/google-bert/bert-base-uncased/resolve/main/vocab.txt"


def test_the_token_goes_to_the_hub_and_not_where_it_leads(tmp_path: Path) -> None:
    hop = answer(status=302, location="https://cdn.example/blob?sig=1")
    found, script = ask([hop, answer(b"rows 2")], tmp_path, env={"HF_TOKEN": "hf_secret"})
    assert found == Loaded("rows 2")
    first, second = script.heads
    assert "Authorization: Bearer hf_secret" in first
    assert second.startswith("GET /cdn.example/blob?sig=1 ")
    assert "hf_secret" not in second


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (answer(status=401), "HTTP 401"),
        (answer(status=404), "HTTP 404"),
        (answer(status=429), "HTTP 429"),
        (answer(status=503), "HTTP 503"),
        (b"", "huggingface.co"),
        (answer(b"<html>sign in"), "no rows"),
        (answer(b""), "no rows"),
    ],
)
def test_the_copy_of_before_stands_in(tmp_path: Path, reply: bytes, told: str) -> None:
    error, _ = ask([reply], tmp_path)
    assert isinstance(error, SourceError)
    assert told in error.message
    ask([answer(b"rows of before")], tmp_path)
    found, _ = ask([reply], tmp_path)
    assert isinstance(found, Loaded)
    assert found.value == "rows of before"
    assert found.failure is not None
    assert told in found.failure
    assert FILE.kept_in(tmp_path).read_bytes() == b"rows of before"


def test_a_broken_copy_stands_for_nothing(tmp_path: Path) -> None:
    kept = FILE.kept_in(tmp_path)
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"half")
    error, _ = ask([answer(status=404)], tmp_path)
    assert isinstance(error, SourceError)


def test_a_new_file_replaces_the_copy(tmp_path: Path) -> None:
    ask([answer(b"rows 1")], tmp_path)
    found, _ = ask([answer(b"rows 2")], tmp_path)
    assert found == Loaded("rows 2")
    assert FILE.kept_in(tmp_path).read_bytes() == b"rows 2"


def test_a_cache_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "hub").write_text("a file in the way", encoding="utf-8")
    found, _ = ask([answer(b"rows 1")], tmp_path)
    assert found == Loaded("rows 1")


def test_what_never_changes_is_asked_for_once(tmp_path: Path) -> None:
    found, script = ask([answer(b"rows 1")], tmp_path, how=load_once)
    assert (found, len(script.heads)) == ("rows 1", 1)
    found, script = ask([answer(b"rows 2")], tmp_path, how=load_once)
    assert (found, len(script.heads)) == ("rows 1", 0)


@pytest.mark.parametrize(
    ("repo", "path"),
    [
        ("", "a"),
        ("owner", "a"),
        ("owner/", "a"),
        ("a/b/c", "a"),
        ("../b", "a"),
        ("a/..", "a"),
        ("a/b?x", "a"),
        ("a/b#", "a"),
        ("a/ b", "a"),
        ("a/b", ""),
        ("a/b", "/a"),
        ("a/b", "../a"),
        ("a/b", "x/../a"),
        ("a/b", "x//a"),
        ("a/b", "x/"),
        ("a/b", "a?b"),
        ("a/b", "a\nb"),
    ],
)
def test_what_can_be_no_file_of_the_hub_is_refused(repo: str, path: str) -> None:
    with pytest.raises(UsageError, match="write it like"):
        HubFile("datasets", repo, path)


COMMIT = "0123456789abcdef0123456789abcdef01234567"
SNAPSHOT = json.dumps(
    {"sha": COMMIT, "siblings": [{"rfilename": "b.txt"}, {"rfilename": "a.txt"}]}
).encode()


def look(
    answers: list[bytes], cache: Path, revision: str = "main", kind: Kind = "models"
) -> tuple[Snapshot | SourceError, Script]:
    async def run() -> tuple[Snapshot | SourceError, Script]:
        async with wire(*answers) as script:
            settings = Settings(env={}, gateway=script.url, sleep=FakeTime().sleep)
            try:
                found = await snapshot(kind, "o/n", revision, settings=settings, cache=cache)
            except SourceError as error:
                return error, script
            return found, script

    return asyncio.run(run())


def test_a_branch_is_the_commit_that_the_hub_says_and_its_files(tmp_path: Path) -> None:
    found, script = look([answer(SNAPSHOT)], tmp_path, "refs/convert/parquet", "datasets")
    assert found == Snapshot("datasets", "o/n", COMMIT, ("a.txt", "b.txt"))
    assert found.name == f"o/n@{COMMIT}"
    [head] = script.heads
    assert head.startswith(
        "GET /huggingface.co/api/datasets/o/n/revision/refs%2Fconvert%2Fparquet "
    )
    url = f"https://huggingface.co/datasets/o/n/resolve/{COMMIT}/a.txt"
    assert found.file("a.txt").url == url


def test_a_commit_is_asked_for_once_and_a_branch_each_time(tmp_path: Path) -> None:
    _, script = look([answer(SNAPSHOT)], tmp_path)
    assert len(script.heads) == 1
    found, script = look([answer(status=404)], tmp_path, COMMIT)
    assert (found, script.heads) == (Snapshot("models", "o/n", COMMIT, ("a.txt", "b.txt")), [])
    found, _ = look([answer(status=404)], tmp_path)
    assert isinstance(found, SourceError)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b'{"sha":"main","siblings":[]}',
        b'{"sha":7,"siblings":[]}',
        b'{"sha":"0123456789abcdef0123456789abcdef01234567","siblings":[{}]}',
        b'{"sha":"0123456789abcdef0123456789abcdef01234567","siblings":7}',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_names_no_commit_is_said_and_not_kept(tmp_path: Path, body: bytes) -> None:
    found, _ = look([answer(body)], tmp_path)
    assert isinstance(found, SourceError)
    assert found.kind == "malformed"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("revision", ["", "a b", "../main", "a//b", "a?b", "a/"])
def test_what_can_be_no_revision_is_refused(tmp_path: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="is no revision"):
        look([], tmp_path, revision)
