"""Whose fault a failed search is: ours (`account`, skipped) or the engine's (`service`, scores 0).

Account: HTTP 401, 402, 403, 429, 432, 433, and a 400 or an error inside a 200 answer that speaks
of our credits, quota, usage limit, billing or API key. Vendors echo the query, so its text is
taken out of the message first: a query about credit cards is not an unpaid bill.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote, quote_plus

from runner.engines.operators import parse_operators
from runner.records.search import ErrorClass, ErrorType

MAX_ECHO_WORDS = 60
ACCOUNT_STATUSES = frozenset({401, 402, 403, 429, 432, 433})
_ACCOUNT_WORDS = re.compile(
    r"(?<![^\W_])credits?(?![^\W_])|quota|usage[ _-]?limit|billing|api[ _-]?key", re.IGNORECASE
)


def classify_error(
    error_type: ErrorType, *, message: str, query: str, status: int | None = None
) -> ErrorClass:
    """The class of one failure; `message` is the text before it is cut to what is kept."""
    if error_type == "http_error" and status in ACCOUNT_STATUSES:
        return "account"
    speaks = error_type == "api_error" or (error_type == "http_error" and status == 400)
    if speaks and _ACCOUNT_WORDS.search(_without_query(message, query)):
        return "account"
    return "service"


def _without_query(message: str, query: str) -> str:
    """The message with every form of the query that a vendor may echo removed."""
    operators = parse_operators(query)
    texts = {query.strip(), " ".join(query.split()), operators.text, operators.text_with_sites}
    # An echo may be cut. Two words are too few to tell one from an error of the vendor's own.
    words = operators.text.split()
    texts |= {" ".join(words[:count]) for count in range(3, min(len(words), MAX_ECHO_WORDS) + 1)}
    forms: set[str] = set()
    for text in texts - {""}:
        forms |= {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
        forms |= {quote(text, errors="replace"), quote_plus(text, errors="replace")}
    for form in sorted(forms, key=len, reverse=True):
        # whole words only: the query "a" must not turn "api key" into "pi key"
        message = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", " ", message, flags=re.IGNORECASE)
    return message
