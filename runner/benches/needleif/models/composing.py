"""An answer to an instruction, by rules on its words: what the embedded follower writes.

Each rule looks for one kind of demand and is content with the wordings that it knows. The plain
text that the rules build on has no comma, no rare letter and none of the words that instructions
like to forbid.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_NUMBER = rf"(\d+|{'|'.join(_NUMBER_WORDS)})"
_LEAST = rf"(?:at least|no fewer than|exactly|minimum of|in|as)?\s*{_NUMBER}"
PLAIN = "All went on as it had gone on in the years before."
FILLER = "Then one more day went by and all was well."


def compose(instruction: str) -> str:
    """A response that tries to do all that the instruction asks; the same for the same words."""
    choice = re.search(r"My answer is (?:yes|no|maybe)\.", instruction)
    if choice:
        return choice[0]
    wanted = _Demands(instruction)
    if re.search(r"\bjson\b", instruction, re.IGNORECASE):
        return json.dumps({"text": " ".join([PLAIN, *wanted.words])}, ensure_ascii=False)
    lines = wanted.body()
    text = "\n".join(lines)
    if wanted.least_words:
        while _words(text) < wanted.least_words:
            text += f" {FILLER}" if not wanted.bullets else f"\n{FILLER}"
    for line in wanted.endings():
        text += f"\n\n{line}"
    return f'"{text}"' if wanted.is_quoted else text


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBER_WORDS[text.lower()]


@dataclass(frozen=True)
class _Demands:
    """What an instruction asks for, each demand read when it is needed."""

    instruction: str

    def _number(self, pattern: str) -> int:
        """The number in the first match, 0 where there is none."""
        match = re.search(pattern, self.instruction, re.IGNORECASE)
        return _count(match[1]) if match else 0

    @property
    def bullets(self) -> int:
        if not re.search(r"\bbullet", self.instruction, re.IGNORECASE):
            return 0
        return self._number(rf"(?:exactly|as exactly|give)\s+{_NUMBER}\b") or self._number(
            rf"{_NUMBER}\s+(?:\w+\s+)?bullet"
        )

    @property
    def paragraphs(self) -> int:
        if "***" not in self.instruction:
            return 0
        return self._number(rf"{_NUMBER}\s+paragraphs?\b")

    @property
    def sections(self) -> tuple[str, int]:
        """The word that heads each part and how many there are."""
        head = re.search(r"\b(?:as|headed|word|by|parts,)\s+([A-Z]+)\b", self.instruction)
        named = head or re.search(r"\b([A-Z][A-Za-z]+) (?:\d|X)\b", self.instruction)
        number = self._number(rf"{_NUMBER}\s+(?:numbered\s+)?(?:parts|chapters|sections)\b")
        return (named[1], number) if named and number else ("", 0)

    @property
    def highlights(self) -> int:
        if not re.search(r"highlight|italic|stand out|set off", self.instruction, re.IGNORECASE):
            return 0
        return self._number(rf"(?:at least|no fewer than)\s+{_NUMBER}\s+(?:\w+\s+)?(?:phrases?|"
                            r"passages?|sections?|parts?|words?)")  # fmt: skip

    @property
    def placeholders(self) -> int:
        if not re.search(r"\[\w+\]", self.instruction):
            return 0
        return self._number(
            rf"(?:at least|no fewer than)\s+{_NUMBER}\s+(?:\w+\s+)?(?:blanks|details|placeholders)"
        )

    @property
    def least_words(self) -> int:
        return self._number(rf"at least {_NUMBER}\s+words\b")

    @property
    def is_quoted(self) -> bool:
        return "quotation marks" in self.instruction.lower()

    @property
    def words(self) -> list[str]:
        """Words that have to be there, as often as they have to, and runs of letters."""
        found: list[str] = []
        for match in re.finditer(
            rf"\bword (\w+)[^.]{{0,40}}?at least {_NUMBER} times", self.instruction
        ):
            found += [match[1]] * _count(match[2])
        for match in re.finditer(
            rf"\b(?:letter|letters|character) (\S)(?=\s)[^.]{{0,30}}?at least {_NUMBER} times|"
            rf"at least {_NUMBER} letters (\w)\b",
            self.instruction,
        ):
            letter, times = match[1] or match[4], match[2] or match[3]
            found.append(letter * _count(times))
        asked = re.search(
            r"\b(?:use the words?|the words?|keywords?) ((?:\w+, )*\w+(?:,? and \w+)?)"
            r"(?= must both| somewhere| in it| in them|\.$)",
            self.instruction,
        )
        if asked and not self._is_forbidding:
            found += re.split(r",? and |, ", asked[1])
        held = re.search(r"\bhold the word (\w+)", self.instruction)
        return [*found, held[1]] if held else found

    @property
    def _is_forbidding(self) -> bool:
        pattern = (
            r"without the word|not allowed|leave out|avoid the word|may not|out of it|less than"
        )
        return bool(re.search(pattern, self.instruction, re.IGNORECASE))

    def body(self) -> list[str]:
        """The lines of the answer but for what has to stand at its end."""
        lines: list[str] = []
        if "<<" in self.instruction:
            lines.append("<<As It Was>>")
        extra = [*self.words, *(f"[detail {n + 1}]" for n in range(self.placeholders))]
        extra += [f"*point {n + 1}*" for n in range(self.highlights)]
        tail = f" {' '.join(extra)}" if extra else ""
        head, parts = self.sections
        if self.bullets:
            lines += [f"* {PLAIN}" for _ in range(self.bullets - 1)] + [f"* {PLAIN}{tail}"]
        elif self.paragraphs:
            blocks = [PLAIN] * (self.paragraphs - 1) + [f"{PLAIN}{tail}"]
            lines.append("\n\n***\n\n".join(blocks))
        elif parts:
            lines += [f"{head} {n + 1}\n{PLAIN}" for n in range(parts)]
            lines[-1] += tail
        else:
            lines.append(f"{PLAIN}{tail}")
        return lines

    def endings(self) -> list[str]:
        """A postscript and the last words, where they are asked for."""
        endings: list[str] = []
        mark = re.search(r"\bP\.(?:P\.)?S\.?", self.instruction)
        if mark:
            endings.append(f"{mark[0]} {FILLER}")
        last = re.search(
            r"(?:very last words|exact words|exact phrase|finish with|end with)[^:\n]*:\s*(.+)$",
            self.instruction,
        )
        return [*endings, last[1].strip()] if last else endings
