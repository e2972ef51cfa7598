"""A host that answers at once and costs nothing: what remains is the program's own overhead.

`POST /search` gives no results; `?ms=20` makes it wait that long first, `?kb=2048` adds padding of
that size to the answer.
"""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

NOTHING = json_answer({"results": []})


def answer(request: Request, scene: Scene) -> Response:
    ms, kb = request.query.get("ms"), request.query.get("kb")
    response = json_answer({"results": [], "padding": "x" * int(kb) * 1024}) if kb else NOTHING
    return replace(response, delay_s=float(ms) / 1000) if ms else response


HOSTS = {"null.example": Host(answer)}
