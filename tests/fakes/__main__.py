"""Runs the fake world until interrupted: `python -m tests.fakes --port 0`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from datetime import UTC, datetime
from pathlib import Path

from tests.fakes.faults import Fault
from tests.fakes.scene import DEFAULT_CLOCK, Scene
from tests.fakes.server import Server, parse_faults


def moment(text: str) -> datetime:
    """A point in time from ISO 8601; without an offset it is UTC."""
    value = datetime.fromisoformat(text)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def fault_file(text: str) -> list[Fault]:
    """The faults of a JSON file."""
    try:
        return parse_faults(Path(text).read_bytes())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fakes", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 = a free one")
    parser.add_argument("--faults", type=fault_file, default=[], help="JSON file of faults")
    parser.add_argument("--seed", type=int, default=0, help="changes all answers; default 0")
    parser.add_argument(
        "--clock",
        type=moment,
        default=DEFAULT_CLOCK,
        help=f"the time the answers take for now; default {DEFAULT_CLOCK.isoformat()}",
    )
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Listen, say where on stdout, and never return."""
    server = Server(Scene(seed=options.seed, clock=options.clock), options.faults)
    port = await server.start(options.port)
    print(f"listening on http://127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):  # the way to stop it
        asyncio.run(serve(arguments()))
