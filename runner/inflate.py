"""Bounded decompression of HTTP bodies."""

from __future__ import annotations

import zlib


class DecodingError(Exception):
    """The body is not what its content-encoding says."""


class Inflater:
    """Unpacks gzip (several members too) and zlib, never more than it is asked for.

    Behind a whole member may follow another one or padding: what yields no byte is padding.
    """

    def __init__(self) -> None:
        self._member = _new_member()
        self._is_optional = False  # behind a whole member, nothing unpacked from the next one yet
        self._is_padding = False

    @property
    def is_complete(self) -> bool:
        return self._member.eof or self._is_optional

    def feed(self, chunk: bytes, max_bytes: int) -> bytes:
        """At most `max_bytes` more of the unpacked body; raises DecodingError."""
        parts: list[bytes] = []
        while chunk and max_bytes > 0 and not self._is_padding:
            if self._member.eof:
                self._member, self._is_optional = _new_member(), True
            try:
                part = self._member.decompress(chunk, max_bytes)
            except zlib.error as error:
                if not self._is_optional:
                    raise DecodingError(str(error)) from error
                self._is_padding = True
                break
            self._is_optional = self._is_optional and not part
            parts.append(part)
            max_bytes -= len(part)
            chunk = self._member.unused_data
        return b"".join(parts)


def _new_member() -> zlib._Decompress:
    """Tells gzip and zlib apart by their headers."""
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
