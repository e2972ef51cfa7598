"""What a failure means, from the vendors' own words."""

from __future__ import annotations

import pytest

from runner.diagnosis import Service, diagnose, no_key

KEYED = Service("EXA_API_KEY", True, "https://docs.example")


@pytest.mark.parametrize(
    ("error_type", "message", "status", "meaning", "step"),
    [
        ("http_error", "401: Invalid API key", 401, "wrong key", "EXA_API_KEY"),
        ("http_error", '403: {"message":"Unauthorized."}', 403, "wrong key", "EXA_API_KEY"),
        ("http_error", '422: {"code":"SUBSCRIPTION_TOKEN_INVALID"}', 422, "wrong key", "copy it"),
        ("http_error", "401: Invalid API key or no credit", 401, "wrong key or no credit", "EXA_"),
        ("http_error", "403: insufficient permissions", 403, "wrong key", "EXA_API_KEY"),
        ("http_error", "403: <!DOCTYPE html>", 403, "not an answer of the vendor", "proxy"),
        ("http_error", "401: Incorrect API key provided", 401, "wrong key", "EXA_API_KEY"),
        ("http_error", "402: pay", 402, "no credit", "add credit"),
        ("http_error", "432: plan", 432, "no credit", "add credit"),
        ("http_error", "433: plan", 433, "no credit", "add credit"),
        ("http_error", "400: Not enough credits", 400, "no credit", "add credit"),
        ("http_error", "400: Your credit balance is too low", 400, "no credit", "add credit"),
        ("http_error", "429: insufficient_quota", 429, "no credit", "add credit"),
        ("http_error", "429: INSUFFICIENT_FUNDS_CREDITS", 429, "no credit", "add credit"),
        ("http_error", "401: insufficient credits", 401, "no credit", "add credit"),
        ("api_error", "insufficient_quota: Pay.", None, "no credit", "add credit"),
        ("http_error", "429: slow down", 429, "rate limited", "wait a minute"),
        ("http_error", "503: overloaded", 503, "the service fails", "try again later"),
        ("http_error", "529: overloaded", 529, "the service fails", "status page"),
        ("http_error", "422: unknown field", 422, "request refused", "documentation"),
        ("bad_json", "not JSON: <html>", None, "not an answer of the vendor", "proxy"),
        ("api_error", "model did not search", None, "the vendor reports an error", "its message"),
        ("transport", "TimeoutError: no complete answer", None, "slow host", "--timeout"),
        ("transport", "ReadTimeout", None, "slow host", "--timeout"),
        ("transport", "ConnectError: refused", None, "dead host", "network"),
        ("transport", "ConnectTimeout", None, "dead host", "network"),
        ("transport", "RemoteProtocolError: disconnected", None, "dead host", "network"),
        ("transport", "LocalProtocolError: Illegal header value", None, "wrong key", "EXA_API"),
        ("transport", "RemoteProtocolError: peer closed connection without sending complete "
         "message body", None, "broken answer", "later"),
        ("transport", "BodyTooLarge: more than 9 bytes", None, "broken answer", "later"),
    ],
)  # fmt: skip
def test_a_failure_has_a_meaning_and_a_next_step(
    error_type: str, message: str, status: int | None, meaning: str, step: str
) -> None:
    found = diagnose(error_type, message, KEYED, status)
    assert found.meaning == meaning
    assert step in found.step
    assert "\n" not in found.step


def test_a_refused_call_without_a_key_needs_one() -> None:
    keyless = Service("KEENABLE_API_KEY", False, "")
    found = diagnose("http_error", "401: no", keyless, 401)
    assert found == no_key(keyless)
    assert found.step == "set KEENABLE_API_KEY to a key of your account"
