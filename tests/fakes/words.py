"""The word lists of the fake world. All names are invented; any likeness is chance."""

from __future__ import annotations

import re
import unicodedata


def listed(text: str) -> list[str]:
    """The entries of a block of text: parted by bars when it has any, else by white space."""
    return text.replace("\n", "").split("|") if "|" in text else text.split()


PLACE_STARTS = listed(
    """
Alder Brack Cald Dun Elm Farrow Glen Hask Inver Jass Keld Lorn Marl Nether Oak Pell Quill Rother
Stan Thorn Ulver Vann Whit Yarr
"""
)
PLACE_ENDS = listed(
    """
by combe dale field ford gate ham holt ingham keld land mere moor ness port ridge stead ton vale
wick worth
"""
)
ACTORS = listed(
    """
mayor|regulator|hospital|university|airline|union|startup|brewery|museum|court|bank|orchestra|
shipyard|bakery chain|water utility|football club|observatory|chipmaker|railway|police|farmers|
school board|game studio|drugmaker|satellite firm|coast guard|power grid|film festival|retailer|
research team
"""
)
ACTIONS = listed(
    """
approves|delays|unveils|recalls|cancels|wins|sues over|halts|reopens|buys|sells|bans|doubles|cuts|
tests|backs|rejects|postpones|launches|investigates|loses|repairs|votes on|withdraws|publishes
"""
)
OBJECTS = listed(
    """
ferry link|malaria vaccine|budget deal|tram extension|battery plant|night curfew|rent freeze|
satellite launch|cheese export|parking levy|flood barrier|voting machines|wind farm|cup semifinal|
data center|pension scheme|insulin pump|bridge toll|opera season|lithium mine|wage offer|
visa rules|school meals|stadium roof|bee census|asteroid survey|tunnel contract|merger plan|
patent ruling|heat warning|puzzle sequel|hydrogen bus|glacier lake|cable cut|harbor merger
"""
)
REASONS = listed(
    """
after storm damage|amid record heat|despite protests|in surprise move|before winter|
following audit|as costs rise|after court order|ahead of election|in late session
"""
)
EVERGREEN = listed(
    """
How to choose a winter coat|Why we love old bridges|Best coffee grinders for small kitchens|
Guide to growing tomatoes indoors|How sourdough really works|Best walking trails near the coast
"""
)
# Titles of feeds in other languages: (beginnings, middles, ends).
FOREIGN = {
    "es": (
        ["El ayuntamiento de", "La policía de", "El hospital de"],
        ["aprueba", "investiga", "suspende"],
        ["el túnel del puerto", "la huelga de trenes", "el presupuesto del año próximo"],
    ),
    "de": (
        ["Der Stadtrat von", "Die Universität", "Das Gericht in"],
        ["beschließt", "prüft", "verschiebt"],
        ["den Bau der Fähre", "das Mietgesetz", "die Öffnung der Brücke"],
    ),
    "ja": (
        ["市議会", "大学", "病院"],
        ["が承認", "が延期", "が発表"],
        ["新しい橋の建設", "鉄道の料金改定", "港の再開"],
    ),
}
SENTENCES = listed(
    """
Officials said on {day} that the {actor} {action} the {object}.|
Residents of {place} had waited years for news about the {object}.|
A spokesperson for the {actor} declined to give further figures.|
The plan would cost {number} million and take until next spring.|
Local reporters counted {number} people outside the {actor} offices.|
Critics say that the {object} was never properly tested.|
The {actor} will present a full report in {number} days.|
Similar steps in {place} two years ago led to a long dispute.|
Analysts expect little change for the {object} before summer.|
Documents seen by this newspaper mention {number} separate complaints.
"""
)
SITES = listed(
    """
alderpost harborledger northwire dailyquill fieldgazette civicnote marketbeacon openlab techsheaf
ridgetimes coastecho statsdesk courtwatch healthcircular railmonitor gamehall filmreel sciencepage
foodletter campusnews weatherline energybrief artsrow sportsmill traveltrace autowheel papermill
forumstack wikiwell blogbarn
"""
)
STOP_WORDS = frozenset(
    listed(
        """
a about after ahead all amid an and are as at be been before but by can despite did do does during
for from had has have how in into is it its just more new no not of off on one or our out over says
say said so some than that the their them then there these they this to today up us was were what
when where which while who why will with you your
"""
    )
)


def place(number: int) -> str:
    """A place name; distinct for numbers below 500."""
    start, end = divmod(number, len(PLACE_ENDS))
    return PLACE_STARTS[start % len(PLACE_STARTS)] + PLACE_ENDS[end]


def fold(text: str) -> str:
    """Lower-case ASCII without accents; letters of other scripts disappear."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def content_words(text: str) -> list[str]:
    """The words that carry meaning: folded, without stop words, in order, without repeats."""
    found = re.findall(r"[a-z0-9]+", fold(text).replace("'", ""))
    return list(dict.fromkeys(w for w in found if len(w) > 1 and w not in STOP_WORDS))


def slug(text: str) -> str:
    """The form of a title used in addresses."""
    return "-".join(re.findall(r"[a-z0-9]+", fold(text)))[:80] or "item"
