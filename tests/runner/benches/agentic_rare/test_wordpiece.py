"""Words in pieces, as an independent tokenizer of BERT splits them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from wordfreq import top_n_list

from runner.benches.agentic_rare.filtering.wordpiece import (
    WordPieces,
    pieces_count,
    read_vocabulary,
)
from tests.vocabulary import TOKENS, bert_tokens

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789éøñßłüğ"


@pytest.fixture(scope="module")
def oracle() -> Iterator[Callable[[str], tuple[str, ...]]]:
    import blingfire

    model = blingfire.load_model(str(Path(blingfire.__file__).parent / "bert_base_tok.bin"))
    tokens = bert_tokens()

    def split(word: str) -> tuple[str, ...]:
        ids = [int(number) for number in blingfire.text_to_ids(model, word, 128, 100)]
        return tuple(tokens[number] for number in ids if number)

    yield split
    blingfire.free_model(model)


def test_the_vocabulary_is_the_real_one() -> None:
    tokens = bert_tokens()
    assert len(tokens) == len(set(tokens)) == TOKENS
    assert tokens[0] == "[PAD]"
    assert tokens[100:104] == ("[UNK]", "[CLS]", "[SEP]", "[MASK]")
    assert tokens[1996] == "the"
    assert sum(token.startswith("##") for token in tokens) == 5828


def test_thousands_of_words_split_as_blingfire_splits_them(
    pieces: WordPieces, oracle: Callable[[str], tuple[str, ...]]
) -> None:
    rng = random.Random(0)
    words = [word for word in top_n_list("en", 120_000)[::40] if word.isalpha()]
    words += ["".join(rng.choices(LETTERS, k=rng.randint(2, 40))) for _ in range(3000)]
    words += ["qgrepwyzk", "vx730qtz", "snorvexylite", "thrumboqlyte", "frobnicetylene"]
    different = [word for word in words if pieces.split(word) != oracle(word)]
    assert len(words) > 5000
    assert different == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("the", ("the",)),
        ("frobnicetylene", ("fr", "##ob", "##nic", "##ety", "##lene")),
        ("naïve", ("naive",)),
        ("café", ("cafe",)),
        ("ƣ", ("[UNK]",)),
        ("aƣb", ("[UNK]",)),
        ("x" * 101, ("[UNK]",)),
    ],
)
def test_a_word_splits(pieces: WordPieces, word: str, expected: tuple[str, ...]) -> None:
    assert pieces.split(word) == expected
    assert pieces_count(expected) == (99 if expected == ("[UNK]",) else len(expected))


def test_a_vocabulary_is_read_as_its_file_has_it(vocabulary: Path) -> None:
    data = vocabulary.read_bytes()
    assert read_vocabulary(data) == list(bert_tokens())
    assert read_vocabulary(data.rstrip(b"\n")) == list(bert_tokens())
    assert read_vocabulary(data.replace(b"\n", b"\r\n")) == list(bert_tokens())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<!doctype html>",
        b"[UNK]\nthe\n##s\n",
        b"PAR1\xff\xfe",
        "\n".join(f"word{i}" for i in range(2000)).encode(),
        ("[UNK]\n" + "\n".join(f"word{i}" for i in range(2000))).encode(),
        ("##s\n" + "\n".join(f"word{i}" for i in range(2000))).encode(),
        b"[UNK]\n##s\n" + b"the\n" * 2000,
    ],
)
def test_another_file_is_no_vocabulary(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a vocabulary"):
        read_vocabulary(data)
