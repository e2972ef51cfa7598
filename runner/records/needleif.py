"""The files of needleif: the report of a run over several models, and its published row a model.

Shares are 0 to 1. A cell counts pairs by (passes bare, passes in the document): `n11`, `n10`,
`n01`, `n00`; with several samples a record these are expected counts.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from runner.records.base import Document, Part, Row
from runner.records.reports import Profile, Report, decode_report

Provider = Literal["anthropic", "openai", "embedded"]


class NeedleFigure(Part, frozen=True, kw_only=True):
    """A share or a difference with its 95 % interval; null where nothing could be measured."""

    value: float | None
    low: float | None
    high: float | None


class NeedleCell(Part, frozen=True, kw_only=True):
    """The paired metrics of `n` pairs; `small` where `n` is below 10.

    `distraction_regression` is the share of what passes bare and fails in the document,
    `net_penalty` the baseline less the long-context accuracy.
    """

    n: int
    small: bool
    n11: float
    n10: float
    n01: float
    n00: float
    baseline: NeedleFigure
    long_context: NeedleFigure
    distraction_regression: NeedleFigure
    net_penalty: NeedleFigure


class NeedleDataset(Part, frozen=True, kw_only=True):
    """The records that were asked; equal `records_sha256` means the same questions."""

    records_sha256: str
    split: str
    seed: int
    tokenizer: str
    haystack: str
    needles: str
    pairs: int


class NeedleifRow(Row, frozen=True, kw_only=True):
    """One model in one run, pass@1 over the pairs with an answer on both sides.

    `by` breaks the loose cells down: size, depth, complexity, instructions, size_depth
    ("8k/50") and instruction_id. `bare` and `haystack` are the loose pass values of each pair in
    the order of the records, null where an answer is missing, so that two models over the same
    records can be compared pair by pair. These three are null in rows older than 35 days.
    """

    ts: str
    bench: Literal["needleif"]
    model: str
    provider: Provider
    profile: Profile = "live"
    dataset: NeedleDataset
    responses_sha256: str
    samples: int
    temperature: float | None
    records: int
    answered: int
    missing: int
    failed: int
    truncated: int
    pairs: int
    pairs_left_out: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    strict: NeedleCell
    loose: NeedleCell
    instruction_level_bare: float | None
    instruction_level_haystack: float | None
    by: dict[str, dict[str, NeedleCell]] | None
    bare: list[float | None] | None
    haystack: list[float | None] | None


class AskedRecord(Part, frozen=True, kw_only=True):
    """One record of a run with a model's answers to it and their verdicts, a value a sample.

    The request itself is in the records file of `NeedleDataset.records_sha256`. `needle` is the
    instruction, `kwargs` the arguments of its checks, so that every verdict can be reached again
    from here. `is_missing`: there is no answer, or one that counts as failed was put in its place.
    """

    id: str
    pair_id: str
    condition: Literal["bare", "haystack"]
    size: str
    depth: float | None
    complexity: str
    needle: str
    instruction_ids: list[str]
    kwargs: list[dict[str, Any]]
    responses: list[str]
    stop_reasons: list[str | None]
    strict: list[bool]
    loose: list[bool]
    slots_loose: list[list[bool]]
    is_missing: bool = False


class AskedModel(Part, frozen=True, kw_only=True):
    """One model's part of a report: its published row, the whole summary, and every answer."""

    row: NeedleifRow
    summary: dict[str, Any]
    answers: list[AskedRecord]


class NeedleifReport(Document, frozen=True, kw_only=True):
    """One run of needleif over one data set, models in the order in which they were asked."""

    bench: Literal["needleif"] = "needleif"
    run_id: str
    ts: str
    profile: Profile
    started_at: str
    finished_at: str
    git_sha: str | None
    dataset: NeedleDataset
    models: dict[str, AskedModel]


Published = Report | NeedleifReport
"""What can be published and archived."""


class _Bench(msgspec.Struct):
    bench: str = ""


def decode_published(content: bytes) -> Published:
    """A report of any bench; raises msgspec.MsgspecError where it is none."""
    if msgspec.json.decode(content, type=_Bench).bench == "needleif":
        return msgspec.json.decode(content, type=NeedleifReport)
    return decode_report(content)


decode_needleif_row = msgspec.json.Decoder(NeedleifRow).decode
