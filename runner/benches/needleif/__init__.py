"""needleif: an instruction hidden in long prose, and rules that tell whether it was followed.

The scoring path is `checks`, `reading`, `scoring`, `metrics`, `intervals`, `summary`, `table`
and `stats`. It imports the standard library alone, and its own modules by relative name, so
that the folder can be copied out beside the published records and scored with there.
"""
