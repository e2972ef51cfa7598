"""The filter as a whole: a stream in, the artifact out, and an account of every row.

Memory does not grow with the rows that fail. Of a row that passes stay about a hundred bytes (its
rarity, hashes and place in the spool); its columns wait on disk. What comes out depends on the
rows and their order alone, not on how they were grouped.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.benches.agentic_rare.filtering.dedupe import Fingerprints, keep
from runner.benches.agentic_rare.filtering.examine import REASONS, Examiner, RareQuery
from runner.benches.agentic_rare.filtering.spool import ROW_GROUP_ROWS, Spool
from runner.benches.agentic_rare.filtering.stream import Batch
from runner.benches.agentic_rare.filtering.words import length_bucket

ADDED = ("length_bucket", "n_words", "hard_words", "max_pieces")
QUERY = "query_text"
DROPS = ("unreadable", *REASONS, "duplicate", "ngram_cap")


@dataclass(frozen=True)
class Account:
    """How many rows were read, why rows were left out, and how many of each length are kept."""

    read: int
    dropped: Mapping[str, int]
    kept: Mapping[str, int]

    @property
    def num_kept(self) -> int:
        return sum(self.kept.values())

    def lines(self) -> list[str]:
        """The account in words, for the person who waits."""
        kept = ", ".join(f"{name} {count:,}" for name, count in self.kept.items())
        dropped = ", ".join(f"{name} {count:,}" for name, count in self.dropped.items() if count)
        return [
            f"{self.read:,} rows read, {self.num_kept:,} kept ({kept or 'none'})",
            f"  left out: {dropped or 'none'}",
        ]


class Filter:
    """Takes batches of a stream, then says which rows stay and writes them.

    A run of `ngram` words stays in at most `at_most` queries. Close it, so that the disk is freed.
    """

    def __init__(self, examiner: Examiner, folder: Path, *, ngram: int = 3, at_most: int = 2):
        self._examiner = examiner
        self._spool = Spool(folder)
        self._prints = Fingerprints(ngram)
        self._lengths = array("I")  # words of each row that passed
        self._at_most = at_most
        self._read = 0
        self._drops: Counter[str] = Counter()

    def take(self, batches: Iterable[Batch]) -> None:
        """Examines every row; those that pass go to the spool."""
        for batch in batches:
            self._read += len(batch.queries) + batch.unreadable
            self._drops["unreadable"] += batch.unreadable
            passed: list[RareQuery] = []
            places: list[int] = []
            for place, query in enumerate(batch.queries):
                found = self._examiner.examine(query)
                if isinstance(found, str):
                    self._drops[found] += 1
                else:
                    passed.append(found)
                    places.append(place)
            if passed:
                for query, others in zip(passed, batch.others(places), strict=True):
                    self._add(query, others)

    def write(self, path: Path, group_rows: int = ROW_GROUP_ROWS) -> Account:
        """Writes the artifact: by length bucket in alphabetical order, the rarest first.

        Nothing is written where no row is left.
        """
        kept, dropped = keep(self._prints, self._at_most)
        buckets = [length_bucket(length) for length in self._lengths]
        kept.sort(key=buckets.__getitem__)  # stable: the order of rarity stays within
        if kept:
            self._spool.write_parquet(path, kept, first=QUERY, last=ADDED, group_rows=group_rows)
        drops = self._drops + Counter[str](dropped)
        return Account(
            self._read,
            {name: drops[name] for name in DROPS},
            dict(Counter(buckets[number] for number in kept)),
        )

    def close(self) -> None:
        self._spool.close()

    def _add(self, query: RareQuery, others: Mapping[str, object]) -> None:
        n_words = len(query.words)
        hard = [{"word": word, "subwords": list(pieces)} for word, pieces in query.hard_words]
        added = (length_bucket(n_words), n_words, hard, query.max_pieces)
        self._spool.add({**others, QUERY: query.text, **dict(zip(ADDED, added, strict=True))})
        self._prints.add(query.text, query.words, query.max_pieces)
        self._lengths.append(n_words)
