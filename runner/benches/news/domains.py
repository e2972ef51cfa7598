"""The topical domains of news queries.

Trending topics are all "other": their headlines are too short to tell a domain by rules, and a
wrong label misleads more than none. Samples take bucket and domain together, so that they do not
share a stratum with the feeds of "other".
"""

from __future__ import annotations

OTHER = "other"
DOMAINS = (
    "sports",
    "finance",
    "tech",
    "health",
    "weather",
    "local_civic",
    "entertainment",
    "gaming",
    "commerce",
    "government",
    "science",
    "education",
    "travel",
    "automotive",
    OTHER,
)


def known_domain(name: object) -> str:
    """The domain itself, or "other" for any value that is not one of `DOMAINS`."""
    return name if isinstance(name, str) and name in DOMAINS else OTHER
