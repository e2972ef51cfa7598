"""Answers with ETag and Last-Modified, and 304 to a client that has the body already."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from tests.fakes.wire import Request, Response


def conditional(request: Request, response: Response, modified: datetime) -> Response:
    """The response with its validators, or 304 without a body where the request's still hold.

    If-None-Match decides alone where it is sent; If-Modified-Since counts only without it.
    """
    if response.status != 200:
        return response
    tag = f'"{sha256(response.body).hexdigest()[:32]}"'
    whole = modified.replace(microsecond=0)
    validators = {"ETag": tag, "Last-Modified": format_datetime(whole, usegmt=True)}
    response.headers.update(validators)
    known = request.headers.get("if-none-match")
    if known is not None:
        is_same = any(one.strip().removeprefix("W/") in (tag, "*") for one in known.split(","))
    else:
        is_same = _is_unmodified(request.headers.get("if-modified-since"), whole)
    return Response(304, b"", validators) if is_same else response


def _is_unmodified(since: str | None, modified: datetime) -> bool:
    """A date that cannot be read counts as none."""
    try:
        return since is not None and modified <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False
