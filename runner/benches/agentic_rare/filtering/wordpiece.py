"""BERT's WordPiece over single words: into how many known pieces a word breaks.

A word that the vocabulary of bert-base-uncased knows is one piece; the more pieces, the less was
written about it. Source: Devlin et al., BERT (NAACL 2019), section 3; greedy longest match first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

UNKNOWN: Final = "[UNK]"
UNKNOWN_PIECES: Final = 99  # what an unknown word counts: rarer than any that is known in pieces
MIN_TOKENS: Final = 1_000
_MAX_WORD_CHARS: Final = 100  # BERT's own limit; a longer word is unknown


def read_vocabulary(data: bytes) -> list[str]:
    """The tokens of a `vocab.txt`, one a line, by id; raises ValueError for another file."""
    try:
        tokens = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError("not a vocabulary of WordPiece: not UTF-8") from error
    tokens = [token.rstrip("\r") for token in tokens]
    if tokens and not tokens[-1]:
        tokens.pop()
    distinct = set(tokens)
    has_pieces = any(token.startswith("##") for token in distinct)
    if UNKNOWN not in distinct or not has_pieces or len(distinct) < MIN_TOKENS:
        raise ValueError(
            f"not a vocabulary of WordPiece: it needs {UNKNOWN}, tokens with ## and "
            f"{MIN_TOKENS} lines or more"
        )
    return tokens


class WordPieces:
    """Splits words by a vocabulary."""

    def __init__(self, tokens: Iterable[str]) -> None:
        from tokenizers.models import WordPiece

        vocabulary: dict[str, int] = {}
        for number, token in enumerate(tokens):
            vocabulary.setdefault(token, number)
        self._model = WordPiece(
            vocab=vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=_MAX_WORD_CHARS
        )

    def split(self, word: str) -> tuple[str, ...]:
        """The pieces of a lower-case word without its accents, or `[UNK]` alone."""
        bare = word if word.isascii() else _without_accents(word)
        return tuple(token.value for token in self._model.tokenize(bare))


def pieces_count(pieces: tuple[str, ...]) -> int:
    """How many pieces, 99 for an unknown word."""
    return UNKNOWN_PIECES if UNKNOWN in pieces else len(pieces)


def _without_accents(word: str) -> str:
    """As BERT's uncased tokenizer does: decomposed, and the marks left out."""
    parts = unicodedata.normalize("NFD", word)
    return "".join(char for char in parts if unicodedata.category(char) != "Mn")
