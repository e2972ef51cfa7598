"""The website of a company among the addresses that are stated for it: its own registrable domain.

A branch in one country and a page at a social network are official too, but no answer to the
question for the company's website.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from runner.benches.markup import safe_url

# Domains on which others have a page: an address with a path there is not the company's domain.
SHARED_DOMAINS = frozenset(
    """about.me archive.org blogspot.com bloomberg.com bsky.app businesswire.com crunchbase.com
    discord.com discord.gg facebook.com github.com github.io globenewswire.com google.com
    instagram.com linkedin.com linktr.ee medium.com mastodon.social prnewswire.com reddit.com
    sec.gov substack.com t.me telegram.me threads.net tiktok.com tumblr.com twitch.tv twitter.com
    vk.com weebly.com weibo.com whatsapp.com wikidata.org wikimedia.org wikipedia.org
    wixsite.com wordpress.com x.com youtube.com""".split()
)
# Endings of two letters that anybody uses, whatever the country.
OPEN_ENDINGS = frozenset("ai cc co eu fm gg io la ly me sh so to tv ws".split())
# The ending of each country in which companies of the SEC's list have their seat.
COUNTRY_ENDINGS = {
    "argentina": "ar",
    "australia": "au",
    "austria": "at",
    "bahamas": "bs",
    "the bahamas": "bs",
    "belgium": "be",
    "bermuda": "bm",
    "brazil": "br",
    "canada": "ca",
    "cayman islands": "ky",
    "chile": "cl",
    "china": "cn",
    "people's republic of china": "cn",
    "colombia": "co",
    "costa rica": "cr",
    "cyprus": "cy",
    "czech republic": "cz",
    "denmark": "dk",
    "finland": "fi",
    "france": "fr",
    "germany": "de",
    "greece": "gr",
    "guernsey": "gg",
    "hong kong": "hk",
    "hungary": "hu",
    "iceland": "is",
    "india": "in",
    "indonesia": "id",
    "republic of ireland": "ie",
    "ireland": "ie",
    "isle of man": "im",
    "israel": "il",
    "italy": "it",
    "japan": "jp",
    "jersey": "je",
    "kazakhstan": "kz",
    "luxembourg": "lu",
    "macau": "mo",
    "malaysia": "my",
    "malta": "mt",
    "mexico": "mx",
    "monaco": "mc",
    "netherlands": "nl",
    "kingdom of the netherlands": "nl",
    "new zealand": "nz",
    "norway": "no",
    "panama": "pa",
    "peru": "pe",
    "philippines": "ph",
    "poland": "pl",
    "portugal": "pt",
    "puerto rico": "pr",
    "singapore": "sg",
    "south africa": "za",
    "south korea": "kr",
    "spain": "es",
    "sweden": "se",
    "switzerland": "ch",
    "taiwan": "tw",
    "thailand": "th",
    "turkey": "tr",
    "türkiye": "tr",
    "united arab emirates": "ae",
    "united kingdom": "uk",
    "united states": "us",
    "united states of america": "us",
    "uruguay": "uy",
    "vietnam": "vn",
}


@dataclass(frozen=True)
class Address:
    """A stated address; `is_foreign_language` where it is said to be in another than English."""

    url: str
    is_preferred: bool = False
    is_foreign_language: bool = False


@dataclass(frozen=True)
class Site:
    """The domain, the address it was read from, and the other addresses of the company's own."""

    domain: str
    url: str
    others: tuple[str, ...] = ()


def own_site(
    addresses: Iterable[Address],
    country: str | None,
    registrable_domain: Callable[[str], str | None],
) -> Site | str:
    """The company's website, or why there is none: missing, shared_domain, country_site.

    `country` is the English name of the country of its seat. An address under the ending of
    another country is a branch; preferred and English addresses go first.
    """
    reasons = []
    own: list[tuple[Address, str]] = []
    for address in addresses:
        url = safe_url(address.url)
        domain = registrable_domain(url) if url else None
        if url is None or not domain:
            reasons.append("missing")
        elif domain in SHARED_DOMAINS and urlsplit(url).path.strip("/"):
            reasons.append("shared_domain")
        elif not _is_at_home(domain, country):
            reasons.append("country_site")
        else:
            own.append((address, domain))
    if not own:
        return reasons[-1] if reasons else "missing"
    own.sort(key=lambda pair: (pair[0].is_foreign_language, not pair[0].is_preferred))
    first, domain = own[0]
    others = dict.fromkeys(address.url for address, _ in own[1:])
    return Site(domain, first.url, tuple(url for url in others if url != first.url))


def _is_at_home(domain: str, country: str | None) -> bool:
    """Whether the ending is that of no country, or of the company's own."""
    ending = domain.rpartition(".")[2]
    if len(ending) != 2 or ending in OPEN_ENDINGS:
        return True
    return country is not None and COUNTRY_ENDINGS.get(country.lower()) == ending
