"""The federal opinions of the fake world, and the traps that are set with them.

One docket book per seed and clock: opinions of fourteen courts in the month of the clock and the
twenty before it. Each month of a court has opinions of its first and of its last day. The Supreme
Court decides nothing from July to September, the Ninth Circuit more in a month than fit a page.
"""

from __future__ import annotations

import random
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache

from tests.fakes.company_names import TRADES, surname_of
from tests.fakes.scene import Scene
from tests.fakes.words import place, slug

MONTHS = 21
# Court: (name, citation string, phrase that people use).
COURTS = {
    "scotus": ("Supreme Court of the United States", "SCOTUS", "supreme court"),
    "ca1": ("Court of Appeals for the First Circuit", "1st Cir.", "first circuit"),
    "ca2": ("Court of Appeals for the Second Circuit", "2d Cir.", "second circuit"),
    "ca3": ("Court of Appeals for the Third Circuit", "3rd Cir.", "third circuit"),
    "ca4": ("Court of Appeals for the Fourth Circuit", "4th Cir.", "fourth circuit"),
    "ca5": ("Court of Appeals for the Fifth Circuit", "5th Cir.", "fifth circuit"),
    "ca6": ("Court of Appeals for the Sixth Circuit", "6th Cir.", "sixth circuit"),
    "ca7": ("Court of Appeals for the Seventh Circuit", "7th Cir.", "seventh circuit"),
    "ca8": ("Court of Appeals for the Eighth Circuit", "8th Cir.", "eighth circuit"),
    "ca9": ("Court of Appeals for the Ninth Circuit", "9th Cir.", "ninth circuit"),
    "ca10": ("Court of Appeals for the Tenth Circuit", "10th Cir.", "tenth circuit"),
    "ca11": ("Court of Appeals for the Eleventh Circuit", "11th Cir.", "eleventh circuit"),
    "cadc": ("Court of Appeals for the D.C. Circuit", "D.C. Cir.", "dc circuit"),
    "cafc": ("Court of Appeals for the Federal Circuit", "Fed. Cir.", "federal circuit"),
}
# What is unusual about an opinion's record: every second one has a trap.
TRAPS = {
    "consolidated": "a lead docket and another: `24-916(L); 24-2594`",
    "comma_dockets": "two dockets with a comma between: `23-3118, 23-3123`",
    "suffixed_docket": "a docket with the suffix of its kind: `24-1234-cv`",
    "long_year": "a docket with a year of four digits: `2025-1904`",
    "in_re": "a caption that begins with `In re:`",
    "matter_of": "a caption that begins with `Matter of`",
    "ex_parte": "a caption that begins with `Ex parte`",
    "trailing_v": "a caption that ends in `v.`",
    "curly": "a caption with curly apostrophes",
    "revisions": "a caption followed by `Revisions:` and a date",
    "vs": "a caption with `vs.`",
    "public_bodies": "no party but public bodies of general names",
    "common_tokens": "parties whose names are words of every day",
    "long_caption": "a caption with many parties and `et al.`",
    "initials": "a party known by initials only",
    "no_ids": "neither docket nor citation",
    "no_name": "no caption",
    "no_citation": "a docket, but no citation yet",
    "same_caption": "the caption of the opinion before it in that court",
    "unpublished": "unpublished: found only when such opinions are asked for",
    "old_cluster": "the address names the cluster without a slug that fits the caption",
}
BODIES = (
    "United States v. State of New York",
    "County of Lake v. Federal Board",
    "City of York v. United States",
    "Secretary of Labor v. National Commission",
)
COMMON = ("Special Music Services v. Labor Group", "Green Health Systems v. First Bank")
SUBJECTS = (
    "the arbitration clause of a charter party",
    "a search of the tackle room without a warrant",
    "the denial of disability benefits",
    "the scope of a patent on pallet wrapping",
    "a levy on smokehouse licences",
    "the removal of a guardian",
    "the bond of a customs broker",
)


