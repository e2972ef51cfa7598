"""Legal entity identifiers with the check digits of ISO 17442 (those of ISO 7064, mod 97-10)."""

from __future__ import annotations

import random
import string

ALPHABET = string.digits + string.ascii_uppercase


def check_digits(body: str) -> str:
    """The two digits that complete the 18 characters of an LEI."""
    return f"{98 - _number(body + '00') % 97:02d}"


def is_valid(lei: str) -> bool:
    """Whether 20 characters are an LEI with right check digits."""
    is_formed = len(lei) == 20 and set(lei) <= set(ALPHABET) and lei[18:].isdigit()
    return is_formed and _number(lei) % 97 == 1


def make_lei(rng: random.Random) -> str:
    """A valid LEI of an issuer that does not exist."""
    body = "9993" + "00" + "".join(rng.choices(ALPHABET, k=12))
    return body + check_digits(body)


def spoilt(lei: str) -> str:
    """The same LEI with wrong check digits."""
    return lei[:18] + f"{(int(lei[18:]) + 7) % 97:02d}"


def _number(text: str) -> int:
    """The text as a number, letters counting from 10 on."""
    return int("".join(str(int(character, 36)) for character in text))
