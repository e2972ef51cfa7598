"""The stream of queries that agents asked in the fake world, and the artifact filtered from it.

One stream per seed: 2,400 rows in file order. Half ask in everyday words, a quarter has a coined
word that no vocabulary knows, and a quarter has a trap: the first check of the filter that it
fails is the second part of its entry in TRAPS.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from tests.fakes import paper_words, words
from tests.fakes.scene import Scene

ROWS, GROUP_ROWS = 2_400, 256
# Trap: (what it is, the reason that a filter counts it under).
TRAPS = {
    "blank": ("white space only", "bad_length"),
    "null": ("no text at all", "bad_length"),
    "long_text": ("over 200 characters", "bad_length"),
    "address": ("a web address", "urlish"),
    "www": ("a host that begins with www.", "urlish"),
    "domain": ("a host by its ending", "urlish"),
    "one_word": ("a rare word alone", "too_few_words"),
    "vin": ("the number of a car", "ineligible"),
    "hash": ("32 hex digits", "ineligible"),
    "wallet": ("0x and 40 hex digits", "ineligible"),
    "base58": ("an address of 44 characters without a prefix", "ineligible"),
    "cyrillic": ("Cyrillic letters", "ineligible"),
    "chinese": ("Chinese characters", "ineligible"),
    "long_word": ("a word of over 40 letters", "long_word"),
    "number": ("a long number is the only rare word", "no_rare_word"),
    "plain": ("four pieces at most in any word", "no_rare_word"),
    "german": ("German around a rare word", "non_english"),
    "french": ("French around a rare word", "non_english"),
    "repeated": ("three words in a row that more than two other rows have", "ngram_cap"),
    "duplicate": ("the text of an earlier row in capitals", "duplicate"),
}
# What is unusual about a row of the artifact.
ARTIFACT_TRAPS = {
    "no_metadata": "no metadata",
    "no_hard_words": "no rare words listed",
    "no_query": "no text, so that the row cannot be used",
    "twice": "a text that another row has too, in capitals",
    "odd_length": "a length that does not exist, so that the row cannot be used",
}
VERBS = words.listed("install repair compare order adjust replace clean review return ship")
NOUNS = words.listed(
    """
