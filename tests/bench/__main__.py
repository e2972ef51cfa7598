"""`python -m tests.bench NAME`: measurements, printed as ratios against their bounds."""

from __future__ import annotations

import argparse
from importlib import import_module

NAMES = ("runner", "match", "filter", "stats")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("name", choices=NAMES, help="what to measure")
    import_module(f"tests.bench.{parser.parse_args().name}").main()


if __name__ == "__main__":
    main()
