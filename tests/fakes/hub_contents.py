"""What some repositories of the hub hold: needles, books, tokenizers.

The needles are those of the tracked sample in the form of IFEval on the hub, where every object of
arguments has all names, unused ones null. The books are invented and hard-wrapped.
"""

from __future__ import annotations

import io
import json
import random
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from runner.paths import SAMPLE
from tests.fakes import words

Files = dict[str, Callable[[int], bytes]]

NEEDLES, TABLE, EMPTY = "google/IFEval", "fakes/needles-as-table", "fakes/nothing-to-read"
BOOKS, SCRIPTED = "emozilla/pg19", "deepmind/pg19"
CHAT_MODEL, PLAIN_MODEL, NO_TOKENIZER = "fakes/tiny-chat", "fakes/tiny-plain", "fakes/no-tokenizer"
GATED = "google/gemma-4-E4B-it"  # to be read with a token only
BOOKS_BY_PART = {"train": [1], "validation": [3], "test": [2, 3]}  # of each file
FIRST_KEY = 1_000
_FOREIGN = ("language", "prompt_to_repeat", "capital_frequency", "nth_paragraph")
_UNCHECKED = (
    ("Answer in Kannada only.", "language:response_language", {"language": "kn"}),
    ("Say this sentence again.", "combination:repeat_prompt", {"prompt_to_repeat": "Again."}),
)
_ENDS = ("again", "at last", "too", "in the end")
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<{{ m.role }}> {{ m.content }} <end> {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


@lru_cache(maxsize=1)
def needle_rows() -> tuple[dict[str, Any], ...]:
    """The rows of the data set, two of them with an instruction that Needle does not check."""
    text = (SAMPLE / "needleif" / "needles.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    plain = [(row["prompt"], row["instruction_id_list"], row["kwargs"]) for row in rows]
    plain += [(prompt, [name], [given]) for prompt, name, given in _UNCHECKED]
    names = sorted({*_FOREIGN, *(n for _, _, slots in plain for given in slots for n in given)})
    return tuple(
        {
            "key": FIRST_KEY + place,
            "prompt": prompt,
            "instruction_id_list": ids,
            "kwargs": [{name: given.get(name) for name in names} for given in slots],
        }
        for place, (prompt, ids, slots) in enumerate(plain)
    )


def _needle_lines(seed: int) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in needle_rows()).encode()


def _needle_table(part: int) -> Callable[[int], bytes]:
    return lambda seed: _parquet(needle_rows()[part::2])


def book(seed: int, part: str, place: int) -> dict[str, Any]:
    """One book as a row: title page, some hundred paragraphs, wrapped at 70 characters."""
    rng = random.Random(f"{seed}|book|{part}|{place}")
    pick = rng.choice
    title = f"THE {pick(words.ACTORS).upper()} OF {pick(words.PLACE_STARTS).upper()}"
    paragraphs = [title, "CONTENTS", "I. " + pick(words.ACTORS).title()]
    for _ in range(260):
        sentences = [
            f"The {pick(words.ACTORS)} {pick(words.ACTIONS)} {pick(words.OBJECTS)} near "
            f"{pick(words.PLACE_STARTS)}{pick(words.PLACE_ENDS)} {pick(_ENDS)}."
            for _ in range(rng.randint(3, 7))
        ]
        paragraphs.append(textwrap.fill(" ".join(sentences), 70))
    return {
        "short_book_title": title.title(),
        "publication_date": 1800 + rng.randrange(118),
        "url": f"http://www.gutenberg.org/ebooks/{10_000 + rng.randrange(50_000)}",
        "text": "\n\n".join(paragraphs) + "\n",
    }


def _books(part: str, first: int, count: int) -> Callable[[int], bytes]:
    return lambda seed: _parquet([book(seed, part, first + i) for i in range(count)])


def _book_files() -> Files:
    files: Files = {}
    for part, counts in BOOKS_BY_PART.items():
        for place, count in enumerate(counts):
            name = f"data/{part}-{place:05d}-of-{len(counts):05d}-00c0ffee.parquet"
            files[name] = _books(part, sum(counts[:place]), count)
    return files


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


@lru_cache(maxsize=1)
def _tokenizer() -> bytes:
    from tokenizers import Tokenizer, models, pre_tokenizers

    model = Tokenizer(models.WordLevel({"[UNK]": 0, "<s>": 1}, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return str(model.to_str()).encode()


def _chat_config(seed: int) -> bytes:
    return json.dumps({"bos_token": "<s> ", "chat_template": TEMPLATE}).encode()


_CHAT: Files = {
    "config.json": lambda seed: b"{}\n",
    "tokenizer.json": lambda seed: _tokenizer(),
    "tokenizer_config.json": _chat_config,
}
REPOSITORIES: dict[str, Files] = {
    f"datasets/{NEEDLES}": {
        "README.md": lambda seed: b"---\nlicense: apache-2.0\n---\n",
        "ifeval_input_data.jsonl": _needle_lines,
    },
    f"datasets/{TABLE}": {
        f"default/train/{part:04d}.parquet": _needle_table(part) for part in range(2)
    },
    f"datasets/{EMPTY}": {"README.md": lambda seed: b"nothing\n"},
    f"datasets/{BOOKS}": {"README.md": lambda seed: b"books\n", **_book_files()},
    f"datasets/{SCRIPTED}": {"README.md": lambda seed: b"books\n", "pg19.py": lambda seed: b"\n"},
    f"models/{CHAT_MODEL}": _CHAT,
    f"models/{GATED}": _CHAT,
    f"models/{PLAIN_MODEL}": {"tokenizer.json": lambda seed: _tokenizer()},
    f"models/{NO_TOKENIZER}": {"config.json": lambda seed: b"{}\n"},
}
