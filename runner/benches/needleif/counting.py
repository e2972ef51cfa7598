"""Token counts by the tokenizer that a model is to be measured with.

    words                      white-space separated pieces, no dependency
    tiktoken[:ENCODING]        an encoding of tiktoken, cl100k_base by default
    hf:FOLDER                  tokenizer.json of a local folder, with its chat template if any
    hf:MODEL[@REVISION]        the same files from the Hugging Face hub, at a fixed commit

Only `words` is always there; the others import what they need when they are asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.needleif.records import Message
from runner.errors import DataError, UsageError
from runner.settings import Settings, read_settings

TOKENS_A_MESSAGE = 8  # what a turn costs where there is no chat template
KNOWN = "words, tiktoken[:ENCODING], hf:MODEL[@REVISION] or hf:FOLDER"
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")
_ENCODING = "cl100k_base"

Render = Callable[[Sequence[Message], bool], str]


@dataclass(frozen=True, kw_only=True)
class Tokenizer:
    """A name for the records, the count of a text, and the chat template where there is one."""

    name: str
    count: Callable[[str], int]
    render: Render | None = None

    def count_chat(self, messages: Sequence[Message], add_generation_prompt: bool) -> int:
        """Tokens of a conversation as the model gets it."""
        if self.render is not None:
            return self.count(self.render(messages, add_generation_prompt))
        return sum(self.count(m["content"]) + TOKENS_A_MESSAGE for m in messages)


def tokenizer_named(value: str, settings: Settings | None = None) -> Tokenizer:
    """The tokenizer of a `--tokenizer` value; UsageError names the known forms.

    `settings` hold the hub's token and the gateway; without them the hub is asked as anybody may.
    """
    kind, colon, rest = value.partition(":")
    if value == "words":
        return Tokenizer(name="words", count=_count_words)
    if kind == "tiktoken" and (rest or not colon):
        return _tiktoken(rest or _ENCODING)
    if kind == "hf" and rest:
        folder = Path(rest)
        return _local(folder) if folder.is_dir() else _from_hub(rest, settings or read_settings({}))
    raise UsageError(f"tokenizer {value!r}: expected {KNOWN}")


def _count_words(text: str) -> int:
    return len(text.split())


def _tiktoken(encoding_name: str) -> Tokenizer:
    try:
        tiktoken = importlib.import_module("tiktoken")
    except ImportError as error:
        raise UsageError(
            f"tokenizer tiktoken:{encoding_name} needs the package tiktoken (pip install tiktoken);"
            " words works without it"
        ) from error
    try:
        encoding = tiktoken.get_encoding(encoding_name)
    except ValueError as error:
        known = ", ".join(tiktoken.list_encoding_names())
        raise UsageError(f"tiktoken has no encoding {encoding_name!r}; known: {known}") from error
    except OSError as error:
        raise UsageError(
            f"tiktoken could not download {encoding_name} ({type(error).__name__}); connect once, "
            "or set TIKTOKEN_CACHE_DIR to a folder that holds it"
        ) from error

    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return Tokenizer(name=f"tiktoken:{encoding_name}", count=count)


def _from_hub(value: str, settings: Settings) -> Tokenizer:
    """The files of one commit, which becomes part of the name."""
    from runner.benches.needleif.sources import tokenizer_folder

    folder, name = tokenizer_folder(value, settings=settings)
    return _load(folder, f"hf:{name}")


def _local(folder: Path) -> Tokenizer:
    """Named by the folder and what is in it: the same name wherever the folder lies."""
    digest = hashlib.sha256()
    for name in TOKENIZER_FILES:
        path = folder / name
        if path.is_file():
            digest.update(f"{name}\n".encode() + path.read_bytes())
    return _load(folder, f"hf:{folder.resolve().name}@{digest.hexdigest()[:40]}")


def _load(folder: Path, name: str) -> Tokenizer:
    try:
        import tokenizers
    except ImportError as error:
        raise UsageError(
            f"tokenizer {name} needs the package tokenizers (pip install tokenizers)"
        ) from error
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise UsageError(f"tokenizer {name}: {path} is missing")
    try:
        model = tokenizers.Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the library raises nothing more exact
        raise DataError(path, f"no tokenizer that can be read ({error})") from error
    model.no_truncation()
    model.no_padding()

    def count(text: str) -> int:
        # The template writes the special tokens itself; a second opening one would be counted.
        return len(model.encode(text, add_special_tokens=False).ids)

    return Tokenizer(name=name, count=count, render=_chat_template(folder))


def _chat_template(folder: Path) -> Render | None:
    """The folder's chat template as a function, or None where it has none."""
    config_path = folder / "tokenizer_config.json"
    config: Any = {}
    if config_path.is_file():
        try:
            config = json.loads(config_path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise DataError(config_path, f"no JSON ({error})") from error
    if not isinstance(config, dict):
        raise DataError(config_path, f"no JSON object, but {config!r:.60}")
    source = config.get("chat_template")
    if isinstance(source, list):  # several named templates
        named = [t for t in source if isinstance(t, dict) and t.get("name") == "default"]
        source = named[0].get("template") if named else None
    template_path = folder / "chat_template.jinja"
    if template_path.is_file():
        source = template_path.read_text(encoding="utf-8")
    if source is None:
        return None
    if not isinstance(source, str):
        raise DataError(config_path, f"chat_template must be a text, found {source!r:.60}")
    return _renderer(source, config, template_path if template_path.is_file() else config_path)


def _renderer(source: str, config: dict[str, Any], path: Path) -> Render:
    try:
        from jinja2 import TemplateError
        from jinja2.ext import loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError as error:
        raise UsageError("a chat template needs the package jinja2 (pip install jinja2)") from error

    def raise_exception(message: str) -> None:
        raise TemplateError(message)

    # The text is for a tokenizer, not for a browser: escaping would change what is counted.
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        extensions=[loopcontrols],
    )
    environment.globals["raise_exception"] = raise_exception
    environment.filters["tojson"] = lambda value, **options: json.dumps(
        value, ensure_ascii=False, **options
    )
    special = {
        name: value["content"] if isinstance(value, dict) else value
        for name, value in config.items()
        if name.endswith("_token") and isinstance(value, (str, dict))
    }
    try:
        template = environment.from_string(source)
    except TemplateError as error:
        raise DataError(path, f"no chat template that can be read ({error})") from error

    def render(messages: Sequence[Message], add_generation_prompt: bool) -> str:
        try:
            return template.render(
                messages=list(messages), add_generation_prompt=add_generation_prompt, **special
            )
        except Exception as error:  # a program by somebody else, which may raise anything
            raise DataError(path, f"the chat template fails ({error})") from error

    return render
