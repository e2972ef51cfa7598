"""The two base classes of all records, and the encoders that give equal bytes for equal records."""

from __future__ import annotations

from typing import Any

import msgspec

SCHEMA_VERSION = 1


class Row(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A line of a JSONL file; fields at their default are left out to keep the line short.

    A row without `schema_version` is of version 1.
    """

    schema_version: int = 1


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole JSON file, with every field written out."""

    schema_version: int = SCHEMA_VERSION


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of a row or document; it carries no version of its own."""


_encoder = msgspec.json.Encoder()


def encode_line(record: Any) -> bytes:
    """One JSON line with its newline; keys in field order, no ASCII escaping."""
    return _encoder.encode(record) + b"\n"


def encode_document(record: Any) -> bytes:
    """A whole JSON file, indented by 2, with a newline at its end."""
    return msgspec.json.format(_encoder.encode(record), indent=2) + b"\n"
