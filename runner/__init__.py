"""Needle: a live, open benchmark of the retrieval that AI agents rely on."""

__version__ = "0.1.0"
