"""Whose fault a failure is."""

from __future__ import annotations

import pytest

from runner.engines.classify import classify_error
from runner.records.search import ErrorClass, ErrorType

Q = "acme plant"


@pytest.mark.parametrize(
    ("error_type", "status", "message", "query", "expected"),
    [
        *(("http_error", status, "no", Q, "account") for status in (401, 402, 403, 429, 432, 433)),
        *(
            ("http_error", status, "your quota, credits and api key", Q, "service")
            for status in (404, 405, 408, 413, 415, 422, 431, 451, 500, 502, 503, 529, 302, 204)
        ),
        ("transport", None, "TimeoutError: quota", Q, "service"),
        ("bad_json", None, "not JSON: api key", Q, "service"),
        ("http_error", 400, '{"message":"Not enough credits","statusCode":400}', Q, "account"),
        ("http_error", 400, "Your credit balance is too low", Q, "account"),
        ("http_error", 400, "insufficient_credits", Q, "account"),
        ("http_error", 400, "QUOTA exceeded", Q, "account"),
        ("http_error", 400, "usage-limit reached", Q, "account"),
        ("http_error", 400, "usage_limit reached", Q, "account"),
        ("http_error", 400, "check your Billing details", Q, "account"),
        ("http_error", 400, "Invalid API-Key", Q, "account"),
        ("http_error", 400, "invalid apikey", Q, "account"),
        ("http_error", 400, "invalid api_key", Q, "account"),
        ("http_error", 400, "accredited schools only", Q, "service"),
        ("http_error", 400, "query too long", Q, "service"),
        ("http_error", 400, "content filter", Q, "service"),
        ("api_error", None, "monthly quota used up", Q, "account"),
        ("api_error", None, "SERVICE_OVERLOADED", Q, "service"),
        # the echoed query does not count
        ("http_error", 400, "bad query: api key rotation", "api key rotation", "service"),
        ("http_error", 400, "bad query: API Key Rotation", "api key rotation", "service"),
        ("http_error", 400, r'{"q":"\"api key\" tips"}', '"api key" tips', "service"),
        ("http_error", 400, "q=api%20key%20tips is bad", "api key tips", "service"),
        ("http_error", 400, "q=api+key+tips is bad", "api key tips", "service"),
        ("http_error", 400, "bad: billing rules", "billing rules site:a.com", "service"),
        ("http_error", 400, "bad: billing site:a.com", "site:a.com  billing", "service"),
        ("http_error", 400, r"bad: caf\u00e9 quota", "café quota", "service"),
        ("http_error", 400, "bad query 'a': invalid api key", "a", "account"),
        ("http_error", 400, "billing rules: your quota is used up", "billing rules", "account"),
    ],
)
def test_an_error_is_ours_or_the_engines(
    error_type: ErrorType, status: int | None, message: str, query: str, expected: ErrorClass
) -> None:
    assert classify_error(error_type, message=message, query=query, status=status) == expected


TRAP = "credit score api key quota"


@pytest.mark.parametrize("error_type", ["http_error", "api_error", "transport", "bad_json"])
@pytest.mark.parametrize(
    "message",
    [
        f"400: invalid query: {TRAP}",
        f"400: invalid query: '{TRAP.upper()}'",
        "400: q=credit+score+api+key+quota is too long",
        "400: query 'credit score api key...' is not supported",
        "400: query 'credit score api key quo' was cut",
        f'400: {{"error":"bad request","query":"{TRAP}"}}',
        f"400: cannot parse {TRAP} site:a.example",
        "400: internal error",
    ],
)
def test_a_query_about_credit_and_keys_makes_no_account_error(
    error_type: ErrorType, message: str
) -> None:
    found = classify_error(error_type, message=message, query=TRAP, status=400)
    assert found == "service"


def test_a_true_account_error_is_seen_through_a_query_about_credit() -> None:
    message = f"400: {TRAP}: not enough credits"
    assert classify_error("http_error", message=message, query=TRAP, status=400) == "account"
    told = classify_error("http_error", message="Invalid API key", query="api key tips", status=400)
    assert told == "account"


def test_an_empty_query_and_a_broken_one_are_no_trouble() -> None:
    for query in ("", "  ", "\ud800", "a(b[c*"):
        assert classify_error("api_error", message="quota", query=query) == "account"
