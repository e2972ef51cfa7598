"""Putting an answer on the wire, whole or spoilt, and saying truly whether it arrived."""

from __future__ import annotations

import asyncio
import socket
import struct

from tests.fakes.calls import Call
from tests.fakes.faults import Fault
from tests.fakes.wire import Response

BLOCK = 64 * 1024
DRIP_PAUSE_S = 0.05


class Peer:
    """One connection to a client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def is_gone(self) -> bool:
        """Whether the client has closed or broken the connection, as far as we have been told."""
        return (
            self.reader.at_eof() or self.reader.exception() is not None or self.writer.is_closing()
        )

    def reset(self) -> None:
        """End the connection with RST instead of FIN."""
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


async def deliver(
    peer: Peer, call: Call, response: Response, faults: dict[str, Fault], *, is_paid: bool
) -> bool:
    """Answer one request and complete its record; False when the connection is to be closed.

    `delivered` is set just before the last bytes are handed over, so that a client that has read
    the answer also finds it recorded, and taken back when the handing over fails.
    """
    delay_s = response.delay_s + (faults["delay"]["seconds"] if "delay" in faults else 0.0)
    if delay_s:
        await asyncio.sleep(delay_s)
        if peer.is_gone():
            return False
    try:
        if await _is_cut_short(peer, call, response, faults):
            return False
        last = await _all_but_last(peer, response, faults)
        if last is None or peer.writer.is_closing():
            return False
        call.delivered = True
        call.billed = is_paid and response.status == 200 and response.billable
        await peer.send(last)
    except ConnectionError:
        call.delivered = call.billed = False
        return False
    return True


async def _is_cut_short(
    peer: Peer, call: Call, response: Response, faults: dict[str, Fault]
) -> bool:
    """Whether a fault ended this answer before it was whole; also notes the status once sent."""
    if "refuse" in faults:
        return True
    if "reset_before_headers" in faults:
        peer.reset()
        return True
    call.status = response.status
    head = response.head(length=len(response.body) or 1)
    if "reset_after_headers" in faults:
        await peer.send(head)
        peer.reset()
        return True
    if "truncate" in faults:
        await peer.send(head + response.body[: len(response.body) // 2])
        return True
    return False


async def _all_but_last(peer: Peer, response: Response, faults: dict[str, Fault]) -> bytes | None:
    """The last bytes of the answer, what comes before them being sent; None: the client left."""
    if "drip" in faults:
        return await _drip(peer, response, faults["drip"]["bytes_per_s"])
    if "huge" in faults:
        return await _stream_padded(peer, response, faults["huge"]["mb"])
    return response.head(length=len(response.body)) + response.body


async def _drip(peer: Peer, response: Response, bytes_per_s: float) -> bytes | None:
    """Send all but the last bytes slowly and return those; None when the client left meanwhile."""
    await peer.send(response.head(length=len(response.body)))
    step = max(1, int(bytes_per_s * DRIP_PAUSE_S))
    pieces = [response.body[at : at + step] for at in range(0, len(response.body), step)]
    for piece in pieces[:-1]:
        await peer.send(piece)
        await asyncio.sleep(step / bytes_per_s)
        if peer.is_gone():
            return None
    return pieces[-1] if pieces else b""


async def _stream_padded(peer: Peer, response: Response, mb: int) -> bytes | None:
    """Send `mb` MiB of white space in chunks and return the real body as the closing chunks."""
    await peer.send(response.head(length=None))
    chunk = b"%x\r\n%b\r\n" % (BLOCK, b" " * BLOCK)
    for _ in range((mb << 20) // BLOCK):
        await peer.send(chunk)
        if peer.is_gone():
            return None
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(response.body), response.body)
