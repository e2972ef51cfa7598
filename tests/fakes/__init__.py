"""The fake world: every vendor, source and model we talk to, on one loopback port.

Requests arrive as `/<original host>/<original path>?<query>` (what NEEDLE_GATEWAY makes of every
outgoing request). Each host is strict about keys, fields and ranges, answers from (seed, host,
request) alone, and misbehaves on order. `python -m tests.fakes --help` for the command line.
"""

from tests.fakes.calls import Call
from tests.fakes.clocks import SkippingClock
from tests.fakes.faults import Fault
from tests.fakes.world import FakeWorld

__all__ = ["Call", "FakeWorld", "Fault", "SkippingClock"]
