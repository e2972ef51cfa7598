"""Which currency a written amount is in: dollars, another one, or none said.

Gold is in US dollars, so that one question matters: is this amount in something else? A plain `$`
is taken for the US dollar; a letter prefix of another dollar (`C$`, `HK$`) is not. Codes are
capitals only, because lower case they are words (`try`, `all`, `cop`).
"""

from __future__ import annotations

import re

# Letters that make a `$` another country's, as written before it.
_OTHER_DOLLARS = frozenset(
    "C CA CAN CAD CDN A AU AUD HK HKD NT NTD TW TWD S SG SGD NZ NZD R BRL MX MXN MEX ARS CLP COP"
    " B J BZ TT Z F FJ N NA BB LC".split()
)
_SYMBOLS = "€£¥₹₩₽₺₪฿₫₱₦₴₡₲₵₸₭₮元円"
_CODES = (
    "EUR|GBP|JPY|CNY|CNH|RMB|HKD|CAD|AUD|NZD|SGD|TWD|NTD|KRW|INR|CHF|SEK|NOK|DKK|ISK|MXN|BRL|ZAR"
    "|RUB|TRY|PLN|CZK|HUF|ILS|NIS|AED|SAR|QAR|KWD|EGP|NGN|THB|IDR|MYR|PHP|VND|ARS|CLP|COP|PEN"
    "|PKR|BDT|LKR|KZT|UAH|RON|CDN|RM|Rs\\.?|Rp\\.?|kr\\.?|[Ee]uros?|[Yy]en|[Yy]uan"
)
_WORDS = (
    "euros?|pounds?|sterling|yen|yuan|renminbi|won|francs?|kron(?:a|or|e|er)|rupees?|rou?bles?"
    "|pesos?|reais|rand|liras?|zloty(?:s|ch)?|shekels?|dirhams?|riyals?|baht|ringgit|rupiah|dong"
    "|naira|forints?|crores?|lakhs?"
    "|(?:Canadian|Australian|Hong[ ]Kong|Singapore|New[ ]Zealand|New[ ]Taiwan|NT)[ ]dollars?"
)

# Right before a figure; the longest form first.
BEFORE = (
    r"(?:(?<![A-Za-z])(?:US|U\.S\.)[ ]?\$"
    r"|(?<![A-Za-z])USD[ ]?\$?"
    r"|(?<![A-Za-z])[A-Z][A-Za-z]{0,3}\$"
    r"|\$(?:[ ]?USD)?"
    rf"|[{_SYMBOLS}]"
    rf"|(?<![A-Za-z])(?:{_CODES}))"
)
# As a heading of a table names it (`EUR in millions`, `in thousands of U.S. dollars`).
NAMED = rf"(?:(?i:{_WORDS})(?![A-Za-z])|{BEFORE}|(?i:(?:US|U\.S\.)[ ])?[Dd]ollars?)"

# Right after a figure or its scale word. One that a number follows belongs to that number.
_AFTER = re.compile(
    rf"[ \n]?-?(?:[{_SYMBOLS}]|(?:{_CODES})(?![A-Za-z])|(?i:{_WORDS})(?![A-Za-z]))"
    r"(?![ ]?[(.]?[0-9])"
)
_FOREIGN_WORD = re.compile(rf"(?i:{_WORDS})")


def is_dollar(written: str) -> bool:
    """Whether a currency, as written before a figure or in a heading, is the US dollar."""
    if written.endswith("$"):
        return written[:-1].strip().upper() not in _OTHER_DOLLARS
    if written.startswith(("$", "USD", "US", "U.S.")):
        return True
    return written.lower().endswith(("dollar", "dollars")) and not _FOREIGN_WORD.match(written)


def is_foreign_after(text: str, end: int) -> bool:
    """Whether another currency follows the figure that ends at `end` (`523 million euros`)."""
    return _AFTER.match(text, end) is not None
