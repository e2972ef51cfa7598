from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from runner.benches.news.checks import rejection
from runner.benches.news.generate import NewsHarvest, NewsOptions, generate
from runner.errors import TooLittleError, UsageError
from runner.llm.client import LanguageModel, LlmError
from runner.llm.embedded import EmbeddedModel
from runner.llm.openrouter import ChatModel
from runner.paths import ROOT, SAMPLE
from runner.records.base import encode_line
from runner.settings import Settings, read_settings
from tests.fakes import FakeWorld, Fault
from tests.fakes.scene import DEFAULT_CLOCK
from tests.runner.benches.news.build import (
    NOW,
    ScriptedModel,
    SilentProgress,
    reply,
    rss,
    rss_item,
)

REAL_FEEDS = ROOT.parent / "shared" / "data" / "feeds"
REAL_CLOCK = datetime(2026, 8, 22, 17, tzinfo=UTC)
KEY = "fake-OPENROUTER_API_KEY"
EVENTS = (
    "Harbor ferry contract cancelled by mayor",
    "Asteroid probe lands on Odalis",
    "Vaccine trial halted in Kelddale",
    "Opera season opens under flood warning",
    "Lithium mine merger collapses overnight",
    "Turboprop fleet grounded after propeller crack",
    "Salad bags recalled over listeria",
    "Marathon record smashed by debutant",
    "Department store files for bankruptcy",
    "Earthquake damages cathedral in Grauhafen",
    "Supercomputer outage delays exam results",
    "Glacier lake bursts above Thistleford",
)


def harvest(
    options: NewsOptions,
    *,
    model: LanguageModel | None = None,
    settings: Settings | None = None,
    progress: SilentProgress | None = None,
) -> NewsHarvest:
    return asyncio.run(
        generate(
            options,
            model=model or EmbeddedModel(),
            settings=settings or read_settings({}),
            progress=progress or SilentProgress(),
        )
    )


def lines(found: NewsHarvest) -> bytes:
    return b"".join(encode_line(row) for row in found.rows)


def folder_of(path: Path, *titles: str) -> Path:
    """A folder with one feed for each title."""
    for number, title in enumerate(titles):
        link = f"https://paper.example/{number}"
        (path / f"{number:03}.xml").write_bytes(rss(rss_item(title, link)))
    return path


def test_a_folder_of_feeds_gives_rows_and_pages(tmp_path: Path) -> None:
    found = harvest(NewsOptions(now=NOW, feeds_dir=folder_of(tmp_path, *EVENTS)))
    assert found.queries_from == "feeds-dir"
    assert [row.query_origin.provenance["title"] for row in found.rows] == list(EVENTS)
    assert [page.title for page in found.pages] == list(EVENTS)
    assert found.pages[0].published_date == "2026-11-03"
    assert found.counts["rows"] == found.counts["candidates"] == found.counts["feeds_read"] == 12
    assert {row.hour_ts for row in found.rows} == {"2026-11-03T14:00:00+00:00"}


def test_refused_items_of_a_folder_are_replaced_by_the_next(tmp_path: Path) -> None:
    titles = [f"How to do thing number {n}" for n in range(12)] + list(EVENTS)
    found = harvest(NewsOptions(now=NOW, feeds_dir=folder_of(tmp_path, *titles), limit=12))
    assert [row.query_origin.provenance["title"] for row in found.rows] == list(EVENTS)
    assert found.counts["refused_evergreen"] == 12


def test_too_few_rows_end_in_an_error_that_accounts_for_the_rest(tmp_path: Path) -> None:
    folder_of(tmp_path, *EVENTS[:4], "How to do it", "Why ferries float")
    with pytest.raises(TooLittleError) as caught:
        harvest(NewsOptions(now=NOW, feeds_dir=tmp_path))
    text = str(caught.value)
    assert "only 4 news queries, at least 10 are needed" in text
    assert "refused_evergreen 2" in text
    assert "refused_evergreen: 'How to do it'" in text
    assert caught.value.exit_code == 3
    assert len(harvest(NewsOptions(now=NOW, feeds_dir=tmp_path, limit=4)).rows) == 4


