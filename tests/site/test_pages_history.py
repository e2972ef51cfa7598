"""Frozen months: shown and copied as they are, whatever a folder holds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from runner.errors import DataError
from runner.text import parse_time
from sitebuilder.folders import engine_slug, pair_folder
from sitebuilder.history import read_months

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (2400).to_bytes(4, "big") + (1800).to_bytes(4, "big")
FROZEN = {
    "schema_version": 7,
    "something_new": [1],
    "window": {"start": "2026-09-23T23:59Z", "end": "2026-09-30T23:17Z", "days": 7},
    "roster": [{"engine": "alpha", "label": "Alpha <b>"}],
    "overall": [{"engine": "alpha", "rank": 1, "overall": {"value": 0.7, "lo": 0.6, "hi": 0.8}}],
    "benches": {"news": {"label": "News", "metric": "ndcg", "k": 5, "engines": []}},
}


def history(data: Path, month: str = "2026-09", results: str = json.dumps(FROZEN)) -> Path:
    folder = data / "history"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"needle-results-{month}.json").write_text(results)
    (folder / f"needle-results-{month}.csv").write_text("bench\n")
    (folder / f"needle-overall-{month}.png").write_bytes(PNG)
    return data


def test_a_month_shows_its_smallest_picture_and_the_hash_of_each_file(tmp_path: Path) -> None:
    folder = history(tmp_path) / "history"
    (month,) = read_months(tmp_path, tmp_path / "none", None)
    shown = [month.thumbnail]
    for name in ("needle-overall-2026-09.webp", "needle-social-2026-09.png"):
        (folder / name).write_bytes(b"x")
        (month,) = read_months(tmp_path, tmp_path / "none", None)
        shown.append(month.thumbnail)
    assert shown == [
        "needle-overall-2026-09.png",
        "needle-overall-2026-09.webp",
        "needle-social-2026-09.png",
    ]
    assert sorted(month.hashes) == sorted(path.name for path in folder.iterdir())
    assert month.hashes["needle-social-2026-09.png"] == hashlib.sha256(b"x").hexdigest()


def test_no_folder_gives_no_month(tmp_path: Path) -> None:
    assert read_months(tmp_path, tmp_path / "posts.json", None) == []


def test_a_month_is_read_with_its_label_picture_and_link(tmp_path: Path) -> None:
    posts = tmp_path / "posts.json"
    posts.write_text('{"2026-09": "https://example.org/september"}')
    (month,) = read_months(history(tmp_path), posts, None)
    assert (month.key, month.label) == ("2026-09", "September 2026")
    assert month.post == "https://example.org/september"
    assert month.results
    assert month.results.overall[0].overall
    assert month.results.overall[0].overall.value == 0.7
    assert month.labels == {"alpha": "Alpha <b>"}
    assert month.image
    assert (month.image.width, month.image.height) == (2400, 1800)
    assert sorted(month.files) == [
        "needle-overall-2026-09.png",
        "needle-results-2026-09.csv",
        "needle-results-2026-09.json",
    ]


def test_months_are_newest_first_and_those_after_the_moment_are_not_there_yet(
    tmp_path: Path,
) -> None:
    for month in ("2026-08", "2026-10", "2026-09"):
        history(tmp_path, month)
    keys = [m.key for m in read_months(tmp_path, tmp_path / "none", None)]
    assert keys == ["2026-10", "2026-09", "2026-08"]
    moment = parse_time("2026-09-30T23:59Z")
    assert [m.key for m in read_months(tmp_path, tmp_path / "none", moment)] == ["2026-08"]


@pytest.mark.parametrize(
    "name", ["needle-results-2026-13.csv", "notes.txt", "../x", "a-2026-09.csv"]
)
def test_other_files_are_no_month(tmp_path: Path, name: str) -> None:
    (tmp_path / "history").mkdir()
    (tmp_path / "history" / Path(name).name).write_text("x")
    assert read_months(tmp_path, tmp_path / "none", None) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"overall": 3}'])
def test_an_unreadable_month_keeps_its_files_without_tables(tmp_path: Path, content: str) -> None:
    (month,) = read_months(history(tmp_path, results=content), tmp_path / "none", None)
    assert month.results is None
    assert len(month.files) == 3


def test_only_https_posts_become_links_and_a_broken_list_is_an_error(tmp_path: Path) -> None:
    posts = tmp_path / "posts.json"
    posts.write_text('{"2026-09": "javascript:alert(1)"}')
    (month,) = read_months(history(tmp_path), posts, None)
    assert month.post is None
    posts.write_text("[]")
    with pytest.raises(DataError, match="expected months with addresses"):
        read_months(tmp_path, posts, None)


SLUGS = [
    ("exa", "exa"),
    ("exa-instant", "exa-instant"),
    ("Exa", "x-exa-"),
    ("a-vs-b", "x-a-b-"),
    ("vs", "x-"),
    ("../../etc/passwd", "x-etc-passwd-"),
    ('"><script>', "x-script-"),
    ("漢字", "x-"),
    ("a" * 41, "x-" + "a" * 40 + "-"),
]


@pytest.mark.parametrize(("engine", "slug"), SLUGS)
def test_any_name_gives_a_plain_folder(engine: str, slug: str) -> None:
    made = engine_slug(engine)
    assert made == slug if slug == engine else made.startswith(slug)
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert "-vs-" not in f"-{made}-"


def test_names_that_look_alike_have_folders_of_their_own() -> None:
    names = ["exa", "Exa", "EXA", "e.x.a", "漢", "字", "a-vs-b", "a-b"]
    assert len({engine_slug(name) for name in names}) == len(names)


def test_a_pair_has_one_folder_whichever_is_named_first() -> None:
    assert pair_folder("exa", "bing") == pair_folder("bing", "exa") == "compare/bing-vs-exa/"
