"""The finance bench as a user starts it: without keys, and live against the fake world."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.cli import main
from runner.errors import PublishError
from runner.paths import SAMPLE
from runner.publishing.archive import FolderArchive, with_allowed_text
from runner.publishing.checks import check_report
from runner.publishing.rows import history_rows
from runner.records.reports import GroupRecall, KnownItemReport
from tests.fakes import FakeWorld, Fault
from tests.live import KEYS, holds_a_key

NOW = "2026-11-15T10:17Z"
GOLD = SAMPLE / "finance" / "gold.jsonl"


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


@pytest.fixture
def calm(world: FakeWorld) -> FakeWorld:
    world.reset()
    return world


def _needle(world: FakeWorld | None, *words: str, **environ: str) -> int:
    env = {"NEEDLE_CONTACT": "ops@needle.example", **environ}
    if world is not None:
        env = {"NEEDLE_GATEWAY": world.url, **KEYS, **env}
    return main(list(words), env, lambda _: asyncio.sleep(0))


def _live(world: FakeWorld, data: Path, *more: str) -> int:
    cache = ("--source-cache", str(data.with_name("cache")))
    return _needle(
        world,
        *("finance", "--engines", "exa,google", "--now", NOW, "--seed", "7"),
        *("--data", str(data), *cache, *more),
    )


def _report(data: Path) -> KnownItemReport:
    path = next(data.glob("batches/*/report.json"))
    return msgspec.json.decode(path.read_bytes(), type=KnownItemReport)


def _files(folder: Path) -> dict[str, bytes]:
    """What a data directory publishes; its batches, archive and locks are not part of that."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }


def test_a_run_without_keys_scores_the_sample_and_builds_the_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("finance", "--now", NOW, "--no-latency", "--data", str(tmp_path / "a"))
    assert _needle(None, *words, "--site", str(tmp_path / "p")) == 0
    out = capfd.readouterr().out
    assert "recall@5" in out
    assert "recall by bucket (n)" in out
    page = (tmp_path / "p" / "index.html").read_text()
    assert "Finance" in page
    report = _report(tmp_path / "a")
    ceiling = report.engines["ultimate"]
    assert report.queries_from == "sample"
    assert ceiling.mrr_at_k is None
    for name in report.roster:
        block = report.engines[name]
        assert 0 < block.recall_at_k <= ceiling.recall_at_k < 1
        assert block.misses_universal == ceiling.misses_universal


def _changed(report: KnownItemReport, **fields: Any) -> KnownItemReport:
    name = report.roster[0]
    block = msgspec.structs.replace(report.engines[name], **fields)
    return msgspec.structs.replace(report, engines={**report.engines, name: block})


def test_a_matched_report_that_its_own_queries_contradict_is_not_published(tmp_path: Path) -> None:
    words = ("finance", "--now", NOW, "--limit", "12", "--data", str(tmp_path))
    assert _needle(None, *words) == 0
    report = _report(tmp_path)
    check_report(report)
    block = report.engines[report.roster[0]]
    hit = next(place for place, query in enumerate(block.per_query) if query.hit_rank)
    for changes in ({"hit_rank": -3}, {"hit_rank": 6}, {"score": 0.0}, {"score": None}):
        queries = list(block.per_query)
        queries[hit] = msgspec.structs.replace(queries[hit], **changes)
        scores = [query.score for query in queries if query.score is not None]
        mean = sum(scores) / len(scores)
        edited = _changed(report, per_query=queries, num_scored=len(scores), recall_at_k=mean)
        with pytest.raises(PublishError, match="do not go together"):
            check_report(edited)
    ceo = GroupRecall(n=9, recall_at_k=1.7)
    for wrong, said in (
        ({"mrr_at_k": 0.99}, "0.99 as its MRR"),
        ({"by": {**block.by, "field": {"ceo": ceo}}}, "1.7 as its recall by field for ceo"),
        ({"by": {**block.by, "<b>": {"x": ceo}}}, "its queries give None"),
        ({"macro": {**block.macro, "field": 0.99}}, "0.99 as its macro recall by field"),
        ({"macro": {}}, "None as its macro recall"),
    ):
        with pytest.raises(PublishError, match=re.escape(said)):
            check_report(_changed(report, **wrong))


