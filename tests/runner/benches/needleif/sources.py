"""The needles and texts that tests read: the tracked sample, and what may lie beside the code."""

from __future__ import annotations

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
