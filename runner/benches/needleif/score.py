"""Scoring from files to files: what `needleif score` does, without a judge and without a model.

In a folder that was copied out: `python -m needleif.score RECORDS RESPONSES > summary.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from .faults import RecordFault
from .reading import own_answers, read_records, read_responses
from .scoring import results_jsonl, score_records
from .summary import summarise, summary_json


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """The text of the results file and the summary object."""

    results: str
    summary: dict[str, Any]


def score_files(
    records_path: Path,
    responses_path: Path | None,
    *,
    fails_missing: bool = False,
    ks: Sequence[int] = (1,),
) -> ScoredFiles:
    """The scores of a responses file; with None, of the records' own assistant turns.

    Equal bytes in give equal bytes out. Raises RecordFault for what can not be read, OSError for
    a file that is not there.
    """
    records = read_records(records_path)
    responses = (
        own_answers(records)
        if responses_path is None
        else read_responses(responses_path, [record.id for record in records])
    )
    scored = score_records(records, responses, fails_missing=fails_missing)
    summary = summarise(
        scored,
        records_sha256=file_sha256(records_path),
        responses_sha256=file_sha256(responses_path or records_path),
        model=responses.model,
        ks=ks,
    )
    return ScoredFiles(results_jsonl(scored), summary)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes in hex digits, read in pieces."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def coverage_warning(summary: dict[str, Any]) -> str | None:
    """What to say on stderr when not every record has an answer, or None."""
    if not summary["missing"] and not summary["pairs_left_out"]:
        return None
    return (
        f"{summary['answered']} of {summary['records']} records have an answer; "
        f"{summary['pairs_left_out']} pairs are left out of the paired metrics"
    )


def main(words: Sequence[str]) -> int:
    """The summary to standard output: 0; 2 for files that cannot be used."""
    if len(words) != 2:
        print("usage: python -m needleif.score RECORDS RESPONSES", file=sys.stderr)
        return 2
    try:
        summary = score_files(Path(words[0]), Path(words[1])).summary
    except (RecordFault, OSError) as fault:
        print(f"needleif: {fault}", file=sys.stderr)
        return 2
    warning = coverage_warning(summary)
    if warning is not None:
        print(f"needleif: {warning}", file=sys.stderr)
    sys.stdout.write(summary_json(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
