"""CourtListener's own pages of an opinion, which carry the number of its cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.benches.legal.citing.printed import Address

_CLUSTER = re.compile(r"/(?:opinion|api/rest/v[0-9]{1,2}/clusters)/([0-9]{1,12})(?:/|\Z)", re.I)


def address_clusters(address: Address) -> Iterator[str]:
    """The cluster that a page of CourtListener is about, if it is about one."""
    found = _CLUSTER.match(address.path) if address.is_at("courtlistener.com") else None
    if found:
        yield found[1]
