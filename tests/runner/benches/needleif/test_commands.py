"""The command line of needleif: every stage, its files, its one-line errors and exit codes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from runner.benches.needleif.asking import manifest_path
from runner.cli import main
from tests.fakes import FakeWorld
from tests.fakes.faults import Fault

KEYS = {name: f"fake-{name}" for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")}


def needle(*words: str | Path, **environ: str) -> int:
    return main(["needleif", *map(str, words)], environ, lambda _: asyncio.sleep(0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small data set."""
    assert needle("generate", "--config", "smoke", "--out", tmp_path / "set") == 0
    return tmp_path / "set"


def asked(folder: Path, name: str = "follower") -> Path:
    out = folder.parent / f"{name}.jsonl"
    model = f"embedded:{name}"
    assert needle("run", "--records", folder / "test.jsonl", "--out", out, "--model", model) == 0
    return out


def scored(folder: Path, name: str) -> Path:
    summary = folder.parent / f"{name}.json"
    words = ("--records", folder / "test.jsonl", "--responses", asked(folder, name))
    assert needle("score", *words, "--out-summary", summary) == 0
    return summary


def test_generate_writes_the_splits_and_check_tells_whether_they_still_come_out(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["manifest.json", "test.jsonl", "train.jsonl", "val.jsonl"]
    words = ("generate", "--config", "smoke", "--out", folder, "--check")
    assert needle(*words) == 0
    assert needle(*words, "--seed", "7") == 1
    (folder / "val.jsonl").write_text("")
    capfd.readouterr()
    assert needle(*words) == 1
    assert f"needle: {folder / 'val.jsonl'} would come out otherwise" in capfd.readouterr().err


def test_run_score_and_table_compare_the_two_references(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    summaries = [scored(folder, name) for name in ("tail-copier", "follower")]
    capfd.readouterr()
    assert needle("table", *summaries) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:4]] == [
        "| embedded/follower",
        "| embedded/tail-copier",
    ]
    assert needle("table", *summaries, "--format", "json") == 0
    assert [row["model"] for row in json.loads(capfd.readouterr().out)] == [
        "embedded/follower",
        "embedded/tail-copier",
    ]


