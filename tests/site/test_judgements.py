"""The judgement browser's page and files, as they are built."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.text import parse_time
from sitebuilder import judgements
from sitebuilder.archived import run_size
from tests.site.dom import Node, parse
from tests.site.made_archive import write_archive
from tests.site.made_data import END, FIVE, write_data
from tests.site.made_site import build_parts

FOLDER = "2026/08/2026-08-20T1017Z"


def built(data: Path, out: Path, **options: Any) -> Node:
    build_parts(data, out, "judgements", **options)
    return parse((out / "judgements/index.html").read_text(encoding="utf-8"))


def tamper(data: Path, name: str, content: bytes) -> None:
    """Another content for a file of the newest run, as if no hash of it had been kept."""
    run = data / "archive/runs" / FOLDER
    slim = json.loads((run / "news.json").read_bytes())
    slim.pop("engine_files", None)
    (run / "news.json").write_text(json.dumps(slim))
    (run / name).write_bytes(content)


def panels(tree: Node) -> list[str]:
    return [each.attributes["data-key"] for each in tree.walk() if "data-key" in each.attributes]


def classed(tree: Node, name: str) -> list[Node]:
    return [n for n in tree.walk() if name in n.attributes.get("class", "").split()]


def test_without_an_archive_the_page_says_so(tmp_path: Path) -> None:
    tree = built(write_data(tmp_path / "data"), tmp_path / "out")
    assert "this data has no archive beside it" in tree.text
    assert [path.name for path in (tmp_path / "out/judgements").iterdir()] == ["index.html"]


def test_every_bench_with_a_run_has_a_panel_and_the_others_are_named(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data", benches=FIVE), ("news", "legal"))
    tree = built(data, tmp_path / "out")
    assert panels(tree) == ["news", "legal"]
    assert "No archived run to show: AgenticRare, Finance and Scholar." in tree.text


def test_the_first_queries_are_whole_in_the_page(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",))
    tree = built(data, tmp_path / "out")
    first, *_ = tree.all("details")
    assert "open" in first.attributes
    assert len(classed(first, "answer")) == 4
    alpha, beta, *_ = classed(first, "answer")
    assert (alpha.all("h3")[0].text, classed(alpha, "got")[0].text) == ("Alpha", "nDCG@5 0.900")
    assert classed(beta, "got")[0].text == "nDCG@5 0.000"
    results = classed(alpha, "result")
    assert [classed(each, "ratings")[0].text for each in results] == [
        "4 FullyM",
        "4 FullyM repeated address, counts 0",
        "1 FailsM integrity: limit staleness: fail search operators: failed by code "
        "rated above a failed gate: freshness",
        "integrity: limit staleness: fail search operators: failed by code "
        "rated above a failed gate: freshness",
    ]
    assert "Judge: It says: words" in results[0].text
    assert results[0].all("a")[0].attributes["href"] == "https://www.alpha.example/0"


def test_a_known_item_shows_gold_rank_and_evidence(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data", benches=("scholar",)), ("scholar",))
    first = built(data, tmp_path / "out").all("details")[0]
    assert "Gold value Gold 0" in first.text
    assert [each.text for each in classed(first, "got")] == [
        "hit at rank 2",
        "miss",
        "miss",
        "hit at rank 2",
    ]
    assert "match: arxiv" in first.text
    assert "Identifiers: arxiv 2611.00001, doi 10.1/abc" in first.text


def test_what_an_engines_terms_forbid_is_in_no_file(tmp_path: Path) -> None:
    data = write_archive(
        write_data(tmp_path / "data"), ("news",), archive={"beta": "urls", "gamma": "urls"}
    )
    # As if an earlier version had stored too much.
    for name in ("beta", "gamma"):
        path = data / f"archive/runs/{FOLDER}/news/{name}.json"
        stored = json.loads(path.read_bytes())
        for query in stored["per_query"]:
            for result in query["results"]:
                result |= {"title": f"secret {name}", "snippet": "secret", "reasoning": "secret"}
        tamper(data, f"news/{name}.json", json.dumps(stored).encode())
    built(data, tmp_path / "out")
    for path in (tmp_path / "out/judgements").rglob("*"):
        if path.is_file():
            content = path.read_text(encoding="utf-8")
            assert "secret" not in content
            if path.name != "index.json":
                assert "https://www.beta.example/0" in content
                assert "Title of words" in content


def test_the_newest_published_run_stands_in_the_page_and_earlier_ones_beside_it(
    tmp_path: Path,
) -> None:
    data = write_data(tmp_path / "data")
    stamps = ["2026-08-18T10:17Z", "2026-08-19T10:17Z", END]
    for ts in (*stamps, "2026-08-21T10:17Z"):
        write_archive(data, ("news",), ts=ts)
    tree = built(data, tmp_path / "out")
    folder = tmp_path / "out/judgements/news"
    assert json.loads((folder / "index.json").read_bytes())["ts"] == END
    links = [each for each in tree.all("a") if "data-run" in each.attributes]
    assert [each.text for each in links] == ["19 Aug 2026, 10:17 UTC", "18 Aug 2026, 10:17 UTC"]
    for link, ts in zip(links, reversed(stamps[:2]), strict=True):
        index = json.loads((folder.parent / link.attributes["href"]).read_bytes())
        assert (index["ts"], index["run_id"]) == (ts, link.attributes["data-run"])
        assert len(index["queries"]) == 4
        for number in {n for query in index["queries"] for n in query["shards"]}:
            shard = json.loads((folder / index["run_id"] / f"{number}.json").read_bytes())
            assert shard["run_id"] == index["run_id"]


def test_runs_beyond_the_fifth_are_named(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    for hour in range(20):
        write_archive(data, ("news",), ts=f"2026-08-19T{hour:02}:17Z", queries=2)
    tree = built(data, tmp_path / "out")
    assert len([each for each in tree.all("a") if "data-run" in each.attributes]) == 4
    assert "2026-08-19T1517Z" not in [code.text for code in tree.all("code")]
    assert [code.text for code in tree.all("code")[:2]] == ["2026-08-19T1417Z", "2026-08-19T1317Z"]
    assert "and 3 more. Build the site with --as-of" in tree.text


def test_earlier_runs_end_where_they_would_be_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_data(tmp_path / "data")
    for day in (17, 18, 19, 20):
        write_archive(data, ("news",), ts=f"2026-08-{day}T10:17Z")
    size = run_size(data / "archive", "2026-08-19T1017Z", "news")
    monkeypatch.setattr(judgements, "MAX_OLDER_BYTES", size + 10)
    tree = built(data, tmp_path / "out")
    assert len([each for each in tree.all("a") if "data-run" in each.attributes]) == 1
    assert [code.text for code in tree.all("code")[:2]] == ["2026-08-18T1017Z", "2026-08-17T1017Z"]


def test_runs_of_an_archive_on_the_hub_are_links_and_nothing_is_fetched(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", benches=FIVE)
    entries = [
        {"id": ts.replace(":", ""), "ts": ts, "artifacts": ["news.json", "news/alpha.json"]}
        for ts in ("2026-08-18T10:17Z", END, "2026-08-21T10:17Z")
    ]
    bad = {"id": '"><script>', "ts": END, "artifacts": ["news.json"]}
    (data / "runs.json").write_text(json.dumps([*entries, bad]))
    tree = built(data, tmp_path / "out", archive="acme/runs")
    hub = "https://huggingface.co/datasets/acme/runs/tree/main/"
    links = [each for each in tree.all("a") if each.attributes["href"].startswith(hub)]
    assert [(each.text, each.attributes["href"].removeprefix(hub)) for each in links] == [
        ("archive", ""),
        ("20 Aug 2026, 10:17 UTC", "runs/2026/08/2026-08-20T1017Z"),
        ("18 Aug 2026, 10:17 UTC", "runs/2026/08/2026-08-18T1017Z"),
    ]
    assert [path.name for path in (tmp_path / "out/judgements").iterdir()] == ["index.html"]


def test_a_run_that_is_shown_is_not_listed_again(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",))
    entry = {"id": END.replace(":", ""), "ts": END, "artifacts": ["news.json"]}
    (data / "runs.json").write_text(json.dumps([entry]))
    assert "in the archive" not in built(data, tmp_path / "out", archive="acme/runs").text


def test_as_of_shows_the_run_of_that_time(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    for ts in ("2026-08-19T10:17Z", END):
        write_archive(data, ("news",), ts=ts)
    built(data, tmp_path / "out", as_of=parse_time("2026-08-19T23:00Z"))
    index = json.loads((tmp_path / "out/judgements/news/index.json").read_bytes())
    assert index["run_id"] == "2026-08-19T1017Z"


def test_a_run_of_another_profile_is_not_shown(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",), profile="embedded")
    assert "holds no run of this data" in built(data, tmp_path / "out").text


BROKEN: list[tuple[str, bytes, str]] = [
    ("news/beta.json", b'{"per_query": [', "news/beta.json: Input data was truncated"),
    ("news/beta.json", b"{}", "news.json: is not an archived report"),
    ("news/beta.json", b'{"per_query": []}', "do not answer the same queries"),
    ("news.json", b"[]", "news.json: "),
]


@pytest.mark.parametrize(("name", "content", "reason"), BROKEN)
def test_a_run_that_cannot_be_read_is_named_and_the_one_before_it_shown(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    data = write_data(tmp_path / "data")
    for ts in ("2026-08-19T10:17Z", END):
        write_archive(data, ("news",), ts=ts)
    tamper(data, name, content)
    tree = built(data, tmp_path / "out")
    assert panels(tree) == ["news"]
    assert "Not readable: 2026-08-20T1017Z" in tree.text
    assert reason in tree.text
    assert str(tmp_path) not in tree.text


def test_when_no_run_can_be_read_the_page_says_why(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",))
    (data / f"archive/runs/{FOLDER}/news/beta.json").unlink()
    tree = built(data, tmp_path / "out")
    assert "holds no run of this data that can be read" in tree.text
    assert "cannot be read (No such file or directory)" in tree.text
    (warning,) = build_parts(data, tmp_path / "out", "judgements").warnings
    assert warning.startswith(f"{data / 'archive'}: news of 2026-08-20T1017Z (")


HOSTILE = [
    '"><script>alert(1)</script>',
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}",
    "a\u202egnp.exe\u202c \u2066b",
    "w" * 50_000,
]


@pytest.mark.parametrize("bench", ["news", "legal"])
@pytest.mark.parametrize("text", HOSTILE, ids=["tag", "image", "url", "braces", "rtl", "word"])
def test_hostile_text_of_a_run_stays_text(tmp_path: Path, bench: str, text: str) -> None:
    def edit(engine: str, place: int, result: Any) -> Any:
        extra = {"reasoning": text} if bench == "news" else {"match_via": text}
        return msgspec.structs.replace(result, url=text, title=text, snippet=text, **extra)

    data = write_data(tmp_path / "data", benches=(bench,))
    tree = built(write_archive(data, (bench,), edit=edit), tmp_path / "out")
    assert len(tree.all("script")) == 1
    assert tree.all("img") == []
    for link in tree.all("a"):
        assert not link.attributes["href"].startswith(("javascript:", "data:"))
    for node in tree.walk():
        assert not [name for name in node.attributes if name.startswith("on")]
    titles = [each.text for each in classed(tree, "title")]
    shown = {"rtl": "a gnp.exe b", "word": f"{'w' * 160}…"}
    kind = "rtl" if "\u202e" in text else "word" if len(text) > 999 else "plain"
    assert set(titles) == {shown.get(kind, text)}
    raw = (tmp_path / "out/judgements/index.html").read_text(encoding="utf-8")
    assert "\u202e" not in raw
    assert len(raw) < 100_000


def test_equal_archives_give_equal_bytes(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data", benches=FIVE), FIVE)
    trees = []
    for name in ("a", "b"):
        build_parts(data, tmp_path / name, "judgements")
        files = sorted((tmp_path / name / "judgements").rglob("*"))
        trees.append([path.read_bytes() for path in files if path.is_file()])
    assert trees[0] == trees[1]
