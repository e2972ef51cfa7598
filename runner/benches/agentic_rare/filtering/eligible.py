"""What is no question in words: addresses of the web, foreign scripts, codes without meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A host that is no name of a product: `.net 8` alone is a platform, `asp.net` counts as an address.
_URLISH = re.compile(
    r"https?://|(?<!\w)www\.|[\w-]\.(?:com|org|net|io|de|fr|ru|jp)(?!\w)", re.IGNORECASE
)
# Latin letters and signs, general punctuation, currency signs
_WRITTEN = re.compile(r"[\u0020-\u024f\u1e00-\u1eff\u2000-\u206f\u20a0-\u20cf]*")
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"  # of a run of letters and digits
_LETTER_AND_DIGIT = r"(?=[A-Z0-9]*[A-Z])(?=[A-Z0-9]*[0-9])"
_VIN = re.compile(f"{_START}{_LETTER_AND_DIGIT}[A-HJ-NPR-Z0-9]{{17}}{_END}", re.IGNORECASE)
_HEX_RUN = re.compile(r"[0-9a-f]{24,}", re.IGNORECASE)
_UUID = re.compile(
    rf"{_START}[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{_END}", re.IGNORECASE
)
_HEX_ADDRESS = re.compile(rf"{_START}0x[0-9a-f]{{40}}{_END}", re.IGNORECASE)
_BASE58 = re.compile(f"{_START}[1-9A-HJ-NP-Za-km-z]{{32,44}}{_END}")
_MIN_CODE_CHARS = 12  # the last block of a UUID, the shortest word that any of them has


def is_urlish(text: str) -> bool:
    """Whether the text has a web address or a host of a common top level domain."""
    # most queries have neither sign, and looking for a sign is far quicker
    return ("." in text or "/" in text) and _URLISH.search(text) is not None


def is_ineligible(text: str, words: Sequence[str]) -> bool:
    """Whether the text is in another script, or holds a VIN, a hash or a wallet's address.

    A VIN has 17 letters and digits, both kinds, without I, O and Q (ISO 3779). A hash is a run of
    24 or more hex digits with a letter among them, or a UUID. Addresses are `0x` and 40 hex
    digits, or 32 to 44 base58 digits with a figure, a capital and a small letter among them.
    """
    if _WRITTEN.fullmatch(text) is None:
        return True
    if max(map(len, words), default=0) < _MIN_CODE_CHARS:
        return False
    return (
        _VIN.search(text) is not None
        or any(_has_letter(run) for run in _HEX_RUN.findall(text))
        or _UUID.search(text) is not None
        or _HEX_ADDRESS.search(text) is not None
        or any(_is_mixed(run) for run in _BASE58.findall(text))
    )


def _has_letter(run: str) -> bool:
    return not run.isdigit()


def _is_mixed(run: str) -> bool:
    kinds = (str.isdigit, str.isupper, str.islower)
    return all(any(is_kind(char) for char in run) for is_kind in kinds)
