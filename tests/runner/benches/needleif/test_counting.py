"""Tokenizers by name: what they count and what they say when they cannot."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from runner.benches.needleif.config import SMOKE
from runner.benches.needleif.counting import tokenizer_named
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.records import user_turn
from runner.benches.needleif.stats import dataset_stats
from runner.errors import UsageError
from runner.paths import SAMPLE

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}> {{ m.content }} <end> {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def _folder(path: Path, template: str | None) -> Path:
    model = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    model.save(str(path / "tokenizer.json"))
    if template:
        config = {"chat_template": template}
        (path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return path


def test_words_are_white_space_separated_pieces_plus_eight_a_message() -> None:
    words = tokenizer_named("words")
    assert words.count("a  b\n\nc-d") == 3
    assert words.count_chat(user_turn("a b"), True) == 10


def test_chat_template_is_counted_with_its_generation_prompt(tmp_path: Path) -> None:
    tokenizer = tokenizer_named(f"hf:{_folder(tmp_path, TEMPLATE)}")
    assert tokenizer.count_chat(user_turn("a b"), True) == 5
    assert tokenizer.count_chat(user_turn("a b"), False) == 4
    assert tokenizer.name.startswith(f"hf:{tmp_path.name}@")


def test_smoke_grid_fits_with_a_chat_template(tmp_path: Path) -> None:
    config = replace(SMOKE, tokenizer=f"hf:{_folder(tmp_path, TEMPLATE)}")
    job = opened(config, load_pool(SAMPLE / "needleif" / "needles.jsonl"))
    write_dataset(job, tmp_path / "out")
    stats = dataset_stats([tmp_path / "out" / f"{s}.jsonl" for s in ("test", "train", "val")])
    assert stats["broken"] == []
    assert str(tmp_path) not in (tmp_path / "out" / "manifest.json").read_text()


@pytest.mark.parametrize("name", ["", "word", "hf:", "tiktoken:", "words:x"])
def test_unknown_tokenizer_names_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="expected words, tiktoken"):
        tokenizer_named(name)


def test_folder_without_tokenizer_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"tokenizer\.json is missing"):
        tokenizer_named(f"hf:{tmp_path}")
