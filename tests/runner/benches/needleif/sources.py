"""The needles and texts that tests read: the tracked sample, and what may lie beside the code."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from runner.paths import ROOT, SAMPLE

NEEDLES = SAMPLE / "needleif" / "needles.jsonl"
_SHARED = ROOT.parent / "shared" / "data" / "needleif"
IFEVAL = _SHARED / "ifeval" / "input_data.jsonl"
BOOKS = _SHARED / "books"
needs_shared = pytest.mark.skipif(
    not (IFEVAL.is_file() and BOOKS.is_dir()),
    reason="the IFEval prompts and the books are not beside the repository",
)
_WORDS = "tide lamp äther road oak mild stone rope bell—tower “sail” north".split()


def write_texts(folder: Path) -> Path:
    """Five made-up books of about 20,000 words in the folder, in the forms in which books come."""
    rng = Random(1)
    for name, end in zip("éaZb_", ["\n", "\r\n", "\r", "\n", "\n"], strict=True):
        paragraphs = [
            end.join(_sentence(rng) for _ in range(1 + int(rng.random() * 6))) for _ in range(520)
        ]
        text = "\ufeff" * (name == "a") + (end * 2).join(paragraphs)
        (folder / f"{name}.txt").write_bytes(text.encode())
    return folder


def _sentence(rng: Random) -> str:
    words = [_WORDS[int(rng.random() * len(_WORDS))] for _ in range(11)]
    return " ".join(words).capitalize() + "."
