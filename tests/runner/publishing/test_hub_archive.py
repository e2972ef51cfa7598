"""The archive on the hub: commits against a fake of its API that races, stalls and breaks."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.errors import DataError, PublishError, UsageError
from runner.hub_upload import TRIES
from runner.publishing.archive import FolderArchive
from runner.publishing.daily_queries import NAME, backfill, merged
from runner.publishing.hub_archive import HubArchive
from runner.publishing.stores import FolderStore, open_store
from runner.records.reports import JudgedReport
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault
from tests.fakes.hosts.hub import KEY
from tests.fakes.hub_commits import Repository, repository
from tests.runner.publishing.made import document, report
from tests.runner.publishing.test_push import clone, push, remote, tip, write

__all__ = ["remote"]  # a fixture of the tests of push

FOLDER = "runs/2026/11/2026-11-15T1017Z"
COMMIT = "*/commit/main"


class Hub:
    """A data set of its own in the fake world, and an archive that writes to it."""

    def __init__(self, world: FakeWorld) -> None:
        self.world = world
        self.name = f"keenable-ai/written-{uuid.uuid4().hex}"
        self.sleeps: list[float] = []

    async def _sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)

    @property
    def held(self) -> Repository:
        return repository(self.name)

    @property
    def offers(self) -> int:
        """How many commits were asked for."""
        return self.world.count("huggingface.co", COMMIT)

    def archive(self, token: str = KEY) -> HubArchive:
        env = {"NEEDLE_GATEWAY": self.world.url, "HF_TOKEN": token}
        return HubArchive(self.name, token=token, settings=read_settings(env, self._sleep))

    def fault(self, kind: str, path: str = COMMIT, times: int = 1, **more: Any) -> None:
        self.world.add_faults(
            [Fault(host="huggingface.co", path=path, kind=kind, times=times, **more)]
        )


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture
def hub(world: FakeWorld) -> Hub:
    world.reset()
    return Hub(world)


def asked(made: JudgedReport) -> bytes:
    """The query file of a report."""
    per_query = made.engines["ultimate"].per_query
    rows = [{"query_text": query.query, "query_hash": query.query_hash} for query in per_query]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def daily(content: bytes) -> list[tuple[str, str, str]]:
    rows = [json.loads(line) for line in content.splitlines()]
    return [(row["run_id"], row["bench"], row["query_text"]) for row in rows]


def test_a_run_is_one_commit_of_the_files_that_a_folder_would_hold(
    hub: Hub, tmp_path: Path
) -> None:
    made = report()
    names = hub.archive().store_run(made, asked(made))
    assert names == FolderArchive(tmp_path).store(made, asked(made))
    files = dict(hub.held.files)
    assert daily(files.pop(NAME)) == [
        ("2026-11-15T1017Z", "news", "news question 0"),
        ("2026-11-15T1017Z", "news", "news question 1"),
    ]
    assert files == {f"{FOLDER}/{name}": (tmp_path / FOLDER / name).read_bytes() for name in names}
    assert hub.held.summaries == ["bench: 2026-11-15T10:17Z news"]


def test_a_second_time_makes_no_commit(hub: Hub) -> None:
    made = report()
    for _ in range(2):
        hub.archive().store_run(made, asked(made))
    assert len(hub.held.summaries) == hub.offers == 1


def test_only_what_differs_is_sent_again(hub: Hub) -> None:
    hub.archive().store_run(report(), asked(report()))
    again = report(scores={"alpha": (0.5, 0.25), "beta": (1.0, 0.75)})
    hub.archive().store_run(again, asked(again))
    sent = [
        json.loads(line)
        for line in hub.world.calls_to("huggingface.co", COMMIT)[1].body.splitlines()
    ]
    assert [each["value"]["path"] for each in sent[1:]] == [
        f"{FOLDER}/news.json",
        f"{FOLDER}/news/beta.json",
    ]


def test_a_commit_that_came_in_between_is_built_upon(hub: Hub) -> None:
    hub.fault("delay", path="*/paths-info/*", seconds=1.0)
    ours, theirs = report("news"), report("agentic_rare")
    slow = threading.Thread(target=hub.archive().store_run, args=(ours, asked(ours)))
    slow.start()
    while not hub.world.count("huggingface.co", "*/paths-info/*"):
        time.sleep(0.005)
    hub.archive().store_run(theirs, asked(theirs))
    slow.join()
    assert [call.status for call in hub.world.calls_to("huggingface.co", COMMIT)] == [200, 412, 200]
    assert len(hub.held.summaries) == 2
    assert {bench for _, bench, _ in daily(hub.held.files[NAME])} == {"news", "agentic_rare"}
    assert f"{FOLDER}/news.json" in hub.held.files
    assert f"{FOLDER}/agentic_rare.json" in hub.held.files


def test_many_at_once_lose_nothing(hub: Hub) -> None:
    runs = [
        report(bench, f"2026-11-15T1{hour}:17Z")
        for bench in ("news", "agentic_rare")
        for hour in range(3)
    ]
    threads = [
        threading.Thread(target=hub.archive().store_run, args=(each, asked(each))) for each in runs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(hub.held.summaries) == sorted(f"bench: {each.ts} {each.bench}" for each in runs)
    found = daily(hub.held.files[NAME])
    assert len(found) == len(set(found)) == 12


@pytest.mark.parametrize("kind", ["reset_before_headers", "reset_after_headers", "truncate"])
def test_an_answer_that_is_lost_after_the_commit_makes_no_second_one(hub: Hub, kind: str) -> None:
    hub.fault(kind)
    hub.archive().store_run(report(), asked(report()))
    assert len(hub.held.summaries) == hub.offers == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_500_after_the_commit_makes_no_second_one(hub: Hub, status: int) -> None:
    hub.fault("status", status=status)
    hub.archive().store_run(report(), asked(report()))
    assert len(hub.held.summaries) == hub.offers == 1


@pytest.mark.parametrize(
    ("kind", "more", "pause"),
    [("refuse", {}, 1.0), ("rate_limit", {"retry_after": "7"}, 7.0)],
)
def test_a_commit_that_was_turned_away_is_offered_again(
    hub: Hub, kind: str, more: dict[str, Any], pause: float
) -> None:
    hub.fault(kind, times=2, **more)
    hub.archive().store_run(report(), asked(report()))
    assert (len(hub.held.summaries), hub.offers) == (1, 3)
    assert hub.sleeps[0] == pause


def test_a_hub_that_stays_down_is_given_up_and_names_the_way_on(hub: Hub) -> None:
    hub.fault("refuse", times=0)
    given_up = rf"news .* is not archived: the hub took no commit .* in {TRIES} tries"
    with pytest.raises(PublishError, match=given_up) as error:
        hub.archive().store_run(report(), asked(report()))
    assert "run the same command again" in str(error.value)
    hub.world.reset()
    hub.archive().store_run(report(), asked(report()))
    assert len(hub.held.summaries) == 1


def test_what_the_hub_refuses_is_not_offered_twice_and_no_token_is_shown(hub: Hub) -> None:
    hub.fault("echo_key", times=0)
    with pytest.raises(PublishError, match=r"news .* is not archived: the hub refused") as error:
        hub.archive().store_run(report(), asked(report()))
    assert KEY not in str(error.value)
    assert "***" in str(error.value)
    assert hub.offers == 1


def test_a_wrong_token_is_said_at_once(hub: Hub) -> None:
    with pytest.raises(PublishError, match=r"401 .*Invalid credentials") as error:
        hub.archive("wrong-token-12345").store_run(report(), b"")
    assert "wrong-token-12345" not in str(error.value)


def test_a_file_that_is_too_large_for_a_commit_goes_by_way_of_the_store(hub: Hub) -> None:
    queries = asked(report()) + b'{"query_text":"' + b"x" * 10_000_001 + b'"}\n'
    hub.archive().store_run(report(), queries)
    assert len(hub.held.summaries) == 1
    lines = hub.world.calls_to("huggingface.co", COMMIT)[0].body.splitlines()
    kinds = {e["value"]["path"]: e["key"] for e in map(json.loads, lines) if e["key"] != "header"}
    assert kinds[f"{FOLDER}/fresh.jsonl"] == "lfsFile"
    assert kinds[f"{FOLDER}/news.json"] == "file"
    hub.archive().store_run(report(), queries)
    assert len(hub.held.summaries) == hub.offers == 1


@pytest.mark.parametrize("name", ["hub:", "hub:needle", "hub:a/b/c", "hub:../x"])
def test_a_name_that_is_no_data_set_is_wrong_use(name: str) -> None:
    with pytest.raises(UsageError, match="write hub:OWNER/NAME"):
        open_store(name, read_settings({"HF_TOKEN": KEY}))


def test_the_hub_needs_its_token() -> None:
    with pytest.raises(UsageError, match="needs HF_TOKEN"):
        open_store("hub:a/b", read_settings({}))


# With push


def test_a_push_stores_first_and_names_what_the_archive_holds(
    remote: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEEDLE_GATEWAY", hub.world.url)
    monkeypatch.setenv("HF_TOKEN", KEY)
    data = clone(remote, tmp_path / "data")
    made = write(report(), tmp_path)
    assert push(data, made, more=["--archive", f"hub:{hub.name}"]) == 0
    assert len(hub.held.summaries) == 1
    indexed = document(tip(remote, tmp_path / "tip"), "runs.json")
    assert "news/alpha.json" in indexed[0]["artifacts"]


def test_a_hub_that_fails_holds_up_no_rows_but_ends_loudly(
    remote: Path,
    hub: Hub,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NEEDLE_GATEWAY", hub.world.url)
    monkeypatch.setenv("HF_TOKEN", KEY)
    data = clone(remote, tmp_path / "data")
    hub.fault("refuse", times=0)
    made = write(report(), tmp_path)
    more = ["--archive", f"hub:{hub.name}"]
    assert push(data, made, more=more) == 1
    said = capsys.readouterr().err
    assert "published, but not archived" in said
    assert KEY not in said
    assert document(tip(remote, tmp_path / "tip"), "runs.json")[0]["artifacts"] == []
    hub.world.reset()
    kept = data / "unpublished" / "2026-11-15T1017Z-news" / "report.json"
    assert push(data, kept, more=more) == 0
    assert document(tip(remote, tmp_path / "mended"), "runs.json")[0]["artifacts"] != []


# Daily queries


def test_the_daily_queries_of_a_folder_roll_and_can_be_made_anew(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    stamps = ["2026-11-14T09:17Z", "2026-11-14T10:17Z", "2026-11-15T10:17Z"]
    for ts in [stamps[2], stamps[0], stamps[1], stamps[2]]:  # in any order, and twice
        made = report(ts=ts)
        store.store_run(made, asked(made) + b'{"query_text":"never asked"}\n')
    content = (tmp_path / NAME).read_bytes()
    assert {run for run, _, _ in daily(content)} == {"2026-11-14T1017Z", "2026-11-15T1017Z"}
    assert len(daily(content)) == 4
    assert backfill(tmp_path) == (content, 2)


@pytest.mark.parametrize(
    "line", [b"{", b'{"run_id":"2026-11-15T1017Z"}', b'{"run_id":7,"bench":"x"}', b"\xff"]
)
def test_a_broken_line_of_the_daily_queries_is_named_and_loses_no_run(
    hub: Hub, tmp_path: Path, line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError, match=r"daily_queries\.jsonl:1: .*rebuild the file"):
        merged(line, [])
    (tmp_path / NAME).write_bytes(line + b"\n")
    assert FolderStore(tmp_path).store_run(report(), asked(report()))
    assert "its daily queries are not" in capsys.readouterr().err
    hub.held.commit("harm", {NAME: line})
    hub.archive().store_run(report(), asked(report()))
    assert len(daily(hub.held.files[NAME])) == 2


def test_an_empty_archive_has_no_daily_queries(tmp_path: Path) -> None:
    assert backfill(tmp_path) == (b"", 0)
    assert merged(b"", []) == b""
