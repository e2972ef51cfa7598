"""`python -m tests.bench NAME`: measurements, printed as ratios against their bounds."""

from __future__ import annotations

import argparse
from importlib import import_module

NAMES = ("runner", "match", "filter", "needleif", "stats", "site", "scale")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("name", choices=NAMES, help="what to measure")
    args, rest = parser.parse_known_args()
    if rest and args.name != "scale":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    measure = import_module(f"tests.bench.{args.name}").main
    measure(rest) if rest else measure()


if __name__ == "__main__":
    main()
