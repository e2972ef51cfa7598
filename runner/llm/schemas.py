"""The reply schema of each prompt, sent as `response_format` and named after the prompt."""

from __future__ import annotations

from typing import Any

from runner.llm.client import PromptName


def _choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_TEXTS = {"type": "array", "items": {"type": "string"}}

REFUSALS = ("evergreen", "no_event", "no_distinct_detail", "boilerplate")
# One query or one refusal, and the words of the source that both rest on.
_PROPOSAL: dict[str, Any] = {
    "query": _TEXT_OR_NULL,
    "refusal": {"type": ["string", "null"], "enum": [*REFUSALS, None]},
    "quoted_span": _TEXT_OR_NULL,
    "evidence": _TEXT_OR_NULL,
}

_FIELDS: dict[PromptName, dict[str, Any]] = {
    "code_query": _PROPOSAL,
    "filing_query": _PROPOSAL,
    "news_query": _PROPOSAL,
    "scholar_body": _PROPOSAL,
    "scholar_clue": _PROPOSAL,
    "scholar_tot": _PROPOSAL,
    "query_profile": {
        "query_type": _choice("broad", "specific", "list"),
        "query_content_archetype": _choice("ephemeral", "persistent", "evergreen"),
        "query_domain": _choice(
            "health",
            "legal",
            "financial",
            "academic",
            "tech",
            "news",
            "commerce",
            "jobs",
            "other",
        ),
        "query_search_operators_exist": {"type": "boolean"},
        "query_main_aspects": _TEXTS,
        "query_aux_aspects": _TEXTS,
    },
    "fact_match": {"answer": _choice("yes", "no")},
    "relevance": {
        "reasoning": _TEXT,
        "document_integrity_check": _choice("fail", "limit", "pass"),
        "document_spirit_condition": _choice("fail", "pass"),
        "document_coverage_condition": _choice("fail", "pass"),
        "document_completeness_condition": _choice("fail", "pass", "na"),
        "freshness_gate": _choice("fail", "pass", "na"),
        "staleness_gate": _choice("fail", "pass"),
        "domain_gate": _choice("fail", "pass", "na"),
        "search_operators_gate": _choice("fail", "pass", "na"),
        "rating": {"type": "integer", "enum": [0, 1, 2, 3, 4]},
        "label": _choice("FullyM", "HM", "SM", "FailsM"),
    },
}

GATES = tuple(name for name in _FIELDS["relevance"] if name not in ("reasoning", "rating", "label"))


def response_format(name: PromptName) -> dict[str, Any]:
    """The `response_format` of a chat completion that must answer the prompt `name`."""
    fields = _FIELDS[name]
    return {
        "type": "json_schema",
        "json_schema": {
            "name": name,
            "strict": True,
            "schema": {
                "type": "object",
                "properties": fields,
                "required": list(fields),
                "additionalProperties": False,
            },
        },
    }