@dataclass(frozen=True)
class Case:
    """One opinion. `docket` is as the record writes it, `dockets` what it means.

    An empty docket or citation is one that does not exist. `parties` are the names by which
    people know the two sides; the second is empty where there is one side only.
    """

    number: int
    cluster: int
    court: str
    filed: date
    caption: str
    parties: tuple[str, str]
    docket: str
    dockets: tuple[str, ...]
    citations: tuple[str, ...]
    judge: str
    subject: str
    traps: frozenset[str]

    @property
    def path(self) -> str:
        """The page of the opinion at CourtListener."""
        name = "opinion" if "old_cluster" in self.traps else slug(self.caption)
        return f"/opinion/{self.cluster}/{name}/"

    @property
    def is_published(self) -> bool:
        return "unpublished" not in self.traps

    @property
    def summary(self) -> str:
        """What the opinion begins with."""
        known = " and ".join(name for name in self.parties if name) or "The parties"
        return (
            f"{self.judge.upper()}, Circuit Judge. {known} dispute {self.subject}. The judgment is "
            f"affirmed. No. {self.docket or 'under seal'}."
        )


@dataclass(frozen=True)
class Docket:
    """All opinions, in order of number."""

    cases: tuple[Case, ...]

    @cached_property
    def by_cluster(self) -> dict[int, Case]:
        return {case.cluster: case for case in self.cases}

    def trapped(self, kind: str) -> list[Case]:
        """The opinions with this trap; a kind that does not exist raises KeyError."""
        TRAPS[kind]
        return [case for case in self.cases if kind in case.traps]


def docket_book(scene: Scene) -> Docket:
    """The opinions of this seed and clock."""
    return _book(scene.seed, scene.clock)


@lru_cache(maxsize=8)
def _book(seed: int, clock: datetime) -> Docket:
    scene = Scene(seed, clock)
    found: list[Case] = []
    for court in COURTS:
        for ago in range(MONTHS):
            rng = scene.draw("month", court, ago)
            for filed in _days(rng, court, clock.date(), ago):
                before = found[-1] if found and found[-1].court == court else None
                found.append(_case(scene, len(found), court, filed, before))
    return Docket(tuple(found))


def _days(rng: random.Random, court: str, today: date, ago: int) -> list[date]:
    """On which days of a month a court filed opinions."""
    months = today.year * 12 + today.month - 1 - ago
    year, month = divmod(months, 12)
    last = monthrange(year, month + 1)[1]
    if court == "scotus" and month + 1 in (7, 8, 9):
        return []
    count = rng.randint(22, 27) if court == "ca9" and ago % 2 else rng.randint(5, 9)
    days = [1, last, *(rng.randint(1, last) for _ in range(count - 2))]
    return sorted(day for one in days if (day := date(year, month + 1, one)) <= today)


def _case(scene: Scene, number: int, court: str, filed: date, before: Case | None) -> Case:
    rng = scene.draw("case", number)
    traps = _traps(number)
    first, second = _party(rng), _party(rng)
    caption, parties = _caption(rng, first, second, filed, traps)
    if before and "same_caption" in traps:
        caption, parties = before.caption, before.parties
    docket, dockets = _docket(rng, court, filed, traps)
    return Case(
        number=number,
        cluster=10_000_000 + number * 97 + rng.randrange(90),
        court=court,
        filed=filed,
        caption=caption,
        parties=parties,
        docket=docket,
        dockets=dockets,
        citations=_citations(scene, number, court, filed, traps),
        judge=surname_of(rng.randrange(222)),
        subject=rng.choice(SUBJECTS),
        traps=traps,
    )


