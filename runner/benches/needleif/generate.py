"""The data set: `test.jsonl`, `train.jsonl`, `val.jsonl` and a manifest that pins them.

The same configuration, needles and texts give the same bytes on any machine: nothing here looks
at the clock, the environment, the order of a folder or the hash of an object.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from runner.benches.needleif.allocation import Plan, planned
from runner.benches.needleif.config import Config, config_json
from runner.benches.needleif.counting import Tokenizer, tokenizer_named
from runner.benches.needleif.draw import generator
from runner.benches.needleif.haystack import Haystack, text_haystack
from runner.benches.needleif.placement import haystack_text, insert
from runner.benches.needleif.pool import Pool, pool_file
from runner.benches.needleif.programmatic import ProgrammaticHaystack
from runner.benches.needleif.records import (
    WRAPPER_VERSION,
    Pair,
    bare_content,
    haystack_content,
    pair_records,
    record_lines,
    user_turn,
)
from runner.benches.needleif.sizing import longest_fit
from runner.errors import UsageError
from runner.settings import Settings
from runner.storage import replacing, write_file

FEWEST_SENTENCES = 3
MANIFEST = "manifest.json"

Progress = Callable[[int, int], None]


def _quiet(done: int, total: int) -> None:
    """Says nothing; for callers that show no progress."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """All that the data set depends on, opened and ready."""

    config: Config
    pool: Pool
    tokenizer: Tokenizer
    haystack: Haystack
    progress: Progress = field(default=_quiet, compare=False)


def opened(
    config: Config,
    pool: Pool,
    *,
    pg19_folder: Path | None = None,
    settings: Settings | None = None,
) -> Job:
    """The job of a configuration; `pg19_folder` holds the books, one `.txt` each.

    `settings` say how the hub is asked for a tokenizer; without them as anybody may ask it.
    """
    return Job(
        config=config,
        pool=pool,
        tokenizer=tokenizer_named(config.tokenizer, settings),
        haystack=_haystack(config, pg19_folder),
    )


def _haystack(config: Config, pg19_folder: Path | None) -> Haystack:
    kind, _, rest = config.haystack.partition(":")
    if config.haystack == "programmatic":
        return ProgrammaticHaystack()
    if kind == "text" and rest:
        return text_haystack(rest, seed=config.seed)
    if config.haystack == "pg19":
        if pg19_folder is None:
            raise UsageError(
                "haystack pg19 needs --pg19-cache FOLDER with one .txt a book; "
                "programmatic and text:PATH work without it"
            )
        from runner.benches.needleif.sources import recorded_origin

        haystack = text_haystack(str(pg19_folder), seed=config.seed, source="pg19")
        return replace(haystack, origin=recorded_origin(pg19_folder, haystack.revision))
    raise UsageError(
        f"haystack {config.haystack!r}: expected programmatic, text:PATH (a folder or a glob) "
        "or pg19"
    )


def split_lines(job: Job) -> Iterator[tuple[str, bytes]]:
    """(split, the two lines of a pair) for every pair, the splits one after the other."""
    plans = planned(job.config, job.pool)
    total = sum(map(len, plans.values()))
    seen: set[str] = set()
    for split, pairs in plans.items():
        for plan in pairs:
            records = pair_records(built_pair(job, plan))
            identity = records[0]["pair_id"]
            if identity in seen:
                raise UsageError(f"two pairs have the id {identity}; choose another seed")
            seen.add(identity)
            yield split, record_lines(records)
            job.progress(len(seen), total)


def built_pair(job: Job, plan: Plan) -> Pair:
    """The pair with the longest body whose prompt fits the budget of its bucket."""
    config, needle, bucket = job.config, plan.needle, plan.bucket
    draw = partial(_pair_generator, config.seed, plan)
    pieces = _filled(job, plan, job.haystack.pieces(plan.split, draw))
    body, offset = insert(pieces, needle.text, plan.depth_percent)
    if body.count(needle.text) != 1:
        raise UsageError(
            f"the text of needle {needle.source_key} is in its haystack already; "
            "take other texts or another seed"
        )
    bare_tokens = job.tokenizer.count_chat(user_turn(bare_content(needle.text)), True)
    return Pair(
        needle=needle,
        split=plan.split,
        seed=config.seed,
        size_bucket=bucket.label,
        window_tokens=bucket.window,
        budget_tokens=bucket.budget,
        reserve_tokens=bucket.reserve,
        reference_tokenizer=job.tokenizer.name,
        haystack_source=job.haystack.source,
        depth_percent=plan.depth_percent,
        body=body,
        needle_char_offset=offset,
        body_tokens=job.tokenizer.count(body),
        haystack_prompt_tokens=_prompt_tokens(job.tokenizer, body),
        bare_prompt_tokens=bare_tokens,
    )


def _pair_generator(seed: int, plan: Plan, purpose: str) -> Random:
    return generator(seed, purpose, plan.split, plan.bucket.label, plan.index)


def _prompt_tokens(tokenizer: Tokenizer, body: str) -> int:
    return tokenizer.count_chat(user_turn(haystack_content(body)), True)


def _filled(job: Job, plan: Plan, source: Iterator[str]) -> list[str]:
    """The sentences from the start on, as many as the budget holds."""
    tokenizer, budget = job.tokenizer, plan.bucket.budget

    def size(sentences: int) -> int:
        body, _ = insert(held[:sentences], plan.needle.text, plan.depth_percent)
        return _prompt_tokens(tokenizer, body)

    held = list(islice(source, 100))
    if not held:
        raise UsageError(f"the haystack has no text for the split {plan.split}; add texts")
    chars, tokens = sum(map(len, held)), max(1, tokenizer.count(haystack_text(held)))
    # A tenth more text than the budget should hold, so that most fills take one search.
    wanted = budget * chars * 11 // (tokens * 10)
    while True:
        for piece in source if chars < wanted else ():
            held.append(piece)
            chars += len(piece)
            if chars >= wanted:
                break
        fit = longest_fit(size, budget=budget, start=len(held) * 10 // 11, most=len(held))
        if fit < len(held):
            break
        following = next(source, None)
        if following is None:
            raise UsageError(
                f"bucket {plan.bucket.label}: all text of the split {plan.split} makes a prompt "
                f"of {size(fit)} tokens and {budget} are to be filled; add texts or leave this "
                "bucket out"
            )
        held.append(following)
        chars += len(following)
        wanted = chars * 11 // 10
    if fit < FEWEST_SENTENCES:
        raise UsageError(
            f"bucket {plan.bucket.label}: the budget of {budget} tokens holds the needle "
            f"{plan.needle.source_key} with {fit} sentences, and {FEWEST_SENTENCES} are the "
            "fewest; lower output_reserve or leave this bucket out"
        )
    return held[:fit]


def write_dataset(job: Job, out: Path) -> dict[str, str]:
    """Writes the splits and the manifest to `out`; returns the SHA-256 of each split's file."""
    digests = {split: hashlib.sha256() for split in job.config.splits}
    with contextlib.ExitStack() as stack:
        files = {}
        for split in digests:
            temporary = stack.enter_context(replacing(out / f"{split}.jsonl"))
            files[split] = stack.enter_context(temporary.open("wb"))
        for split, lines in split_lines(job):
            files[split].write(lines)
            digests[split].update(lines)
    hashes = {f"{split}.jsonl": digest.hexdigest() for split, digest in digests.items()}
    write_file(out / MANIFEST, manifest(job, hashes))
    return hashes


