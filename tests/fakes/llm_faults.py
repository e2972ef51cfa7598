"""Misbehaviour of a language model: each function takes a chat completion and spoils it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.fakes.wire import Response, json_answer


def _with_message(response: Response, *, finish: str = "stop", **fields: Any) -> Response:
    data = copy.deepcopy(response.data)
    choice = data["choices"][0]
    choice["finish_reason"] = finish
    choice["message"] |= fields
    return json_answer(data)


def _content(response: Response) -> str:
    return str(response.data["choices"][0]["message"]["content"])


def _finish_length(arguments: dict[str, Any], response: Response) -> Response:
    content = _content(response)
    return _with_message(response, finish="length", content=content[: len(content) // 2])


def _empty_choice(arguments: dict[str, Any], response: Response) -> Response:
    if arguments["bare"]:
        return json_answer(response.data | {"choices": []})
    return _with_message(response, content=None)


def _refusal(arguments: dict[str, Any], response: Response) -> Response:
    return _with_message(response, content=None, refusal="I'm sorry, I can't help with that.")


def _error_in_200(arguments: dict[str, Any], response: Response) -> Response:
    error = {
        "code": arguments["code"],
        "message": "Provider returned error",
        "metadata": {"provider_name": "Fake", "raw": "overloaded"},
    }
    if not arguments["in_choice"]:
        return replace(json_answer({"error": error}), billable=False)
    data = _with_message(response, finish="error", content="").data
    data["choices"][0]["error"] = error
    return replace(json_answer(data), billable=False)


def _fenced_draft(arguments: dict[str, Any], response: Response) -> Response:
    content = _content(response)
    draft = _contrary(json.loads(content))
    thought = f"<think>\nA first idea:\n```json\n{json.dumps(draft)}\n```\nNo, not so.\n</think>\n"
    return _with_message(response, content=thought + content)


def _prose_then_json(arguments: dict[str, Any], response: Response) -> Response:
    content = f"Sure. Here is the object you asked for:\n\n{_content(response)}"
    return _with_message(response, content=content)


def _bad_rating(arguments: dict[str, Any], response: Response) -> Response:
    reply = json.loads(_content(response))
    if "rating" not in reply:
        return response
    return _with_message(response, content=json.dumps(reply | {"rating": "3/4"}))


def _contrary(reply: dict[str, Any]) -> dict[str, Any]:
    """A valid object of the same shape that says something else."""
    if "rating" in reply:
        rating = 1 if reply["rating"] > 1 else 4
        return reply | {"rating": rating, "label": "FailsM" if rating == 1 else "FullyM"}
    if "query" in reply:
        return reply | {"query": "first draft of words", "refusal": None}
    return reply | {"query_type": "list", "query_main_aspects": ["a first draft"]}


def altered(kind: str, arguments: dict[str, Any], response: Response) -> Response:
    """The spoilt reply; a body that is no reply of a model stays as it is."""
    if not isinstance(response.data, dict):
        return response
    if "choices" in response.data:
        return LLM_ALTERATIONS[kind](arguments, response)
    if response.data.get("type") == "message" and kind in MESSAGE_ALTERATIONS:
        return json_answer(copy.deepcopy(response.data) | MESSAGE_ALTERATIONS[kind])
    return response


# The same in Anthropic's form, whose reply is a message with blocks.
MESSAGE_ALTERATIONS: dict[str, dict[str, Any]] = {
    "finish_length": {
        "stop_reason": "max_tokens",
        "content": [{"type": "text", "text": "Here is a plain"}],
    },
    "empty_choice": {"content": []},
    "refusal": {"stop_reason": "refusal", "content": []},
    "error_in_200": {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded", "code": 529},
    },
}

LLM_ALTERATIONS: dict[str, Callable[[dict[str, Any], Response], Response]] = {
    "finish_length": _finish_length,
    "empty_choice": _empty_choice,
    "refusal": _refusal,
    "error_in_200": _error_in_200,
    "fenced_draft": _fenced_draft,
    "prose_then_json": _prose_then_json,
    "bad_rating": _bad_rating,
}
