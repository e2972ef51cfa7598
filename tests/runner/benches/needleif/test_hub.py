"""Pushing the data set: what is refused before, and one commit whatever the hub does."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.attaching import attach_answers
from runner.benches.needleif.card import card
from runner.benches.needleif.config import SMOKE
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.hub import PushedFile, push_dataset
from runner.benches.needleif.models import model_named
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.records import record_lines
from runner.errors import DataError, PublishError, UsageError
from runner.hub_upload import TRIES
from runner.paths import SAMPLE
from runner.progress import PlainProgress
from runner.settings import Settings, read_settings
from tests.fakes import FakeWorld, Fault, hub_commits
from tests.fakes.hosts.hub import KEY
from tests.fakes.hub_commits import Repository, repository
from tests.fakes.wire import Request, Response, json_answer
from tests.runner.benches.needleif.dataset import read_rows, write_filled

HUB, COMMIT = "huggingface.co", "*/commit/main"
PATHS = [
    "LICENSE",
    "README.md",
    "data/full/test.jsonl",
    "data/full/train.jsonl",
    "data/full/val.jsonl",
    "manifest.json",
]


@pytest.fixture(scope="module")
def running() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_filled(tmp_path_factory.mktemp("made"))


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of the data set that a test may harm."""
    return Path(shutil.copytree(made, tmp_path / "data"))


class Hub:
    """A data set of its own on the fake hub, made by the first push."""

    def __init__(self, world: FakeWorld) -> None:
        self.world = world
        self.name = f"keenable-ai/made-{uuid.uuid4().hex}"
        self.sleeps: list[float] = []

    async def _sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        await asyncio.sleep(0)

    def settings(self, **env: str) -> Settings:
        return read_settings({"NEEDLE_GATEWAY": self.world.url, **env}, self._sleep)

    @property
    def held(self) -> Repository:
        return repository(self.name)

    @property
    def offers(self) -> int:
        """How many commits were asked for."""
        return self.world.count(HUB, COMMIT)

    def push(
        self, folder: Path, *, repo: str = "", private: bool = False, token: str = KEY
    ) -> list[PushedFile]:
        return push_dataset(
            folder,
            repo or self.name,
            private=private,
            dry_run=False,
            settings=self.settings(HF_TOKEN=token),
        )

    def dry_run(self, folder: Path) -> list[PushedFile]:
        return push_dataset(
            folder, self.name, private=False, dry_run=True, settings=self.settings()
        )

    def fault(self, kind: str, path: str = COMMIT, times: int = 1, **more: Any) -> None:
        more = {"host": HUB, **more}
        self.world.add_faults([Fault(path=path, kind=kind, times=times, **more)])


@pytest.fixture
def hub(running: FakeWorld) -> Hub:
    running.reset()
    return Hub(running)


