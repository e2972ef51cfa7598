"""api.openai.com: the Responses endpoint with its web search tool, which marks every source.

Beside it chat completions, which answer free prompts.
"""

from __future__ import annotations

from hashlib import sha256

from tests.fakes.checks import Rule, hosts, number, one_of, problem, shape, text, whole
from tests.fakes.corpus import found
from tests.fakes.hosts.anthropic import asked, one, written
from tests.fakes.plain_chat import refuses_max_tokens, refuses_temperature, said, tokens_of
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-OPENAI_API_KEY"
TYPES = {429: "rate_limit_exceeded", 401: "invalid_api_key", 404: "not_found"}
SOURCES = "web_search_call.action.sources"
SEARCH_CHOICE: Rule = shape({"type": one_of("web_search")}, ["type"])
TOOL = shape(
    {
        "type": one_of("web_search"),
        "search_context_size": one_of("low", "medium", "high"),
        "filters": shape({"allowed_domains": hosts(100)}, ["allowed_domains"]),
    },
    ["type"],
)
FIELDS = {
    "model": text(3, 200),
    "reasoning": shape({"effort": one_of("none", "low", "medium", "high", "xhigh")}, ["effort"]),
    "max_output_tokens": whole(16, 128_000),
    "instructions": text(1, 200_000),
    "input": text(1, 200_000),
    "tools": one(TOOL),
    "tool_choice": SEARCH_CHOICE,
    "include": one(one_of(SOURCES)),
}
CHAT_FIELDS = {
    "model": text(2, 200),
    "messages": one(
        shape({"role": one_of("user"), "content": text(1, 2_000_000, 400_000)}, ["role", "content"])
    ),
    "max_tokens": whole(1, 128_000),
    "max_completion_tokens": whole(1, 128_000),
    "temperature": number(0, 2),
    "reasoning_effort": one_of("none", "minimal", "low", "medium", "high"),
}


def error(status: int, message: str) -> Response:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    code = TYPES.get(status)
    return json_answer(
        {"error": {"message": message, "type": kind, "param": None, "code": code}}, status
    )


def marked(url: str) -> str:
    """The address as the tool shows it, with the vendor's own tracking parameter."""
    bare, hash_sign, fragment = url.partition("#")
    return f"{bare}{'&' if '?' in bare else '?'}utm_source=openai{hash_sign}{fragment}"


def _chat(request: Request) -> Response:
    """The reply to a free prompt."""
    body = request.json
    if wrong := problem(body, CHAT_FIELDS, ["model", "messages"]):
        return error(400, wrong[1])
    model = body["model"]
    if "max_tokens" in body and refuses_max_tokens(model):
        return error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
        )
    if body.get("temperature", 1) != 1 and refuses_temperature(model):
        return error(
            400, "Unsupported value: 'temperature' does not support this value with this model."
        )
    content = said(body["messages"])
    tokens_in, tokens_out = tokens_of(body["messages"][0]["content"]), tokens_of(content)
    message = {"role": "assistant", "content": content, "refusal": None}
    return json_answer(
        {
            "id": f"chatcmpl-{sha256(request.body).hexdigest()[:16]}",
            "object": "chat.completion",
            "model": model,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
            },
        }
    )


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) == ("POST", "/v1/chat/completions"):
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return error(401, "Incorrect API key provided: ***. You can find your API key online.")
        return _chat(request)
    if (request.method, request.path) != ("POST", "/v1/responses"):
        return error(404, f"Invalid URL ({request.method} {request.path})")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Incorrect API key provided: ***. You can find your API key online.")
    body = request.json
    if wrong := problem(body, FIELDS, ["model", "input"]):
        return error(400, wrong[1])
    query, tool = body["input"], body["tools"][0]
    ask = asked(query, tool.get("filters", {}).get("allowed_domains"))
    hits = found(scene, "chatgpt", ask, 10)
    action = {"type": "search", "query": query}
    if SOURCES in body.get("include", []):
        sources = [{"type": "url", "url": marked(hit.url)} for hit in hits]
        action["sources"] = [*sources, {"type": "api", "name": "oai-weather"}]
    reply = written(scene, query, [(hit.url, hit) for hit in hits])
    part = {"type": "output_text", "text": reply, "annotations": []}
    return json_answer(
        {
            "id": f"resp_{sha256(request.body).hexdigest()[:16]}",
            "object": "response",
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "model": body["model"],
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {
                    "type": "web_search_call",
                    "id": "ws_1",
                    "status": "completed",
                    "action": action,
                },
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "assistant",
                    "status": "completed",
                    "content": [part],
                },
            ],
            "usage": {"input_tokens": 9000, "output_tokens": 900, "total_tokens": 9900},
        }
    )


HOSTS = {"api.openai.com": Host(answer, error, paid=True)}
