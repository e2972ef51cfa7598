"""The news of the fake world: some hundred stories around the clock, told in several wordings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from tests.fakes import words
from tests.fakes.scene import Scene

# How many stories there are, by youngest and oldest age in minutes.
AGES = ((2, 55, 220), (61, 350, 110), (361, 7 * 24 * 60, 110))


@dataclass(frozen=True)
class Story:
    """One event. Its place is its own; actor, action and object return in other stories."""

    number: int
    place: str
    actor: str
    action: str
    thing: str
    reason: str
    at: datetime

    def title(self, form: int) -> str:
        """A headline in one of four wordings."""
        forms = (
            f"{self.place} {self.actor} {self.action} {self.thing} {self.reason}",
            f"{self.thing.capitalize()}: {self.place} {self.actor} {self.action} it, officials say",
            f"{self.place}'s {self.actor} {self.action} {self.thing}",
            f"{self.reason.capitalize()}, {self.place} {self.actor} {self.action} {self.thing}",
        )
        return forms[form % len(forms)]

    def summary(self) -> str:
        return (
            f"The {self.actor} of {self.place} {self.action} the {self.thing} {self.reason}, "
            f"a spokesperson said on {self.at.strftime('%A')}. More details are expected."
        )


@lru_cache(maxsize=8)
def stories(scene: Scene) -> tuple[Story, ...]:
    """All stories, the youngest group first."""
    rng = scene.draw("stories")
    places = rng.sample(range(480), sum(count for _, _, count in AGES))
    told: list[Story] = []
    for youngest, oldest, count in AGES:
        for _ in range(count):
            age = timedelta(minutes=rng.randint(youngest, oldest), seconds=rng.randrange(60))
            told.append(
                Story(
                    number=len(told),
                    place=words.place(places[len(told)]),
                    actor=rng.choice(words.ACTORS),
                    action=rng.choice(words.ACTIONS),
                    thing=rng.choice(words.OBJECTS),
                    reason=rng.choice(words.REASONS),
                    at=scene.clock - age,
                )
            )
    return tuple(told)


def by_age(scene: Scene) -> tuple[tuple[Story, ...], ...]:
    """The stories of the last hour, of the last six hours, and older ones."""
    told, groups, start = stories(scene), [], 0
    for _, _, count in AGES:
        groups.append(told[start : start + count])
        start += count
    return tuple(groups)
