"""A new engine is one vendor file and one catalog entry; everything else finds it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from runner.paths import ROOT
from runner.records.reports import JudgedReport
from tests.fakes import FakeWorld
from tests.live import KEYS, NOW

VENDOR = '''
"""Acme: GET https://searx.example/search, results under `results`."""

from runner.engines import shapes
from runner.http import HttpRequest


def build_request(ask):
    return HttpRequest(
        url="https://searx.example/search", params={"q": ask.query, "format": "json"}
    )


def parse_response(body, ask):
    return [
        result
        for hit in shapes.entries(shapes.at(body, "results"))
        for result in shapes.result(hit.get("url"), hit.get("title"), hit.get("content"))
    ]
'''
ENTRY = """
[[engine]]
id = "acme"
label = "Acme <Search>"
family = "acme"
vendor = "acme"
docs = "https://acme.example/docs"
archive = "snippet"
confidence = "Made up for a test."
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code with the new engine's two pieces in it."""
    copy = tmp_path / "checkout"
    for folder in ("runner", "site", "templates"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "runner/engines/acme.py").write_text(VENDOR)
    with (copy / "runner/engines/catalog.toml").open("a") as catalog:
        catalog.write(ENTRY)
    return copy


def _run(checkout: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(checkout), str(checkout / "site")])
    return subprocess.run(
        [sys.executable, "-m", *words],
        env={**os.environ, "PYTHONPATH": path, **environ},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_engine_of_one_file_and_one_entry_is_asked_scored_listed_and_shown(
    checkout: Path, tmp_path: Path
) -> None:
    queries, out = tmp_path / "q.txt", tmp_path / "r.json"
    asked = ["harbor ferry vote", "storm warning coast", "school bus route", "bridge toll rise"]
    asked += ["museum night opening", "river dam repair"]  # fewer than five say too little to show
    queries.write_text("\n".join(asked))
    words = ["runner", "news", "run", "--queries", str(queries), "--out", str(out), "--now", NOW]
    with FakeWorld() as world:
        done = _run(checkout, *words, "--engines", "acme,exa", NEEDLE_GATEWAY=world.url, **KEYS)
    assert done.returncode == 0, done.stderr
    report = msgspec.json.decode(out.read_bytes(), type=JudgedReport)
    assert report.roster == ["exa", "acme"]
    assert report.engines["acme"].num_scored == len(asked)
    assert report.engines["acme"].mean_ndcg > 0
    assert report.roster_notes["acme"].label == "Acme <Search>"

    data, site = str(tmp_path / "d"), tmp_path / "p"
    done = _run(checkout, "runner", "news", "publish", "--report", str(out), "--data", data)
    assert done.returncode == 0, done.stderr
    done = _run(checkout, "sitebuilder", "--data", data, "--out", str(site))
    assert done.returncode == 0, done.stderr
    page = (site / "index.html").read_text()
    assert "Acme &lt;Search&gt;" in page
    assert "Acme <Search>" not in page
    results = json.loads((site / "results/results.json").read_text())
    assert "acme" in [row["engine"] for row in results["benches"]["news"]["engines"]]

    unknown = _run(checkout, "runner", "news", "--engines", "nobody", "--profile", "embedded")
    assert unknown.returncode == 2
    assert "acme" in unknown.stderr
