"""Every engine's exact requests for a table of questions; `python -m` this file writes them anew.

The stored form is reviewed by eye against the vendor's documentation; the test compares.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from runner.engines.registry import load_catalog
from runner.engines.spec import EngineSpec
from tests.runner.engines.asking import ask

FOLDER = Path(__file__).parents[2] / "golden" / "requests"
LONG = " ".join(f"word{n:02}" for n in range(90))  # 629 characters, 90 words

CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "quotes": {"query": '"acme plant" opening'},
    "site": {"query": "site:a.example acme plant"},
    "two sites": {"query": "acme site:b.example site:A.example/x plant"},
    "after": {"query": "acme after:2026-11-01"},
    "before": {"query": "acme before:2026-11-10"},
    "all operators": {"query": "site:a.example after:2026-11-01 acme before:2026-11-10"},
    "only a site": {"query": "site:a.example"},
    "only dates": {"query": "after:2026-11-01 before:2026-11-10"},
    "not an operator": {"query": "-site:a.example site:nodot after:yesterday acme"},
    "unicode": {"query": "東京 café “plant”"},
    "long": {"query": LONG},
    "long with operators": {"query": f"{LONG} site:a.example after:2026-11-01"},
    "no results wanted": {"num_results": 0},
    "five results": {"num_results": 5},
    "eleven results": {"num_results": 11},
    "too many results": {"num_results": 5000},
    "no budget": {"snippet_chars": 0},
    "budget 500": {"snippet_chars": 500},
    "budget 20000": {"snippet_chars": 20_000},
}


def networked() -> dict[str, EngineSpec]:
    """The catalog's engines that are asked over the network."""
    return {name: spec for name, spec in load_catalog().items() if spec.vendor != "local"}


def requests_of(spec: EngineSpec) -> dict[str, Any]:
    """The request to every case, as plain data."""
    vendor = import_module(f"runner.engines.{spec.vendor}")
    made = {}
    for name, changes in CASES.items():
        request = vendor.build_request(ask(mode=spec.mode, **changes))
        fields = {"params": dict(request.params), "json": request.json}
        made[name] = {
            "sent": f"{request.method} {request.url}",
            "headers": dict(request.headers),
            **{field: value for field, value in fields.items() if value},
        }
    return made


def stored(spec: EngineSpec) -> Any:
    return json.loads((FOLDER / f"{spec.id}.json").read_text())


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for spec in networked().values():
        text = json.dumps(requests_of(spec), indent=1, ensure_ascii=False)
        (FOLDER / f"{spec.id}.json").write_text(f"{text}\n")
