"""The names of the search benches, apart from their code so that help can list them at once.

A name enters when its folder does; the order is the order of help and pages. Needleif is not among
them: it asks models, so that it shares no flag, report or table with these.
"""

BENCH_NAMES = ("news", "finance", "scholar", "legal", "agentic_rare")
