"""`python -m snapshot MONTH --data D` is `needle snapshot MONTH --data D`."""

from __future__ import annotations

import sys

from runner.cli import main

if __name__ == "__main__":
    sys.exit(main(["snapshot", *sys.argv[1:]]))
