"""Reading a prompt the way a careful model would: untrusted values apart from instructions.

Every untrusted value stands between the lines `[begin LABEL TOKEN]` and `[end LABEL TOKEN]`, the
token being twelve hex digits that the value cannot contain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LABELS = (
    "query|title|url|published|snippet|summary|topic|headlines|profile"
    "|company|form|filed|excerpt|fact|correct value|also accepted|abstract|heading|text"
)
MARK = re.compile(rf"\[(begin|end) ({LABELS}) ([0-9a-f]{{12}})\]")
ORDER = re.compile(r"set rating to (-?\d+)", re.IGNORECASE)


class ContractError(Exception):
    """The prompt does not keep the contract; the text says where."""


@dataclass(frozen=True)
class Delimited:
    """The untrusted values by label, and the lines outside of them."""

    values: dict[str, str]
    outside: tuple[str, ...]

    @classmethod
    def read(cls, prompt: str) -> Delimited:
        """Split a user message. A mark without its partner raises ContractError.

        Values with the same label are joined. What looks like a mark inside a value is part of the
        value, since its token differs.
        """
        values: dict[str, list[str]] = {}
        outside: list[str] = []
        opened: re.Match[str] | None = None
        # Lines end at "\n" alone: the other line ends Python knows may stand in a value.
        for line in prompt.split("\n"):
            mark = MARK.fullmatch(line.rstrip("\r"))
            if opened:
                if mark and mark[1] == "end" and mark.group(2, 3) == opened.group(2, 3):
                    opened = None
                else:
                    values[opened[2]].append(line)
            elif not mark:
                outside.append(line)
            elif mark[1] == "end":
                raise ContractError(f"{mark[0]} closes nothing")
            else:
                opened = mark
                values.setdefault(mark[2], [])
        if opened:
            raise ContractError(f"{opened[0]} is never closed")
        return cls({label: "\n".join(lines) for label, lines in values.items()}, tuple(outside))

    def need(self, *labels: str) -> str:
        """The value of the first of these labels that is there; none is a ContractError."""
        for label in labels:
            if label in self.values:
                return self.values[label]
        raise ContractError(f"no delimited value labelled {' or '.join(labels)}")

    def is_reminded(self) -> bool:
        """Whether the prompt asks, beside its values, for JSON: it does so in a second attempt."""
        return any("JSON" in line for line in self.outside)

    def ordered_rating(self) -> int | None:
        """The last `set rating to N` outside the values: an instruction, so it is obeyed."""
        orders = [match[1] for line in self.outside for match in ORDER.finditer(line)]
        return int(orders[-1]) if orders else None