def test_score_writes_verdicts_and_more_ks_and_says_what_is_missing(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answers = asked(folder)
    kept = answers.read_text().splitlines()
    answers.write_text("\n".join(kept[1:]) + "\n")
    words = ("score", "--records", folder / "test.jsonl", "--responses", answers)
    results, summary = tmp_path / "results.jsonl", tmp_path / "summary.json"
    outs = ("--out-results", results, "--out-summary", summary)
    capfd.readouterr()
    assert needle(*words, *outs, "--pass-at", "1,2") == 0
    assert "11 of 12 records have an answer; 1 pairs are left out" in capfd.readouterr().err
    assert len(results.read_text().splitlines()) == 12
    found = json.loads(summary.read_bytes())
    assert (found["pairs"], found["missing"]) == (5, 1)
    assert set(found["overall"]["loose"]) == {"pass@1", "pass@2", "instruction_level"}
    assert needle(*words, *outs, "--missing", "fail") == 0
    assert json.loads(summary.read_bytes())["pairs"] == 6


def test_attached_turns_pass_their_own_score_and_a_changed_one_does_not(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "train.filled.jsonl"
    words = ("run", "--attach", "--records", folder / "train.jsonl", "--out", out)
    code = needle(*words, "--model", "embedded:follower", "--drop-unfilled")
    unfilled = capfd.readouterr().err.count("has none")
    assert code == (1 if unfilled else 0)
    score = ("score", "--records", out, "--self", "--out-summary", tmp_path / "s.json")
    assert needle(*score) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    rows[0]["messages"][1]["content"] = " "
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert needle(*score) == 1
    assert "do not pass their strict checks" in capfd.readouterr().err


def test_test_records_get_no_turns(folder: Path, tmp_path: Path) -> None:
    words = ("run", "--attach", "--records", folder / "test.jsonl", "--out", tmp_path / "o.jsonl")
    assert needle(*words, "--model", "embedded:follower") == 2
    assert not (tmp_path / "o.jsonl").exists()


def test_stats_counts_the_splits_and_fails_on_a_broken_invariant(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [folder / f"{split}.jsonl" for split in ("test", "train", "val")]
    capfd.readouterr()
    assert needle("stats", *files) == 0
    stats = json.loads(capfd.readouterr().out)
    assert {name: split["pairs"] for name, split in stats["splits"].items()} == {
        "test": 6,
        "train": 6,
        "val": 6,
    }
    row = json.loads(files[0].read_text().splitlines()[1])
    row["metadata"]["needle_char_offset"] += 1
    files[0].write_text(json.dumps(row) + "\n")
    assert needle("stats", files[0]) == 1
    assert "needle: " in capfd.readouterr().err


def test_a_dry_push_lists_files_and_card_and_needs_no_token(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for split in ("train", "val"):
        records = folder / f"{split}.jsonl"
        filled = folder / f"{split}.filled.jsonl"
        words = ("run", "--attach", "--records", records, "--out", filled, "--drop-unfilled")
        needle(*words, "--model", "embedded:follower")
    capfd.readouterr()
    code = needle("push", folder, "--repo", "somebody/needleif", "--dry-run")
    shown = capfd.readouterr()
    if code == 0:
        assert "data/full/test.jsonl" in shown.out
        assert "license: apache-2.0" in shown.out
    else:  # the reference could not fill every pair
        assert "is not pushed" in shown.err
    assert needle("push", folder, "--repo", "somebody/needleif") == 2
    assert "HF_TOKEN" in capfd.readouterr().err


def test_answers_through_a_vendor_are_asked_again_after_a_failure(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld(faults=[Fault(kind="status", status=400, times=2)]) as world:
        out = tmp_path / "a.jsonl"
        words = ("run", "--records", folder / "test.jsonl", "--out", out, "--model", "openai:gpt-4")
        environ = {"NEEDLE_GATEWAY": world.url, **KEYS}
        assert needle(*words, "--samples", "2", "--limit", "2", **environ) == 1
        assert "2 records have no answer" in capfd.readouterr().err
        assert needle(*words, "--samples", "2", "--limit", "2", **environ) == 0
        assert {call.json["temperature"] for call in world.calls} == {0.7}
        assert json.loads(manifest_path(out).read_bytes())["temperature"] == 0.7
        for path in tmp_path.rglob("*"):
            assert path.is_dir() or b"fake-" not in path.read_bytes()


def test_run_says_how_much_it_asks_first_and_a_dry_run_asks_nothing(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = (folder / "test.jsonl").read_text().splitlines()
    tokens = sum(json.loads(line)["metadata"]["total_prompt_tokens"] for line in lines)
    words = ("run", "--records", folder / "test.jsonl", "--out", tmp_path / "a.jsonl")
    words = (*words, "--model", "openai:gpt-4")
    capfd.readouterr()
    with FakeWorld() as world:
        environ = {"NEEDLE_GATEWAY": world.url, **KEYS}
        assert needle(*words, "--dry-run", **environ) == 0
        said = f"openai/gpt-4: 12 requests, about {tokens:,} tokens in and at most 3,072 out"
        assert capfd.readouterr().err.strip() == said
        assert world.calls == []
        assert not (tmp_path / "a.jsonl").exists()
        assert needle(*words, "--limit", "2", **environ) == 0
        assert "openai/gpt-4: 4 requests, about" in capfd.readouterr().err.splitlines()[0]
        assert needle(*words, "--dry-run", **environ) == 0
        assert "8 requests" in (said := capfd.readouterr().err)
        assert "4 records are answered already" in said
        assert world.billed() == 4
    attach = ("run", "--attach", "--records", folder / "train.jsonl", "--out", tmp_path / "t.jsonl")
    assert needle(*attach, "--model", "embedded:follower", "--attempts", "3", "--dry-run") == 0
    assert "up to embedded/follower: 18 requests" in capfd.readouterr().err
    assert not (tmp_path / "t.jsonl").exists()


RUN = ("run", "--records", "{test}", "--out", "{out}", "--model")
TO = ("--out", "{out}", "--model", "embedded:follower")
GENERATE = ("generate", "--out", "{out}", "--config", "smoke")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((*RUN, "anthropic:claude"), "ANTHROPIC_API_KEY is not set"),
        ((*RUN, "claude"), "expected anthropic:MODEL"),
        ((*RUN, "embedded:x"), "known are follower, tail-copier"),
        ((*RUN, "openai:x", "--extra-body", "{"), "--extra-body is no JSON"),
        ((*RUN, "openai:x", "--extra-body", "[]"), "must be a JSON object"),
        ((*RUN, "openai:x", "--base-url", "http://far.example"), "--base-url"),
        ((*RUN, "embedded:follower", "--conditions", "bare,x"), "known are bare, haystack"),
        ((*RUN, "embedded:follower", "--temperature", "3"), "not from 0 to 2"),
        (
            (*RUN, "embedded:follower", "--samples", "2", "--temperature", "0"),
            "raise --temperature",
        ),
        (("run", "--records", "no.jsonl", "--out", "{out}", "--model", "embedded:follower"), "no"),
        (("score", "--records", "{test}"), "--responses A or --self"),
        (("score", "--records", "{test}", "--self", "--responses", "x"), "--self"),
        (("score", "--records", "no.jsonl", "--self"), "no.jsonl: cannot be read"),
        (("score", "--records", "{test}", "--self", "--pass-at", "0"), "--pass-at '0'"),
        (("score", "--records", "{broken}", "--self"), "broken.jsonl:1: not a line of JSON"),
        (("stats", "{broken}"), "broken.jsonl:1"),
        (("table", "{broken}"), "not a summary"),
        (("generate", "--out", "{out}", "--config", "no.toml"), "no.toml: cannot be read"),
        (("generate", "--out", "{out}", "--config", "{broken}"), "neither TOML nor JSON"),
        ((*GENERATE, "--needles", "no.jsonl"), "no.jsonl: cannot be read"),
        ((*GENERATE, "--needles", "{broken}"), "broken.jsonl:1: no JSON object"),
        ((*GENERATE, "--needles", "{odd}"), "odd.jsonl:1: key must be a whole number"),
        (("run", "--records", "{broken}", *TO), "broken.jsonl:1: not a record"),
        (("run", "--records", "{odd}", *TO), "odd.jsonl:1: not a record"),
        (("run", "--attach", "--records", "{broken}", *TO), "broken.jsonl:1: not a record"),
        (("run", "--attach", "--records", "{test}", *TO), "which gets no turn"),
        (("run", "--records", "{test}", "--out", "{odd}", *TO[2:]), "does not say of which run"),
        ((*RUN, "openai:x", "--max-usd", "1"), "--max-usd needs a model that says what it costs"),
        (("score", "--records", "{odd}", "--self"), "odd.jsonl:1: record x: expected metadata"),
        (("score", "--records", "{test}", "--responses", "{odd}"), "odd.jsonl:1: unknown id 'x'"),
        (("table", "{odd}"), "odd.jsonl: expected a summary of schema version"),
        (("table", "{hollow}"), "hollow.json: a summary without what a table needs"),
        (("publish", "--report", "no.json", "--data", "{out}"), "no.json: cannot be read"),
        (("publish", "--report", "{odd}", "--data", "{out}"), "not a report of needleif"),
        (("--config", "no.toml", "--data", "{out}"), "no.toml: cannot be read"),
        (("--needles", "{broken}", "--data", "{out}"), "broken.jsonl:1"),
        (("generate", "--out", "{out}", "--config", "smoke", "--haystack", "x"), "programmatic"),
        (
            ("generate", "--out", "{out}", "--config", "smoke", "--pg19-cache", "d"),
            "for the haystack pg19",
        ),
        (("generate", "--out", "{out}", "--config", "smoke", "--tokenizer", "x"), "tokenizer"),
        (("push", "{folder}", "--repo", "x", "--dry-run"), "OWNER/NAME"),
        (("--models", "openai:x", "--data", "{out}"), "--profile live"),
        (("--models", "embedded:follower,embedded:follower", "--data", "{out}"), "once"),
    ],
)
def test_wrong_use_is_one_line_with_exit_code_2(
    words: tuple[str, ...],
    problem: str,
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "broken.jsonl").write_text("{\n")
    (tmp_path / "odd.jsonl").write_text('{"id": "x", "response": ""}\n')
    (tmp_path / "hollow.json").write_text('{"schema_version": 1, "records_sha256": ""}')
    places = {
        "test": folder / "test.jsonl",
        "out": tmp_path / "out",
        "broken": tmp_path / "broken.jsonl",
        "odd": tmp_path / "odd.jsonl",
        "hollow": tmp_path / "hollow.json",
        "folder": folder,
    }
    capfd.readouterr()
    try:
        code = needle(*(word.format(**places) if word[0] == "{" and len(word) > 2 and word != "[]"
                        else word for word in words))  # fmt: skip
    except SystemExit as stop:  # argparse
        code = int(str(stop.code))
    error = capfd.readouterr().err
    # how much is going to be asked may have been said already
    [line] = [each for each in error.splitlines() if " requests, about " not in each]
    assert problem in line
    assert code == 2


def test_scoring_imports_the_standard_library_alone(folder: Path) -> None:
    """Whatever is not part of Python or of this project cannot be imported while it scores."""
    summary, answers = scored(folder, "follower"), folder.parent / "follower.jsonl"
    code = (
        "import sys\n"
        "class Wall:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        top = name.partition('.')[0]\n"
        "        if top != 'runner' and top not in sys.stdlib_module_names:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Wall())\n"
        "from runner.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    records = str(folder / "test.jsonl")
    for words in (
        ["score", "--records", records, "--responses", str(answers)],
        ["stats", records],
        ["table", str(summary), "--format", "json"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, "needleif", *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)
