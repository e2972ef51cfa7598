"""Prompts from the templates, with every untrusted value between delimiters it cannot forge.

A value is put between `[begin LABEL TOKEN]` and `[end LABEL TOKEN]`, where TOKEN is a hash of the
value itself: a text that holds its own hash cannot be written, so no value can close its block.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from runner.llm.client import FORMAT_REMINDER, Prompt, PromptName
from runner.paths import PROMPTS

# Control characters except tab and newline, and the marks that reorder or hide text.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]"
)


@dataclass(frozen=True)
class Messages:
    """The fixed instructions (cacheable by the provider) and the part that varies."""

    system: str
    user: str


def visible(text: str) -> str:
    """The text without characters that a reader cannot see."""
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def untrusted(label: str, value: str) -> str:
    """The value between its own delimiters, invisible characters removed."""
    shown = visible(value)
    token = hashlib.sha256(f"{label}\n{shown}".encode(errors="replace")).hexdigest()[:12]
    return f"[begin {label} {token}]\n{shown}\n[end {label} {token}]"


def render(prompt: Prompt) -> Messages:
    """The two messages of a prompt; a variable that the template needs and lacks is an error."""
    templates = _environment()
    system = templates.get_template(f"{prompt.name}.system.j2").render()
    user = templates.get_template(f"{prompt.name}.user.j2").render(**prompt.variables)
    if prompt.reminder:
        user = f"{user.rstrip()}\n\n{FORMAT_REMINDER}"
    return Messages(system.strip(), user.strip())


@lru_cache
def prompt_sha256(name: PromptName) -> str:
    """The SHA-256 of a prompt's two template files, recorded with each run."""
    digest = hashlib.sha256()
    for part in ("system", "user"):
        digest.update((PROMPTS / f"{name}.{part}.j2").read_bytes())
    return digest.hexdigest()


@lru_cache
def _environment() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PROMPTS),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - prompts are plain text; `untrusted` delimits values
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.globals["untrusted"] = untrusted
    return environment
