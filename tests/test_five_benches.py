"""All five verticals in one data directory, published in one minute, on one page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from runner.benches.bench import load_bench
from runner.benches.names import BENCH_NAMES
from runner.cli import main
from runner.paths import ROOT
from runner.records.published import BENCH_LABELS, BENCHES, decode_history
from tests.live import NOW


def _needle(*words: str) -> int:
    return main(list(words), {}, lambda _: asyncio.sleep(0))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of five benches (`d`) and the site that the last one built (`p`)."""
    folder = tmp_path_factory.mktemp("five")
    common = ("--now", NOW, "--no-latency", "--data", str(folder / "d"))
    for bench in BENCH_NAMES:
        # one engine takes part in news only
        engines = "local-bm25,local-dense,local-hybrid" if bench == "news" else "local-bm25"
        if bench not in ("news", "legal"):
            engines += ",local-dense"
        limit = ("--limit", "12")
        site = ("--site", str(folder / "p")) if bench == BENCH_NAMES[-1] else ()
        assert _needle(bench, "--engines", engines, *limit, *common, *site) == 0
    return folder


def _results(built: Path) -> Any:
    return json.loads((built / "p" / "results" / "results.json").read_bytes())


def test_no_bench_of_a_minute_replaces_another(built: Path) -> None:
    rows = [decode_history(line) for line in (built / "d/history.jsonl").read_bytes().splitlines()]
    assert len({row.ts for row in rows}) == 1
    engines = {bench: [row.engine for row in rows if row.bench == bench] for bench in BENCHES}
    assert engines == {
        "news": ["local-bm25", "local-dense", "local-hybrid", "ultimate"],
        "finance": ["local-bm25", "local-dense", "ultimate"],
        "scholar": ["local-bm25", "local-dense", "ultimate"],
        "legal": ["local-bm25", "ultimate"],
        "agentic_rare": ["local-bm25", "local-dense", "ultimate"],
    }
    for name in ("gold.jsonl", "scholar.jsonl", "legal.jsonl"):
        assert (built / "d" / name).stat().st_size > 0


def test_the_page_shows_all_five_verticals(built: Path) -> None:
    results = _results(built)
    assert set(results["benches"]) == set(BENCHES)
    assert results["unmeasured"] == []
    page = (built / "p" / "index.html").read_text()
    for label in BENCH_LABELS.values():
        assert label in page


def test_only_an_engine_with_every_bench_is_ranked_overall(built: Path) -> None:
    standings = {row["engine"]: row for row in _results(built)["overall"]}
    assert set(standings) == {"local-bm25", "local-dense", "local-hybrid"}
    assert standings["local-bm25"]["rank"] == 1
    assert standings["local-dense"]["rank"] is None
    assert standings["local-dense"]["reason"] == "not measured on Legal"
    assert standings["local-hybrid"]["rank"] is None
    assert "Finance" in standings["local-hybrid"]["reason"]


@pytest.mark.parametrize("name", BENCH_NAMES)
def test_every_bench_folder_has_the_same_few_names(name: str) -> None:
    bench = load_bench(name)
    folder = ROOT / "runner" / "benches" / name
    modules = {path.stem for path in folder.glob("*.py")}
    assert {"flags", "entry", "generate", "rows"} <= modules
    assert ("score" in modules) == (bench.kind == "known_item")
    assert bench.name == name


@pytest.mark.parametrize("name", BENCH_NAMES)
def test_no_bench_imports_from_another(name: str) -> None:
    others = [f"runner.benches.{other}" for other in BENCH_NAMES if other != name]
    for path in (ROOT / "runner" / "benches" / name).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found = [other for other in others if f"{other}." in text or f"{other} " in text]
        assert not found, f"{path.relative_to(ROOT)} imports {found}"


def test_what_benches_share_imports_no_bench() -> None:
    for path in (ROOT / "runner" / "benches").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in BENCH_NAMES:
            assert f"import runner.benches.{name}." not in text
            assert f"from runner.benches.{name}." not in text, path.name