def test_wrong_options_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="known are rss, trending, both"):
        harvest(NewsOptions(now=NOW, source="tv"))
    with pytest.raises(UsageError, match="goes with source rss only"):
        harvest(NewsOptions(now=NOW, source="trending", feeds_dir=tmp_path))


@pytest.mark.skipif(not REAL_FEEDS.is_dir(), reason="the real feeds are not beside this checkout")
def test_real_feeds_give_twenty_checked_queries_the_same_each_time() -> None:
    options = NewsOptions(now=REAL_CLOCK, feeds_dir=REAL_FEEDS, limit=20)
    found = harvest(options)
    assert len(found.rows) == 20
    assert len(found.pages) > 3_000
    for row in found.rows:
        title = row.query_origin.provenance["title"]
        assert rejection(row.query_text, [title], REAL_CLOCK.date()) is None
        assert row.query_origin.provenance["age_hours"] < 30 * 24
    assert lines(harvest(options)) == lines(found)


def test_the_sample_steps_in_where_no_feed_answers() -> None:
    progress = SilentProgress()
    with FakeWorld(faults=[Fault(kind="refuse", host="*")]) as world:
        found = harvest(
            NewsOptions(now=NOW, sample=SAMPLE, limit=20, deadline_s=20),
            settings=read_settings({"NEEDLE_GATEWAY": world.url}),
            progress=progress,
        )
        assert len(world.calls) < 130  # nobody waits for all of them without a network
    assert found.queries_from == "sample"
    assert found.now == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert len(found.rows) == 20
    assert {row.hour_ts for row in found.rows} == {"2026-11-30T12:00:00+00:00"}
    assert {row.query_origin.provenance["queries_from"] for row in found.rows} == {"sample"}
    assert len({row.topical_domain for row in found.rows}) >= 10
    assert found.counts["live_feeds_failed"] > 0
    assert "taking the sample feeds" in progress.notes[0]
    assert found.summary()[-1] == "  from the sample feeds, whose clock stands at 2026-11-30T12:00Z"


def test_without_a_sample_dead_feeds_are_an_error() -> None:
    with FakeWorld(faults=[Fault(kind="status", host="*", status=503)]) as world:
        settings = read_settings({"NEEDLE_GATEWAY": world.url})
        with pytest.raises(TooLittleError, match=r"feeds_failed 130.*HTTP 503"):
            harvest(NewsOptions(now=NOW), settings=settings)


def test_a_missing_sample_is_named(tmp_path: Path) -> None:
    with FakeWorld(faults=[Fault(kind="refuse", host="*")]) as world:
        settings = read_settings({"NEEDLE_GATEWAY": world.url})
        options = NewsOptions(now=NOW, sample=tmp_path / "gone", deadline_s=20)
        with pytest.raises(UsageError, match="gone is missing"):
            harvest(options, settings=settings)


def in_fake_world(
    options: NewsOptions, *faults: Fault, llm: bool = True
) -> tuple[NewsHarvest, int]:
    """The harvest and how many model calls it took."""
    with FakeWorld(faults=faults) as world:
        settings = read_settings({"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": KEY})

        async def go() -> NewsHarvest:
            model: Any = EmbeddedModel()
            if llm:
                model = ChatModel(settings, model="a/b", key=KEY, concurrency=8, timeout_s=20)
            try:
                return await generate(
                    options, model=model, settings=settings, progress=SilentProgress()
                )
            finally:
                await model.aclose()

        found = asyncio.run(go())
        return found, world.count("openrouter.ai")


