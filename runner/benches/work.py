"""The work folder of a run (`R.work/`): each search and judgement as it arrived.

A stopped run that is started again finds its answers here and asks only for the rest, so no call
is paid twice. Answers are keyed by what was asked: (query, engine), query, (query, document). A
later line replaces an earlier one of the same key. Settings that change what an answer means are
kept in `run.json`; a run with other settings is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from runner.errors import DataError, UsageError
from runner.llm.client import Budgeted, LanguageModel, total
from runner.records.base import Document, encode_document, encode_line
from runner.records.jsonl import read_rows
from runner.records.judgements import FactRecord, JudgementRecord, ProfileRecord, Spend
from runner.records.search import SearchRecord
from runner.storage import Journal, write_file
from runner.text import parse_time

T = TypeVar("T")


class RunState(Document, frozen=True, kw_only=True):
    """What was fixed when the run began; `ts` and `started_at` survive a resume."""

    bench: str
    ts: str
    started_at: str
    profile: str
    engines: list[str]  # sorted
    num_results: int
    snippet_chars: int
    judge_model: str | None  # null where no model is asked
    judge_effort: str | None
    prompt_sha256: dict[str, str]


_MUST_AGREE = (
    "bench",
    "profile",
    "engines",
    "num_results",
    "snippet_chars",
    "judge_model",
    "judge_effort",
    "prompt_sha256",
)


class WorkFolder:
    """The answers so far, and the journals that new ones are written to."""

    def __init__(self, path: Path, wanted: RunState) -> None:
        self.path = path
        self.state = _open_state(path / "run.json", wanted)
        self.searches = {(r.query_id, r.engine): r for r in _read(path / "searches.jsonl", _search)}
        profiles = _read(path / "profiles.jsonl", _profile)
        judgements = _read(path / "judgements.jsonl", _judgement)
        facts = _read(path / "facts.jsonl", _fact)
        self.profiles = {r.query_id: r for r in profiles}
        self.judgements = {(r.query_id, r.document_key): r for r in judgements}
        self.facts = {(r.query_id, r.document_key): r for r in facts}
        # of all lines: an answer that was asked for again has cost twice
        self._spends = [r.spend for r in profiles] + [r.spend for r in judgements]
        self._spends += [r.spend for r in facts]
        self._searches = Journal(path / "searches.jsonl")
        self._profiles = Journal(path / "profiles.jsonl")
        self._judgements = Journal(path / "judgements.jsonl")
        self._facts = Journal(path / "facts.jsonl")

    def add_search(self, record: SearchRecord) -> None:
        self._searches.append(encode_line(record))
        self.searches[record.query_id, record.engine] = record

    def add_profile(self, record: ProfileRecord) -> None:
        self._profiles.append(encode_line(record))
        self.profiles[record.query_id] = record
        self._spends.append(record.spend)

    def add_judgement(self, record: JudgementRecord) -> None:
        self._judgements.append(encode_line(record))
        self.judgements[record.query_id, record.document_key] = record
        self._spends.append(record.spend)

    def add_fact(self, record: FactRecord) -> None:
        self._facts.append(encode_line(record))
        self.facts[record.query_id, record.document_key] = record
        self._spends.append(record.spend)

    @property
    def spend(self) -> Spend:
        """What all answers have cost; the same sum in whatever order they came."""
        return total(self._spends)

    def budgeted(self, model: LanguageModel, max_usd: float) -> Budgeted:
        """The model with what is left of `max_usd`, and with the dearest call known so far."""
        dearest = max((s.cost_usd / s.calls for s in self._spends if s.calls), default=0.0)
        return Budgeted(model, max_usd, spent_usd=self.spend.cost_usd, dearest_usd=dearest)

    def finished_at(self) -> str:
        """The time of the last answer, the start of the run where there is none."""
        times = [self.state.started_at]
        times += [record.finished_at for record in self.searches.values()]
        times += [record.finished_at for record in self.profiles.values()]
        times += [record.finished_at for record in self.judgements.values()]
        times += [record.finished_at for record in self.facts.values()]
        return max(times)

    def close(self) -> None:
        for journal in (self._searches, self._profiles, self._judgements, self._facts):
            journal.close()


_search = msgspec.json.Decoder(SearchRecord).decode
_profile = msgspec.json.Decoder(ProfileRecord).decode
_judgement = msgspec.json.Decoder(JudgementRecord).decode
_fact = msgspec.json.Decoder(FactRecord).decode


def run_began_at(folder: Path) -> datetime | None:
    """When the run in a work folder began, None where none has; raises DataError."""
    state = _read_state(folder / "run.json")
    return parse_time(state.started_at) if state else None


def _read_state(path: Path) -> RunState | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunState)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise DataError(path, f"{error}; remove the folder to start afresh") from error


def _open_state(path: Path, wanted: RunState) -> RunState:
    found = _read_state(path)
    if found is None:
        write_file(path, encode_document(wanted))
        return wanted
    for name in _MUST_AGREE:
        if getattr(found, name) != getattr(wanted, name):
            raise UsageError(
                f"{path.parent} holds a run with {name}={getattr(found, name)!r}, this one has "
                f"{getattr(wanted, name)!r}; give the flags that it began with, start another run "
                "(another --out, --data or minute), or remove the folder"
            )
    return found


def _read(path: Path, decode: Callable[[bytes], T]) -> list[T]:
    """The records of a journal; only its last line may be cut off, by a machine that went down."""
    rows = read_rows(path, decode)
    if rows.bad and rows.bad[0].line <= len(rows.good):
        raise DataError(path, f"{rows.bad[0].reason}; remove this line", line=rows.bad[0].line)
    return rows.good