def differing_files(job: Job, out: Path) -> list[str]:
    """The names of the files in `out` that would come out otherwise today; empty when none."""
    digests = {split: hashlib.sha256() for split in job.config.splits}
    for split, lines in split_lines(job):
        digests[split].update(lines)
    hashes = {f"{split}.jsonl": digest.hexdigest() for split, digest in digests.items()}
    differing = [name for name, digest in hashes.items() if _file_sha256(out / name) != digest]
    expected = hashlib.sha256(manifest(job, hashes)).hexdigest()
    return differing + [MANIFEST] * (_file_sha256(out / MANIFEST) != expected)


def _file_sha256(path: Path) -> str | None:
    """The hash of a file's bytes, None where there is no such file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def manifest(job: Job, hashes: dict[str, str]) -> bytes:
    """What the data set was made from, as JSON; holds no time and no path."""
    counts = Counter(needle.complexity for needle in job.pool.needles)
    facts = {
        "schema_version": 1,
        "config": {**config_json(job.config), "tokenizer": job.tokenizer.name},
        "seed": job.config.seed,
        "tokenizer": job.tokenizer.name,
        "has_chat_template": job.tokenizer.render is not None,
        "haystack": {
            "source": job.haystack.source,
            **_origin(job.haystack.origin),
            "revision": job.haystack.revision,
        },
        "wrapper_version": WRAPPER_VERSION,
        "needles": {
            **_origin(job.pool.origin),
            "simple": counts["simple"],
            "complex": counts["complex"],
            "dropped": dict(job.pool.dropped),
            "sha256": hashlib.sha256(pool_file(job.pool)).hexdigest(),
        },
        "files": hashes,
    }
    return (json.dumps(facts, ensure_ascii=False, indent=2) + "\n").encode()


def _origin(name: str | None) -> dict[str, str]:
    """The repository and commit of the hub, where it is known."""
    return {} if name is None else {"origin": name}
