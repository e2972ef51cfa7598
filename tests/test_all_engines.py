"""All engines of the roster in one run, half of them failing in different ways."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from runner.cli import main
from runner.engines.registry import load_catalog
from runner.records.reports import JudgedReport
from tests.fakes import FakeWorld, Fault
from tests.live import NOW

ROSTER = [name for name, spec in load_catalog().items() if spec.vendor != "local"]
QUERIES = """harbor ferry vote
storm warning coast evacuation
quarterly results chip maker
"alderby bridge" closure
site:a.example transit strike
kagoshima-7 turbopump anomaly report
compare lidar driver forks ros2 humble arm64
error 0x80070bc9 dism component store
"""
# Host, what goes wrong there, and for each engine of that host: (error type, class).
HTTP, SERVICE, ACCOUNT = "http_error", "service", "account"
FAILING = {
    "api.exa.ai": ({"kind": "status", "status": 503}, (HTTP, SERVICE)),
    "google.serper.dev": ({"kind": "status", "status": 403}, (HTTP, ACCOUNT)),
    "www.searchapi.io": ({"kind": "rate_limit", "retry_after": "1"}, (HTTP, ACCOUNT)),
    "api.tavily.com": ({"kind": "status", "status": 432}, (HTTP, ACCOUNT)),
    "api.linkup.so": ({"kind": "not_json"}, ("bad_json", SERVICE)),
    "api.perplexity.ai": ({"kind": "truncate"}, ("transport", SERVICE)),
    "api.octen.ai": ({"kind": "refuse"}, ("transport", SERVICE)),
    "ydc-index.io": ({"kind": "status", "status": 402}, (HTTP, ACCOUNT)),
    "kagi.com": ({"kind": "html", "status": 500}, (HTTP, SERVICE)),
    "s.jina.ai": ({"kind": "gzip_bomb"}, ("transport", SERVICE)),
    "api.deepseek.com": ({"kind": "reset_before_headers"}, ("transport", SERVICE)),
    "api.anthropic.com": ({"kind": "status", "status": 529}, (HTTP, SERVICE)),
}
ENGINES_OF = {
    "api.exa.ai": ("exa-instant", "exa-lite", "exa"),
    "google.serper.dev": ("google",),
    "www.searchapi.io": ("bing",),
    "api.tavily.com": ("tavily",),
    "api.linkup.so": ("linkup",),
    "api.perplexity.ai": ("perplexity-fast", "perplexity"),
    "api.octen.ai": ("octen",),
    "ydc-index.io": ("you",),
    "kagi.com": ("kagi",),
    "s.jina.ai": ("jina",),
    "api.deepseek.com": ("deepseek",),
    "api.anthropic.com": ("claude-search",),
}
EXPECTED = {
    engine: outcome for host, (_, outcome) in FAILING.items() for engine in ENGINES_OF[host]
}
# What the results say of an engine, by the class of its errors.
NOTES = {
    "": "",
    SERVICE: "not measured: 8 of 8 searches failed, more than 50%",
    ACCOUNT: "not measured: our own account failed more than 10% of the searches in its run",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the report, the data directory and the site of one run."""
    folder = tmp_path_factory.mktemp("all")
    (folder / "q.txt").write_text(QUERIES)
    keys = {spec.key_env: f"fake-{spec.key_env}" for spec in load_catalog().values()}
    keys = {name: key for name, key in keys.items() if name} | {
        "OPENROUTER_API_KEY": "fake-OPENROUTER_API_KEY"
    }
    faults = [Fault(host=host, **fault) for host, (fault, _) in FAILING.items()]  # type: ignore[arg-type]
    words = ["news", "run", "--queries", str(folder / "q.txt"), "--out", str(folder / "r.json")]
    words += ["--engines", ",".join(ROSTER), "--now", NOW, "--judge-concurrency", "32"]
    with FakeWorld(faults=faults) as world:
        environ = {**keys, "NEEDLE_GATEWAY": world.url}
        assert main(words, environ, lambda _: asyncio.sleep(0)) == 0
    publish = ["news", "publish", "--report", str(folder / "r.json"), "--data", str(folder / "d")]
    assert main(publish, {}) == 0
    from sitebuilder import build

    build(folder / "d", folder / "p")
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> JudgedReport:
    return msgspec.json.decode((folder / "r.json").read_bytes(), type=JudgedReport)


def test_the_roster_is_the_promised_one() -> None:
    assert set(ROSTER) == set(
        "keenable keenable-realtime exa exa-instant exa-lite google bing brave brave-llmcontext "
        "parallel parallel-fast parallel-turbo tavily linkup perplexity perplexity-fast octen "
        "ceramic you firecrawl tinyfish kagi jina context deepseek claude-search "
        "chatgpt-search".split()
    )
    assert len(ROSTER) == 27


@pytest.mark.parametrize(
    ("fast", "slow"),
    [
        ("keenable-realtime", "keenable"),
        ("exa-instant", "exa"),
        ("exa-lite", "exa"),
        ("parallel-turbo", "parallel"),
        ("parallel-fast", "parallel"),
        ("perplexity-fast", "perplexity"),
        ("brave-llmcontext", "brave"),
    ],
)
def test_a_fast_variant_is_asked_before_its_sibling(fast: str, slow: str) -> None:
    assert ROSTER.index(fast) < ROSTER.index(slow)


def test_the_report_holds_every_engine_and_the_ceiling(report: JudgedReport) -> None:
    assert list(report.engines) == [*ROSTER, "ultimate"]
    assert report.engines["ultimate"].num_scored > 4
    assert len(report.overlap) == 27 * 26 // 2


@pytest.mark.parametrize("engine", ROSTER)
def test_every_failure_has_its_class_and_every_other_engine_its_score(
    report: JudgedReport, engine: str
) -> None:
    block = report.engines[engine]
    if engine not in EXPECTED:
        assert block.search_errors == 0
        assert block.num_scored == report.engines["ultimate"].num_scored
        return
    errors = {
        (query.search_error.error_type, query.search_error.error_class)
        for query in block.per_query
        if query.search_error
    }
    assert errors == {EXPECTED[engine]}
    assert block.search_errors == report.num_queries
    is_account = EXPECTED[engine][1] == ACCOUNT
    assert block.num_scored == (0 if is_account else report.engines["ultimate"].num_scored)


def test_results_csv_says_what_was_not_measured_and_why(folder: Path) -> None:
    with (folder / "p/results/results.csv").open() as file:
        rows = {row["engine"]: row for row in csv.DictReader(file) if row["bench"] == "news"}
    assert set(rows) == {*ROSTER, "ultimate"}
    for engine in ROSTER:
        note = NOTES[EXPECTED.get(engine, ("", ""))[1]]
        assert rows[engine]["note"] == note, engine
        assert (rows[engine]["value"] == "") == (note != ""), engine
