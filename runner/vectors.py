"""Sentence vectors from the word vectors that the wordllama package carries; no network.

The embedded judge embeds with them; the dense local engine has a model of its own. The heavy
import happens at first use.
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
    return load_model()


def load_model() -> Any:
    """A model of its own for the caller, from the installed package; nothing is downloaded.

    It leaves the logging of the process as it was.
    """
    # wordllama sets up logging for the whole process, at import and again while it loads; that is
    # not a library's to decide
    handlers, level = list(logging.root.handlers), logging.root.level
    try:
        import wordllama

        folder = Path(wordllama.__file__).parent
        return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    finally:
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
