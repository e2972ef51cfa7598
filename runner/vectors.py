"""Sentence vectors from the word vectors that the wordllama package carries; no network.

Used by the dense local engine and by the embedded judge. The heavy import happens at first use.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any


def embed(texts: Sequence[str]) -> Any:
    """Unit vectors, float32, shape (len(texts), 256); an empty text gives a zero vector."""
    import numpy as np

    vectors = _model().embed([text if text.strip() else " " for text in texts], norm=False)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


@lru_cache(maxsize=1)
def _model() -> Any:
    # wordllama sets up logging for the whole process at import; that is not a library's to decide
    handlers, level = list(logging.root.handlers), logging.root.level
    import wordllama

    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
