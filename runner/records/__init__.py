"""The vocabulary of the project: one frozen Struct for every kind of record in a file.

queries     rows that a bench generates (JSONL)
search      what an engine answered (JSONL inside the work folder)
judgements  what the judge answered (JSONL inside the work folder)
reports     one bench run, scored (JSON)
published   the files of the data branch (JSONL and JSON)
jsonl       readers that keep good rows and report bad ones by path and line
"""
