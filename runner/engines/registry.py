"""The roster, and the engines of a run built from names.

A name is an id of `catalog.toml` or `custom:FILE`, a TOML file that describes any HTTP engine.
"""

from __future__ import annotations

import asyncio
import time
import tomllib
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from runner.engines.client import HttpEngine
from runner.engines.spec import Engine, EngineSpec, Vendor
from runner.errors import DataError, UsageError
from runner.http import Clock, HttpClient, Limiter, RetryPolicy, Sleep
from runner.settings import Mask, Settings

if TYPE_CHECKING:
    from runner.engines.local import Corpus

CATALOG = Path(__file__).with_name("catalog.toml")
CUSTOM = "custom:"
RESERVED = frozenset({"ultimate"})
# A shorter value (a language, a region) may stand in honest results, which must stay as they are.
MIN_ECHO_CHARS = 12


def load_catalog() -> dict[str, EngineSpec]:
    """Every engine by id, in roster order, the local ones included."""
    return {spec.id: spec for spec in read_catalog(CATALOG)}


@cache
def read_catalog(path: Path) -> tuple[EngineSpec, ...]:
    """The entries of a catalog file; raises DataError naming the file and the entry."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["engine"]
        specs = tuple(msgspec.convert(entries, list[EngineSpec]))
    except (OSError, ValueError, KeyError) as error:
        raise DataError(path, f"not a catalog of engines: {error}") from error
    known = {field.name for field in fields(EngineSpec)}
    ids = {spec.id for spec in specs}
    if len(ids) < len(specs):
        raise DataError(path, "an id stands there twice")
    for entry, spec in zip(entries, specs, strict=True):
        if unknown := sorted(set(entry) - known):
            raise DataError(path, f"{spec.id}: unknown field {unknown[0]!r}")
        if spec.family not in ids:
            raise DataError(path, f"{spec.id}: its family {spec.family!r} is not an engine")
    return specs


def build_engines(
    names: Sequence[str],
    *,
    settings: Settings,
    snippet_chars: int,
    corpus: Corpus | None,
    today: date,
    concurrency: int = 1,
    timeout_s: float | None = None,
    retry: RetryPolicy | None = None,
    clock: Clock = time.monotonic,
    sleep: Sleep = asyncio.sleep,
) -> list[Engine]:
    """The engines in the order of their names; `sleep` paces and waits before retries.

    `timeout_s` replaces every engine's own time-out.

    Raises UsageError for an unknown or repeated name, a missing key, a custom file that cannot be
    used, and a local engine without pages to search.
    """
    catalog = load_catalog()
    limiters: dict[str, Limiter] = {}  # by key: engines on one key share the account's rate

    def over_http(
        spec: EngineSpec,
        vendor: Vendor,
        key: str | None,
        mask: Callable[[str], str],
        secrets: Collection[str],
    ) -> Engine:
        pace_s = spec.min_interval_s
        if key is None and spec.keyless_min_interval_s is not None:
            pace_s = spec.keyless_min_interval_s
        account = spec.key_env or spec.id
        limiter = limiters.setdefault(account, Limiter(pace_s, clock, sleep))
        limiter.min_interval_s = max(limiter.min_interval_s, pace_s)
        http = HttpClient(
            timeout_s=timeout_s or spec.timeout_s,
            max_connections=concurrency,
            limiter=limiter,
            gateway=settings.gateway,
            mask=mask,
            clock=clock,
            sleep=sleep,
        )
        return HttpEngine(
            spec,
            vendor,
            http,
            key=key,
            snippet_chars=snippet_chars,
            today=today,
            concurrency=concurrency,
            mask_results=Mask(secret for secret in secrets if len(secret) >= MIN_ECHO_CHARS),
            retry=retry,
        )

    def build(name: str) -> Engine:
        if name.startswith(CUSTOM):
            from runner.engines.custom import load_custom

            custom = load_custom(Path(name.removeprefix(CUSTOM)), settings)
            if custom.spec.id in catalog or custom.spec.id in RESERVED:
                raise UsageError(
                    f"{name}: the id {custom.spec.id!r} is taken; choose one that is not in "
                    f"{', '.join([*catalog, *RESERVED])}"
                )
            return over_http(custom.spec, custom, None, custom.mask, custom.secrets)
        spec = catalog.get(name)
        if spec is None:
            raise UsageError(
                f"{name!r} is not an engine; known are {', '.join(catalog)} and {CUSTOM}FILE"
            )
        if spec.vendor == "local":
            from runner.engines.local import LocalEngine

            if corpus is None:
                raise UsageError(f"{name} searches harvested pages, and this run has none")
            return LocalEngine(spec, corpus, snippet_chars=snippet_chars, clock=clock)
        key = settings.key(spec.key_env)
        if key is None and spec.key_required:
            free = ", ".join(other.id for other in catalog.values() if not other.key_required)
            raise UsageError(
                f"{name} needs {spec.key_env}, which is not set; without a key work {free}"
            )
        vendor = cast(Vendor, import_module(f"runner.engines.{spec.vendor}"))
        return over_http(in_mode(spec, settings), vendor, key, settings.mask, {key or ""})

    engines: list[Engine] = []
    for name in names:
        engine = build(name)
        if any(engine.spec.id == other.spec.id for other in engines):
            raise UsageError(f"the engine {engine.spec.id!r} is named twice; name each one once")
        engines.append(engine)
    return engines


def in_mode(spec: EngineSpec, settings: Settings) -> EngineSpec:
    """The entry with the mode that its variable chooses; without `modes` it may be any.

    The catalog's price is that of its own mode, so that of another one is unknown. Raises
    UsageError for a mode that is not listed.
    """
    chosen = settings.key(spec.mode_env)
    if chosen is None or chosen == spec.mode:
        return spec
    if spec.modes and chosen not in spec.modes:
        raise UsageError(
            f"{spec.mode_env}={chosen!r} is no mode of {spec.id}; known are {', '.join(spec.modes)}"
        )
    return replace(spec, mode=chosen, price_usd_per_1k=None)
