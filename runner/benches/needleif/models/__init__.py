"""The models that can be asked: two vendors' interfaces, and two references that need no key.

A model is named by a specification: `anthropic:MODEL`, `openai:MODEL` (any endpoint with OpenAI's
chat completions, by `base_url`), `openrouter:MODEL` (whose answers say what they cost), and
`embedded:follower` or `embedded:tail-copier`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runner.benches.needleif.models.model import Answer, AskError, Model
from runner.errors import UsageError
from runner.settings import OPENROUTER, Settings, checked_url

__all__ = ["Answer", "AskError", "Model", "check_priced", "model_named"]

ANTHROPIC = "https://api.anthropic.com"
OPENAI = "https://api.openai.com/v1"
FORMS = "anthropic:MODEL, openai:MODEL, openrouter:MODEL, embedded:follower or embedded:tail-copier"


def model_named(
    specification: str,
    settings: Settings,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    extra_body: Mapping[str, Any] | None = None,
    concurrency: int = 4,
    retries: int = 5,
) -> Model:
    """The model of a specification. UsageError for an unknown form and for a missing key.

    A key goes to its own vendor only: with a `base_url` of somebody else it is the one that
    `api_key_env` names, and without a name none is sent.
    """
    kind, _, model = specification.partition(":")
    if not model:
        raise UsageError(f"model {specification!r}: expected {FORMS}")
    if kind == "embedded":
        return _embedded(model)
    if kind not in ("anthropic", "openai", "openrouter"):
        raise UsageError(f"model {specification!r}: expected {FORMS}")
    if kind == "openrouter":
        if base_url is not None or api_key_env is not None:
            raise UsageError("--base-url and --api-key-env are for openai:MODEL")
        base, key_env = OPENROUTER, "OPENROUTER_API_KEY"
    else:
        own = ANTHROPIC if kind == "anthropic" else OPENAI
        base = checked_url("--base-url", base_url) or own
        own_env = "ANTHROPIC_API_KEY" if kind == "anthropic" else "OPENAI_API_KEY"
        key_env = api_key_env or (own_env if base == own else "")
    key = settings.key(key_env)
    if key_env and not key:
        raise UsageError(
            f"{key_env} is not set, and {specification} needs it; "
            "embedded:follower and embedded:tail-copier need no key"
        )
    from runner.benches.needleif.models.anthropic import AnthropicModel
    from runner.benches.needleif.models.endpoint import Endpoint
    from runner.benches.needleif.models.openai import OpenAiModel

    if kind == "anthropic":
        headers = {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})
        url, name = f"{base}/v1/messages", f"anthropic/{model}"
    else:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        url, name = f"{base}/chat/completions", f"openai/{model}" if base == OPENAI else model
    endpoint = Endpoint(
        settings, url=url, headers=headers, concurrency=concurrency, retries=retries
    )
    build = AnthropicModel if kind == "anthropic" else OpenAiModel
    return build(endpoint, model=model, name=name, extra_body=extra_body or {})


def check_priced(specification: str, max_usd: float | None, base_url: str | None = None) -> None:
    """Raises UsageError for a budget over a vendor who never says what an answer cost.

    Of other endpoints it shows with the first answer.
    """
    is_silent = specification.startswith(("anthropic:", "openai:")) and base_url is None
    if max_usd is not None and is_silent:
        raise UsageError(
            f"--max-usd needs a model that says what it costs, as those of OpenRouter do, and "
            f"{specification} does not"
        )


def _embedded(name: str) -> Model:
    from runner.benches.needleif.models.reference import REFERENCES

    if name not in REFERENCES:
        raise UsageError(f"model embedded:{name}: known are {', '.join(sorted(REFERENCES))}")
    return REFERENCES[name]()
