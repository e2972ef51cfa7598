"""A site of some parts only: what a test does not look at costs it no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitebuilder import SiteReport, builder


def build_parts(data: Path, out: Path, *parts: str, **options: Any) -> SiteReport:
    """As `sitebuilder.build`, without the parts that are not named."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "PARTS", parts)
        return builder.build(data, out, **options)
