"""From a report to the files of a data directory and of the archive.

tables        the appended tables: reading with checks, replacing one run's rows
rows          a report as published rows
checks        what a report must hold before any of it is published
independence  sums of overlap and uniqueness over windows
publish       one report into a data directory, all files or none
archive       every query and result of a run, as far as each engine's terms allow
"""
