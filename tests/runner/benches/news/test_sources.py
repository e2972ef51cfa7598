from __future__ import annotations

import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from runner.benches.news.domains import DOMAINS
from runner.benches.news.sources import Source, load_folder, load_sources
from runner.errors import UsageError

FEED = '[[source]]\nurl = "https://a.example/rss"\nsource_kind = "rss_blog"\n'


def test_the_packaged_list_has_130_different_feeds_of_15_domains() -> None:
    sources = load_sources()
    assert len(sources) == len({source.url for source in sources}) == 130
    assert {source.topical_domain for source in sources} == set(DOMAINS)
    assert Counter(source.source_kind for source in sources) == {
        "rss_news": 96,
        "rss_release": 15,
        "rss_paper": 12,
        "rss_blog": 6,
        "rss_social": 1,
    }


def test_a_list_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "feeds.toml"
    path.write_text(FEED + 'topical_domain = "tech"\n' + FEED + 'topical_domain = "cooking"\n')
    assert load_sources(path) == [
        Source("https://a.example/rss", "rss_blog", "tech"),
        Source("https://a.example/rss", "rss_blog", "other"),
    ]


BROKEN = {
    "[[source]]\nurl = 'ftp://a.example'": "source 1 needs a url",
    f"{FEED}[[source]]\nsource_kind = 'rss_news'": "source 2 needs a url",
    "[[source]]\nurl = 'https://a.example'\nsource_kind = 'tv'": "known are rss_news, rss_release",
    "source = 3": "must be tables",
    "": "holds no",
    "[[source": "is not TOML",
    "\x00": "is not TOML",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_wrong_list_is_named_with_what_is_wrong(text: str, tmp_path: Path) -> None:
    path = tmp_path / "feeds.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=BROKEN[text]) as caught:
        load_sources(path)
    assert str(path) in str(caught.value)


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.toml: cannot be read"):
        load_sources(tmp_path / "nowhere.toml")


def test_a_folder_gives_its_files_in_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "notes.txt"):
        (tmp_path / name).touch()
    folder = load_folder(tmp_path)
    assert folder.sources == [
        Source(str(tmp_path / "a.xml"), "rss_blog", "other"),
        Source(str(tmp_path / "b.xml"), "rss_blog", "other"),
    ]
    assert folder.clock is None


@pytest.mark.parametrize("clock", ["2026-11-03T12:00:00Z", '"2026-11-03T13:00+01:00"'])
def test_a_folder_may_say_kinds_domains_and_its_clock(tmp_path: Path, clock: str) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("sub/a.xml", "z.xml"):
        (tmp_path / name).touch()
    (tmp_path / "feeds.toml").write_text(
        f'clock = {clock}\n[[source]]\nfile = "sub/a.xml"\n'
        'source_kind = "rss_news"\ntopical_domain = "sports"\n'
    )
    folder = load_folder(tmp_path)
    assert folder.sources == [
        Source(str(tmp_path / "sub/a.xml"), "rss_news", "sports"),
        Source(str(tmp_path / "z.xml"), "rss_blog", "other"),
    ]
    assert folder.clock == datetime(2026, 11, 3, 12, tzinfo=UTC)


FOLDERS = {
    "": "holds no feed files",
    "clock = 3\n[[source]]\nfile = 'a.xml'": "clock is not a time",
    "clock = 'soon'\n[[source]]\nfile = 'a.xml'": "'soon' is not a time",
    "[[source]]\nfile = 'missing.xml'": "source 1 names no file",
    "[[source]]\nurl = 'https://a.example'": "source 1 names no file",
}


@pytest.mark.parametrize("text", FOLDERS)
def test_a_wrong_folder_is_named_with_what_is_wrong(text: str, tmp_path: Path) -> None:
    if "a.xml" in text:
        (tmp_path / "a.xml").touch()
    (tmp_path / "feeds.toml").write_text(text)
    with pytest.raises(UsageError, match=FOLDERS[text]):
        load_folder(tmp_path)


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        load_folder(tmp_path / "nowhere")


def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<rss/>")
    (tmp_path / "folder.xml").mkdir()
    os.mkfifo(tmp_path / "pipe.xml")
    assert [source.url for source in load_folder(tmp_path).sources] == [str(tmp_path / "a.xml")]