@pytest.fixture
def small_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that wants the records of the smoke grid in its store of large files."""
    monkeypatch.setattr(hub_commits, "MAX_FILE_BYTES", 30_000)
    hub_commits.LARGE.clear()


# Before anything is sent


def test_a_dry_run_lists_the_files_without_a_token_and_asks_nobody(hub: Hub, folder: Path) -> None:
    files = hub.dry_run(folder)
    assert [file.path for file in files] == PATHS
    sizes = {file.path: file.size for file in files}
    assert sizes["data/full/test.jsonl"] == (folder / "test.jsonl").stat().st_size
    assert sizes["data/full/train.jsonl"] == (folder / "train.filled.jsonl").stat().st_size
    assert sizes["README.md"] == len(card(folder).encode())
    assert hub.world.calls == []


def test_a_push_needs_the_token(hub: Hub, folder: Path) -> None:
    with pytest.raises(UsageError, match="HF_TOKEN, a token that may write; --dry-run"):
        push_dataset(folder, hub.name, private=False, dry_run=False, settings=hub.settings())


@pytest.mark.parametrize("name", ["", "needleif", "a/b/c", "../b", "a/b?x", "a b/c"])
def test_a_name_that_is_no_data_set_is_wrong_use(hub: Hub, folder: Path, name: str) -> None:
    with pytest.raises(UsageError, match="write OWNER/NAME"):
        push_dataset(folder, name, private=False, dry_run=True, settings=hub.settings())


def _unfill(folder: Path) -> None:
    (folder / "train.filled.jsonl").unlink()


def _unfill_one_pair(folder: Path) -> None:
    rows = read_rows(folder / "val.filled.jsonl")
    for row in rows[:2]:
        del row["messages"][1]
    (folder / "val.filled.jsonl").write_bytes(record_lines(rows))


def _answer_wrongly(folder: Path) -> None:
    rows = read_rows(folder / "train.filled.jsonl")
    for row in rows:
        row["messages"][1]["content"] = " "
    (folder / "train.filled.jsonl").write_bytes(record_lines(rows))


def _move_a_needle(folder: Path) -> None:
    rows = read_rows(folder / "test.jsonl")
    rows[1]["metadata"]["needle_char_offset"] += 1
    (folder / "test.jsonl").write_bytes(record_lines(rows))


def _change_a_prompt(folder: Path) -> None:
    rows = read_rows(folder / "test.jsonl")
    content = rows[1]["messages"][0]["content"]
    rows[1]["messages"][0]["content"] = content.replace(". The ", ". Then the ", 1)
    (folder / "test.jsonl").write_bytes(record_lines(rows))


def _swap_splits(folder: Path) -> None:
    (folder / "val.filled.jsonl").write_bytes((folder / "train.filled.jsonl").read_bytes())


def _empty(folder: Path) -> None:
    (folder / "test.jsonl").write_bytes(b"")


def _write_old_card(folder: Path) -> None:
    text = card(folder).replace("| pairs | 6 | 6 | 6 |", "| pairs | 6 | 6 | 7 |")
    (folder / "README.md").write_text(text, encoding="utf-8")


def _cut_card(folder: Path) -> None:
    (folder / "README.md").write_text(card(folder)[:-1], encoding="utf-8")


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (_unfill, r"train\.jsonl: 6 pairs have no assistant turn; run --attach makes them"),
        (_unfill_one_pair, r"val\.filled\.jsonl: 1 pairs have no assistant turn"),
        (_answer_wrongly, "its assistant turn fails a check; .*and 7 more"),
        (_move_a_needle, r"its needle is at \d+, not at \d+"),
        (_change_a_prompt, r"test\.jsonl: its prompts are not those that manifest\.json tells of"),
        (_swap_splits, "a second record of this id"),
        (_empty, r"test\.jsonl: holds no records"),
        (_write_old_card, r"README\.md is not the card of these files.*6 \| 6 \| 7"),
        (_cut_card, r"README\.md is not the card of these files"),
    ],
)
def test_what_is_no_sound_data_set_is_refused_also_in_a_dry_run(
    hub: Hub, folder: Path, harm: Callable[[Path], None], told: str
) -> None:
    harm(folder)
    for push in (hub.dry_run, hub.push):
        with pytest.raises(PublishError, match=told):
            push(folder)
    assert hub.world.calls == []


@pytest.mark.parametrize("name", ["test.jsonl", "manifest.json"])
def test_a_missing_file_is_named(hub: Hub, folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UsageError, match=f"{name} is missing; `needleif generate` makes it"):
        hub.dry_run(folder)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"seed": 1}', "[" * 100_000, '{"seed": "x", "files": 3}']
)
def test_a_manifest_that_is_none_is_named(hub: Hub, folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"manifest\.json: is no manifest"):
        hub.dry_run(folder)


def test_a_line_that_is_no_record_is_named(hub: Hub, folder: Path) -> None:
    (folder / "test.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"test\.jsonl:1: "):
        hub.dry_run(folder)


def test_pairs_that_could_not_be_filled_may_be_left_out(hub: Hub, folder: Path) -> None:
    path = folder / "train.filled.jsonl"
    path.write_bytes(record_lines(read_rows(path)[2:]))
    hub.push(folder)
    assert hub.held.files["data/full/train.jsonl"] == path.read_bytes()
    assert b"| pairs | 6 | 5 | 6 |" in hub.held.files["README.md"]


def test_what_generate_and_attach_leave_behind_is_pushed_without_a_key_for_models(
    hub: Hub, tmp_path: Path
) -> None:
    settings = hub.settings(HF_TOKEN=KEY)
    write_dataset(opened(SMOKE, load_pool(SAMPLE / "needleif" / "needles.jsonl")), tmp_path)
    for split in ("train", "val"):
        attached = attach_answers(
            tmp_path / f"{split}.jsonl",
            tmp_path / f"{split}.filled.jsonl",
            [model_named("embedded:follower", settings)],
            settings=settings,
            progress=PlainProgress(io.StringIO()),
            drop_unfilled=True,
        )
        asyncio.run(attached)
    hub.push(tmp_path)
    rows = [json.loads(line) for line in hub.held.files["data/full/train.jsonl"].splitlines()]
    assert {len(row["messages"]) for row in rows} == {2}
    assert len(rows) >= 10


def test_records_in_another_order_are_not_those_of_the_manifest(hub: Hub, folder: Path) -> None:
    path = folder / "train.filled.jsonl"
    rows = read_rows(path)
    path.write_bytes(record_lines(rows[2:] + rows[:2]))
    with pytest.raises(PublishError, match="its prompts are not those"):
        hub.dry_run(folder)


# One commit


def test_a_push_makes_the_data_set_and_one_commit(hub: Hub, folder: Path) -> None:
    (folder / "README.md").write_text(card(folder), encoding="utf-8")
    assert hub.push(folder) == hub.dry_run(folder)
    assert hub.held.summaries == ["needleif, seed 666"]
    files = hub.held.files
    assert sorted(files) == PATHS
    assert files["data/full/test.jsonl"] == (folder / "test.jsonl").read_bytes()
    assert files["data/full/val.jsonl"] == (folder / "val.filled.jsonl").read_bytes()
    assert files["README.md"].decode() == card(folder)
    assert b"Apache License" in files["LICENSE"]
    manifest = json.loads(files["manifest.json"])
    assert manifest["files"] == {
        path: hashlib.sha256(files[path]).hexdigest() for path in PATHS if "/" in path
    }
    assert manifest["generated"] == json.loads((folder / "manifest.json").read_bytes())["files"]
    assert not hub.held.is_private
    assert hub.held.large == set()


def test_a_second_push_makes_no_commit_and_a_third_only_what_differs(
    hub: Hub, folder: Path
) -> None:
    hub.push(folder)
    hub.push(folder)
    assert hub.offers == 1
    hub.held.commit("harm", {"LICENSE": b"none"})
    hub.push(folder)
    sent = hub.world.calls_to(HUB, COMMIT)[1].body.splitlines()
    assert [json.loads(line)["value"].get("path") for line in sent] == [None, "LICENSE"]


def test_large_files_go_to_the_store_first_and_the_token_does_not(
    hub: Hub, folder: Path, small_commits: None
) -> None:
    hub.push(folder)
    assert hub.held.large == {path for path in PATHS if path.startswith("data/")}
    assert hub.held.files["data/full/test.jsonl"] == (folder / "test.jsonl").read_bytes()
    puts = hub.world.calls_to(hub_commits.STORE, "*")
    assert [call.status for call in puts] == [200, 200, 200]
    assert not any("authorization" in call.headers for call in puts)
    assert hub.world.count(HUB, "*/objects/verify") == 3
    hub.push(folder)
    assert (hub.offers, hub.world.count(hub_commits.STORE, "*")) == (1, 3)


def test_a_push_that_was_stopped_stores_nothing_twice(
    hub: Hub, folder: Path, small_commits: None
) -> None:
    rows = read_rows(folder / "test.jsonl")
    hub.fault("refuse", times=0)
    with pytest.raises(PublishError, match=f"took no commit to .* in {TRIES} tries"):
        hub.push(folder)
    hub.world.reset()
    hub.push(folder)
    assert hub.world.count(hub_commits.STORE, "*") == 0
    assert len(hub.held.summaries) == 1
    assert rows == [json.loads(line) for line in hub.held.files[PATHS[2]].splitlines()]


def test_a_store_that_fails_is_said(hub: Hub, folder: Path, small_commits: None) -> None:
    hub.fault("status", "*", 0, host=hub_commits.STORE, status=503)
    with pytest.raises(PublishError, match=r"amazonaws\.com did not serve .* 503"):
        hub.push(folder)
    assert hub.held.summaries == []


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"actions": {"upload": {"href": "http://127.0.0.1/x"}}}, "names no address to store data"),
        ({"actions": {"upload": {"href": ""}}}, "names no address to store data"),
        ({"error": {"code": 422, "message": "too large"}}, "does not store data.*too large"),
        ({"oid": "0" * 64}, "does not say where to store data/full/test.jsonl, data/full/train"),
    ],
)
@pytest.mark.usefixtures("small_commits")
def test_a_store_that_takes_no_file_is_said_before_any_commit(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch, entry: dict[str, Any], told: str
) -> None:
    def batch(request: Request) -> Response:
        objects = [{"oid": each["oid"], "size": 1, **entry} for each in request.json["objects"]]
        return json_answer({"objects": objects})

    monkeypatch.setattr(hub_commits, "_batch", batch)
    with pytest.raises(PublishError, match=told):
        hub.push(folder)
    assert (hub.offers, hub.world.count(hub_commits.STORE)) == (0, 0)


def test_what_the_store_has_already_is_not_sent(
    hub: Hub, folder: Path, small_commits: None
) -> None:
    content = (folder / "test.jsonl").read_bytes()
    hub_commits.LARGE[hashlib.sha256(content).hexdigest()] = content
    hub.push(folder)
    assert hub.world.count(hub_commits.STORE) == 2
    assert hub.held.files["data/full/test.jsonl"] == content


@pytest.mark.parametrize("kind", ["reset_before_headers", "reset_after_headers", "truncate"])
def test_an_answer_that_is_lost_after_the_commit_makes_no_second_one(
    hub: Hub, folder: Path, kind: str
) -> None:
    hub.fault(kind)
    hub.push(folder)
    assert len(hub.held.summaries) == hub.offers == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504, 412])
def test_a_failure_told_after_the_commit_makes_no_second_one(
    hub: Hub, folder: Path, status: int
) -> None:
    hub.fault("status", status=status)
    hub.push(folder)
    assert len(hub.held.summaries) == hub.offers == 1


def test_a_commit_that_came_in_between_is_built_upon(hub: Hub, folder: Path) -> None:
    hub.fault("delay", path="*/preupload/*", seconds=0.5)
    slow = threading.Thread(target=hub.push, args=(folder,))
    slow.start()
    while not hub.world.count(HUB, "*/preupload/*"):
        time.sleep(0.005)
    hub.held.commit("theirs", {"notes.txt": b"theirs"})
    slow.join()
    assert [call.status for call in hub.world.calls_to(HUB, COMMIT)] == [412, 200]
    assert sorted(hub.held.files) == sorted([*PATHS, "notes.txt"])


@pytest.mark.parametrize(
    "path", ["*/repos/create", "*/revision/main", "*/paths-info/*", "*/preupload/*"]
)
@pytest.mark.parametrize(
    ("kind", "more"), [("status", {"status": 502}), ("rate_limit", {"retry_after": "3"})]
)
def test_a_failure_on_the_way_that_passes_costs_a_retry(
    hub: Hub, folder: Path, path: str, kind: str, more: dict[str, Any]
) -> None:
    hub.fault(kind, path, **more)
    hub.push(folder)
    assert len(hub.held.summaries) == 1
    assert hub.sleeps == [3.0 if kind == "rate_limit" else 1.0]


@pytest.mark.parametrize("kind", ["not_json", "html", "nulls", "wrong_types"])
@pytest.mark.parametrize(
    "path", ["*/revision/main", "*/paths-info/*", "*/preupload/*", "*/objects/batch"]
)
@pytest.mark.usefixtures("small_commits")
def test_an_answer_that_cannot_be_read_makes_no_commit_that_is_wrong(
    hub: Hub, folder: Path, path: str, kind: str
) -> None:
    hub.fault(kind, path, times=0)
    with contextlib.suppress(PublishError):
        hub.push(folder)
    assert set(hub.held.files) in (set(), set(PATHS))


# Who may


def test_a_private_data_set_is_made_private(hub: Hub, folder: Path) -> None:
    hub.push(folder, private=True)
    assert hub.held.is_private
    hub.push(folder, private=True)
    assert hub.offers == 1


def test_nothing_private_goes_to_a_data_set_that_is_public(hub: Hub, folder: Path) -> None:
    hub.push(folder)
    (folder / "val.filled.jsonl").write_bytes((folder / "val.filled.jsonl").read_bytes() + b"\n")
    with pytest.raises(PublishError, match="is public; make it private on the hub"):
        hub.push(folder, private=True)
    assert hub.offers == 1


def test_a_wrong_token_is_said_and_not_shown(hub: Hub, folder: Path) -> None:
    with pytest.raises(PublishError, match=r"401 .*Invalid credentials") as error:
        hub.push(folder, token="wrong-token-12345")
    assert "wrong-token-12345" not in str(error.value)


def test_the_name_of_another_owner_is_refused(hub: Hub, folder: Path) -> None:
    with pytest.raises(PublishError, match=r"did not serve somebody/made-x: 40[0-9]"):
        hub.push(folder, repo="somebody/made-x")


def test_a_refused_commit_is_not_offered_twice_and_no_token_is_shown(
    hub: Hub, folder: Path
) -> None:
    hub.fault("echo_key", times=0)
    with pytest.raises(PublishError, match="the hub refused the commit") as error:
        hub.push(folder)
    assert KEY not in str(error.value)
    assert "***" in str(error.value)
    assert hub.offers == 1


def test_no_file_of_the_push_holds_the_token_or_a_path(hub: Hub, folder: Path) -> None:
    hub.push(folder)
    for content in hub.held.files.values():
        assert KEY.encode() not in content
        assert str(folder).encode() not in content
