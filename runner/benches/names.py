"""The names of the benches, apart from their code so that help can list them at once.

A name enters when its folder does; the order is the order of help and pages.
"""

BENCH_NAMES = ("news", "finance", "scholar", "legal", "agentic_rare")
