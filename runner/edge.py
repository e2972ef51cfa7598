"""What a command gets from outside besides its words: the environment, and how to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Edge:
    """`environ` is the process's environment, `sleep` how it waits between attempts."""

    environ: Mapping[str, str]
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
