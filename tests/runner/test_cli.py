"""The command line: what is refused, with which exit code and in which words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from runner.benches.loading import encode_queries, text_query
from runner.cli import main
from runner.storage import exclusive
from runner.text import parse_time
from tests.live import KEYS, NOW

OFFLINE = {"NEEDLE_GATEWAY": "http://127.0.0.1:9"}  # the discard port: nothing answers there


def _run(*words: str, environ: dict[str, str] | None = None) -> int:
    try:
        return main(list(words), {**OFFLINE, **(environ or {})})
    except SystemExit as stop:
        return int(stop.code or 0)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], ["COMMAND"]),
        (["sports"], ["sports", "news"]),
        (["news", "--bogus"], ["--bogus"]),
        (["news", "--limit", "x"], ["--limit", "'x'"]),
        (["news", "--limit", "-1"], ["--limit"]),
        (["news", "--num-results", "0"], ["--num-results"]),
        (["news", "--num-results", "101"], ["--num-results", "100"]),
        (["news", "--sample", "random"], ["random", "stratified"]),
        (["news", "--max-usd", "nan"], ["--max-usd"]),
        (["news", "--now", "tomorrow"], ["tomorrow", "2026-08-22T17:00Z"]),
        (["news", "--engines", "yahoo"], ["yahoo", "keenable", "local-bm25"]),
        (["news", "--engines", ","], ["--engines"]),
        (["news", "--engines", ""], ["--engines", "is empty"]),
        (["news", "--data", ""], ["--data", "is empty"]),
        (["news", "--site", " "], ["--site", "is empty"]),
        (["news", "--fetch-concurrency", "0"], ["--fetch-concurrency", "below 1"]),
        (["news", "--llm-concurrency", "0"], ["--llm-concurrency", "below 1"]),
        (["news", "--max-rows-per-source", "0"], ["--max-rows-per-source", "below 1"]),
        (["news", "--min-candidates", "-1"], ["--min-candidates", "below 0"]),
        (["news", "--max-trends", "-1"], ["--max-trends", "below 0"]),
        (["news", "--now", "9999-12-31T23:59-05:00"], ["9999", "2026-08-22T17:00Z"]),
        (["news", "--engines", "exa"], ["EXA_API_KEY", "keenable"]),
        (["news", "--engines", "local-bm25,local-bm25"], ["--engines names 'local-bm25' twice"]),
        (["news", "--engines", "custom:nowhere.toml"], ["nowhere.toml"]),
        (["news", "--profile", "live"], ["OPENROUTER_API_KEY", "--profile embedded"]),
        (["news", "--geos", "US"], ["--geos", "--source rss"]),
        (["news", "--source", "trending", "--feeds", "f.toml"], ["--feeds", "trending"]),
        (["news", "--source", "gossip"], ["gossip", "rss"]),
        (["news", "--source", "trending", "--geos", "XX"], ["XX", "us-all"]),
        (["news", "--feeds-dir", "nowhere"], ["nowhere"]),
        (["news", "--feeds", "nowhere.toml"], ["nowhere.toml"]),
        (["news", "--dry-run", "--limit", "0"], ["--dry-run", "--limit"]),
        (["news", "run"], ["--queries"]),
        (["news", "publish", "--report", "r.json"], ["--data"]),
    ],
)
def test_wrong_use_ends_with_2_and_one_line_that_names_the_way_out(
    words: list[str],
    named: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if words[:1] == ["news"] and "run" not in words and "publish" not in words:
        words = [*words, "--data", "d"]
    assert _run(*words) == 2
    error = capsys.readouterr().err
    lines = [line for line in error.splitlines() if line.startswith("needle")]
    assert len(lines) == 1, error
    assert all(name in error for name in named), error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        (None, 2, "no such file"),
        (b"", 1, "no queries loaded"),
        (b"{}\n", 1, "query_text"),
        (b'{"query_text": "x"\n', 1, ":1:"),
        (b"\xff\xfe\n", 1, ":1:"),
        (b"ferry " * 400 + b"\n", 1, "longer than 2000 characters"),
        (b'{"query_text": "' + b"ferry " * 400 + b'"}\n', 1, "longer than 2000 characters"),
    ],
)
def test_a_query_file_without_queries_is_told_by_path_and_line(
    content: bytes | None,
    code: int,
    named: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "q.jsonl"
    if content is not None:
        path.write_bytes(content)
    assert _run("news", "run", "--queries", str(path), "--out", str(tmp_path / "r.json")) == code
    error = capsys.readouterr().err
    assert str(path) in error
    assert named in error


def test_good_lines_of_a_query_file_are_asked_and_bad_ones_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('1984\n{"query_text": 3}\nharrowmere ferry fares\n1984\n')
    out = tmp_path / "r.json"
    assert _run("news", "run", "--queries", str(path), "--out", str(out), "--now", NOW) == 0
    error = capsys.readouterr().err
    assert f"{path}:2:" in error
    assert "2 queries x 3 engines" in error
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"not json", b'{"bench":"news","schema_version":99}']
)
def test_a_report_that_is_none_is_refused_by_name(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    data = tmp_path / "d"
    assert _run("news", "publish", "--report", str(path), "--data", str(data)) == 1
    assert str(path) in capsys.readouterr().err
    assert not data.exists()


def test_flags_may_be_written_with_underscores(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("harrowmere ferry fares\n")
    words = ["news", "run", "--queries", str(path), "--out", str(tmp_path / "r.json")]
    assert _run(*words, "--num_results=3", "--snippet_chars", "100") == 0


def test_other_settings_for_a_run_already_begun_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "q.txt"
    path.write_text("harrowmere ferry fares\n")
    words = ["news", "run", "--queries", str(path), "--out", str(tmp_path / "r.json")]
    assert _run(*words) == 0
    assert _run(*words, "--num-results", "3") == 2
    assert "num_results=5" in capsys.readouterr().err


def test_a_finished_run_gives_the_same_bytes_again_without_a_call(tmp_path: Path) -> None:
    path, out = tmp_path / "q.txt", tmp_path / "r.json"
    path.write_text("harrowmere ferry fares\n")
    words = ["news", "run", "--queries", str(path), "--out", str(out), "--now", NOW]
    assert _run(*words) == 0
    first = out.read_bytes()
    assert _run(*words) == 0
    assert out.read_bytes() == first


def test_plain_queries_are_those_of_the_hour_in_which_their_run_began(tmp_path: Path) -> None:
    path, out = tmp_path / "q.txt", tmp_path / "r.json"
    path.write_text("harrowmere ferry fares\n")
    words = ["news", "run", "--queries", str(path), "--out", str(out), "--now"]
    assert _run(*words, "2026-11-15T10:59Z") == 0
    first, searches = out.read_bytes(), (tmp_path / "r.json.work/searches.jsonl").read_bytes()
    assert _run(*words, "2026-11-15T11:01Z") == 0
    assert out.read_bytes() == first
    assert (tmp_path / "r.json.work/searches.jsonl").read_bytes() == searches


def test_the_rows_of_a_run_carry_the_minute_of_its_folder_however_long_the_harvest_took(
    tmp_path: Path,
) -> None:
    work = tmp_path / "d/batches/2026-11-15T1017Z-news"
    work.mkdir(parents=True)
    query = "harrowmere ferry fares"
    row = text_query(query, parse_time(NOW))
    (work / "queries.jsonl").write_bytes(encode_queries([row]))
    words = ["news", "--data", str(tmp_path / "d"), "--resume", "--now", "2026-11-15T10:19Z"]
    assert _run(*words) == 0
    rows = (tmp_path / "d/history.jsonl").read_text().splitlines()
    assert len(rows) == 4
    assert all('"ts":"2026-11-15T10:17Z"' in line for line in rows)


@pytest.mark.parametrize("folder", ["d/batches/2026-11-15T1017Z-news", "r.json.work"])
def test_a_folder_of_answers_is_for_one_process_at_a_time(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "q.txt"
    path.write_text("harrowmere ferry fares\n")
    stages = {
        "d": ["news", "--data", str(tmp_path / "d"), "--limit", "3"],
        "r": ["news", "run", "--queries", str(path), "--out", str(tmp_path / "r.json")],
    }
    words = [*stages[folder[0]], "--now", "2026-11-15T10:17Z"]
    with exclusive(tmp_path / folder / ".lock"):
        assert _run(*words) == 2
        assert f"another process works in {tmp_path / folder}" in capsys.readouterr().err
    assert _run(*words) == 0


def test_other_engines_for_a_run_already_begun_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["news", "--data", str(tmp_path / "d"), "--now", NOW, "--limit", "3"]
    assert _run(*words, "--engines", "local-bm25,local-dense") == 0
    history = (tmp_path / "d/history.jsonl").read_bytes()
    assert _run(*words) == 2
    assert "engines=['local-bm25', 'local-dense']" in capsys.readouterr().err
    assert (tmp_path / "d/history.jsonl").read_bytes() == history
    assert _run(*words, "--engines", "local-dense,local-bm25") == 0


@pytest.mark.parametrize("site", ["file", "file/below", "foreign", ".", "d"])
def test_a_place_where_no_site_can_be_is_told_before_anything_is_asked(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign/mine").write_text("mine")
    assert _run("news", "--data", str(tmp_path / "d"), "--site", str(tmp_path / site)) == 2
    assert "site folder" in capsys.readouterr().err
    assert not (tmp_path / "d").exists()
    assert (tmp_path / "file").read_text() == (tmp_path / "foreign/mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["news", "--data", "file"], "--data file is a file"),
        (["news", "generate", "--out", "folder"], "--out folder is a folder"),
        (["news", "run", "--queries", "file", "--out", "folder"], "--out folder is a folder"),
    ],
)
def test_a_place_of_the_wrong_kind_is_told_before_anything_is_asked(
    words: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("harrowmere ferry fares\n")
    (tmp_path / "folder").mkdir()
    assert _run(*words) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"needle: {named}; name a {'folder' if 'is a file' in named else 'file'}"
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize(
    ("redirect", "code", "said"),
    [(">/dev/full", 1, "needle: the output: No space left on device"), (">&-", 0, None)],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_that_takes_nothing_is_one_line_and_no_traceback(
    redirect: str, code: int, said: str | None, tmp_path: Path
) -> None:
    queries = tmp_path / "q.txt"
    queries.write_text("harrowmere ferry fares\n")
    command = f'"$0" -m runner news run --queries "$1" --now {NOW} {redirect}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(queries)],
        capture_output=True,
        text=True,
        check=False,
        env=OFFLINE,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("needle")] == (
        [said] if said else []
    )


def test_a_budget_needs_a_service_that_says_its_prices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {"NEEDLE_LLM_BASE_URL": "https://models.example/v1", "NEEDLE_LLM_API_KEY": "k" * 20}
    assert _run("news", "--max-usd", "1", "--data", str(tmp_path), environ=other) == 2
    assert "only OpenRouter says it" in capsys.readouterr().err
    free = ("news", "--profile", "embedded", "--max-usd", "1", "--dry-run")
    assert _run(*free, "--data", str(tmp_path), environ=other) == 0


def test_resume_without_anything_to_resume_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("news", "--resume", "--data", str(tmp_path)) == 2
    assert "no unfinished news run" in capsys.readouterr().err


def test_a_run_that_failed_before_its_first_answer_does_not_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["news", "--data", str(tmp_path / "d")]
    assert _run(*words, "--feeds", str(tmp_path / "nowhere.toml"), "--now", NOW) == 2
    assert _run(*words, "--resume") == 2
    assert "no unfinished news run" in capsys.readouterr().err
    assert _run(*words, "--dry-run") == 0
    assert "unfinished" not in capsys.readouterr().err


def test_a_dry_run_says_what_it_would_cost_and_touches_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    words = ["news", "--dry-run", "--data", str(data), "--engines", "keenable,exa"]
    assert _run(*words, environ=KEYS) == 0
    error = capsys.readouterr().err
    assert "20 queries x 2 engines = 40 searches (about 0.18 USD" in error
    assert not data.exists()


def test_too_few_queries_end_with_3_and_name_the_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "feeds"
    folder.mkdir()
    (folder / "a.xml").write_text("<rss><channel></channel></rss>")
    assert _run("news", "--feeds-dir", str(folder), "--data", str(tmp_path / "d")) == 3
    assert "only 0 news queries" in capsys.readouterr().err
    assert not (tmp_path / "d/history.jsonl").exists()


def test_help_needs_no_heavy_module() -> None:
    code = (
        "import sys, runner.cli\n"
        "try: runner.cli.main(['news', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'httpx', 'numpy', 'msgspec', 'jinja2', 'rich', 'tantivy', 'asyncio'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_goes_away_is_no_crash() -> None:
    code = "from runner.cli import main; import sys; sys.exit(main(['news', '--help']))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    error = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert b"Traceback" not in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["news"], "the command with --resume goes on"),
        (["news", "run", "--queries", "q", "--out", "r.json"], "the same command goes on"),
        (["news", "run", "--queries", "q"], "nothing is kept with --out -"),
        (["news", "generate"], "needle: interrupted\n"),
    ],
)
def test_an_interrupt_says_what_is_kept(
    words: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from runner import commands

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    for name in ("run_batch", "run_run", "run_generate"):
        monkeypatch.setattr(commands, name, interrupted)
    assert _run(*words) == 130
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("stage", [["generate"], ["run", "--queries", "q.jsonl"]])
def test_an_output_that_cannot_be_is_told_before_the_work(
    stage: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["news", *stage, "--out", "/dev/null/q.jsonl"], {}) == 2
    assert "/dev/null cannot be written to; name another place" in capfd.readouterr().err
