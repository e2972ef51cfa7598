"""Countries: their names and short forms, and the longer names that only seem to hold them."""

from __future__ import annotations

# The first is the country's own name; every form stands for any other of its line.
# Forms of at most three letters count only as written here, capitals and dots included.
CANONICAL: tuple[tuple[str, ...], ...] = (
    (
        "United States",
        "United States of America",
        "America",
        "US",
        "U.S.",
        "USA",
        "U.S.A.",
    ),
    (
        "United Kingdom",
        "United Kingdom of Great Britain and Northern Ireland",
        "Great Britain",
        "Britain",
        "England",
        "Scotland",
        "Wales",
        "Northern Ireland",
        "UK",
        "U.K.",
    ),
    ("United Arab Emirates", "UAE", "U.A.E."),
    ("China", "People's Republic of China", "Mainland China", "PRC", "P.R.C.", "P.R. China"),
    ("South Korea", "Republic of Korea", "Korea"),
    ("Russia", "Russian Federation"),
    ("Germany", "Deutschland", "Federal Republic of Germany"),
    ("Netherlands", "Kingdom of the Netherlands", "Nederland", "Holland"),
)

# Never a country by themselves, whatever an alias list says.
GENERIC_WORDS = frozenset(
    "state states union republic kingdom federation emirates islands island country nation "
    "commonwealth mainland".split()
)

# Capitalised before a country's name they make another place of it (`South Sudan`).
BEFORE = frozenset(
    "new north south east west northern southern eastern western central latin equatorial "
    "upper lower inner outer papua american british french air".split()
)
# So do these, with `of` between (`Bank of America`, `Gulf of Mexico`).
BEFORE_OF = frozenset(
    "bank university church gulf sea bay strait straits isle prince voice corporation laboratory "
    "boy girl boys".split()
)
# And these after it (`Virgin Islands`); brands only where no full stop of `U.S.` may
# end a sentence (`China Mobile`, `USA Today`).
AFTER = frozenset(
    "sea seas island islands ocean strait peninsula gulf virgin minor antilles bissau "
    "america".split()
)
AFTER_BRAND = AFTER | frozenset(
    "airlines airways mobile telecom unicom today times daily post news".split()
)

# Namesakes in the United States: a state behind them makes them a town (`Lebanon, PA`).
AMERICAN_TOWNS = frozenset(
    "angola belgium bolivia brazil chile china cuba cyprus denmark egypt england finland germany "
    "greece guinea holland iceland ireland italy jamaica jordan lebanon luxembourg macedonia malta "
    "mexico monaco norway palestine panama peru poland portugal russia scotland sweden switzerland "
    "turkey ukraine wales".split()
)
# Without Georgia and Washington, which stand behind a country in lists of states and capitals.
US_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|"
    "Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|"
    "Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|"
    "New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|"
    "Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|"
    "West Virginia|Wisconsin|Wyoming"
)
US_STATE_CODES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|"
    "NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC"
)
# The country Georgia is known by its towns; elsewhere `City, Georgia` is the American state.
GEORGIAN_TOWNS = frozenset("tbilisi batumi kutaisi rustavi poti gori zugdidi telavi".split())
# Common nouns once they have no capital.
COMMON_NOUNS = frozenset("turkey china chile guinea jordan chad georgia jersey".split())
