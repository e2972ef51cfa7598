"""What the environment says: which gateways are taken, and which are refused in which words."""

from __future__ import annotations

import pytest

from runner.errors import UsageError
from runner.settings import USER_AGENT, read_settings


@pytest.mark.parametrize(
    ("url", "gateway"),
    [
        ("", None),
        ("  ", None),
        ("http://127.0.0.1:8800", "http://127.0.0.1:8800"),
        (" http://localhost:8800/ ", "http://localhost:8800"),
        ("http://[::1]:8800/record/", "http://[::1]:8800/record"),
        ("https://gateway.example", "https://gateway.example"),
    ],
)
def test_a_gateway_is_taken_without_its_trailing_slash(url: str, gateway: str | None) -> None:
    assert read_settings({"NEEDLE_GATEWAY": url}).gateway == gateway


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("127.0.0.1:8800", "is not a URL"),
        ("ftp://127.0.0.1", "is not a URL"),
        ("http://", "is not a URL"),
        ("http://127.0.0.1:99999", "is not a URL"),
        ("http://127.0.0.1:port", "is not a URL"),
        ("http://127.0.0.1:0", "is not a URL"),
        ("http://[::1", "is not a URL"),
        ("http://127.0.0.1:8800/a?b=c", "more than host and path"),
        ("http://gateway.example:8800", "plain http is only for this machine"),
    ],
)
def test_any_other_gateway_is_refused_with_the_form_it_should_have(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_settings({"NEEDLE_GATEWAY": url})


@pytest.mark.parametrize("scheme", ["http", "https", "ftp"])
def test_a_password_in_the_gateway_is_refused_and_never_repeated(scheme: str) -> None:
    with pytest.raises(UsageError, match="holds a user name or a password") as caught:
        read_settings({"NEEDLE_GATEWAY": f"{scheme}://user:open-sesame@127.0.0.1:8800"})
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        ({}, ""),
        ({"NEEDLE_CONTACT": "ops@needle.example"}, " (+ops@needle.example)"),
        ({"NEEDLE_CONTACT": "https://needle.example/bot"}, " (+https://needle.example/bot)"),
        ({"NEEDLE_CONTACT": "a\r\nX-Evil: 1"}, ""),
        ({"NEEDLE_CONTACT": "  "}, ""),
    ],
)
def test_the_operators_contact_goes_into_the_user_agent(
    contact: dict[str, str], shown: str
) -> None:
    assert read_settings(contact).user_agent == USER_AGENT + shown
