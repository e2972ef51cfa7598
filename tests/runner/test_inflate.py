"""Bounded decompression."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.inflate import DecodingError, Inflater


def unpack(packed: bytes, step: int, limit: int = 10_000_000) -> tuple[bytes, bool]:
    inflater, out = Inflater(), b""
    for start in range(0, len(packed), step):
        out += inflater.feed(packed[start : start + step], limit - len(out))
    return out, inflater.is_complete


@given(st.binary(max_size=2000), st.integers(1, 300))
def test_any_body_comes_back_whole_however_it_is_cut(body: bytes, step: int) -> None:
    assert unpack(gzip.compress(body, mtime=0), step) == (body, True)
    assert unpack(zlib.compress(body), step) == (body, True)


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_members_behind_one_another_are_joined(step: int) -> None:
    assert unpack(gzip.compress(b"one", mtime=0) + gzip.compress(b"two", mtime=0), step) == (
        b"onetwo",
        True,
    )


@pytest.mark.parametrize("step", [1, 7, 10_000])
@pytest.mark.parametrize("padding", [b"\0" * 20, b"junk behind the body"])
def test_padding_behind_the_body_means_nothing(padding: bytes, step: int) -> None:
    assert unpack(gzip.compress(b"body", mtime=0) + padding, step) == (b"body", True)


def test_a_body_that_ends_early_is_not_complete() -> None:
    assert unpack(gzip.compress(b"body" * 100, mtime=0)[:-9], 5)[1] is False


def test_a_bomb_never_grows_past_what_was_asked_for() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000, mtime=0)
    assert len(bomb) < 60_000
    assert len(Inflater().feed(bomb, 1001)) == 1001


def test_plain_text_is_an_error() -> None:
    with pytest.raises(DecodingError):
        Inflater().feed(b"not packed at all", 100)
