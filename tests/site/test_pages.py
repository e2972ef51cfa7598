"""The dashboard: complete without script, every figure traceable, nothing hostile let through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from runner.text import parse_time
from sitebuilder import build
from tests.site.dom import Node, parse
from tests.site.made_data import ENGINES, FIVE, history_row, write_data, write_history

HOSTILE = (
    '"><script>alert(1)</script>',
    "javascript:alert(1)",
    'it\'s <b>bold</b> & "quoted"',
    "{{ 7 * 7 }}",
)


def page(data: Path, out: Path, *, now: datetime | None = None) -> Node:
    build(data, out, now=now)
    return parse((out / "index.html").read_text(encoding="utf-8"))


def spellings(value: Any) -> Iterator[str]:
    """Every text that the page may show for the numbers inside a JSON value."""
    if isinstance(value, dict):
        for part in value.values():
            yield from spellings(part)
    elif isinstance(value, list):
        yield str(len(value))
        for part in value:
            yield from spellings(part)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        yield f"{value:,}"
    elif isinstance(value, float):
        yield from (f"{value:.3f}", f"{100 * value:.1f}%", f"{value:.1f} ms", f"{value:.0f} ms")
        yield from (f"{value / 1000:.1f} s", f"{value:,.2f}")
    elif isinstance(value, str):
        yield from re.findall(r"[\d,.]+", value)


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:%| ms| s\b)?")
DATE = re.compile(r"\d{1,2} [A-Z][a-z]{2} \d{4}")


def stray_numbers(table: Node, known: set[str]) -> list[str]:
    cells = [*table.all("td"), *[head for body in table.all("tbody") for head in body.all("th")]]
    texts = [DATE.sub("", cell.text) for cell in cells]
    return [number for text in texts for number in NUMBER.findall(text) if number not in known]


CASES: list[dict[str, Any]] = [
    {"profile": "embedded", "engines": ("local-bm25", "local-dense", "local-hybrid"), "runs": 1},
    {"benches": FIVE, "runs": 3},
    {"benches": FIVE, "engines": [f"engine-{number:02}" for number in range(40)]},
    {"benches": ("finance", "legal"), "engines": HOSTILE},
]
IDS = ["embedded", "live", "forty", "hostile"]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_every_number_in_a_table_is_in_results_json(tmp_path: Path, case: dict[str, Any]) -> None:
    tree = page(write_data(tmp_path / "data", **case), tmp_path / "out")
    results = json.loads((tmp_path / "out/results/results.json").read_bytes())
    known = set(spellings(results)) | {"5", "10", "100.0%", "0"}  # depths, the ceiling, none
    names = {text for entry in results["roster"] for text in (entry["engine"], entry["label"])}
    known |= {number for name in names for number in NUMBER.findall(name)}
    tables = tree.all("table")
    assert len(tables) >= 4
    assert [stray for table in tables for stray in stray_numbers(table, known)] == []


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_no_section_is_empty_and_every_engine_is_named(
    tmp_path: Path, case: dict[str, Any]
) -> None:
    data = write_data(tmp_path / "data", **case)
    tree = page(data, tmp_path / "out")
    sections = tree.all("section")
    assert len(sections) == 11
    for section in sections:
        assert section.all("table") or any(len(p.text) > 20 for p in section.all("p", "dd"))
    for table in tree.all("table"):
        assert table.all("td")
    labels = [label.title() for label in case.get("engines", ENGINES)]
    if case.get("profile") == "embedded":
        labels = list(case["engines"])
    for label in labels:
        assert label in tree.by_id("boards").text
        assert label in tree.by_id("standings").text


def test_a_directory_with_nothing_in_it_gives_a_page_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    tree = page(tmp_path / "data", tmp_path / "out")
    assert "Nothing is measured yet" in tree.by_id("answer").text
    assert "python -m runner news" in tree.by_id("answer").text
    assert "news.jsonl" not in tree.text
    for section in tree.all("section"):
        assert any(len(node.text) > 20 for node in section.all("p", "dd"))
    assert not (tmp_path / "out/data/independence.json").exists()
    assert "independence.json" not in [a.attributes["href"] for a in tree.all("a")]


def test_nothing_needs_a_script_and_the_policy_forbids_inline_ones(tmp_path: Path) -> None:
    tree = page(write_data(tmp_path / "data", benches=FIVE), tmp_path / "out")
    for node in tree.walk():
        assert "style" not in node.attributes
        assert not [name for name in node.attributes if name.startswith("on")]
        assert node.tag not in {"style", "iframe", "form", "object", "noscript"}
    data, script = tree.all("script")
    assert data.attributes == {"type": "application/ld+json"}  # read, never run
    assert (script.text, script.attributes["src"]) == ("", "assets/site.js")
    (policy,) = [m for m in tree.all("meta") if "http-equiv" in m.attributes]
    assert "default-src 'none'" in policy.attributes["content"]
    assert "unsafe" not in policy.attributes["content"]


@pytest.mark.parametrize("name", ["index.html", "404.html"])
def test_every_link_leads_to_a_file_an_anchor_or_https(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    build(write_data(tmp_path / "data", benches=FIVE, engines=HOSTILE), out)
    tree = parse((out / name).read_text(encoding="utf-8"))
    ids = [node.attributes["id"] for node in tree.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = [a.attributes["href"] for a in tree.all("a", "link")]
    targets += [s.attributes["src"] for s in tree.all("script") if "src" in s.attributes]
    assert targets
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in ids
        elif target != "./":
            file = out / target.partition("#")[0]
            found = (file / "index.html" if file.is_dir() else file).is_file()
            assert target.startswith("https://") or found, target
    for node in tree.walk():
        assert node.attributes.get("aria-labelledby") in {None, *ids}


def test_hostile_names_are_shown_as_text(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", engines=HOSTILE, profile="embedded")
    tree = page(data, tmp_path / "out")
    heads = [head.text for head in tree.by_id("boards").all("th")]
    assert set(HOSTILE) <= set(heads)
    assert len([node for node in tree.all("script") if "src" in node.attributes]) == 1
    assert "bold" not in [node.text for node in tree.all("b")]
    raw = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in raw


def test_hostile_text_in_documents_is_escaped(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    path = data / "latest_news.json"
    path.write_text(path.read_text().replace("live/judge-1", "<img src=x onerror=alert(1)>"))
    (data / "overlap.jsonl").write_text('{"<svg onload=alert(1)>": 1}\n')
    tree = page(data, tmp_path / "out")
    assert not tree.all("img")
    assert "<img src=x onerror=alert(1)>" in tree.by_id("boards").text
    assert "<svg onload=alert(1)>" in tree.by_id("data").text


def test_the_embedded_profile_is_named_with_what_it_means(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", profile="embedded", runs=1)
    (note,) = page(data, tmp_path / "out").all("aside")
    assert note.text.startswith("Embedded profile: a run without keys.")
    assert "must not be compared with live results" in note.text


def test_the_live_profile_has_no_banner(tmp_path: Path) -> None:
    assert page(write_data(tmp_path / "data"), tmp_path / "out").all("aside") == []


AGES: Sequence[tuple[str | None, str | None]] = [
    ("2026-08-29T12:00Z", "9 days older"),
    ("2026-08-22T10:18Z", "2 days older"),
    ("2026-08-22T10:17Z", None),
    (None, None),
]


@pytest.mark.parametrize(("now", "words"), AGES)
def test_old_data_is_called_old_and_its_tables_stay_full(
    tmp_path: Path, now: str | None, words: str | None
) -> None:
    moment = parse_time(now) if now else None
    tree = page(write_data(tmp_path / "data"), tmp_path / "out", now=moment)
    notes = [note.text for note in tree.all("aside")]
    assert ([words in note for note in notes] == [True]) if words else (notes == [])
    assert len(tree.by_id("boards").all("tr")) == 5
    assert "Newest run 20 Aug 2026, 10:17 UTC" in tree.text


def test_benches_without_data_share_one_line_and_have_no_table(tmp_path: Path) -> None:
    boards = page(write_data(tmp_path / "data"), tmp_path / "out").by_id("boards")
    assert len(boards.all("table")) == 1
    line = "Not measured: Finance, Scholar, Legal and AgenticRare (no run in this data)."
    assert [p.text for p in boards.all("p") if p.text.startswith("Not measured")] == [line]


def test_news_alone_ranks_nobody_overall(tmp_path: Path) -> None:
    standings = page(write_data(tmp_path / "data"), tmp_path / "out").by_id("standings")
    assert "Nobody is ranked here: this data covers News only." in standings.text
    assert [head.text for head in standings.all("thead")[0].all("th")] == [
        "Engine",
        "News",
        "Queries",
    ]


def test_a_tie_is_called_level_and_not_a_lead(tmp_path: Path) -> None:
    answer = page(write_data(tmp_path / "data", queries=3), tmp_path / "out").by_id("answer")
    assert "are level on News" in answer.text
    assert " leads" not in answer.text


def test_engines_out_of_the_window_are_named_with_their_last_run(tmp_path: Path) -> None:
    rows = [history_row(), history_row(engine="gone", ts="2026-07-01T00:00Z")]
    tree = page(write_history(tmp_path / "data", rows), tmp_path / "out")
    assert "gone (last run 1 Jul 2026)" in tree.by_id("standings").text


def test_latencies_that_round_to_zero_have_a_place_on_the_axis(tmp_path: Path) -> None:
    rows = [history_row(engine=name, lat_ms=[0.0]) for name in ("alpha", "beta")]
    build(write_history(tmp_path / "data", rows), tmp_path / "out")
    latency = parse((tmp_path / "out" / "index.html").read_text()).by_id("latency")
    (chart,) = latency.all("figure")
    named = [text.text for text in chart.all("text") if "data-engine" in text.attributes]
    assert named == ["alpha", "beta"]
    assert "0.0 ms" in chart.text


def test_bad_lines_are_listed_with_file_count_and_first_line(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    with (data / "history.jsonl").open("ab") as file:
        file.write(b"{}\n{}\nnonsense")
    section = page(data, tmp_path / "out").by_id("data")
    rows = [[cell.text for cell in row.all("th", "td")] for row in section.all("tr")[1:]]
    assert rows == [
        ["history.jsonl", "2", "9", "Object missing required field `ts`"],
        ["history.jsonl", "1", "11", "JSON is malformed: invalid character"],
    ]
