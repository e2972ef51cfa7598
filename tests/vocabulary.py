"""The real vocabulary of bert-base-uncased, taken out of blingfire's model of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

TOKENS = 30_522
_SPECIAL = {"[unk]": "[UNK]", "[cls]": "[CLS]", "[sep]": "[SEP]", "[mask]": "[MASK]"}
_WORD = 1996  # "the": what is written right behind it is the rest of a word


@cache
def bert_tokens() -> tuple[str, ...]:
    """The tokens by id, pieces within a word with their `##`."""
    import blingfire
    import numpy as np

    model = blingfire.load_model(str(Path(blingfire.__file__).parent / "bert_base_tok.i2w"))

    def text(*ids: int) -> str:
        numbers = np.array(ids, dtype=np.int32)
        return str(blingfire.ids_to_text(model, numbers, skip_special_tokens=False))

    try:
        tokens = []
        for number in range(TOKENS):
            token = text(number)
            starts_a_word = text(_WORD, number) == f"the {token}"
            tokens.append(_SPECIAL.get(token, token) if starts_a_word else f"##{token}")
    finally:
        blingfire.free_model(model)
    return tuple(tokens)
