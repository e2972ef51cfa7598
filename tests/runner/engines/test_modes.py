"""Modes that a variable chooses: what is sent, what is recorded, what it is said to cost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from runner.cli import main
from runner.engines.registry import in_mode, load_catalog
from runner.errors import UsageError
from runner.records.reports import JudgedReport
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault
from tests.live import NOW

KEYS = {name: f"fake-{name}" for name in ("OPENROUTER_API_KEY", "TAVILY_API_KEY", "LINKUP_API_KEY")}


def _run(world: FakeWorld, folder: Path, *more: str, **environ: str) -> int:
    queries = folder / "q.txt"
    queries.write_text("harbor ferry vote\n")
    words = ["news", "run", "--queries", str(queries), "--out", str(folder / "r.json")]
    words += ["--engines", "tavily,linkup", "--now", NOW, *more]
    return main(words, {**KEYS, "NEEDLE_GATEWAY": world.url, **environ}, lambda _: asyncio.sleep(0))


def test_a_chosen_depth_is_sent_and_recorded_and_its_price_unknown(tmp_path: Path) -> None:
    with FakeWorld() as world:
        assert _run(world, tmp_path, TAVILY_DEPTH="advanced", LINKUP_DEPTH="deep") == 0
        (tavily,) = world.calls_to("api.tavily.com")
        (linkup,) = world.calls_to("api.linkup.so")
    assert tavily.json["search_depth"] == "advanced"
    assert linkup.json["depth"] == "deep"
    report = msgspec.json.decode((tmp_path / "r.json").read_bytes(), type=JudgedReport)
    notes = {name: (n.mode, n.price_usd_per_1k) for name, n in report.roster_notes.items()}
    assert notes == {"tavily": ("advanced", None), "linkup": ("deep", None)}


def test_the_catalogs_own_mode_keeps_its_price(tmp_path: Path) -> None:
    with FakeWorld() as world:
        assert _run(world, tmp_path, LINKUP_DEPTH="standard") == 0
    report = msgspec.json.decode((tmp_path / "r.json").read_bytes(), type=JudgedReport)
    notes = {name: (n.mode, n.price_usd_per_1k) for name, n in report.roster_notes.items()}
    assert notes == {"tavily": ("basic", 5.0), "linkup": ("standard", 5.0)}


def test_the_estimate_does_not_take_one_modes_price_for_anothers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld() as world:
        assert _run(world, tmp_path, "--dry-run", LINKUP_DEPTH="deep") == 0
    assert "1 engines without a known price" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "variable"), [("tavily", "TAVILY_DEPTH"), ("linkup", "LINKUP_DEPTH")]
)
def test_an_unknown_depth_is_refused_with_the_known_ones(engine: str, variable: str) -> None:
    with pytest.raises(UsageError, match=f"{variable}='abyss'.*fast"):
        in_mode(load_catalog()[engine], read_settings({variable: "abyss"}))


@pytest.mark.parametrize("kind", ["html", "not_json"])
def test_a_400_that_is_no_json_is_no_empty_answer(tmp_path: Path, kind: str) -> None:
    faults = [Fault(host="api.linkup.so", kind="html", status=400)]
    if kind == "not_json":
        faults = [Fault(host="api.linkup.so", kind="status", status=400, body="gone fishing")]
    with FakeWorld(faults=faults) as world:
        assert _run(world, tmp_path) == 0
    report = msgspec.json.decode((tmp_path / "r.json").read_bytes(), type=JudgedReport)
    error = report.engines["linkup"].per_query[0].search_error
    assert error is not None
    assert (error.error_type, error.status) == ("http_error", 400)