def test_live_feeds_and_a_model_give_the_rows_asked_for_and_no_call_too_many() -> None:
    options = NewsOptions(now=DEFAULT_CLOCK, limit=20)
    found, calls = in_fake_world(options)
    assert len(found.rows) == 20
    assert calls == found.counts["projected"] == found.spend.calls <= 30
    assert found.summary()[-1] == f"  cost {found.spend.cost_usd:.4f} USD in {calls} calls"
    assert found.spend.cost_usd > 0
    assert len({row.topical_domain for row in found.rows}) >= 10
    assert found.queries_from == "feeds"
    assert "queries_from" not in found.rows[0].query_origin.provenance
    assert lines(in_fake_world(options)[0]) == lines(found)


def test_another_seed_gives_another_sample() -> None:
    found = [
        lines(in_fake_world(NewsOptions(now=DEFAULT_CLOCK, limit=10, seed=seed), llm=False)[0])
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]


def test_trends_give_rows_of_their_own_bucket() -> None:
    found, calls = in_fake_world(NewsOptions(now=DEFAULT_CLOCK, source="trending", max_trends=15))
    assert calls == found.counts["candidates"] == 15
    assert found.counts["geos_read"] == 52
    assert {row.query_origin.bucket for row in found.rows} == {"trending"}
    assert {row.query_origin.subcategory for row in found.rows} == {"google_trends"}
    assert max(row.query_origin.provenance["geo_count"] for row in found.rows) > 1


def test_both_sources_share_one_dedupe() -> None:
    found, _ = in_fake_world(NewsOptions(now=DEFAULT_CLOCK, source="both"), llm=False)
    assert {row.query_origin.bucket for row in found.rows} == {"rss", "trending"}
    assert found.counts["duplicates"] > 0
    assert len({row.query_id for row in found.rows}) == len(found.rows)


LLM_FAULTS = (
    "finish_length",
    "empty_choice",
    "refusal",
    "error_in_200",
    "fenced_draft",
    "prose_then_json",
)


@pytest.mark.parametrize("kind", LLM_FAULTS)
def test_a_misbehaving_model_loses_no_more_than_its_items(kind: str) -> None:
    fault = Fault(kind=kind, host="openrouter.ai", times=5)
    found, _ = in_fake_world(NewsOptions(now=DEFAULT_CLOCK, limit=12), fault)
    assert len(found.rows) == 12


def test_hostile_feeds_leave_only_plain_rows_and_pages() -> None:
    found, _ = in_fake_world(
        NewsOptions(now=DEFAULT_CLOCK), Fault(kind="hostile", host="*"), llm=False
    )
    assert found.counts["feeds_failed"] > 10
    assert sum(found.counts[f"dropped_{why}"] for why in ("no_link", "no_title")) > 200
    for page in found.pages:
        assert re.fullmatch(r"https?://[^\s<>\"]+", page.url)
        for text in (page.title or "", page.text):
            assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
            assert not re.search(r"<(script|img|iframe|svg)\b", text, re.IGNORECASE)
        assert len(page.title or "") <= 300
        assert len(page.text) <= 2_000
    lines(found).decode()


def test_a_model_out_of_credit_is_counted_not_raised(tmp_path: Path) -> None:
    model = ScriptedModel(lambda *_: LlmError("account", "no credit"))
    with pytest.raises(TooLittleError, match=r"llm_errors 12.*account: no credit"):
        harvest(NewsOptions(now=NOW, feeds_dir=folder_of(tmp_path, *EVENTS)), model=model)


def test_items_with_one_title_are_asked_about_once(tmp_path: Path) -> None:
    model = ScriptedModel(lambda variables, _: reply(" ".join(variables["title"].split()[2:0:-1])))
    found = harvest(
        NewsOptions(now=NOW, feeds_dir=folder_of(tmp_path, *EVENTS, EVENTS[0].upper())),
        model=model,
    )
    assert len(model.prompts) == len(EVENTS)
    assert found.counts["dropped_same_title"] == 1
