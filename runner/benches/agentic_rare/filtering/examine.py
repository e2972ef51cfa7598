"""One query through all checks, in their order: what is rare in it, or why it is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from runner.benches.agentic_rare.filtering.common_words import common_typos, common_words
from runner.benches.agentic_rare.filtering.eligible import is_ineligible, is_urlish
from runner.benches.agentic_rare.filtering.language import LanguageVote, fasttext_identifier
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces, pieces_count
from runner.benches.agentic_rare.filtering.words import tidy, words_of

Pieces = tuple[str, ...]
CACHED_WORDS: Final = 1 << 16

Reason = Literal[
    "bad_length",
    "urlish",
    "too_few_words",
    "ineligible",
    "long_word",
    "no_rare_word",
    "non_english",
]
REASONS: tuple[Reason, ...] = (
    "bad_length",
    "urlish",
    "too_few_words",
    "ineligible",
    "long_word",
    "no_rare_word",
    "non_english",
)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a query may be: characters and words it has, pieces that make a word rare.

    With two words a query can still be of length `short`.
    """

    min_words: int = 2
    max_query_chars: int = 200
    max_word_chars: int = 40
    min_pieces: int = 5
    any_language: bool = False


@dataclass(frozen=True)
class RareQuery:
    """A query that passed: its tidy text, its words, the rare ones with their pieces."""

    text: str
    words: Sequence[str]
    hard_words: Sequence[tuple[str, Pieces]] = field(default_factory=tuple)

    @property
    def max_pieces(self) -> int:
        return max(pieces_count(pieces) for _, pieces in self.hard_words)


class Examiner:
    """The checks that look at one query alone, with what they need loaded once."""

    def __init__(self, pieces: WordPieces, limits: Limits) -> None:
        self._pieces = pieces
        self._limits = limits
        self._typos = common_typos()
        # queries repeat words: the answers to the latest are kept
        self._rare_pieces = lru_cache(CACHED_WORDS)(self._measure)
        self._vote = (
            None if limits.any_language else LanguageVote(fasttext_identifier(), common_words())
        )

    def examine(self, raw: object) -> RareQuery | Reason:
        """The rare query, or the first reason that it fails for; anything but a text is empty."""
        text = tidy(raw) if isinstance(raw, str) else ""
        limits = self._limits
        if not 0 < len(text) <= limits.max_query_chars:
            return "bad_length"
        if is_urlish(text):
            return "urlish"
        words = words_of(text)
        if len(words) < limits.min_words:
            return "too_few_words"
        if is_ineligible(text, words):
            return "ineligible"
        if max(map(len, words), default=0) > limits.max_word_chars:
            return "long_word"
        hard = self._hard_words(words)
        if not hard:
            return "no_rare_word"
        if self._vote is not None and not self._vote.is_english(words, {word for word, _ in hard}):
            return "non_english"
        return RareQuery(text, words, hard)

    def _hard_words(self, words: Sequence[str]) -> list[tuple[str, Pieces]]:
        """The rare words in their order, each once, with their pieces."""
        found = ((word, self._rare_pieces(word)) for word in dict.fromkeys(words))
        return [(word, pieces) for word, pieces in found if pieces]

    def _measure(self, word: str) -> Pieces:
        """The pieces of a rare word; none of a number, of a common word or of one mistyped."""
        pieces = self._pieces.split(word)
        is_rare = (
            pieces_count(pieces) >= self._limits.min_pieces
            and any(map(str.isalpha, word))
            and not self._typos.is_typo(word)
        )
        return pieces if is_rare else ()
