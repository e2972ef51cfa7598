"""Files of the hub: the token stays with it, and a copy stands in when it does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.benches.agentic_rare.hub import HubFile, Loaded, dataset_name, load, load_once
from runner.benches.fetching import SourceError
from runner.errors import UsageError
from runner.settings import Settings, read_settings
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


@pytest.mark.parametrize(
    ("given", "env", "name"),
    [
        (None, {}, "keenable-ai/needle-results"),
        (None, {"HF_DATASET": "a/b"}, "a/b"),
        (None, {"HF_DATASET": " "}, "keenable-ai/needle-results"),
        ("c/d", {"HF_DATASET": "a/b"}, "c/d"),
    ],
)
def test_the_dataset_is_that_of_the_flag_or_of_the_environment(
    given: str | None, env: dict[str, str], name: str
) -> None:
    assert dataset_name(given, read_settings(env)) == name
