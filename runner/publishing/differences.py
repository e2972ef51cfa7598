"""Where two plain values differ: what is said of a run, and what its results give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

_TOLERANCE = 1e-9


def differing(said: Any, true: Any, path: str) -> Iterator[str]:
    """Each place at which two plain values differ; numbers may by what rounding does."""
    if isinstance(said, Mapping) and isinstance(true, Mapping):
        for key in [*said, *(key for key in true if key not in said)]:
            if key not in true or key not in said:
                yield f"{path}.{key} is {'missing' if key in true else 'there and should not be'}"
            else:
                yield from differing(said[key], true[key], f"{path}.{key}")
    elif isinstance(said, list) and isinstance(true, list) and len(said) == len(true):
        for place, (one, other) in enumerate(zip(said, true, strict=True)):
            yield from differing(one, other, f"{path}[{place}]")
    elif not _is_same(said, true):
        yield f"{path} is {str(said)[:80]}, the results give {str(true)[:80]}"


def _is_same(said: Any, true: Any) -> bool:
    if isinstance(said, float) and isinstance(true, int | float):
        return isclose(said, true, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return bool(said == true)
