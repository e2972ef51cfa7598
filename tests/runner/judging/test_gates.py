"""The operator gate that code decides, and violations of the model's own gates."""

from __future__ import annotations

import pytest

from runner.judging.gates import failed_by_code, quoted_spans, violations


@pytest.mark.parametrize(
    ("query", "spans"),
    [
        ('"ferry vote" harbor', ["ferry vote"]),
        ("“Ferry  Vote”", ["ferry vote"]),
        ('"a" and "b c"', ["a", "b c"]),
        ('unclosed "quote', []),
        ("no quotes", []),
        ('"" " " "..."', []),
    ],
)
def test_quoted_spans_are_the_phrases_between_marks(query: str, spans: list[str]) -> None:
    assert quoted_spans(query) == spans


@pytest.mark.parametrize(
    ("query", "url", "title", "snippet", "failed"),
    [
        ('"ferry vote"', "https://a.example", "The Ferry\nVote", None, []),
        ('"ferry vote"', "https://a.example", None, "...ferry vote, 7-2", []),
        ('"ferry vote."', "https://a.example", "ferry vote", "", []),
        ('"council’s plan"', "https://a.example", "the council's plan", "", []),
        ('"ferry vote"', "https://a.example/ferry-vote", "vote on ferry", "", ["quoted_span"]),
        ('"ferry vote"', "https://a.example", "on the ferry", "vote now", ["quoted_span"]),
        ('"ferry" "tram"', "https://a.example", "ferry", "", ["quoted_span"]),
        ("site:a.example x", "https://a.example/1", "", "", []),
        ("site:a.example x", "https://www.a.example/1", "", "", []),
        ("site:www.a.example x", "https://a.example/1", "", "", []),
        ("site:a.example x", "https://deep.a.example./1", "", "", []),
        ("site:a.example x", "https://nota.example/1", "", "", ["site"]),
        ("site:a.example x", "https://a.example.evil.test/1", "", "", ["site"]),
        ("site:a.example x", "https://evil.test/a.example", "", "", ["site"]),
        ("site:a.example site:b.example x", "https://b.example", "", "", []),
        ("-site:a.example x", "https://b.example", "", "", []),
        ("my-site: details", "https://b.example", "", "", []),
        ('site:a.example "x y"', "https://b.example", "", "", ["quoted_span", "site"]),
        ("after:2026-01-01 x", "https://b.example", "", "", []),
        ("site:a.example x", "http://[bad", "", "", ["site"]),
    ],
)
def test_code_decides_quoted_phrases_and_site(
    query: str, url: str, title: str | None, snippet: str | None, failed: list[str]
) -> None:
    assert failed_by_code(query, url=url, title=title, snippet=snippet) == failed


@pytest.mark.parametrize(
    ("rating", "gates", "found"),
    [
        (4, {"document_integrity_check": "fail"}, ["document_integrity_check"]),
        (0, {"document_integrity_check": "fail"}, []),
        (4, {"document_integrity_check": "limit"}, []),
        (2, {"document_coverage_condition": "fail", "document_spirit_condition": "fail"}, []),
        (3, {"document_coverage_condition": "fail"}, ["document_coverage_condition"]),
        (2, {"freshness_gate": "fail"}, ["freshness_gate"]),
        (4, {"freshness_gate": "na", "staleness_gate": "pass"}, []),
        (4, {"staleness_gate": "fail"}, ["staleness_gate"]),
        (1, {"search_operators_gate": "fail"}, ["search_operators_gate"]),
    ],
)
def test_a_rating_above_the_cap_of_a_failed_gate_is_a_violation(
    rating: int, gates: dict[str, str], found: list[str]
) -> None:
    assert violations(rating, gates) == found
