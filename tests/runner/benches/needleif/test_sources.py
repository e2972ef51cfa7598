"""Needles, books and tokenizers from the hub: what comes, what is recorded, what is said."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif import sources
from runner.benches.needleif.config import SMOKE
from runner.benches.needleif.counting import tokenizer_named
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.records import user_turn
from runner.benches.needleif.sources import (
    ORIGIN,
    ifeval_from_hub,
    pg19_cache,
    recorded_origin,
    tokenizer_folder,
)
from runner.benches.needleif.stats import dataset_stats
from runner.errors import DataError, UsageError
from runner.paths import SAMPLE
from runner.progress import PlainProgress
from runner.settings import Settings, read_settings
from tests.fakes import FakeWorld, Fault
from tests.fakes.hosts.hub import COMMIT, KEY, STORE
from tests.fakes.hub_contents import (
    CHAT_MODEL,
    EMPTY,
    FIRST_KEY,
    GATED,
    NO_TOKENIZER,
    PLAIN_MODEL,
    SCRIPTED,
    TABLE,
    book,
)
from tests.runner.benches.needleif.sources import BOOKS, IFEVAL, needs_shared

HUB = "huggingface.co"
REVISION, RESOLVE = "*/revision/*", "*/resolve/*"
SAMPLE_NEEDLES = SAMPLE / "needleif" / "needles.jsonl"
ALL_BOOKS = [("test", i) for i in range(5)] + [("validation", i) for i in range(3)]


@pytest.fixture(scope="module")
def running() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


@pytest.fixture
def world(running: FakeWorld) -> FakeWorld:
    running.reset()
    return running


@pytest.fixture
def settings(world: FakeWorld) -> Settings:
    return settings_of(world)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of the fake hub comes into the cache of the repository."""
    monkeypatch.setattr(sources, "CACHE", tmp_path / "cache")


def settings_of(world: FakeWorld, **env: str) -> Settings:
    async def without_waiting(seconds: float) -> None:
        await asyncio.sleep(0)

    return read_settings({"NEEDLE_GATEWAY": world.url, **env}, without_waiting)


def fault(world: FakeWorld, kind: str, path: str, times: int = 0, **more: Any) -> None:
    world.add_faults([Fault(host=HUB, path=path, kind=kind, times=times, **more)])


def asked(world: FakeWorld) -> list[str]:
    return [call.path for call in world.calls]


# Needles


def test_needles_of_the_hub_are_those_of_the_file_without_the_nulls(
    settings: Settings, tmp_path: Path
) -> None:
    pool = ifeval_from_hub(settings=settings, cache=tmp_path)
    local = load_pool(SAMPLE_NEEDLES)
    assert pool.origin == f"google/IFEval@{COMMIT}"
    assert [(n.text, n.instruction_id_list, n.kwargs) for n in pool.needles] == [
        (n.text, n.instruction_id_list, n.kwargs) for n in local.needles
    ]
    assert {n.source for n in pool.needles} == {"ifeval"}
    assert pool.needles[0].source_key == FIRST_KEY
    assert pool.dropped == {"combination:repeat_prompt": 1, "language:response_language": 1}


def test_a_data_set_of_tables_gives_the_same_needles(settings: Settings, tmp_path: Path) -> None:
    pool = ifeval_from_hub(TABLE, settings=settings, cache=tmp_path)
    assert pool.needles == ifeval_from_hub(settings=settings, cache=tmp_path).needles
    assert pool.origin == f"{TABLE}@{COMMIT}"


