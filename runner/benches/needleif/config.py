"""What to generate: seed, tokenizer, haystack, sizes, depths and splits.

Read from TOML or JSON; what a file leaves out is as in the full configuration.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from runner.benches.needleif.haystack import SPLITS
from runner.benches.needleif.sizing import DEFAULT_RESERVE, SAFETY_MARGIN, window_tokens
from runner.errors import DataError, UsageError


def _fixed(**values: Any) -> Mapping[str, Any]:
    return MappingProxyType(values)


@dataclass(frozen=True, kw_only=True)
class Config:
    """`pairs` are for each split; `splits` multiplies them; buckets keep their written order."""

    seed: int = 666
    tokenizer: str = "words"
    haystack: str = "pg19"
    depths: tuple[float, ...] = (10.0, 50.0, 90.0)
    complex_fraction: float = 0.3333333333
    output_reserve: int | Mapping[str, int] = DEFAULT_RESERVE
    safety_margin: int = SAFETY_MARGIN
    pairs: Mapping[str, int] = field(
        default_factory=lambda: _fixed(
            **{"4k": 8, "8k": 12, "16k": 16, "32k": 20, "64k": 22, "128k": 22}
        )
    )
    splits: Mapping[str, float] = field(
        default_factory=lambda: _fixed(test=1.0, train=1.0, val=1.0)
    )


FULL = Config()
SMOKE = Config(haystack="programmatic", output_reserve=256, pairs=_fixed(**{"1k": 3, "2k": 3}))
SAMPLE = Config(
    haystack="programmatic",
    output_reserve=256,
    pairs=_fixed(**{"1k": 6, "2k": 6, "4k": 6}),
)
# What is asked each week: the same data set every time, so that a model can be followed over time.
WEEKLY = Config(
    haystack="programmatic",
    pairs=_fixed(**{"4k": 12, "8k": 12, "16k": 12, "32k": 12}),
    splits=_fixed(test=1.0),
)


def load_config(path: Path) -> Config:
    """The configuration of a TOML or JSON file; DataError says which key is wrong and why."""
    try:
        text = path.read_text(encoding="utf-8")
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # of both decoders, and bytes that are no UTF-8
        raise DataError(path, f"neither TOML nor JSON that can be read ({error})") from error
    if not isinstance(values, dict):
        raise DataError(path, f"expected a table of keys, found {values!r:.60}")
    try:
        return config_of(values)
    except UsageError as error:
        raise DataError(path, str(error)) from error


def config_of(values: Mapping[str, Any]) -> Config:
    """The configuration with these values; UsageError for an unknown key or a wrong value."""
    known = [f.name for f in fields(Config)]
    for name, value in values.items():
        if name not in known:
            raise UsageError(f"unknown key {name!r}; known: {', '.join(known)}")
        problem = _problem(name, value)
        if problem:
            raise UsageError(f"{name}: {problem}, found {value!r}")
    given = dict(values)
    if "depths" in given:
        given["depths"] = tuple(float(depth) for depth in given["depths"])
    if "splits" in given:
        given["splits"] = {s: float(given["splits"][s]) for s in SPLITS if s in given["splits"]}
    return Config(**given)


def config_json(config: Config) -> dict[str, Any]:
    """The configuration as plain values, for the manifest; a path to texts is left out."""
    values = {f.name: getattr(config, f.name) for f in fields(config)}
    values["haystack"] = config.haystack.partition(":")[0]
    return {
        name: dict(value)
        if isinstance(value, Mapping)
        else list(value)
        if isinstance(value, tuple)
        else value
        for name, value in values.items()
    }


def _problem(name: str, value: Any) -> str | None:
    """What a value should have been, or None where it is right."""
    if name in ("tokenizer", "haystack"):
        return None if isinstance(value, str) and value else "expected a name"
    if name == "depths":
        is_list = isinstance(value, list | tuple) and bool(value)
        are_shares = is_list and all(_is_share(d, 100) for d in value)
        return None if are_shares else "expected a list of percentages from 0 to 100"
    if name == "complex_fraction":
        return None if _is_share(value, 1) else "expected a number from 0 to 1"
    if name == "pairs":
        return _table_problem(value, "pairs")
    if name == "splits":
        is_table = isinstance(value, Mapping) and bool(value) and all(s in SPLITS for s in value)
        are_multiples = is_table and all(_is_share(v, 1000) for v in value.values())
        return None if are_multiples else f"expected multiples for {', '.join(SPLITS)}"
    if name == "output_reserve" and isinstance(value, Mapping):
        return _table_problem(value, "tokens")
    if name == "seed":
        return None if _is_whole(value) else "expected a whole number"
    return None if _is_whole(value) and value >= 0 else "expected a whole number from 0 up"


def _table_problem(value: Any, what: str) -> str | None:
    if not isinstance(value, Mapping) or not value:
        return f'expected a table of {what} by bucket, such as "8k" = 12'
    for label, number in value.items():
        window_tokens(label)
        if not _is_whole(number) or number < 0:
            return f"expected a whole number of {what} for {label}"
    return None


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: object, most: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most
