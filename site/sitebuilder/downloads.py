"""The forms of the results for other programs and for paper, from the one object."""

from __future__ import annotations

from sitebuilder.markdown import results_md
from sitebuilder.parquet import results_parquet
from sitebuilder.pdf import NoPdfError, results_pdf
from sitebuilder.render import Part, Site


def part(site: Site) -> Part:
    """`results.md`, `results.parquet` and, where a page can be set here, `results.pdf`."""
    files = {
        "results/results.md": results_md(site.results, site.base_url),
        "results/results.parquet": results_parquet(site.results),
    }
    try:
        files["results/results.pdf"] = results_pdf(site)
    except NoPdfError as error:
        warning = f"results/results.pdf is left out, WeasyPrint cannot be loaded: {error}"
        return Part(files=files, warnings=[warning])
    return Part(files=files)
