"""Every rule of the records, over small and full grids of each provider and tokenizer.

The rules are checked here from the lines alone, with none of the code that wrote them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from runner.benches.needleif.config import FULL, SMOKE, Config
from runner.benches.needleif.draw import generator
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.programmatic import prose
from runner.benches.needleif.prose import paragraphs
from runner.benches.needleif.stats import dataset_stats
from tests.runner.benches.needleif.sources import (
    BOOKS,
    IFEVAL,
    NEEDLES,
    needs_shared,
    write_texts,
)

SPLITS = ("test", "train", "val")
BEGIN, END = "----- BEGIN DOCUMENT -----", "----- END DOCUMENT -----"
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<{{ m.role }}> {{ m.content }} <end> {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
Record = dict[str, Any]


def records_of(folder: Path) -> dict[str, list[Record]]:
    return {split: lines_of(folder / f"{split}.jsonl") for split in SPLITS}


def lines_of(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def body_of(record: Record) -> str:
    content: str = record["messages"][0]["content"]
    return content.split(f"\n{BEGIN}\n", 1)[1].removesuffix(f"\n{END}")


def assert_records_are_sound(split: str, records: Sequence[Record]) -> None:
    """One message each, pairs in order, needle at its offset and once, budget kept, well filled."""
    assert len({record["id"] for record in records}) == len(records)
    for bare, hay in zip(records[::2], records[1::2], strict=True):
        pair, metadata = hay["pair_id"], hay["metadata"]
        assert (bare["id"], hay["id"]) == (f"{pair}-bare", f"{pair}-hay")
        assert re.fullmatch("[0-9a-f]{16}", pair)
        needle, offset = metadata["needle_text"], metadata["needle_char_offset"]
        body = body_of(hay)
        assert body[offset : offset + len(needle)] == needle
        assert body.count(needle) == 1
        assert BEGIN not in body
        assert END not in body
        assert bare["messages"][0]["content"].endswith(f"explanation.\n\n{needle}")
        for record in (bare, hay):
            facts = record["metadata"]
            assert [message["role"] for message in record["messages"]] == ["user"]
            assert facts["split"] == split
            assert facts["total_prompt_tokens"] <= facts["prompt_token_budget"]
            window = int(facts["size_bucket"].removesuffix("k")) * 1024
            reserve = facts["output_reserve_tokens"]
            assert facts["total_prompt_tokens"] + reserve <= 0.95 * window
            assert pair not in record["messages"][0]["content"]
        assert metadata["total_prompt_tokens"] >= 0.9 * metadata["prompt_token_budget"]


def haystack_of(record: Record) -> tuple[str, str]:
    """The text before the needle and after it, without their separators."""
    body, offset = body_of(record), record["metadata"]["needle_char_offset"]
    needle = record["metadata"]["needle_text"]
    before, after = body[:offset], body[offset + len(needle) :]
    assert before == "" or before.endswith("\n\n")
    assert after == "" or after.startswith("\n\n")
    return before.removesuffix("\n\n"), after.removeprefix("\n\n")


def assert_is_passage_of(source: str, record: Record) -> None:
    """Before and after the needle the source runs on, but for the blanks at the cut.

    Where a document ends, another one of the source follows after a blank line.
    """
    before, after = haystack_of(record)
    passages = [before + cut + after for cut in (" ", "\n\n", "")]
    assert any(_is_passage(source, passage) for passage in passages)


def _is_passage(source: str, text: str) -> bool:
    if text in source:
        return True
    ends = [match.start() for match in re.finditer("\n\n", text)]
    return any(text[:end] in source and text[end + 2 :] in source for end in ends)


def depth_of(record: Record) -> float:
    before, after = haystack_of(record)
    return 100 * len(before) / len(before + after)


def _tokenizer(folder: Path) -> str:
    """A tokenizer.json that splits words at every mark, with a template, under `folder`."""
    model = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir()
    model.save(str(folder / "tokenizer.json"))
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"bos_token": "<s>"}', encoding="utf-8")
    return f"hf:{folder}"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_texts(tmp_path_factory.mktemp("texts"))


@pytest.mark.parametrize("tokenizer", ["words", "hf"])
@pytest.mark.parametrize("provider", ["programmatic", "text", "pg19"])
def test_smoke_grid_of_every_provider_and_tokenizer_breaks_no_rule(
    tmp_path: Path, texts: Path, provider: str, tokenizer: str
) -> None:
    config = replace(
        SMOKE,
        haystack=f"text:{texts}" if provider == "text" else provider,
        tokenizer=_tokenizer(tmp_path / "model") if tokenizer == "hf" else tokenizer,
    )
    job = opened(config, load_pool(NEEDLES), pg19_folder=texts)
    write_dataset(job, tmp_path / "out")
    for split, records in records_of(tmp_path / "out").items():
        assert_records_are_sound(split, records)
        assert len(records) == 12
        metadata = records[1]["metadata"]
        assert metadata["haystack_source"] == provider
        assert metadata["reference_tokenizer"].startswith(
            "words" if tokenizer == "words" else "hf:"
        )
        depths = [r["metadata"]["depth_percent"] for r in records[1::2]]
        assert depths == [10.0, 50.0, 90.0] * 2
    paths = [tmp_path / "out" / f"{split}.jsonl" for split in SPLITS]
    assert dataset_stats(paths)["broken"] == []


def test_text_haystack_is_a_passage_of_its_books_and_of_one_split_alone(
    tmp_path: Path, texts: Path
) -> None:
    write_dataset(opened(replace(SMOKE, haystack=f"text:{texts}"), load_pool(NEEDLES)), tmp_path)
    books = [_normalised(path) for path in sorted(texts.iterdir())]
    source = "\n\n".join(chain.from_iterable(books))
    for record in _hidden(tmp_path):
        assert_is_passage_of(source, record)


def test_programmatic_haystack_is_the_text_of_its_own_generator(tmp_path: Path) -> None:
    write_dataset(opened(SMOKE, load_pool(NEEDLES)), tmp_path)
    for record in _hidden(tmp_path):
        facts = record["metadata"]
        index = [10.0, 50.0, 90.0].index(facts["depth_percent"])
        rng = generator(666, "prose", facts["split"], facts["size_bucket"], index)
        source = "".join(islice(prose(rng), 400)).lstrip()
        before, _ = haystack_of(record)
        assert source.startswith(before)
        assert_is_passage_of(source, record)


def _hidden(folder: Path) -> list[Record]:
    return [record for records in records_of(folder).values() for record in records[1::2]]


@cache
def _normalised(path: Path) -> tuple[str, ...]:
    return tuple(paragraphs(path.read_bytes().decode()))


BOOK_CONFIG: Config = replace(FULL, haystack=f"text:{BOOKS}")


@pytest.fixture(scope="module")
def full_grid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Record]]:
    """The 300 needles, to 128k, in the five books."""
    folder = tmp_path_factory.mktemp("full")
    write_dataset(opened(BOOK_CONFIG, load_pool(IFEVAL)), folder)
    found = records_of(folder)
    for split in SPLITS:
        (folder / f"{split}.jsonl").unlink()  # 28 MB each
    return found


@needs_shared
def test_full_grid_has_300_needles_in_600_records_that_break_no_rule(
    full_grid: dict[str, list[Record]],
) -> None:
    keys: list[int] = []
    for split, records in full_grid.items():
        assert_records_are_sound(split, records)
        hidden = [record["metadata"] for record in records[1::2]]
        assert (len(records), len(hidden)) == (200, 100)
        assert Counter(m["size_bucket"] for m in hidden) == dict(FULL.pairs)
        assert Counter(m["complexity"] for m in hidden) == {"simple": 67, "complex": 33}
        keys += [m["needle_source_key"] for m in hidden]
        for bucket in FULL.pairs:
            depths = [m["depth_percent"] for m in hidden if m["size_bucket"] == bucket]
            assert depths == [(10.0, 50.0, 90.0)[i % 3] for i in range(len(depths))]
    assert len(keys) == len(set(keys)) == 300


@needs_shared
def test_full_grid_is_filled_to_97_percent_and_has_the_budgets_of_its_buckets(
    full_grid: dict[str, list[Record]],
) -> None:
    budgets = {"4k": 1827, "8k": 5718, "16k": 13500, "32k": 29065, "64k": 60195, "128k": 122454}
    for record in chain.from_iterable(records[1::2] for records in full_grid.values()):
        facts = record["metadata"]
        budget = budgets[facts["size_bucket"]]
        assert facts["prompt_token_budget"] == budget
        words = len(record["messages"][0]["content"].split())
        assert facts["total_prompt_tokens"] == words + 8
        assert facts["haystack_actual_tokens"] == len(body_of(record).split())
        # Middlemarch has a sentence of 150 words: too long for what is left of 1,827 at times.
        assert words + 8 > 0.97 * budget or budget - words - 8 < 200


@needs_shared
def test_full_grid_has_each_needle_within_two_points_of_its_depth_from_8k_on(
    full_grid: dict[str, list[Record]],
) -> None:
    for record in chain.from_iterable(records[1::2] for records in full_grid.values()):
        facts = record["metadata"]
        if facts["size_bucket"] != "4k":
            assert abs(depth_of(record) - facts["depth_percent"]) <= 2


@needs_shared
def test_full_grid_keeps_blank_lines_stars_and_fences_of_needles(
    full_grid: dict[str, list[Record]],
) -> None:
    prompts = {row["key"]: row["prompt"] for row in lines_of(IFEVAL)}
    marked: Counter[str] = Counter()
    for record in chain.from_iterable(records[1::2] for records in full_grid.values()):
        facts = record["metadata"]
        prompt = prompts[facts["needle_source_key"]]
        assert facts["needle_text"] == prompt
        assert f"\n\n{prompt}\n\n" in body_of(record)
        marked.update(mark for mark in ("\n\n", "***", "```") if mark in prompt)
    assert marked["\n\n"] >= 14
    assert marked["***"] >= 18
    assert marked["```"] >= 3


@needs_shared
def test_full_grid_hides_needles_in_passages_of_the_books_none_of_two_splits(
    full_grid: dict[str, list[Record]],
) -> None:
    uses: dict[str, set[str]] = {}
    known = Counter(chain.from_iterable(map(_normalised, BOOKS.glob("*.txt"))))
    for split, records in full_grid.items():
        seen: set[str] = set()
        for record in records[1::2]:
            before, after = haystack_of(record)
            # The first and last paragraph and those at the cut may be parts.
            whole = before.split("\n\n")[1:-1] + after.split("\n\n")[1:-1]
            assert known.keys() >= set(whole)
            # a chapter's heading stands in the table of contents too
            seen.update(p for p in whole if len(p) > 80 and known[p] == 1)
        uses[split] = seen
    assert all(len(seen) > 2000 for seen in uses.values())
    for one, other in combinations(SPLITS, 2):
        assert uses[one].isdisjoint(uses[other])
