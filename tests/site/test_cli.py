"""`python -m sitebuilder`: exit codes, one-line errors, the server."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from sitebuilder import build, cli
from sitebuilder.cli import main
from sitebuilder.serve import Watcher, bind
from tests.site.made_data import write_data

WRONG = [
    ([], "--data"),
    (["--data", "{}/none"], "no such data directory; make one with `python -m runner news`"),
    (["--data", "{}/data", "--as-of", "yesterday"], "'yesterday' is not a time"),
    (["--data", "{}/data", "--as-of", "2020-01-01"], "first run in"),
    (["--data", "{}/data", "--out", "{}/data"], "holds the data directory"),
    (["--data", "{}/data", "--serve", "high"], "--serve"),
    (["--data", "{}/data", "--archive", "acme/runs"], "write it like hub:owner/dataset"),
    (["--data", "{}/data", "--archive", "hub:a/b/c"], "is no data set"),
    (["--data", "{}/data", "--colour", "red"], "--colour"),
    (["--data", "{}/data", "--serve", "70000"], "cannot listen"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_wrong_use_is_one_line_and_exit_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path / "data")
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert words in error


def test_a_build_says_where_the_page_is_and_warns_of_bad_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_data(tmp_path / "data")
    with (data / "history.jsonl").open("ab") as file:
        file.write(b"{}\n")
    assert main(["--data", str(data), "--out", str(tmp_path / "public")]) == 0
    out, error = capsys.readouterr()
    count = sum(1 for path in (tmp_path / "public").rglob("*") if path.is_file())
    assert out.startswith(f"{tmp_path}/public/index.html: {count} files, ")
    assert out.endswith("data to 2026-08-20T10:17Z\n")
    assert "history.jsonl:9: Object missing required field `ts` (1 left out)" in error


def test_the_server_shows_the_site_on_this_machine_only(tmp_path: Path) -> None:
    build(write_data(tmp_path / "data"), tmp_path / "public")
    with bind(tmp_path / "public", 0) as server:
        assert server.server_address[0] == "127.0.0.1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            with urllib.request.urlopen(f"{base}/") as reply:
                assert b"Which retrieval can an AI agent rely on?" in reply.read()
            with pytest.raises(urllib.error.HTTPError) as missing:
                urllib.request.urlopen(f"{base}/../data/ci_scores.jsonl")
            assert missing.value.code == 404
            missing.value.close()
        finally:
            server.shutdown()
            thread.join()


def test_the_watch_tells_a_change_once_it_has_come_to_rest(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    told: list[str] = []
    watcher = Watcher(data, data / "public", lambda: told.append("changed"))
    assert not watcher.poll()
    (data / "families.json").write_text('{"a": "b", "c": "d"}')
    assert not watcher.poll()  # it may still be growing
    (data / "news.jsonl").write_text("{}")
    assert not watcher.poll()
    assert watcher.poll()
    assert not watcher.poll()
    (data / "news.jsonl").unlink()
    assert [watcher.poll(), watcher.poll()] == [False, True]
    assert told == ["changed", "changed"]


def test_the_watch_passes_over_the_site_itself(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    watcher = Watcher(data, data / "public", lambda: None)
    build(data, data / "public")
    assert [watcher.poll(), watcher.poll(), watcher.poll()] == [False, False, False]


def test_a_watch_that_is_entered_looks_by_itself_until_it_is_left(tmp_path: Path) -> None:
    data, changed = write_data(tmp_path / "data"), threading.Event()
    with Watcher(data, tmp_path / "public", changed.set, every=0.01):
        (data / "families.json").write_text('{"a": "b"}')
        assert changed.wait(10)
    changed.clear()
    (data / "families.json").write_text("{}")
    assert not changed.is_set()


def test_a_failed_rebuild_says_so_and_keeps_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "public"
    build(data, out)
    before = (out / "index.html").read_bytes()
    options = cli._parser().parse_args(["--data", str(tmp_path / "gone"), "--out", str(out)])
    cli._rebuild(options)
    assert "no such data directory" in capsys.readouterr().err
    assert (out / "index.html").read_bytes() == before
