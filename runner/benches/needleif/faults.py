"""The one exception of the scoring path, free of the rest of the project."""

from __future__ import annotations


class RecordFault(ValueError):
    """A record, response or summary that does not hold what it should; the text says where."""
