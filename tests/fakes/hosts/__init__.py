"""One module per vendor family or source; each joins by its `HOSTS` map."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from tests.fakes.scene import Host


@cache
def known_hosts() -> dict[str, Host]:
    """Every host that has a module here, by name. Two modules may not claim one name."""
    hosts: dict[str, Host] = {}
    for module in pkgutil.iter_modules(__path__):
        for name, host in getattr(import_module(f"{__name__}.{module.name}"), "HOSTS", {}).items():
            if name in hosts:
                raise ValueError(f"two modules answer for {name}")
            hosts[name] = host
    return hosts
