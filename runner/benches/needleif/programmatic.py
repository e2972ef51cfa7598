"""Endless plain prose from templates and word lists, with no dependency and no file.

Everything is told of other people in the past tense. No figures, no markup, no quotation marks,
and nothing that a check could count: see `tests/runner/benches/needleif/test_programmatic.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from runner.benches.needleif.draw import below, chosen, shuffled
from runner.benches.needleif.haystack import Draw
from runner.benches.needleif.prose import PARAGRAPH
from runner.benches.needleif.topics import (
    CONNECTIVES,
    REASONS,
    REMARKS,
    SCENES,
    TEMPERS,
    TIMES,
    TOPICS,
    Topic,
)

VERSION = "1"  # goes up with every change of the words or templates
SENTENCES_A_PARAGRAPH = (3, 7)
PARAGRAPHS_A_TOPIC = (20, 40)
UNREPEATED_SENTENCES = 200


@dataclass(frozen=True)
class ProgrammaticHaystack:
    """Another text for every pair, as long as is asked for."""

    source: str = "programmatic"
    revision: str = VERSION
    origin: None = None

    def pieces(self, split: str, draw: Draw) -> Iterator[str]:
        """The sentences of a pair's own text, each with its separator in front; never ends."""
        return prose(draw("prose"))


def prose(rng: Random) -> Iterator[str]:
    """Sentences in paragraphs of 3 to 7; the topic changes every 20 to 40 paragraphs."""
    recent: deque[str] = deque(maxlen=UNREPEATED_SENTENCES)
    while True:
        for topic in shuffled(rng, TOPICS):
            for _ in range(_between(rng, *PARAGRAPHS_A_TOPIC)):
                for position in range(_between(rng, *SENTENCES_A_PARAGRAPH)):
                    sentence = _sentence(rng, topic)
                    while sentence in recent:
                        sentence = _sentence(rng, topic)
                    recent.append(sentence)
                    yield (" " if position else PARAGRAPH) + sentence


def _between(rng: Random, low: int, high: int) -> int:
    return low + below(rng, high - low + 1)


def _sentence(rng: Random, topic: Topic) -> str:
    sentence = chosen(rng, _TEMPLATES)(rng, topic)
    return sentence[0].upper() + sentence[1:] + "."


def _who(rng: Random, topic: Topic) -> str:
    return f"the {chosen(rng, TEMPERS)} {chosen(rng, topic.people)}"


def _two(rng: Random, topic: Topic) -> tuple[str, str]:
    one, other = shuffled(rng, topic.people)[:2]
    return f"the {chosen(rng, TEMPERS)} {one}", f"the {chosen(rng, TEMPERS)} {other}"


def _deed(rng: Random, topic: Topic) -> str:
    return f"{chosen(rng, topic.verbs)} {chosen(rng, topic.things)}"


def _plain(rng: Random, topic: Topic) -> str:
    place, time = chosen(rng, topic.places), chosen(rng, TIMES)
    return f"{_who(rng, topic)} {_deed(rng, topic)} {place} {time}"


def _timed(rng: Random, topic: Topic) -> str:
    time, place = chosen(rng, TIMES), chosen(rng, topic.places)
    return f"{time}, {_who(rng, topic)} {_deed(rng, topic)} {place}"


def _reasoned(rng: Random, topic: Topic) -> str:
    return f"{_who(rng, topic)} {_deed(rng, topic)}, {chosen(rng, REASONS)}"


def _joined(rng: Random, topic: Topic) -> str:
    one, other = _two(rng, topic)
    place = chosen(rng, topic.places)
    return f"{one} {_deed(rng, topic)} {place}, and {other} {_deed(rng, topic)}"


def _connected(rng: Random, topic: Topic) -> str:
    place = chosen(rng, topic.places)
    return f"{chosen(rng, CONNECTIVES)}, {_who(rng, topic)} {_deed(rng, topic)} {place}"


def _set(rng: Random, topic: Topic) -> str:
    place = chosen(rng, topic.places)
    return f"{chosen(rng, SCENES)} when {_who(rng, topic)} {_deed(rng, topic)} {place}"


def _related(rng: Random, topic: Topic) -> str:
    one, other = _two(rng, topic)
    return f"{one} who had once helped {other} {_deed(rng, topic)} {chosen(rng, TIMES)}"


def _remarked(rng: Random, topic: Topic) -> str:
    place = chosen(rng, topic.places)
    return f"{_who(rng, topic)} {_deed(rng, topic)} {place}, but {chosen(rng, REMARKS)}"


_TEMPLATES: tuple[Callable[[Random, Topic], str], ...] = (
    _plain,
    _timed,
    _reasoned,
    _joined,
    _connected,
    _set,
    _related,
    _remarked,
)
