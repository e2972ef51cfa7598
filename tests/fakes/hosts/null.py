"""A host that answers at once and costs nothing: what remains is the program's own overhead.

`POST /search` gives no results; `?ms=20` makes it wait that long first.
"""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

NOTHING = json_answer({"results": []})


def answer(request: Request, scene: Scene) -> Response:
    ms = request.query.get("ms")
    return replace(NOTHING, delay_s=float(ms) / 1000) if ms else NOTHING


HOSTS = {"null.example": Host(answer)}
