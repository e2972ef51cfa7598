"""Which of the rare queries stay: one of equal ones, and few that share a run of words.

The order is that of rarity, most pieces first, then that of the stream; so what stays does not
depend on how the stream was cut into row groups. A run of words that is in no more queries than
may share it can drop nothing: runs are known by number, and are counted in flat arrays of eight
bytes a run, so that a million queries fit into some dozen megabytes.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from runner.benches.agentic_rare.filtering.words import ngrams
from runner.text import canonical_text

SameAs = Literal["duplicate", "ngram_cap"]


@dataclass
class Fingerprints:
    """The queries so far in stream order: pieces, the text's hash, the hashes of their runs.

    `ends[i]` is where the runs of query i end in `runs`.
    """

    n: int
    pieces: array[int] = field(default_factory=lambda: array("H"))
    texts: array[int] = field(default_factory=lambda: array("Q"))
    runs: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, text: str, words: Sequence[str], pieces: int) -> None:
        self.pieces.append(pieces)
        self.texts.append(_digest(canonical_text(text)))
        self.runs.extend(_digest(run) for run in ngrams(words, self.n))
        self.ends.append(len(self.runs))


def keep(prints: Fingerprints, at_most: int) -> tuple[list[int], dict[SameAs, int]]:
    """The indices that stay, most pieces first, and how many were dropped for what.

    Of equal texts the first stays. A query is dropped where one of its runs is in `at_most`
    queries that stay before it.
    """
    import numpy as np

    dropped: dict[SameAs, int] = {"duplicate": 0, "ngram_cap": 0}
    if not prints.pieces:
        return [], dropped
    # stable, so that queries of equal rarity keep the order of the stream
    order = np.argsort(
        -np.frombuffer(prints.pieces, dtype=np.uint16).astype(np.int32), kind="stable"
    )
    number_of_text = np.unique(np.frombuffer(prints.texts, dtype=np.uint64), return_inverse=True)[1]
    values, number_of_run = np.unique(
        np.frombuffer(prints.runs, dtype=np.uint64), return_inverse=True
    )
    seen_text = bytearray(len(prints.pieces))
    times = array("I", bytes(4 * len(values)))
    kept = []
    for i in order.tolist():
        if seen_text[number_of_text[i]]:
            dropped["duplicate"] += 1
            continue
        seen_text[number_of_text[i]] = 1
        runs = number_of_run[prints.ends[i - 1] if i else 0 : prints.ends[i]].tolist()
        if any(times[run] >= at_most for run in runs):
            dropped["ngram_cap"] += 1
            continue
        for run in runs:
            times[run] += 1
        kept.append(i)
    return kept, dropped


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
