"""Sites from made-up data for the tests of exports: built in memory, without pages."""

from __future__ import annotations

from pathlib import Path

from sitebuilder.assemble import build_results
from sitebuilder.dataset import read_dataset
from sitebuilder.independence import build_independence
from sitebuilder.render import Site

BASE_URL = "https://example.org/needle/"
HOSTILE = ("</script><b>\"&'|`*[x](javascript:1)", "=1+1 ]]> --> {{ 7*7 }} _y_", "gamma")


def made_site(data: Path, base_url: str | None = BASE_URL) -> Site:
    tables = read_dataset(data)
    independence = build_independence(tables)
    return Site(build_results(tables, independence, data), tables, independence, data, base_url)
