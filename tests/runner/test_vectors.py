"""The vectors of the embedded profile, and that asking for them changes nothing else."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from runner.vectors import embed


def test_vectors_have_length_one_and_an_empty_text_has_none() -> None:
    vectors = embed(["a ferry on the lake", "", "  "])
    assert (vectors.shape, str(vectors.dtype)) == ((3, 256), "float32")
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-6)
    assert np.linalg.norm(vectors[1]) == np.linalg.norm(vectors[2])


def test_the_logging_of_the_process_stays_as_it_was() -> None:
    """Of the engines and of the judge, in a process of its own: libraries set theirs up once."""
    code = (
        "import logging\n"
        "from runner.engines.local import Corpus, Page\n"
        "from runner.vectors import embed\n"
        "Corpus([Page(url='https://a.com', title='A ferry', text='On the lake.')])\n"
        "embed(['a ferry'])\n"
        "assert not logging.root.handlers, logging.root.handlers\n"
        "assert logging.root.level == logging.WARNING, logging.root.level\n"
        "logging.getLogger('any').info('nobody asked for this')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
