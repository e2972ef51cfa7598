"""What the judge answered: a profile of each query, and a rating of each distinct document."""

from __future__ import annotations

from typing import Literal

from runner.records.base import Part, Row

QueryType = Literal["broad", "specific", "list"]
Archetype = Literal["ephemeral", "persistent", "evergreen"]
Domain = Literal[
    "health", "legal", "financial", "academic", "tech", "news", "commerce", "jobs", "other"
]
Label = Literal["FullyM", "HM", "SM", "FailsM"]
JudgeErrorType = Literal[
    "transport",
    "http_error",
    "bad_json",
    "api_error",
    "no_content",
    "truncated",
    "refusal",
    "judge_parse_error",
    "budget",
]

LABELS: dict[int, Label] = {4: "FullyM", 3: "HM", 2: "SM", 1: "FailsM", 0: "FailsM"}
GOOD_LABELS = frozenset({"HM", "FullyM"})


class QueryProfile(Part, frozen=True, kw_only=True):
    """What a document must cover to answer a query, without giving the answer away."""

    query_type: QueryType
    query_domain: Domain
    query_search_operators_exist: bool
    query_main_aspects: list[str]
    query_aux_aspects: list[str]
    query_content_archetype: Archetype


class JudgeError(Part, frozen=True, kw_only=True):
    """Why a profile or a rating is missing; `error_message` is masked, at most 500 characters."""

    error_type: JudgeErrorType
    error_message: str


class Spend(Part, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens and money of one or more model calls; `cost_usd` is what the provider reported.

    `unpriced_calls` counts answered calls whose cost it did not report.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0


class ProfileRecord(Row, frozen=True, kw_only=True):
    """A line of `profiles.jsonl`: one query's profile, or why there is none."""

    query_id: str
    profile: QueryProfile | None
    error: JudgeError | None
    spend: Spend
    provider_model: str | None = None
    finished_at: str


class JudgementRecord(Row, frozen=True, kw_only=True):
    """A line of `judgements.jsonl`: the rating of one distinct document of one query.

    `document_key` is the hash of (normalised URL, title, clipped snippet, published date).
    `rating` is what counts, after the gates that code decides; `model_rating` is what the model
    said. `gates` are the model's own gate values. `gate_violations` names gates that failed while
    the model's rating exceeded their cap; `code_gates` names gates that code failed (rating 0).
    """

    query_id: str
    document_key: str
    rating: int | None
    model_rating: int | None
    label: Label | None
    reasoning: str | None
    gates: dict[str, str] | None
    gate_violations: list[str] = []
    code_gates: list[str] = []
    label_mismatch: bool = False
    error: JudgeError | None
    spend: Spend
    provider_model: str | None = None
    finished_at: str


class FactRecord(Row, frozen=True, kw_only=True):
    """A line of `facts.jsonl`: whether one document of one query states the gold value.

    `asked_sha256` is the hash of the query and the value asked about: an answer about a value that
    was corrected since is none about the new one.
    """

    query_id: str
    document_key: str
    asked_sha256: str = ""
    states_it: bool | None
    error: JudgeError | None
    spend: Spend
    provider_model: str | None = None
    finished_at: str
