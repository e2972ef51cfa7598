"""The real vocabulary, and what is loaded once for all tests of the filter."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.benches.agentic_rare.filtering.examine import Examiner, Limits
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces
from tests.vocabulary import bert_tokens


@pytest.fixture(scope="session")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bert") / "vocab.txt"
    path.write_text("\n".join(bert_tokens()) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def pieces() -> WordPieces:
    return WordPieces(bert_tokens())


@pytest.fixture(scope="session")
def examiner(pieces: WordPieces) -> Examiner:
    return Examiner(pieces, Limits())
