"""What the environment says, read once: keys, the gateway, model names.

A variable that is set to nothing counts as missing. Keys are kept in one place so that every
error text can be masked with all of them.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from runner import __version__
from runner.errors import UsageError

DEFAULT_MODEL = "openai/gpt-6-luna"
OPENROUTER = "https://openrouter.ai/api/v1"
USER_AGENT = f"needle-benchmark/{__version__}"
_KEY_ENDINGS = ("_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD")


Sleep = Callable[[float], Awaitable[Any]]


@dataclass(frozen=True)
class Settings:
    """`env` holds the non-empty variables; `gateway` has no trailing slash.

    `llm_base_url` is OpenRouter's or that of any service with the same chat completions;
    `llm_providers` are OpenRouter's slugs of the only providers to ask, in order of preference.
    `sleep` is how this process waits between attempts.
    """

    env: Mapping[str, str] = field(repr=False)
    gateway: str | None = None
    llm_base_url: str = OPENROUTER
    llm_providers: tuple[str, ...] = ()
    llm_model: str = DEFAULT_MODEL
    judge_model: str = DEFAULT_MODEL
    sleep: Sleep = field(default=asyncio.sleep, repr=False, compare=False)

    @property
    def user_agent(self) -> str:
        """Who asks a public source; NEEDLE_CONTACT says how its owner can reach the operator."""
        contact = self.env.get("NEEDLE_CONTACT", "").encode("ascii", "ignore").decode()
        return f"{USER_AGENT} (+{contact})" if contact.isprintable() and contact else USER_AGENT

    @property
    def llm_key(self) -> str | None:
        return self.key(self.llm_key_env)

    @property
    def llm_key_env(self) -> str:
        """The variable of the model's key; OpenRouter's key is never sent to another service."""
        return "OPENROUTER_API_KEY" if self.is_openrouter else "NEEDLE_LLM_API_KEY"

    @property
    def is_openrouter(self) -> bool:
        return self.llm_base_url == OPENROUTER

    def key(self, name: str | None) -> str | None:
        """The value of a key variable, or None where it is missing or empty."""
        return self.env.get(name) if name else None

    @property
    def mask(self) -> Mask:
        return Mask(value for name, value in self.env.items() if name.endswith(_KEY_ENDINGS))


def read_settings(environ: Mapping[str, str], sleep: Sleep = asyncio.sleep) -> Settings:
    """The settings of this process; raises UsageError for a gateway that is not allowed."""
    env = {name: value.strip() for name, value in environ.items() if value.strip()}
    model = env.get("NEEDLE_LLM_MODEL", DEFAULT_MODEL)
    return Settings(
        env=env,
        gateway=checked_url("NEEDLE_GATEWAY", env.get("NEEDLE_GATEWAY")),
        llm_base_url=checked_url("NEEDLE_LLM_BASE_URL", env.get("NEEDLE_LLM_BASE_URL"))
        or OPENROUTER,
        llm_providers=_listed(env.get("NEEDLE_LLM_PROVIDERS", "")),
        llm_model=model,
        judge_model=env.get("NEEDLE_JUDGE_MODEL", model),
        sleep=sleep,
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def checked_url(name: str, url: str | None) -> str | None:
    """The base address without its last slash; UsageError for one that must not be asked.

    `name` is the variable or flag that it came from.
    """
    if url is None:
        return None
    form = "write it like http://127.0.0.1:8800"
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port != 0 else None
    except ValueError:  # a port that is none, a bracket too few
        parts, host = urlsplit(""), None
    if "@" in url:
        raise UsageError(f"{name} holds a user name or a password; {form}")
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{name}={url!r} is not a URL; {form}")
    if parts.query or parts.fragment:
        raise UsageError(f"{name}={url!r} has more than host and path; {form}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise UsageError(
            f"{name}={url!r}: plain http is only for this machine; use https elsewhere"
        )
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Mask:
    """Replaces every known secret in a text, in each form in which it may be echoed."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms: set[str] = set()
        for secret in secrets:
            if len(secret) < 4:
                continue  # masking so short a text would garble every message
            encoded = base64.b64encode(secret.encode()).decode()
            forms |= {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]}
            forms |= {encoded, encoded.rstrip("=")}
        self._forms = sorted(forms, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, "***")
        return text
