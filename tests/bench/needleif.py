"""What needleif costs: the full grid generated, and 100,000 responses scored.

The grid is that of the full configuration: 300 needles, to 128k, in the five books where they lie
beside the repository, else in programmatic text. Scoring is compared on the same rows with IFEval's
own scorer: that of lm-evaluation-harness where it is installed (`uv run --with lm-eval==0.4.13
python -m tests.bench needleif`), else the packaged copy of the development group. How the checks'
time grows with the length of a response is printed too: 16 where it is linear, 256 where it is
quadratic.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from runner.benches.needleif.checks import Slot, loose_variants, read_slot
from runner.benches.needleif.config import FULL, SAMPLE
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.models.composing import compose
from runner.benches.needleif.pool import Pool, load_pool
from runner.benches.needleif.score import score_files
from tests.runner.benches.needleif.sources import BOOKS, IFEVAL, NEEDLES

RESPONSES = 100_000
PIECES = ("\n", " ", "*", "**\n", "[", "<<", '"[', "SECTION ", "{\\", ">>", "word ", "a,b ")
SHORT, LONG = 6_250, 100_000


def _pool() -> Pool:
    return load_pool(IFEVAL if IFEVAL.is_file() else NEEDLES)


def _generate() -> None:
    """Prints, in a process of its own, so that memory is that of generating alone."""
    has_books = BOOKS.is_dir()
    config = replace(FULL, haystack=f"text:{BOOKS}" if has_books else "programmatic")
    if not IFEVAL.is_file():  # the sample has too few needles for 300 different ones
        config = replace(config, pairs={name: n // 5 for name, n in FULL.pairs.items()})
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        write_dataset(opened(config, _pool()), Path(folder))
        seconds = time.perf_counter() - began
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        needles = sum(path.read_bytes().count(b"\n") for path in Path(folder).glob("*.jsonl")) // 2
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    text = "five books" if has_books else "programmatic text"
    print(f"  {needles} needles to 128k in {text}: {seconds:.1f} s, peak {peak:.0f} MiB, "
          f"{size / 1e6:.0f} MB")  # fmt: skip


def _rows() -> list[tuple[str, dict[str, Any], str]]:
    """(instruction, arguments, response), each response as a model might write it."""
    rng = Random(0)
    found = []
    needles = _pool().needles
    answers = [compose(needle.text) for needle in load_pool(NEEDLES).needles]
    while len(found) < RESPONSES:
        needle = rng.choice(needles)
        response = "\n\n".join(rng.choices(answers, k=rng.randint(1, 6)))
        for each, arguments in zip(needle.instruction_id_list, needle.kwargs, strict=True):
            found.append((each, dict(arguments), response))
    return found[:RESPONSES]


def _own(rows: Sequence[tuple[str, dict[str, Any], str]]) -> list[tuple[bool, bool]]:
    verdicts = []
    for each, arguments, response in rows:
        slot = read_slot(each, arguments)
        passes = slot.passes(response)
        loose = passes or any(map(slot.passes, loose_variants(response)))
        verdicts.append((passes, loose))
    return verdicts


def _theirs(registry: Any, rows: Sequence[tuple[str, dict[str, Any], str]]) -> list[Any]:
    """The same with IFEval's scorer, as its driver does it: strict, then the eight variants."""
    verdicts = []
    for each, arguments, response in rows:
        check = registry[each](each)
        check.build_description(**arguments)
        strict = bool(response.strip()) and bool(check.check_following(response))
        lines = response.split("\n")
        kept = [response, "\n".join(lines[1:]).strip(), "\n".join(lines[:-1]).strip()]
        kept.append("\n".join(lines[1:-1]).strip())
        variants = [*kept, *(text.replace("*", "") for text in kept)]
        loose = any(text.strip() and check.check_following(text) for text in variants)
        verdicts.append((strict, bool(loose)))
    return verdicts


def _registry() -> tuple[str, Any]:
    try:
        from lm_eval.tasks.ifeval import instructions_registry as registry
    except ImportError:
        from if_verifiable.ifeval import instructions_registry as registry

        return "IFEval's scorer (packaged copy)", registry.INSTRUCTION_DICT
    return "lm-evaluation-harness's IFEval scorer", registry.INSTRUCTION_DICT


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def _score() -> None:
    rows = _rows()
    own, seconds = _timed(lambda: _own(rows))
    print(f"  {len(rows):,} responses in {seconds:.2f} s: {len(rows) / seconds:,.0f} a second")
    name, registry = _registry()
    usable = [n for n, row in enumerate(rows) if str(row[1].get("letter", "a")).isalpha()]
    theirs, other = _timed(lambda: _theirs(registry, [rows[n] for n in usable]))
    differing = sum(own[n] != verdict for n, verdict in zip(usable, theirs, strict=True))
    share = len(usable) / len(rows)
    print(f"  {other / (seconds * share):.1f} x as fast as {name}; "
          f"{differing} of {len(usable):,} verdicts differ")  # fmt: skip


def _score_files() -> None:
    """Prints what the command costs, which also reads, breaks down and puts into words."""
    with tempfile.TemporaryDirectory() as folder:
        write_dataset(opened(SAMPLE, load_pool(NEEDLES)), Path(folder))
        records, responses = Path(folder, "test.jsonl"), Path(folder, "responses.jsonl")
        asked = [json.loads(line) for line in records.read_bytes().splitlines()]
        samples = RESPONSES // len(asked)
        rng = Random(0)
        answers = [compose(needle.text) for needle in load_pool(NEEDLES).needles]
        with responses.open("w", encoding="utf-8") as file:
            for record in asked:
                given = ["\n\n".join(rng.choices(answers, k=3)) for _ in range(samples)]
                file.write(json.dumps({"id": record["id"], "responses": given}) + "\n")
        _, seconds = _timed(lambda: score_files(records, responses))
    count = samples * len(asked)
    print(f"  as a command, from file to summary: {count:,} responses to {len(asked)} records "
          f"in {seconds:.2f} s, {count / seconds:,.0f} a second")  # fmt: skip


def _growth() -> None:
    slots = {each: read_slot(each, arguments) for each, arguments in _one_of_each().items()}
    worst, where = 0.0, ""
    for each, slot in slots.items():
        for piece in PIECES:
            ratio = _ratio(slot, piece)
            if ratio > worst:
                worst, where = ratio, f"{each} on {json.dumps(piece)}"
    print(f"  16 times the response takes at most {worst:.0f} times as long ({where})")


def _ratio(slot: Slot, piece: str) -> float:
    short = min(_timed(lambda: slot.passes(piece * SHORT))[1] for _ in range(3))
    return _timed(lambda: slot.passes(piece * LONG))[1] / max(short, 0.001)


def _one_of_each() -> dict[str, dict[str, Any]]:
    return {
        each: dict(arguments)
        for needle in load_pool(NEEDLES).needles
        for each, arguments in zip(needle.instruction_id_list, needle.kwargs, strict=True)
    }


def main() -> None:
    print("generate", flush=True)
    code = "from tests.bench.needleif import _generate; _generate()"
    subprocess.run([sys.executable, "-c", code], check=True)
    print("score", flush=True)
    _score()
    _score_files()
    _growth()