def test_a_full_commit_is_read_once_and_a_branch_is_looked_up_each_time(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    ifeval_from_hub(settings=settings, cache=tmp_path)
    assert asked(world) == [
        "/api/datasets/google/IFEval/revision/main",
        f"/datasets/google/IFEval/resolve/{COMMIT}/ifeval_input_data.jsonl",
    ]
    ifeval_from_hub(settings=settings, cache=tmp_path)
    assert len(world.calls) == 3
    fault(world, "refuse", "*")
    pool = ifeval_from_hub(f"google/IFEval@{COMMIT}", settings=settings, cache=tmp_path)
    assert len(pool.needles) == 66
    with pytest.raises(UsageError, match="name a full commit that has been read before"):
        ifeval_from_hub(settings=settings, cache=tmp_path)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (EMPTY, "holds neither one .jsonl file nor parquet files"),
        ("fakes/none", "HTTP 401.*HF_TOKEN"),
        ("google/IFEval@v9", "HTTP 404.*check its name and revision"),
        ("IFEval", "is no repository; write it like owner/name"),
        ("google/IFEval@../x", "is no revision"),
    ],
)
def test_what_the_hub_does_not_have_is_said(
    settings: Settings, tmp_path: Path, name: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        ifeval_from_hub(name, settings=settings, cache=tmp_path)


@pytest.mark.parametrize(
    ("kind", "more", "told"),
    [
        ("status", {"status": 500}, "HTTP 500"),
        ("status", {"status": 503}, "HTTP 503"),
        ("rate_limit", {"retry_after": "1"}, "HTTP 429"),
        ("refuse", {}, "huggingface.co"),
        ("truncate", {}, "huggingface.co"),
        ("html", {}, "a web page and not the file"),
    ],
)
def test_a_hub_that_fails_is_said_and_leaves_nothing_behind(
    world: FakeWorld, settings: Settings, tmp_path: Path, kind: str, more: dict[str, Any], told: str
) -> None:
    fault(world, kind, RESOLVE, **more)
    with pytest.raises(UsageError, match=told):
        ifeval_from_hub(settings=settings, cache=tmp_path)
    world.reset()
    assert len(ifeval_from_hub(settings=settings, cache=tmp_path).needles) == 66


@pytest.mark.parametrize("path", [REVISION, RESOLVE])
@pytest.mark.parametrize(
    ("kind", "more"),
    [("status", {"status": 502}), ("rate_limit", {}), ("reset_before_headers", {})],
)
def test_a_failure_that_passes_costs_a_retry(
    world: FakeWorld,
    settings: Settings,
    tmp_path: Path,
    path: str,
    kind: str,
    more: dict[str, Any],
) -> None:
    fault(world, kind, path, times=2, **more)
    assert len(ifeval_from_hub(settings=settings, cache=tmp_path).needles) == 66
    assert len(world.calls) == 4


def test_rows_that_are_no_needles_are_named_with_the_data_set(
    settings: Settings, tmp_path: Path
) -> None:
    ifeval_from_hub(settings=settings, cache=tmp_path)
    [kept] = tmp_path.rglob("*.jsonl")
    kept.write_text('{"key": "x"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=rf"google/IFEval@{COMMIT}:1: key must be a whole number"):
        ifeval_from_hub(settings=settings, cache=tmp_path)


# Books


def test_the_books_are_those_of_the_parts_validation_and_test(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    said = io.StringIO()
    progress = PlainProgress(said)
    folder = pg19_cache(tmp_path / "books", settings=settings, cache=tmp_path, progress=progress)
    progress.close()
    names = sorted(path.name for path in folder.iterdir())
    assert names == [ORIGIN, *(f"{part}-{i:05d}.txt" for part, i in ALL_BOOKS)]
    for part, i in ALL_BOOKS:
        text = (folder / f"{part}-{i:05d}.txt").read_bytes().decode()
        assert text == book(0, part, i)["text"]
    assert not any("train" in path for path in asked(world))
    assert said.getvalue() == "files of books: 3 to do\nfiles of books: 3 of 3 done\n"


def test_without_a_folder_the_books_are_kept_in_the_cache_by_commit(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    folder = pg19_cache(None, settings=settings, cache=tmp_path)
    assert folder == tmp_path / "hub" / "pg19" / COMMIT
    before = len(world.calls)
    fault(world, "refuse", "*")
    again = pg19_cache(None, revision=COMMIT, settings=settings, cache=tmp_path)
    named = pg19_cache(None, revision=f"emozilla/pg19@{COMMIT}", settings=settings, cache=tmp_path)
    assert again == named == folder
    assert len(world.calls) == before


def test_a_folder_with_texts_is_taken_as_it_is_and_asks_nobody(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("A text.", encoding="utf-8")
    assert pg19_cache(tmp_path, settings=settings, cache=tmp_path) == tmp_path
    assert world.calls == []
    assert recorded_origin(tmp_path, "any digest") is None


def test_a_folder_of_other_texts_is_no_revision_of_the_hub(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("A text.", encoding="utf-8")
    with pytest.raises(UsageError, match="holds texts of unknown origin, not emozilla/pg19@"):
        pg19_cache(tmp_path, revision="main", settings=settings, cache=tmp_path / "cache")


@pytest.mark.parametrize("harm", ["lost", "changed", "added"])
def test_books_that_are_not_what_came_any_more_are_refused(
    settings: Settings, tmp_path: Path, harm: str
) -> None:
    folder = pg19_cache(tmp_path / "books", settings=settings, cache=tmp_path)
    if harm == "lost":
        (folder / "test-00000.txt").unlink()
    else:
        name = "test-00000.txt" if harm == "changed" else "mine.txt"
        (folder / name).write_text("Another text.", encoding="utf-8")
    for revision in (None, COMMIT):
        with pytest.raises(UsageError, match="does not hold what came from emozilla/pg19@"):
            pg19_cache(folder, revision=revision, settings=settings, cache=tmp_path)
    (folder / ORIGIN).unlink()
    assert pg19_cache(folder, settings=settings, cache=tmp_path) == folder


def test_a_data_set_without_parquet_files_of_both_parts_is_refused(
    settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="holds no parquet files of the parts"):
        pg19_cache(None, revision=f"{SCRIPTED}@main", settings=settings, cache=tmp_path)


@pytest.mark.parametrize("kind", ["truncate", "html", "not_json"])
def test_a_store_that_gives_no_table_is_said(
    world: FakeWorld, settings: Settings, tmp_path: Path, kind: str
) -> None:
    world.add_faults([Fault(host=STORE, path="*", kind=kind, times=0)])
    with pytest.raises(UsageError, match=r"the hub does not give it"):
        pg19_cache(None, settings=settings, cache=tmp_path)
    world.reset()
    assert pg19_cache(None, settings=settings, cache=tmp_path).is_dir()


def test_a_grid_of_the_hub_records_both_commits_and_is_sound(
    settings: Settings, tmp_path: Path
) -> None:
    pool = ifeval_from_hub(settings=settings, cache=tmp_path)
    folder = pg19_cache(None, settings=settings, cache=tmp_path)
    job = opened(
        replace(SMOKE, haystack="pg19", tokenizer=f"hf:{CHAT_MODEL}"),
        pool,
        pg19_folder=folder,
        settings=settings,
    )
    out = tmp_path / "out"
    write_dataset(job, out)
    facts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert facts["haystack"]["source"] == "pg19"
    assert facts["haystack"]["origin"] == f"emozilla/pg19@{COMMIT}"
    assert facts["needles"]["origin"] == f"google/IFEval@{COMMIT}"
    assert facts["tokenizer"] == f"hf:{CHAT_MODEL}@{COMMIT}"
    stats = dataset_stats([out / f"{split}.jsonl" for split in ("test", "train", "val")])
    assert stats["broken"] == []
    assert {name: split["pairs"] for name, split in stats["splits"].items()} == {
        "test": 6,
        "train": 6,
        "val": 6,
    }


def test_edited_books_are_recorded_without_the_origin(settings: Settings, tmp_path: Path) -> None:
    folder = pg19_cache(tmp_path / "books", settings=settings, cache=tmp_path)
    pool = load_pool(SAMPLE_NEEDLES)
    config = replace(SMOKE, haystack="pg19")
    assert opened(config, pool, pg19_folder=folder).haystack.origin == f"emozilla/pg19@{COMMIT}"
    (folder / "test-00000.txt").write_text("Another text. It is short.", encoding="utf-8")
    assert opened(config, pool, pg19_folder=folder).haystack.origin is None


@needs_shared
def test_the_five_books_serve_as_the_books_of_pg19(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    folder = pg19_cache(BOOKS, settings=settings, cache=tmp_path)
    config = replace(SMOKE, haystack="pg19", output_reserve=2048, pairs={"4k": 3, "32k": 2})
    job = opened(config, load_pool(IFEVAL), pg19_folder=folder, settings=settings)
    out = tmp_path / "out"
    write_dataset(job, out)
    stats = dataset_stats([out / f"{split}.jsonl" for split in ("test", "train", "val")])
    assert (stats["broken"], world.calls) == ([], [])
    facts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert set(facts["haystack"]) == {"source", "revision"}


# Tokenizers


def test_a_model_is_counted_at_a_commit_that_becomes_its_name(
    world: FakeWorld, settings: Settings
) -> None:
    tokenizer = tokenizer_named(f"hf:{PLAIN_MODEL}", settings)
    assert tokenizer.name == f"hf:{PLAIN_MODEL}@{COMMIT}"
    assert tokenizer.count_chat(user_turn("a b"), True) == 10
    assert asked(world)[0] == f"/api/models/{PLAIN_MODEL}/revision/main"


def test_the_chat_template_of_a_model_comes_along(settings: Settings, tmp_path: Path) -> None:
    folder, name = tokenizer_folder(CHAT_MODEL, settings=settings, cache=tmp_path)
    assert name == f"{CHAT_MODEL}@{COMMIT}"
    assert sorted(path.name for path in folder.iterdir()) == [
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    tokenizer = tokenizer_named(f"hf:{CHAT_MODEL}", settings)
    assert tokenizer.count_chat(user_turn("a b"), True) == 6
    assert tokenizer.count_chat(user_turn("a b"), False) == 5


def test_a_full_commit_of_a_model_that_is_kept_needs_no_network(
    world: FakeWorld, settings: Settings, tmp_path: Path
) -> None:
    first = tokenizer_folder(CHAT_MODEL, settings=settings, cache=tmp_path)
    before = len(world.calls)
    fault(world, "refuse", "*")
    again = tokenizer_folder(f"{CHAT_MODEL}@{COMMIT}", settings=settings, cache=tmp_path)
    assert (again, len(world.calls)) == (first, before)


def test_a_gated_model_needs_the_token_and_no_message_shows_it(
    world: FakeWorld, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"HTTP 401.*HF_TOKEN"):
        tokenizer_folder(GATED, settings=settings_of(world), cache=tmp_path)
    known = settings_of(world, HF_TOKEN=KEY)
    assert tokenizer_folder(GATED, settings=known, cache=tmp_path)[1] == f"{GATED}@{COMMIT}"
    wrong = settings_of(world, HF_TOKEN="fake-wrong-token")
    with pytest.raises(UsageError, match="HTTP 401") as error:
        tokenizer_folder(GATED, settings=wrong, cache=tmp_path / "other")
    assert "fake-wrong-token" not in str(error.value)


def test_a_tokenizer_can_be_asked_for_while_models_are_asked(settings: Settings) -> None:
    async def ask() -> str:
        return tokenizer_named(f"hf:{PLAIN_MODEL}", settings).name

    assert asyncio.run(ask()) == f"hf:{PLAIN_MODEL}@{COMMIT}"


def test_a_model_without_a_tokenizer_file_is_named(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no tokenizer\.json"):
        tokenizer_folder(NO_TOKENIZER, settings=settings, cache=tmp_path)