def test_the_archive_gives_the_matched_report_back(tmp_path: Path) -> None:
    words = ("finance", "--now", NOW, "--limit", "20", "--data", str(tmp_path))
    assert _needle(None, *words) == 0
    report = _report(tmp_path)
    loaded = FolderArchive(tmp_path / "archive").load(report.run_id, "finance")
    assert loaded == with_allowed_text(report)
    assert history_rows(loaded) == history_rows(report)


def test_the_same_clock_and_seed_give_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        words = ("finance", "--now", NOW, "--seed", "3", "--no-latency", "--limit", "30")
        assert _needle(None, *words, "--data", str(tmp_path / name)) == 0
    ours, theirs = _files(tmp_path / "a"), _files(tmp_path / "b")
    assert ours == theirs
    assert {"history.jsonl", "ci_scores.jsonl", "gold.jsonl", "latest_finance.json"} <= set(ours)


def test_a_live_run_of_all_suites_is_the_same_for_the_same_seed(
    calm: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        assert _live(calm, tmp_path / name / "d", "--no-latency", "--limit", "60") == 0
    ours, theirs = _files(tmp_path / "a" / "d"), _files(tmp_path / "b" / "d")
    assert ours == theirs
    rows = [json.loads(line) for line in ours["gold.jsonl"].splitlines()]
    buckets = {row["query_origin"]["bucket"] for row in rows}
    assert buckets == {"finance", "finance_nl", "filings", "filingdoc"}
    tiers = {row["gold"].get("tier") for row in rows}
    assert {"mega", "large", "mid"} <= tiers
    scores = json.loads(ours["ci_scores.jsonl"])
    assert len(set(scores["cids"])) < len(scores["qids"])  # a company has several queries
    out, err = capfd.readouterr()
    assert "fake-" not in out + err
    assert holds_a_key(tmp_path) == []


@pytest.mark.parametrize(("limit", "rows"), [("12", 12), ("0", 148), ("1000", 148)])
def test_generate_gives_at_most_the_rows_that_it_is_asked_for(
    tmp_path: Path, limit: str, rows: int
) -> None:
    out = tmp_path / "q.jsonl"
    assert _needle(None, "finance", "generate", "--limit", limit, "--out", str(out)) == 0
    assert len(out.read_bytes().splitlines()) == rows


def test_another_seed_asks_about_other_companies(calm: FakeWorld, tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.jsonl"
        words = ("finance", "generate", "--suites", "filings", "--now", NOW, "--seed", seed)
        cache = ("--source-cache", str(tmp_path / "cache"))
        assert _needle(calm, *words, "--max-companies", "30", "--out", str(out), *cache) == 0
        rows = [json.loads(line) for line in out.read_bytes().splitlines()]
        found.append({row["query_origin"]["provenance"]["cik"] for row in rows})
    assert len(found[0] & found[1]) < len(found[0]) / 3


def test_the_model_backs_the_matcher_where_it_is_asked_to(
    calm: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    common = ("--limit", "60", "--suites", "finance")
    assert _live(calm, tmp_path / "code" / "d", *common) == 0
    assert calm.count("openrouter.ai") == 0  # neither queries nor matches needed a model
    assert _live(calm, tmp_path / "model" / "d", *common, "--judge") == 0
    alone, backed = _report(tmp_path / "code" / "d"), _report(tmp_path / "model" / "d")
    assert (alone.judged, backed.judged) == (False, True)
    for name in alone.roster:
        before, after = alone.engines[name], backed.engines[name]
        assert after.judged_results > 0
        for code, both in zip(before.per_query, after.per_query, strict=True):
            assert both.det_rank == code.hit_rank
            if code.hit_rank is not None:
                assert both.hit_rank is not None
                assert both.hit_rank <= code.hit_rank
    prompts = [json.dumps(call.json) for call in calm.calls_to("openrouter.ai")]
    assert prompts
    assert not any("google" in prompt or "exa.ai" in prompt for prompt in prompts)


def test_hits_alone_are_not_published_where_the_model_left_the_misses_open(
    calm: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    common = ("--limit", "30", "--suites", "finance", "--judge")
    with FakeWorld(faults=[Fault(host="openrouter.ai", kind="status", status=500)]) as broken:
        assert _live(broken, data, *common) == 1
    err = capfd.readouterr().err
    assert "queries of exa open" in err
    assert "--judge" in err
    assert _report(data).engines["exa"].recall_at_k == 1.0  # what would have been published
    assert _files(data).keys() == {"gold.jsonl"}
    assert not list((data / "archive").rglob("*.json"))
    assert _live(calm, data, *common, "--resume") == 0
    assert 0 < _report(data).engines["exa"].recall_at_k < 1
    assert "history.jsonl" in _files(data)


def test_a_dead_source_keeps_the_gold_that_is_there(
    calm: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    assert _live(calm, data, "--limit", "10", "--suites", "finance,filings") == 0
    gold = (data / "gold.jsonl").read_bytes()
    cache = ("--source-cache", str(tmp_path / "empty"))
    words = ("finance", "--engines", "exa", "--limit", "10", "--data", str(data), *cache)
    later = ("--now", "2026-11-15T12:17Z", "--suites", "finance,filings")
    with FakeWorld(faults=[Fault(host="*wikidata.org", kind="status", status=503)]) as broken:
        code = _needle(broken, *words, *later)
    err = capfd.readouterr().err
    assert (code, "kept from before finance" in err) == (0, True), err
    kept = [json.loads(line) for line in (data / "gold.jsonl").read_bytes().splitlines()]
    stale = [row for row in kept if row["query_origin"]["provenance"].get("stale")]
    assert {row["query_origin"]["bucket"] for row in stale} == {"finance", "finance_nl"}
    assert len(stale) == sum(
        b'"finance' in line.split(b'"bucket":')[1][:12] for line in gold.splitlines()
    )


def test_too_few_rows_are_told_with_what_went_wrong(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("finance", "generate", "--suites", "filings", "--now", NOW, "--max-companies", "30")
    fault = Fault(host="data.sec.gov", kind="status", status=403)
    with FakeWorld(faults=[fault]) as broken:
        out, cache = str(tmp_path / "gold.jsonl"), str(tmp_path / "c")
        assert _needle(broken, *words, "--out", out, "--source-cache", cache) == 3
    err = capfd.readouterr().err
    assert "filings: only 0 rows" in err
    assert "HTTP 403" in err


@pytest.mark.parametrize("held", [b"", b"not a row\n"])
def test_gold_of_before_without_a_row_is_no_other_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], held: bytes
) -> None:
    out = tmp_path / "gold.jsonl"
    out.write_bytes(held)
    words = ("finance", "generate", "--suites", "filings", "--now", NOW, "--max-companies", "30")
    with FakeWorld(faults=[Fault(host="data.sec.gov", kind="status", status=403)]) as broken:
        cache = ("--source-cache", str(tmp_path / "c"))
        assert _needle(broken, *words, "--out", str(out), *cache) == 3
    err = capfd.readouterr().err
    assert f"nothing to keep: {out}" in err
    assert "filings: only 0 rows" in err
    assert out.read_bytes() == held


def test_without_the_list_of_companies_nothing_is_replaced(
    calm: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "gold.jsonl"
    out.write_bytes(GOLD.read_bytes())
    words = ("finance", "generate", "--suites", "filings", "--now", NOW, "--out", str(out))
    code = _needle(calm, *words, "--source-cache", str(tmp_path / "c"), NEEDLE_CONTACT="")
    err = capfd.readouterr().err
    assert code == 3
    assert "NEEDLE_CONTACT" in err
    assert "Traceback" not in err
    assert out.read_bytes() == GOLD.read_bytes()


GOOD = json.loads(GOLD.read_bytes().splitlines()[0])


def _with_gold(**changes: Any) -> str:
    gold = {name: value for name, value in {**GOOD["gold"], **changes}.items() if value is not ...}
    return json.dumps({**GOOD, "gold": gold})


def _money(written: str) -> str:
    line = _with_gold(field="net_income", field_type="money", value="V")
    return line.replace('"V"', written)


def _staff(value: float) -> str:
    return _with_gold(field="employees", field_type="numeric_band", value=value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (json.dumps({**GOOD, "gold": None}), "`gold` is missing"),
        (_with_gold(field_type="colour"), "field_type"),
        (_with_gold(field="colour"), "unknown gold field 'colour'"),
        (_with_gold(field="lei"), "is of type exact_id"),
        (_with_gold(value=...), "`value`"),
        (_with_gold(value=""), "is empty"),
        (_with_gold(value=" - "), "is empty"),
        (_with_gold(value=17), "is a number, not text"),
        (_money("1e400"), "out of range"),
        (_money("NaN"), "malformed"),
        (_money("1" + "0" * 400), "is no amount of money"),
        (_money("-1e-320"), "is no amount of money"),
        (_money("1e308"), "is no amount of money"),
        (_staff(10**400), "is no number of persons"),
        (_staff(0), "is no number of persons"),
        (_with_gold(field="founded_year", field_type="year", value="soon"), "is no year"),
        (_with_gold(field="website", field_type="domain", value="com"), "no registered domain"),
        (_with_gold(freshness_window="soon"), "soon"),
        (_with_gold(aliases="Dan"), "array"),
        (_with_gold(value={"a": 1}), "str"),
        (_with_gold(field="employees", field_type="numeric_band", value="many"), "is no number"),
        (json.dumps({**GOOD, "query_text": ""}), "query_text"),
        (json.dumps({**GOOD, "gold": "{"}), "truncated"),
        ("{not json", "malformed"),
        ("halden marsh ceo", "`gold` is missing"),
        (json.dumps(GOOD), "an earlier line asks the same"),
    ],
)
def test_an_unusable_gold_row_is_named_and_the_good_rows_stay(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    queries = tmp_path / "gold.jsonl"
    queries.write_text(f"{json.dumps(GOOD)}\n{line}\n")
    words = ("finance", "run", "--queries", str(queries), "--out", str(tmp_path / "r.json"))
    assert _needle(None, *words) == 0
    err = capfd.readouterr().err
    assert f"left out: {queries}:2: " in err
    assert said.lower() in err.lower()
    report = msgspec.json.decode((tmp_path / "r.json").read_bytes(), type=KnownItemReport)
    assert report.num_queries == 1


def test_gold_written_as_text_is_read_all_the_same(tmp_path: Path) -> None:
    row = {name: json.dumps(GOOD[name]) for name in ("gold", "query_origin")}
    queries = tmp_path / "gold.jsonl"
    queries.write_text(json.dumps({**GOOD, **row}))
    words = ("finance", "run", "--queries", str(queries), "--out", str(tmp_path / "r.json"))
    assert _needle(None, *words) == 0


@pytest.mark.parametrize("content", ["", "\n\n", "{}\n", "[1, 2]\n", '"text"\n'])
def test_a_file_without_a_usable_row_is_an_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], content: str
) -> None:
    queries = tmp_path / "gold.jsonl"
    queries.write_text(content)
    words = ("finance", "run", "--queries", str(queries), "--out", str(tmp_path / "r.json"))
    assert _needle(None, *words) == 1
    err = capfd.readouterr().err
    assert "no queries loaded" in err
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--suites", "finance,stocks"), 2, "known are finance, filings, filingdoc"),
        (("--fields", "ebitda"), 2, "known are revenue, net_income"),
        (("--judge",), 2, "OPENROUTER_API_KEY"),
        (("--profile", "live"), 2, "--suites finance,filings"),
        (("--max-companies", "0"), 2, "below 1"),
    ],
)
def test_wrong_use_ends_at_once_with_the_way_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    try:
        found = _needle(None, "finance", "--data", str(tmp_path / "d"), *words)
    except SystemExit as left:
        found = int(left.code or 0)
    assert found == code
    assert said in capfd.readouterr().err
    assert not (tmp_path / "d" / "history.jsonl").exists()