kitchen garden engine window bicycle camera printer heater mattress backpack keyboard freezer
balcony bathroom tractor greenhouse
"""
)
ENDS = words.listed("manual warranty price review parts forum recipe pictures schedule permit")
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


@dataclass(frozen=True)
class Asked:
    """One row: its text, where it came from, what else is known, its trap, its rare word."""

    text: str | None
    source: str
    metadata: dict[str, Any]
    trap: str
    word: str


@lru_cache(maxsize=4)
def stream(seed: int) -> tuple[Asked, ...]:
    """All rows in file order."""
    kinds = list(TRAPS)
    found: list[Asked] = []
    for number in range(ROWS):
        rng = Scene(seed).draw("asked", number)
        word = rare_word(number)
        trap = kinds[number // 4 % len(kinds)] if number % 4 == 1 else ""
        text: str | None = _everyday(rng)
        if trap == "duplicate":
            text = next((one.text or "" for one in reversed(found) if one.word), "").upper()
        elif trap:
            text = TRAPPED[trap](rng, word)
        elif number % 4 == 3:
            text = _rare(rng, word)
        is_rare = number % 4 == 3
        metadata = {"session_id": f"s{number // 3}", "turn": number % 3, "tags": ["agent"]}
        found.append(Asked(text, f"stream_{'abc'[number % 3]}", metadata, trap, word * is_rare))
    return tuple(found)


def rare_word(number: int) -> str:
    """A word that no other row has; of over five pieces with any vocabulary of English."""
    return f"{paper_words.coined(20_000 + number).lower()}z{'qxwv'[number % 4]}ylite"


def _everyday(rng: random.Random) -> str:
    actor, action, thing = (rng.choice(x) for x in (words.ACTORS, words.ACTIONS, words.OBJECTS))
    return rng.choice([f"why the {actor} {action} the {thing}", f"{thing} news", f"best {actor}"])


def _rare(rng: random.Random, word: str) -> str:
    """A query of two to nine words around a rare one."""
    first, last, noun, other = (rng.choice(x) for x in (VERBS, ENDS, NOUNS, NOUNS))
    kind = rng.choice(paper_words.QUALITIES)
    forms = (
        f"{word} {last}",
        f"{first} {word} {last}",
        f'{first} "{word}" {noun} {last}',
        f"{noun} {last} {first} {word} for {kind.lower()} {other} owners",
        f"{kind} {noun} {last}, {word.capitalize()} and {other} {rng.choice(ENDS)}",
    )
    return rng.choice(forms)


def _letters(rng: random.Random, alphabet: str, count: int) -> str:
    return "".join(rng.choices(alphabet, k=count))


TRAPPED: dict[str, Callable[[random.Random, str], str | None]] = {
    "blank": lambda rng, word: "   ",
    "null": lambda rng, word: None,
    "long_text": lambda rng, word: f"{word} " + "and so on and on " * 12,
    "address": lambda rng, word: f"open https://{word}.example/page for me",
    "www": lambda rng, word: f"see www.{word}.example docs",
    "domain": lambda rng, word: f"what is {word}.com about",
    "one_word": lambda rng, word: word,
    "vin": lambda rng, word: f"2ABCD34E5FG{rng.randrange(10**5, 10**6)} recall check",
    "hash": lambda rng, word: f"a{_letters(rng, '0123456789abcdef', 31)} file origin",
    "wallet": lambda rng, word: f"pay 0x{_letters(rng, '0123456789abcdef', 40)} safely",
    "base58": lambda rng, word: f"balance of 7aB{_letters(rng, BASE58, 41)} today",
    "cyrillic": lambda rng, word: f"купить {word} дешево",
    "chinese": lambda rng, word: f"{word} 新しい橋の建設",
    "long_word": lambda rng, word: f"meaning of {(word * 4)[:45]} please",
    "number": lambda rng, word: f"order {rng.randrange(10**6, 10**7)} status",
    "plain": lambda rng, word: f"blue whale migration in {rng.choice(words.PLACE_ENDS)}",
    "german": lambda rng, word: f"wo kann ich eine {word} matratze in der stadt kaufen",
    "french": lambda rng, word: f"où puis-je acheter une machine {word} pour la maison",
    "repeated": lambda rng, word: f"how do i reset the password of my {word} account",
}


def stream_parquet(seed: int, column: str = "query_text") -> bytes:
    """The stream as Parquet in groups of 256 rows; the text in the column of this name."""
    rows = stream(seed)
    return _parquet(
        {
            column: [row.text for row in rows],
            "source": [row.source for row in rows],
            "metadata": [json.dumps(row.metadata) for row in rows],
            "asked_at": [f"2026-11-{1 + at % 14:02d}T00:00:00Z" for at in range(len(rows))],
        }
    )


@lru_cache(maxsize=4)
def artifact(seed: int) -> tuple[dict[str, Any], ...]:
    """The rows of the artifact with nested values, in its order."""
    rows = [_measured(row) for row in stream(seed) if row.word]
    order = {"long": 0, "medium": 1, "short": 2}
    rows.sort(key=lambda row: (order[row["length_bucket"]], -row["max_pieces"], row["query_text"]))
    kinds = list(ARTIFACT_TRAPS)
    for number, row in enumerate(rows):
        if number % 20 == 7:
            _spoil(row, kinds[number // 20 % len(kinds)], rows[number - 1])
    return tuple(rows)


def _spoil(row: dict[str, Any], trap: str, before: dict[str, Any]) -> None:
    row["source"] = f"trap:{trap}"
    match trap:
        case "no_metadata":
            row["metadata"] = None
        case "no_hard_words":
            row["hard_words"] = None
        case "no_query":
            row["query_text"] = ""
        case "twice":
            row["query_text"] = before["query_text"].upper()
        case "odd_length":
            row["length_bucket"] = "huge"


def _measured(row: Asked) -> dict[str, Any]:
    assert row.text
    count = len("".join(c if c.isalnum() else " " for c in row.text).split())
    subwords = list(_pieces(row.word))
    return {
        "query_text": row.text,
        "source": row.source,
        "metadata": row.metadata,
        "length_bucket": "short" if count <= 2 else "medium" if count <= 5 else "long",
        "n_words": count,
        "hard_words": [{"word": row.word, "subwords": subwords}],
        "max_pieces": len(subwords),
    }


@lru_cache(maxsize=4_096)
def _pieces(word: str) -> tuple[str, ...]:
    """A word in pieces: each the longest that the vocabulary has."""
    known, found, start = _vocabulary(), [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        mark = "##" if start else ""
        end = next((end for end in ends if mark + word[start:end] in known), start + 1)
        found.append(mark + word[start:end])
        start = end
    return tuple(found)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    from tests.vocabulary import bert_tokens

    return frozenset(bert_tokens())


def artifact_parquet(seed: int, *, is_nested: bool = False) -> bytes:
    """The artifact as Parquet: nested values as JSON texts, or nested as they are."""
    rows = artifact(seed)
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    if not is_nested:
        for name in ("metadata", "hard_words"):
            values = columns[name]
            columns[name] = [None if value is None else json.dumps(value) for value in values]
    return _parquet(columns)


def _parquet(columns: dict[str, list[Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = BytesIO()
    pq.write_table(pa.table(columns), target, row_group_size=GROUP_ROWS, compression="zstd")
    return target.getvalue()
