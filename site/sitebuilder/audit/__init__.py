"""What is wrong with a built site: `python -m sitebuilder audit PUBLIC`. It fails a deployment."""

from __future__ import annotations

from pathlib import Path

from sitebuilder.audit.budgets import check_budgets
from sitebuilder.audit.figures import check_figures
from sitebuilder.audit.findings import Finding, Public, read_public
from sitebuilder.audit.links import check_links
from sitebuilder.audit.markup import check_markup
from sitebuilder.audit.policy import check_policy
from sitebuilder.audit.structured import check_structured
from sitebuilder.audit.untrusted import check_untrusted

CHECKS = (
    check_markup,
    check_links,
    check_policy,
    check_structured,
    check_budgets,
    check_figures,
    check_untrusted,
)

__all__ = ["Finding", "Public", "audit", "audit_public", "read_public"]


def audit(folder: Path) -> list[Finding]:
    """All findings in order of file and line; raises UsageError where there is no site."""
    return audit_public(read_public(folder))


def audit_public(public: Public) -> list[Finding]:
    return sorted({finding for check in CHECKS for finding in check(public)})
