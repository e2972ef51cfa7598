"""Engines described by a TOML file: race your own without writing Python.

    id = "my-engine"                      # its name in reports: a-z, 0-9 and -
    url = "https://search.example/v1"
    method = "POST"                       # GET (the default) or POST
    [headers]
    Authorization = "Bearer ${MY_KEY}"    # ${NAME} is read from the environment and masked
    [body]                                # sent as JSON; [params] go into the address
    q = "{query}"
    count = "{num_results}"               # exactly a placeholder for a number: sent as a number
    [response]
    results = "data.results"              # "." where the answer itself is the list
    url = "link"
    snippet = "passages"                  # a list of strings is joined by newlines

Placeholders: {query} (as it was written, operators included), {num_results}, {snippet_chars}.
Paths are keys and list positions separated by dots. `examples/searxng.toml` is a whole file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from runner.engines.shapes import lines, result, text
from runner.engines.spec import ApiError, Ask, EngineSpec
from runner.errors import UsageError
from runner.http import HttpRequest
from runner.records.search import SearchResult
from runner.settings import Mask, Settings

MAX_FILE_BYTES = 64_000
ITSELF = "."
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_PLACEHOLDERS = ("query", "num_results", "snippet_chars")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_MISSING = object()


class Paths(msgspec.Struct, frozen=True):
    """Where the results stand in the answer, and their parts in each of them."""

    results: str
    url: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class Description(msgspec.Struct, frozen=True):
    """The file, field for field, with every ${NAME} replaced; price in USD per 1,000 queries."""

    id: str
    url: str
    response: Paths
    label: str | None = None
    family: str | None = None
    method: Literal["GET", "POST"] = "GET"
    headers: dict[str, str] = {}
    params: dict[str, str] = {}
    body: dict[str, Any] | None = None
    timeout_s: float = 30.0
    min_interval_s: float = 0.0
    price_usd_per_1k: float | None = None


@dataclass(frozen=True)
class CustomEngine:
    """A described engine: its entry, its keys, and the two functions of a vendor.

    `secrets` are the values of its ${NAME}s; `mask` takes them and all other keys out of a text.
    """

    spec: EngineSpec
    secrets: frozenset[str] = field(repr=False)
    mask: Callable[[str], str]
    description: Description = field(repr=False)

    def build_request(self, ask: Ask) -> HttpRequest:
        values = _values(ask)
        params = {
            name: _fill_text(value, values) for name, value in self.description.params.items()
        }
        return HttpRequest(
            method=self.description.method,
            url=self.description.url,
            headers=self.description.headers,
            params=params,
            json=_fill(self.description.body, values),
        )

    def parse_response(self, body: Any, ask: Ask) -> list[SearchResult]:
        """The entries under `results`; an answer without such a place is an error."""
        paths = self.description.response
        listed = _follow(body, paths.results)
        if listed is _MISSING:
            raise ApiError(_complaint(body) or f"the answer has nothing at {paths.results!r}")
        found: list[SearchResult] = []
        for entry in listed if isinstance(listed, list) else []:
            title, snippet, date = (
                _text_at(entry, path) for path in (paths.title, paths.snippet, paths.date)
            )
            found += result(_text_at(entry, paths.url), title, snippet, date)
        return found


def load_custom(path: Path, settings: Settings) -> CustomEngine:
    """The engine that a file describes; raises UsageError naming the file and what is wrong."""
    found: set[str] = set()

    def expand(value: Any) -> Any:
        if isinstance(value, str):
            return _VARIABLE.sub(lambda match: variable(match[1]), value)
        if isinstance(value, dict):
            return {name: expand(inner) for name, inner in value.items()}
        return [expand(inner) for inner in value] if isinstance(value, list) else value

    def variable(name: str) -> str:
        value = settings.key(name)
        if value is None:
            raise UsageError(f"{path}: the environment variable {name} is not set")
        found.add(value)
        return value

    table = _read(path)
    _check_known(path, "", table, Description)
    if isinstance(table.get("response"), dict):
        _check_known(path, "response.", table["response"], Paths)
    for name in ("headers", "params", "body"):
        if name in table:
            _check_placeholders(path, table[name])
            table[name] = expand(table[name])
    try:
        description = msgspec.convert(table, Description)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}") from error
    _check(path, description)
    own = Mask(found)
    return CustomEngine(
        spec=EngineSpec(
            id=description.id,
            label=description.label or description.id,
            family=description.family or description.id,
            vendor="custom",
            timeout_s=description.timeout_s,
            min_interval_s=description.min_interval_s,
            price_usd_per_1k=description.price_usd_per_1k,
            confidence="Described by the user's own file.",
        ),
        secrets=frozenset(found),
        mask=lambda message: own(settings.mask(message)),
        description=description,
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UsageError(f"{path}: larger than {MAX_FILE_BYTES} bytes, not an engine file")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}") from error


def _check_known(
    path: Path, prefix: str, table: Mapping[str, Any], shape: type[msgspec.Struct]
) -> None:
    known = shape.__struct_fields__
    if unknown := sorted(set(table) - set(known)):
        raise UsageError(f"{path}: unknown key {prefix}{unknown[0]}; known are {', '.join(known)}")


def _check_placeholders(path: Path, value: Any) -> None:
    for part in _strings(value):
        for name in _PLACEHOLDER.findall(_VARIABLE.sub("", part)):
            if name not in _PLACEHOLDERS:
                known = ", ".join(f"{{{known}}}" for known in _PLACEHOLDERS)
                raise UsageError(f"{path}: unknown placeholder {{{name}}}; known are {known}")


def _check(path: Path, description: Description) -> None:
    """Raises UsageError for the first value that cannot work."""
    price = description.price_usd_per_1k or 0
    asks = [*_strings(description.params), *_strings(description.body)]
    rules = (
        (_ID.fullmatch(description.id), "id must be 1 to 40 of a-z, 0-9 and -"),
        (_is_web_address(description.url), "url must be an http(s) address"),
        (not _PLACEHOLDER.search(description.url), "placeholders go into [params] or [body]"),
        (description.body is None or description.method == "POST", 'a [body] needs method "POST"'),
        (any("{query}" in part for part in asks), "[params] or [body] must hold {query}"),
        (0 < description.timeout_s <= 300, "timeout_s must be above 0 and at most 300"),
        (0 <= description.min_interval_s <= 60, "min_interval_s must be 0 to 60"),
        (0 <= price <= 10_000, "price_usd_per_1k must be 0 to 10,000"),
    )
    for holds, rule in rules:
        if not holds:
            raise UsageError(f"{path}: {rule}")


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _values(ask: Ask) -> dict[str, str | int]:
    return {
        "query": ask.query,
        "num_results": ask.num_results,
        "snippet_chars": ask.snippet_chars,
    }


def _fill(value: Any, values: Mapping[str, str | int]) -> Any:
    if isinstance(value, str):
        whole = _PLACEHOLDER.fullmatch(value)
        return values.get(whole[1], value) if whole else _fill_text(value, values)
    if isinstance(value, dict):
        return {name: _fill(inner, values) for name, inner in value.items()}
    return [_fill(inner, values) for inner in value] if isinstance(value, list) else value


def _fill_text(template: str, values: Mapping[str, str | int]) -> str:
    """One pass: a placeholder inside the query stays as it is."""
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), template)


def _follow(value: Any, path: str) -> Any:
    """The value at a dotted path, `_MISSING` where the way ends early."""
    for name in [] if path == ITSELF else path.split("."):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return _MISSING
    return value


def _text_at(entry: Any, path: str | None) -> str | None:
    if path is None:
        return None
    value = _follow(entry, path)
    return text(value) or lines(value)


def _complaint(body: Any) -> str | None:
    """What an answer without results says about itself."""
    places = ("error.message", "error", "message", "detail")
    return next(filter(None, (_text_at(body, place) for place in places)), None)
