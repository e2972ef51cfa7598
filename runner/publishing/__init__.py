"""From a report to the files of a data directory and of the archive.

tables        the appended tables: reading with checks, replacing one run's rows
rows          a report as published rows
checks        what a report must hold before any of it is published
independence  sums of overlap and uniqueness over windows
publish       one report into a data directory, all files or none
compact       closed weeks out of the hot files; weeks is their Parquet form, closed reads them
verify        whether a data directory holds together, by file and line
archive       every query and result of a run, as far as each engine's terms allow
stores        the archive that a name means: a folder, or a data set on the hub (hub_archive)
daily_queries what was asked in the last 24 hours
rebuild       a report made anew from its results; rescore compares it with what is published
branch        a worktree of the data branch; branch_files says what may be committed
push          changes of the branch, made again where another push came first
ledger        the schedule, and what became of each slot; plan says what is due
"""
