"""The words that made-up companies, people and cities are named with."""

from __future__ import annotations

from tests.fakes.words import PLACE_STARTS, listed, place

# None of these stands in the news of the fake world, so that no news query names a company.
TRADES = listed(
    """
Foods|Logistics|Semiconductor|Therapeutics|Instruments|Outfitters|Energy Services|Bancorp|Freight|
Materials|Robotics|Biosciences|Software|Insurance|Aerospace|Chemical|Packaging|Networks|Minerals|
Apparel|Diagnostics|Hotels|Motors|Storage|Payments|Dental|Ceramics|Lighting|Pipelines|Realty
"""
)
COINED = listed(
    """
Averion Belquist Corvanta Dovanex Elmeric Fenwaldo Galtrix Hexomar Invariq Jorvello Kestavo Lumidor
Marvanta Novequil Ostrivo Pallerix Quorvane Restivo Solvaneer Tavonix Umbriel Vantreso Wexallan
Xandrello Yorvanta Zephroni
"""
)
FOREIGN_FORMS = {
    "United Kingdom": "PLC",
    "Netherlands": "N.V.",
    "Germany": "AG",
    "Switzerland": "AG",
    "Canada": "Ltd.",
    "Japan": "Co., Ltd.",
    "Ireland": "plc",
    "South Korea": "Co., Ltd.",
    "China": "Ltd",
}
FORMS = listed("INC|Inc.|CORP|Corp|CO|Company|HOLDINGS INC|Group, Inc.|LP|LTD|Holdings Corp")
STATES = listed("DE NV NY MD CA TX OH PA VA WA MN")
GIVEN = listed(
    """
Robert Daniel Margaret James Andrew Elizabeth Thomas Priya Michael Chen Josh Laura William Katherine
Gregory Amara Edward Sofia Christopher Helen Timothy Ingrid Matthew José Lawrence Naomi Kenneth
Björn Steven Fatima
"""
)
SURNAMES = listed(
    """
Ashgrove Bellweather Carrowmore Dunsmore Everdale Farquhar Garrity Holloway Ives Jessop Kilbride
Lindqvist Marchetti Norcross O'Brien Pemberton Quillfeather Ravensworth Sandoval Tremaine Underhill
Vasquez Whitlock Yardley Zimmer D'Amico Okonkwo Peña Rose Hale
"""
)
# Country: (item, aliases). Aliases are as loose as the real ones.
COUNTRIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "United States": ("Q30", ("USA", "US", "U.S.", "United States of America", "the States", "🇺🇸")),
    "United Kingdom": ("Q145", ("UK", "U.K.", "Great Britain", "United Kingdom of Great Britain")),
    "Netherlands": ("Q55", ("Holland", "NL", "The Netherlands")),
    "Germany": ("Q183", ("Deutschland", "DE", "FRG")),
    "Switzerland": ("Q39", ("CH", "Swiss Confederation", "SUI")),
    "Canada": ("Q16", ("CA", "can", "Dominion of Canada")),
    "Japan": ("Q17", ("JP", "Nippon", "State of Japan")),
    "Ireland": ("Q27", ("IE", "Republic of Ireland", "Éire")),
    "South Korea": ("Q884", ("Republic of Korea", "ROK", "Korea")),
    "China": ("Q148", ("PRC", "People's Republic of China", "CN")),
}
CITY_ENDS = (" City", "", " Falls", " Heights")


def core_name(number: int) -> str:
    """What a company is called without its legal form; distinct for numbers below 2,750."""
    if number % 29 == 11 and number // 29 < len(COINED) * 4:
        turn, at = divmod(number // 29, len(COINED))
        return COINED[at] + ("", " Labs", " Brands", " Partners")[turn]
    if number % 37 == 5:
        nth = number // 37
        first, second = PLACE_STARTS[nth % 24], PLACE_STARTS[(nth + nth // 24 + 1) % 24]
        return f"{first} & {second} {TRADES[nth % len(TRADES)]}"
    # 480 and 30 share a divisor: the turn shifts the trade so that no pair comes back.
    turn = number // 480
    return f"{place(number * 7 % 480)} {TRADES[(number + turn) % len(TRADES)]}"


def person_name(number: int) -> tuple[str, tuple[str, ...]]:
    """A full name as the registry writes it, and aliases; distinct for numbers below 6,000."""
    turn, at = divmod(number * 7, 30)
    given, surname = GIVEN[at], surname_of(turn * 53 % 222)
    initial = "ABCDEFGHJKLMNPRSTW"[number % 18]
    match number % 6:
        case 0:
            return f"{given} {initial}. {surname}", (f"{given} {surname}",)
        case 1:
            return f"{given} {initial}. {surname} Jr.", (f"{given} {surname}",)
        case 2:
            return f"{given} {surname}", (f"{surname}, {given}", f"{initial}. {surname}")
    return f"{given} {surname}", ()


def surname_of(number: int) -> str:
    """A family name; distinct for numbers below 222."""
    if number < 30:
        return SURNAMES[number]
    end, start = divmod(number - 30, 24)
    return PLACE_STARTS[start] + ("son", "man", "er", "ley", "worthy", "stone", "well", "ing")[end]


def city_name(number: int) -> str:
    """A city; distinct for numbers below 1,900."""
    return place(number % 480) + CITY_ENDS[number // 480 % len(CITY_ENDS)]
