"""How the fake web words facts about companies: rightly, wrongly and not at all.

`{value}` is the right value in one of its forms.
"""

from __future__ import annotations

import random

FORMS: dict[str, tuple[str, ...]] = {
    "ceo": (
        "{value} is the chief executive officer of {name}.",
        "{name} CEO {value} spoke to investors on Tuesday.",
        "Leadership: CEO {value}; headquarters {city}.",
    ),
    "ceo_since": (
        "{ceo} became CEO of {name} in {value}.",
        "{ceo} has been chief executive since {value}, when {former} left.",
        "The board of {name} appointed {ceo} in {value}.",
    ),
    "ceo_company": (
        "{ceo} is the CEO of {value}.",
        "{ceo}, chief executive of {value}, was born in {city}.",
    ),
    "founded_year": (
        "{name} was founded in {value}.",
        "Founded {value}, {city}; traded on the {exchange}.",
        "Established in {value}, {name} grew quickly.",
    ),
    "hq_country": (
        "{name} is headquartered in {city}, {value}.",
        "Headquarters: {city}, {value}.",
    ),
    "website": (
        "Official website: {value}.",
        "Visit www.{value} for news of {name}.",
        "Write to {name} at press@{value} for details.",
    ),
    "employees": (
        "{name} has {value} employees.",
        "The company employs about {value} people.",
        "Workforce: {value} (last annual report).",
    ),
    "lei": (
        "LEI: {value}.",
        "The legal entity identifier of {name} is {value}.",
    ),
    "ticker": (
        "{name} ({exchange}: {value}) rose two percent.",
        "The ticker symbol of {name} is {value}.",
        "Shares of {name} trade on the {exchange} under the symbol {value}.",
    ),
}
WRONG: dict[str, tuple[str, ...]] = {
    "ceo": ("{former} is the chief executive officer of {name}.",),
    "ceo_since": ("{ceo} became CEO of {name} in 1999.",),
    "ceo_company": ("{ceo} is the CEO of Hasklow Brothers.",),
    "founded_year": ("{name} was founded in 18{number}.",),
    "hq_country": ("{name} is headquartered in Port Louis, Mauritius.",),
    "website": ("Official website: {number}companies.example.",),
    "employees": ("{name} has {number} employees.",),
    "lei": ("LEI: 99930000WRONGENTIT{number}.",),
    "ticker": ("The ticker symbol of {name} is XQ{number}.",),
}
VAGUE = (
    "{name} is a company that many people ask about.",
    "Everything about {name}: profile, news and contacts behind the link.",
    "{name} presented its plans for the plant near {city}.",
    "Log in to see the full profile of {name}.",
)


def money_forms(rng: random.Random, amount: str, value: float) -> list[str]:
    """Sentences and table lines that state an amount of dollars, some of them too roughly."""
    if amount == "diluted eps":
        text = f"{abs(value):.2f}"
        signed = f"(${text})" if value < 0 else f"${text}"
        return [
            f"Diluted earnings per share were {signed}.",
            f"EPS (diluted) {signed} against {rng.randrange(10, 99)} cents expected.",
            f"Earnings per diluted share\t{f'({text})' if value < 0 else text}",
        ]
    size, is_loss = abs(value), value < 0
    label = amount.replace("income", "loss") if is_loss else amount
    thousands = f"{size / 1e3:,.0f}"
    shown = f"({thousands})" if is_loss else thousands
    return [
        f"The company had {label} of ${size / 1e6:,.1f} million.",
        f"{label.capitalize()} came to ${size / 1e6:,.3f} million in the quarter.",
        f"(in thousands) {amount} {shown} {rng.randrange(1_000, 90_000):,}",
        f"{label.capitalize()} was ${size:,.0f}.",
        f"{label.capitalize()} of about ${size / 1e9:.1f} billion.",
    ]
