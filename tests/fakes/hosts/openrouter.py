"""openrouter.ai: chat completions whose task is named by the reply schema (see `replies`).

A request without a schema is a free prompt to a plain chat model.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from tests.fakes.calls import message_text
from tests.fakes.checks import Rule, number, one_of, problem, shape, text, whole
from tests.fakes.delimiters import ContractError, Delimited
from tests.fakes.plain_chat import said
from tests.fakes.replies import TASKS
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-OPENROUTER_API_KEY"
EFFORTS = ("max", "xhigh", "high", "medium", "low", "minimal", "none")
USD_PER_TOKEN_IN, USD_PER_TOKEN_OUT = 0.10 / 1e6, 0.50 / 1e6
ANY_LIST: Rule = ("a list", lambda value: isinstance(value, list))
ANY_OBJECT: Rule = ("an object", lambda value: isinstance(value, dict))
SWITCH = one_of(True, False)


def _are_messages(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(
        isinstance(message, dict)
        and message.get("role") in ("system", "user", "assistant")
        and isinstance(message.get("content"), (str, list))
        for message in value
    )


FIELDS = {
    "model": text(3, 200),
    "messages": ("a list of messages with role and content", _are_messages),
    "max_tokens": whole(1, 128_000),
    "max_completion_tokens": whole(1, 128_000),
    "temperature": number(0, 2),
    "seed": whole(0, 2**31),
    "stream": one_of(False),
    "usage": ANY_OBJECT,
    "reasoning": shape(
        {
            "effort": one_of(*EFFORTS),
            "max_tokens": whole(0, 128_000),
            "exclude": SWITCH,
            "enabled": SWITCH,
        }
    ),
    "response_format": ANY_OBJECT,
    "provider": shape(
        {
            "order": ANY_LIST,
            "only": ANY_LIST,
            "ignore": ANY_LIST,
            "allow_fallbacks": SWITCH,
            "require_parameters": SWITCH,
            "data_collection": one_of("allow", "deny"),
            "zdr": SWITCH,
            "quantizations": ANY_LIST,
            "sort": one_of("price", "throughput", "latency"),
            "max_price": ANY_OBJECT,
        }
    ),
}
FORMAT_FIELDS = {
    "type": one_of("json_schema"),
    "json_schema": shape(
        {"name": text(1, 64), "strict": one_of(True), "schema": ANY_OBJECT, "description": text()},
        ["name", "strict", "schema"],
    ),
}


def error(status: int, message: str) -> Response:
    metadata = {"provider_name": "Fake", "raw": message} if status >= 429 else {}
    return json_answer(
        {"error": {"code": status, "message": message, "metadata": metadata}}, status
    )


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/api/v1/chat/completions"):
        return error(404, "Not Found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "No auth credentials found")
    body = request.json
    if wrong := _refused(body):
        return wrong
    if "response_format" not in body:
        return _completion(body, said(body["messages"]), scene)
    spec = body["response_format"]["json_schema"]
    user = "\n".join(message_text(m) for m in body["messages"] if m["role"] == "user")
    try:
        return _completion(body, reply_text(spec, user, scene), scene)
    except ContractError as broken:
        return error(400, f"{spec['name']}: {broken}")


def reply_text(spec: dict[str, Any], user: str, scene: Scene) -> str:
    """The model's JSON for a task; ContractError where prompt or schema do not fit it."""
    reply = TASKS[spec["name"]](Delimited.read(user), scene.clock)
    fields = spec["schema"]["properties"]
    if unknown := sorted(set(fields) - set(reply)):
        raise ContractError(f"the fake model cannot fill the field {unknown[0]!r}")
    fitted = {name: fitting(reply[name], schema) for name, schema in fields.items()}
    for name, schema in fields.items():
        if "enum" in schema and fitted[name] not in schema["enum"]:
            raise ContractError(f"the schema of {name!r} forbids {fitted[name]!r}")
    return json.dumps(fitted, ensure_ascii=False)


def _refused(body: Any) -> Response | None:
    """What the router refuses before any model sees the request."""
    if wrong := problem(body, FIELDS, ["model", "messages"]):
        return error(400, wrong[1])
    is_openai = body["model"].startswith("openai/")
    if is_openai and body.get("reasoning", {}).get("effort") == "minimal":
        return error(400, f"{body['model']} does not support the reasoning effort 'minimal'")
    if is_openai and "temperature" in body and body.get("provider", {}).get("require_parameters"):
        return error(404, "No endpoints found that support the requested parameters")
    fault = _format_fault(body["response_format"]) if "response_format" in body else None
    return error(400, fault) if fault else None


def _format_fault(response_format: Any) -> str | None:
    """What is wrong with the demanded form of the reply."""
    if wrong := problem(response_format, FORMAT_FIELDS, ["type", "json_schema"]):
        return f"response_format: {wrong[1]}"
    spec = response_format["json_schema"]
    if spec["name"] not in TASKS:
        return f"unknown task {spec['name']!r}; known: {', '.join(TASKS)}"
    where = loose_object(spec["schema"])
    return f"Invalid schema for response_format {spec['name']!r}: {where}" if where else None


def loose_object(schema: Any, path: str = "schema") -> str | None:
    """Where a schema breaks the rules of strict mode, or None.

    Strict: every object lists all its properties as required and allows no others.
    """
    if isinstance(schema, list):
        parts = [(f"{path}[{n}]", part) for n, part in enumerate(schema)]
    elif isinstance(schema, dict):
        if schema.get("type") == "object" or "properties" in schema:
            if schema.get("additionalProperties") is not False:
                return f"{path}: additionalProperties must be false"
            if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
                return f"{path}: required must list every property"
        parts = [(f"{path}.{name}", part) for name, part in schema.items() if name != "enum"]
    else:
        return None
    if path == "schema" and "properties" not in schema:
        return f"{path}: an object with properties is required"
    return next((found for at, part in parts if (found := loose_object(part, at))), None)


def fitting(value: Any, schema: Any) -> Any:
    """A yes or no as a boolean where the schema wants one; any other value as it is."""
    if schema.get("type") == "boolean" and value in ("yes", "no"):
        return value == "yes"
    return value


def _completion(body: dict[str, Any], content: str, scene: Scene) -> Response:
    prompt = "\n".join(message_text(message) for message in body["messages"])
    is_thinking = body.get("reasoning", {}).get("effort", "medium") != "none"
    tokens_in = len(prompt) // 4 + 1
    thinking = 64 if is_thinking else 0
    tokens_out = len(content) // 4 + 1 + thinking
    cost = tokens_in * USD_PER_TOKEN_IN + tokens_out * USD_PER_TOKEN_OUT
    return json_answer(
        {
            "id": f"gen-{sha256((content + prompt).encode()).hexdigest()[:16]}",
            "provider": "Fake",
            "model": body["model"],
            "object": "chat.completion",
            "created": int(scene.clock.timestamp()),
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "native_finish_reason": "completed",
                    "message": {
                        "role": "assistant",
                        "content": content,
                        "refusal": None,
                        "reasoning": None,
                    },
                }
            ],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
                "cost": round(cost, 8),
                "is_byok": False,
                "prompt_tokens_details": {"cached_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": thinking},
                "cost_details": {"upstream_inference_cost": None},
            },
        }
    )


HOSTS = {"openrouter.ai": Host(answer, error, paid=True)}
