"""The static site, built from a data directory: `build(data, out)`."""

from sitebuilder.builder import SiteReport, build

__all__ = ["SiteReport", "build"]
