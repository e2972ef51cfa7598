"""Names of parties, each a whole word of a title, a snippet or an address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from runner.benches.normal import plain_text

_APART = re.compile(r"[\W_]+")


def party_finder(tokens: Iterable[str]) -> Callable[[str], bool]:
    """Whether a text names any of the tokens, whatever their case and accents.

    A letter or digit beside it makes another word of it; `_` does not. An apostrophe or hyphen in
    a token may be missing, as it is in addresses (`o'brien`, `obrien`).
    """
    forms = [form for token in tokens if (form := _form(token))]
    if not forms:
        return lambda text: False
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(forms)})(?![^\W_])", re.IGNORECASE)
    return lambda text: pattern.search(plain_text(text)) is not None


def _form(token: str) -> str:
    parts = [part for part in _APART.split(plain_text(token)) if part]
    return r"['\s_-]?".join(map(re.escape, parts))
