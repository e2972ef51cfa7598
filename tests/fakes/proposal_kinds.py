"""How the fake model's proposals go wrong: by the prompt, and each kind in the same share."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=str)
SHARES = 96  # one prompt in so many gets each kind of wrong reply


def drawn_kind(kinds: tuple[Kind, ...], task: str, source: str) -> Kind | None:
    """The kind of wrong reply that a prompt gets; None for most, which get a right one."""
    digest = sha256(f"{task}\n{source}".encode(errors="replace")).digest()
    number = int.from_bytes(digest[:4], "big") % SHARES
    return kinds[number] if number < len(kinds) else None


def proposed(query: str, *, span: str | None = None, evidence: str | None = None) -> dict[str, Any]:
    """A reply with a query; evidence is cut where twenty words end."""
    words = " ".join((evidence or "").split(" ")[:20]) or None
    return {"query": query, "refusal": None, "quoted_span": span, "evidence": words}


def refused(reason: str, source: str) -> dict[str, Any]:
    """A reply that refuses, with the beginning of the source to show why."""
    shown = source.strip().split("\n")[0][:80].rpartition(" ")[0]
    return {"query": None, "refusal": reason, "quoted_span": None, "evidence": shown or None}


def malformed(both: str | None) -> dict[str, Any]:
    """A reply that gives neither a query nor a refusal, or both."""
    refusal = "no_distinct_detail" if both else None
    return {"query": both, "refusal": refusal, "quoted_span": None, "evidence": None}
