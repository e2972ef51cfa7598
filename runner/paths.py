"""Where the repository's own files are; the package is installed editable, beside them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROMPTS = ROOT / "templates" / "prompts"
SITE_TEMPLATES = ROOT / "templates" / "site"
SAMPLE = ROOT / "data" / "sample"
DATA = {"live": ROOT / "data" / "live", "embedded": ROOT / "data" / "embedded"}