def _traps(number: int) -> frozenset[str]:
    kinds = list(TRAPS)
    return frozenset({kinds[number // 2 % len(kinds)]}) if number % 2 else frozenset()


def _party(rng: random.Random) -> tuple[str, str]:
    """A party as a caption writes it, and the name that people know it by."""
    if rng.randrange(2):
        name = surname_of(30 + rng.randrange(192))
        return rng.choice([name, f"{name}, Jr.", name]), name
    name = f"{place(rng.randrange(480))} {rng.choice(TRADES)}"
    form = rng.choice([", LLC", ", Inc.", " Corp.", " L.P.", " Company"])
    return f"{name}{form}", name


def _caption(
    rng: random.Random,
    first: tuple[str, str],
    second: tuple[str, str],
    filed: date,
    traps: frozenset[str],
) -> tuple[str, tuple[str, str]]:
    """The caption, and the names of the two sides."""
    plain = f"{first[0]} v. {second[0]}"
    both = (first[1], second[1])
    match next(iter(traps), ""):
        case "in_re":
            kind = rng.choice(["Litigation", "Bankruptcy Appeal", ""])
            return f"In re: {first[1]} {kind}".strip(), (first[1], "")
        case "matter_of":
            return f"Matter of {first[0]}", (first[1], "")
        case "ex_parte":
            return f"Ex parte {first[0]}", (first[1], "")
        case "trailing_v":
            return f"{first[0]} v.", (first[1], "")
        case "curly":
            return f"O’{first[1]} v. {second[1]}’s Estate", (f"O’{first[1]}", second[1])
        case "revisions":
            return f"{plain} Revisions: {filed.month}/{filed.day}/{filed:%y}", both
        case "vs":
            return f"{first[0]} vs. {second[0]}", both
        case "public_bodies":
            return rng.choice(BODIES), ("", "")
        case "common_tokens":
            return rng.choice(COMMON), ("", "")
        case "long_caption":
            other = _party(rng)[0]
            return f"{first[0]}, {other}, et al. v. {second[0]}, et al.", both
        case "initials":
            return f"{rng.choice('ABCDEGHJ')}.{rng.choice('KLMNPRS')}. v. {second[0]}", (
                "",
                second[1],
            )
        case "no_name":
            return "", ("", "")
    return plain, both


def _docket(
    rng: random.Random, court: str, filed: date, traps: frozenset[str]
) -> tuple[str, tuple[str, ...]]:
    """The docket as written, and the plain numbers in it."""
    year = (filed.year - rng.randint(0, 2)) % 100
    serial, other = rng.randint(101, 5990), rng.randint(101, 5990)
    first, second = f"{year}-{serial}", f"{year}-{other}"
    if "no_ids" in traps:
        return "", ()
    if "consolidated" in traps:
        return f"{first}(L); {second}", (first, second)
    if "comma_dockets" in traps:
        return f"{first}, {second}", (first, second)
    if "suffixed_docket" in traps:
        return f"{first}-{rng.choice(['cv', 'pr', 'cr', 'ag'])}", (first,)
    if "long_year" in traps or court == "cafc":
        return f"20{first}", (first,)
    if court == "scotus" and rng.randrange(5) == 0:
        return f"{year}A{serial % 900 + 100}", (f"{year}A{serial % 900 + 100}",)
    return first, (first,)


def _citations(
    scene: Scene, number: int, court: str, filed: date, traps: frozenset[str]
) -> tuple[str, ...]:
    """The reporter citations: none for the newest opinions, which are not bound yet."""
    age = (scene.clock.date() - filed).days
    if traps & {"no_ids", "no_citation", "unpublished"} or age < 45:
        return ()
    volume, page = 100 + (600 - min(age, 600)) // 8, 11 + number * 7 % 1300
    if court == "scotus":
        found = (f"146 S. Ct. {page}",)
        return (f"{605 + number % 4} U.S. {page % 900 + 1}", *found) if age > 300 else found
    reported = f"{volume} F.4th {page}"
    return (reported, f"{filed.year} WL {1_000_000 + number}") if number % 9 == 0 else (reported,)
