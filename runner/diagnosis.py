"""What a failed call means for its owner, and the next step, in one line each."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONEY = re.compile(
    r"(?<![^\W_])credits?(?![^\W_])|quota|billing|\bbalance\b|insufficient[ _]funds|payment"
    r"|usage[ _-]?limit",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(
    r"(invalid|incorrect|wrong|missing|unknown|expired)\W+(\w+\W+){0,3}(key|token)"
    r"|(key|token)_(invalid|expired)|unauthori[sz]ed",
    re.IGNORECASE,
)
_SLOW = ("TimeoutError", "ReadTimeout", "WriteTimeout", "PoolTimeout")
_ODD_ANSWER = ("BodyTooLarge", "DecodingError", "TooManyRedirects")
_UNSENDABLE = ("LocalProtocolError", "UnicodeEncodeError", "ValueError")
_PAGE = re.compile(r"<(!doctype|html)", re.IGNORECASE)
MONEY_STATUSES = frozenset({402, 432, 433})


@dataclass(frozen=True)
class Service:
    """Who was asked: the variable of its key, whether one was sent, and where its rules stand."""

    key_env: str | None
    has_key: bool
    docs: str


@dataclass(frozen=True)
class Diagnosis:
    """`meaning` in a few words, `step` as a sentence to act on."""

    meaning: str
    step: str


def no_key(service: Service) -> Diagnosis:
    """A key is needed and none is set."""
    return Diagnosis("no key", _step(f"set {service.key_env} to a key of your account", service))


def diagnose(
    error_type: str, message: str, service: Service, status: int | None = None
) -> Diagnosis:
    """The most likely reason; `message` is the vendor's own text, masked."""
    if error_type == "transport":
        return _unreachable(message, service)
    if status not in MONEY_STATUSES and _MONEY.search(message) and _BAD_KEY.search(message):
        step = f"check the value of {service.key_env}, then the credit of its account"
        return Diagnosis("wrong key or no credit", _step(step, service))
    if status in MONEY_STATUSES or _MONEY.search(message):
        step = "add credit or raise the limit in the account of the key"
        return Diagnosis("no credit", _step(step, service))
    if status == 429:
        step = "wait a minute and ask again; the plan allows fewer requests than were sent"
        return Diagnosis("rate limited", _step(step, service))
    if error_type == "bad_json" or (status in (401, 403, 404) and _PAGE.search(message)):
        step = "a proxy or a login page may stand in between; check the network and NEEDLE_GATEWAY"
        return Diagnosis("not an answer of the vendor", step)
    if status in (401, 403) or _BAD_KEY.search(message):
        if not service.has_key and service.key_env:
            return no_key(service)
        key = f"check the value of {service.key_env}" if service.key_env else "check the key"
        return Diagnosis("wrong key", _step(f"{key}: copy it anew, without quotes", service))
    if status is not None and status >= 500:
        return Diagnosis("the service fails", "try again later; see the vendor's status page")
    if status is not None:
        step = "the interface may have changed: compare the request with the documentation"
        return Diagnosis("request refused", _step(step, service))
    return Diagnosis("the vendor reports an error", _step("act on its message", service))


def _unreachable(message: str, service: Service) -> Diagnosis:
    name = message.partition(":")[0]
    if name in _SLOW:
        return Diagnosis("slow host", "try again later, or allow more with --timeout SECONDS")
    if name in _UNSENDABLE and service.has_key:
        step = f"{service.key_env} holds a character that cannot be sent; copy the key anew"
        return Diagnosis("wrong key", _step(step, service))
    if name in _ODD_ANSWER or "complete message body" in message:
        return Diagnosis("broken answer", "try again later; see the vendor's status page")
    step = "check the network, the firewall and NEEDLE_GATEWAY; then the vendor's status page"
    return Diagnosis("dead host", step)


def _step(step: str, service: Service) -> str:
    return f"{step} ({service.docs})" if service.docs else step
