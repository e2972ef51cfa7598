"""The filter as a whole: equal output for equal rows, an account of all, little in memory."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare.filtering.examine import Examiner
from runner.benches.agentic_rare.filtering.pipeline import DROPS, Account, Filter
from runner.benches.agentic_rare.filtering.stream import Batch, read_stream

STARTS = "install repair buy return sell paint clean lift wash open close move".split()
RARE = "qgrepwyzk vx730qtz snorvexylite thrumboqlyte frobnicetylene blorqentix zylkornavent".split()
ENDS = [
    "at home",
    "in the kitchen",
    "with a friend",
    "before winter",
    "on a budget without any help",
    "",
]
PLAIN = ["blue whale migration", "see www.a.com now", "hello", "матрас купить", None, "z" * 300]


def stream_rows(n: int) -> list[dict[str, Any]]:
    rng = random.Random(4)
    rows: list[dict[str, Any]] = []
    for i in range(n):
        query: str | None = rng.choice(PLAIN)
        if rng.random() < 0.6:
            query = " ".join([rng.choice(STARTS), rng.choice(RARE), rng.choice(ENDS)]).strip()
        rows.append({"query_text": query, "source": f"s{i % 3}", "metadata": {"session_id": i}})
    return rows


def run(examiner: Examiner, path: Path, out: Path, **options: Any) -> tuple[Account, list[Any]]:
    batch_rows = options.pop("batch_rows", 4096)
    group_rows = options.pop("group_rows", 10_000)
    rare = Filter(examiner, out.parent, **options)
    try:
        rare.take(read_stream(path, "query_text", batch_rows))
        account = rare.write(out, group_rows)
    finally:
        rare.close()
    return account, pq.read_table(out).to_pylist() if out.exists() else []


def test_equal_rows_give_equal_bytes_whatever_the_row_groups(
    examiner: Examiner, tmp_path: Path
) -> None:
    rows = stream_rows(600)
    outputs = set()
    accounts = []
    for row_group_size, batch_rows in [(1, 4096), (7, 5), (100, 1), (600, 64), (600, 4096)]:
        path = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=row_group_size)
        out = tmp_path / f"{row_group_size}-{batch_rows}.parquet"
        account, _ = run(examiner, path, out, batch_rows=batch_rows)
        accounts.append(account)
        outputs.add(out.read_bytes())
    lines = tmp_path / "in.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    account, _ = run(examiner, lines, tmp_path / "jsonl.parquet", batch_rows=33)
    outputs.add((tmp_path / "jsonl.parquet").read_bytes())
    assert len(outputs) == 1
    assert all(other == account for other in accounts)
    assert account.read == 600
    assert account.num_kept + sum(account.dropped.values()) == 600


def test_the_rows_are_the_same_whatever_the_row_groups_of_the_output(
    examiner: Examiner, tmp_path: Path
) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(stream_rows(300)), path)
    kept = [
        run(examiner, path, tmp_path / f"{rows}.parquet", group_rows=rows)[1]
        for rows in (1, 7, 10_000)
    ]
    assert kept[0] == kept[1] == kept[2]
    assert pq.ParquetFile(tmp_path / "7.parquet").metadata.row_group(0).num_rows == 7


def test_each_row_is_counted_under_its_first_reason(examiner: Examiner, tmp_path: Path) -> None:
    lines = [
        '{"query_text": ""}',
        '{"query_text": "http://a.com матрас"}',
        '{"query_text": "http://a.com blue"}',
        '{"query_text": "qgrepwyzk"}',
        '{"query_text": "матрас купить"}',
        '{"query_text": "' + "z" * 41 + ' матрас"}',
        '{"query_text": "' + "z" * 41 + ' plugin"}',
        '{"query_text": "blue whale migration"}',
        '{"query_text": "blaue wale wandern im meer"}',
        '{"query_text": "wo kann ich eine snorvexylite matratze kaufen"}',
        "{broken",
        '{"query_text": "buy a snorvexylite mattress"}',
        '{"query_text": "Buy a  snorvexylite mattress"}',
        '{"query_text": "buy a snorvexylite pillow"}',
        '{"query_text": "buy a snorvexylite blanket"}',
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    account, rows = run(examiner, path, tmp_path / "out.parquet")
    assert account.dropped == {
        "unreadable": 1,
        "bad_length": 1,
        "urlish": 2,
        "too_few_words": 1,
        "ineligible": 2,
        "long_word": 1,
        "no_rare_word": 2,
        "non_english": 1,
        "duplicate": 1,
        "ngram_cap": 1,
    }
    assert tuple(account.dropped) == DROPS
    assert account.read == 15
    assert account.kept == {"medium": 2}
    assert [row["query_text"] for row in rows] == [
        "buy a snorvexylite mattress",
        "buy a snorvexylite pillow",
    ]
    assert account.lines() == [
        "15 rows read, 2 kept (medium 2)",
        "  left out: unreadable 1, bad_length 1, urlish 2, too_few_words 1, ineligible 2, "
        "long_word 1, no_rare_word 2, non_english 1, duplicate 1, ngram_cap 1",
    ]


def test_the_order_is_that_of_bucket_then_pieces_then_stream(
    examiner: Examiner, tmp_path: Path
) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(stream_rows(400)), path)
    _, rows = run(examiner, path, tmp_path / "out.parquet")
    keys = [(row["length_bucket"], -row["max_pieces"]) for row in rows]
    assert keys == sorted(keys)
    assert {row["length_bucket"] for row in rows} == {"short", "medium", "long"}
    places = [
        (*key, json.loads(row["metadata"])["session_id"])
        for key, row in zip(keys, rows, strict=True)
    ]
    assert places == sorted(places)


def test_nested_values_are_json_texts_and_plain_ones_stay(
    examiner: Examiner, tmp_path: Path
) -> None:
    moment = datetime(2026, 11, 3, 15, tzinfo=UTC)
    row = {
        "query": "buy a snorvexylite mattress",
        "source": "stream_a",
        "metadata": {"z": 1, "a": ["x"]},
        "when": moment,
        "rank": 3,
        "share": 0.5,
        "is_new": True,
        "nothing": None,
        "length_bucket": "wrong",
        "max_pieces": -1,
    }
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist([row]), path)
    _, [kept] = run(examiner, path, tmp_path / "out.parquet")
    assert next(iter(kept)) == "query_text"
    assert list(kept)[-4:] == ["length_bucket", "n_words", "hard_words", "max_pieces"]
    assert kept == {
        "query_text": "buy a snorvexylite mattress",
        "source": "stream_a",
        "metadata": '{"a":["x"],"z":1}',
        "when": kept["when"],
        "rank": 3,
        "share": 0.5,
        "is_new": True,
        "nothing": None,
        "length_bucket": "medium",
        "n_words": 4,
        "hard_words": kept["hard_words"],
        "max_pieces": 5,
    }
    assert datetime.fromisoformat(json.loads(kept["when"])) == moment
    [hard] = json.loads(kept["hard_words"])
    assert hard["word"] == "snorvexylite"
    assert len(hard["subwords"]) == 5


def test_the_query_stands_in_its_own_column_whatever_that_held(
    examiner: Examiner, tmp_path: Path
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(
        '{"q": " buy a  snorvexylite bed ", "query_text": "other", "n_words": "x"}\n',
        encoding="utf-8",
    )
    rare = Filter(examiner, tmp_path)
    rare.take(read_stream(path, "q"))
    rare.write(tmp_path / "out.parquet")
    rare.close()
    [row] = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["query_text"], row["n_words"]) == ("buy a snorvexylite bed", 4)


def test_columns_of_mixed_kinds_become_texts(examiner: Examiner, tmp_path: Path) -> None:
    lines = [
        {"query_text": "buy a snorvexylite mattress", "a": 1, "b": 1, "c": 2**70, "source": "x"},
        {"query_text": "the vx730qtz battery", "a": 1.5, "b": "x", "d": [2**70], "source": None},
        {"query_text": "what is thrumboqlyte", "b": {"k": None}, "d": True, "query_text2": 1},
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    _, rows = run(examiner, path, tmp_path / "out.parquet")
    by_text = {row["query_text"]: row for row in rows}
    a, b, c = (by_text[str(line["query_text"])] for line in lines)
    assert [row["a"] for row in (a, b, c)] == [1.0, 1.5, None]
    assert [row["b"] for row in (a, b, c)] == ["1", "x", '{"k":null}']
    assert [row["c"] for row in (a, b, c)] == [str(2**70), None, None]
    assert [row["d"] for row in (a, b, c)] == [None, f"[{2**70}]", "true"]
    assert [row["source"] for row in (a, b, c)] == ["x", None, None]


def test_a_filtered_file_is_filtered_to_itself(examiner: Examiner, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(stream_rows(200)), path)
    run(examiner, path, tmp_path / "once.parquet")
    account, _ = run(examiner, tmp_path / "once.parquet", tmp_path / "twice.parquet")
    assert sum(account.dropped.values()) == 0
    assert (tmp_path / "once.parquet").read_bytes() == (tmp_path / "twice.parquet").read_bytes()


def test_nothing_is_written_where_nothing_is_left(examiner: Examiner, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"query_text": "blue whale migration"}\n', encoding="utf-8")
    account, _ = run(examiner, path, tmp_path / "out.parquet")
    assert account.num_kept == 0
    assert account.lines()[0] == "1 rows read, 0 kept (none)"
    assert not (tmp_path / "out.parquet").exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.jsonl"]


@pytest.mark.parametrize("at_most", [1, 3])
def test_the_cap_is_where_it_is_set(examiner: Examiner, tmp_path: Path, at_most: int) -> None:
    names = ["ferry", "garden", "window", "river", "market"]
    path = tmp_path / "in.jsonl"
    path.write_text(
        "".join(f'{{"query": "buy a snorvexylite {name}"}}\n' for name in names), encoding="utf-8"
    )
    account, _ = run(examiner, path, tmp_path / "out.parquet", at_most=at_most)
    assert account.num_kept == at_most


def test_rows_that_fail_leave_nothing_in_memory(examiner: Examiner, tmp_path: Path) -> None:
    asked: list[int] = []

    def others(places: Any) -> list[dict[str, Any]]:
        asked.extend(places)
        return [{} for _ in places]

    rare = Filter(examiner, tmp_path)
    batch = Batch(["blue whale migration"] * 500 + ["buy a snorvexylite mattress"], others)
    rare.take(batch for _ in range(3))
    assert asked == [500, 500, 500]
    assert len(rare._prints.pieces) == len(rare._lengths) == 3
    account = rare.write(tmp_path / "out.parquet")
    rare.close()
    assert (account.read, account.num_kept, account.dropped["duplicate"]) == (1503, 1, 2)
