"""The stage `filter` as somebody starts it: flags, files, the hub, errors."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare.filter_command import run_filter
from runner.benches.agentic_rare.flags import EXTRA_STAGES, model_purpose
from runner.benches.agentic_rare.rows import read_artifact
from runner.edge import Edge
from runner.errors import DataError, NeedleError, PublishError, TooLittleError, UsageError
from tests.runner.benches.agentic_rare.hub_server import STREAM, VOCABULARY, hub

QUERIES = [
    "install qgrepwyzk plugin offline",
    "blue whale migration",
    "the vx730qtz battery replacement for sale",
    "wo kann ich eine snorvexylite matratze kaufen",
    "thrumboqlyte spec",
]


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    stages = parser.add_subparsers(parser_class=argparse.ArgumentParser)
    for add_stage in EXTRA_STAGES:
        add_stage(stages)
    return parser.parse_args(["filter", *words])


def run(*words: str, env: dict[str, str] | None = None) -> int:
    return run_filter(parsed(*words), Edge(env or {}, lambda _: asyncio.sleep(0)))


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "queries.parquet"
    pq.write_table(pa.table({"query_text": QUERIES, "source": ["a"] * len(QUERIES)}), path)
    return path


def texts(path: Path) -> list[str]:
    return [row.query_text for row in read_artifact(path.read_bytes())[0]]


def test_the_flags_have_their_values() -> None:
    args = parsed("--out", "x.parquet")
    assert vars(args) == {
        "command": "run_filter",
        "queries": None,
        "out": "x.parquet",
        "dataset": None,
        "stream_path": "agentic/queries.parquet",
        "query_field": "query_text",
        "min_words": 2,
        "max_query_len": 200,
        "max_word_len": 40,
        "subword_threshold": 5,
        "dedup_ngram": 3,
        "dedup_max": 2,
        "any_language": False,
        "vocab": None,
        "source_cache": None,
        "row_group_size": 10_000,
    }
    assert model_purpose(args) is None


def test_a_stream_becomes_an_artifact(
    stream: Path, vocabulary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "rare_entity.parquet"
    words = ("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary))
    assert run(*words) == 0
    assert texts(out) == [QUERIES[2], QUERIES[0], QUERIES[4]]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "5 rows read, 3 kept (long 1, medium 1, short 1)\n"
        "  left out: no_rare_word 1, non_english 1\n"
    )
    assert [path.name for path in out.parent.iterdir()] == ["rare_entity.parquet"]
    before = out.read_bytes()
    assert run(*words, "--row-group-size", "3") == 0
    assert texts(out) == [QUERIES[2], QUERIES[0], QUERIES[4]]
    assert run(*words) == 0
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (("--any-language",), {0, 2, 3, 4}),
        (("--min-words", "3"), {0, 2}),
        (("--subword-threshold", "6"), {0, 2}),
        (("--max-query-len", "20"), {4}),
        (("--max-word-len", "11"), {0, 2}),
        (("--query-field", "source_text"), {0, 2, 4}),
    ],
)
def test_each_flag_has_its_effect(
    stream: Path, vocabulary: Path, tmp_path: Path, flags: tuple[str, ...], kept: set[int]
) -> None:
    out = tmp_path / "out.parquet"
    run("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary), *flags)
    assert set(texts(out)) == {QUERIES[number] for number in kept}


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        ((), 2),
        (("--dedup-max", "1"), 1),
        (("--dedup-max", "3"), 3),
        (("--dedup-ngram", "4"), 3),
        (("--dedup-ngram", "2", "--dedup-max", "1"), 1),
    ],
)
def test_the_cap_on_shared_runs_has_its_flags(
    vocabulary: Path, tmp_path: Path, flags: tuple[str, ...], kept: int
) -> None:
    stream, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    lines = [f'{{"query": "buy a snorvexylite {name}"}}\n' for name in ("bed", "chair", "table")]
    stream.write_text("".join(lines), encoding="utf-8")
    run("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary), *flags)
    assert len(texts(out)) == kept


def test_without_files_stream_and_vocabulary_are_the_hubs(
    stream: Path, vocabulary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, cache = tmp_path / "out.parquet", tmp_path / "cache"
    words = ("--out", str(out), "--source-cache", str(cache))
    files = {STREAM: stream.read_bytes(), VOCABULARY: vocabulary.read_bytes()}
    with hub(files) as served:
        env = {"NEEDLE_GATEWAY": served.url}
        assert run(*words, env=env) == 0
        assert served.asked == [VOCABULARY, STREAM]
        served.files.clear()
        served.asked.clear()
        capsys.readouterr()
        assert run(*words, env=env) == 0
        assert served.asked == [STREAM]  # the vocabulary never changes
    assert capsys.readouterr().err.startswith("the stream of before: huggingface.co/datasets/")
    assert len(texts(out)) == 3


def test_a_hub_without_the_files_is_an_error_that_says_the_way_on(
    stream: Path, vocabulary: Path, tmp_path: Path
) -> None:
    words = ("--out", str(tmp_path / "out.parquet"), "--source-cache", str(tmp_path / "cache"))
    with hub({}) as served:
        env = {"NEEDLE_GATEWAY": served.url}
        with pytest.raises(DataError, match=r"no vocabulary .*HTTP 404.*--vocab"):
            run(*words, "--queries", str(stream), env=env)
        with pytest.raises(DataError, match=r"no queries loaded .*HTTP 404.*--queries"):
            run(*words, "--vocab", str(vocabulary), env=env)
        served.files[STREAM] = b"<!doctype html>"
        with pytest.raises(DataError, match="a page, not rows"):
            run(*words, "--vocab", str(vocabulary), env=env)


def test_where_no_query_is_left_the_old_file_stays(vocabulary: Path, tmp_path: Path) -> None:
    stream, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    stream.write_text('{"query": "blue whale migration"}\n', encoding="utf-8")
    out.write_bytes(b"the old one")
    with pytest.raises(
        TooLittleError, match=r"no rare query; 1 rows read, 0 kept .*no_rare_word 1"
    ):
        run("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary))
    assert out.read_bytes() == b"the old one"


def test_a_stream_that_breaks_off_leaves_the_old_file(
    stream: Path, vocabulary: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    out.write_bytes(b"the old one")
    data = stream.read_bytes()
    stream.write_bytes(data[:10] + bytes(len(data) - 400) + data[-390:])
    with pytest.raises(NeedleError, match=r"queries\.parquet"):
        run("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary))
    assert out.read_bytes() == b"the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet", "queries.parquet"]


@pytest.mark.parametrize("vocab", [b"the\n##s\n", b""])
def test_another_file_is_no_vocabulary(stream: Path, tmp_path: Path, vocab: bytes) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(vocab)
    words = ("--queries", str(stream), "--out", str(tmp_path / "o"), "--vocab")
    with pytest.raises(DataError, match=r"vocab\.txt: not a vocabulary"):
        run(*words, str(path))
    with pytest.raises(DataError, match=r"none\.txt: cannot be read"):
        run(*words, str(tmp_path / "none.txt"))


def test_parquet_goes_to_a_file(stream: Path, tmp_path: Path) -> None:
    for out in ("-", str(tmp_path)):
        with pytest.raises(UsageError, match="name one"):
            run("--queries", str(stream), "--out", out)


def test_a_place_that_cannot_be_written_is_named(
    stream: Path, vocabulary: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    out = tmp_path / "file" / "out.parquet"
    with pytest.raises(PublishError, match="file: cannot be written"):
        run("--queries", str(stream), "--out", str(out), "--vocab", str(vocabulary))


@pytest.mark.parametrize("repo", ["nobody", "a/b/c", "../x"])
def test_a_dataset_that_can_be_none_is_wrong_use(
    vocabulary: Path, tmp_path: Path, repo: str
) -> None:
    with pytest.raises(UsageError, match="no repository"):
        run("--out", str(tmp_path / "o"), "--vocab", str(vocabulary), "--dataset", repo)
