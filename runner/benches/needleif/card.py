"""The data set's card: what the hub shows, and the types by which `datasets` reads the files.

The loader of `datasets` guesses types from the first 10 MiB of a file and fails where a field is
null there and a number later. So every field is declared, and the arguments of the instructions as
one object with all 17 names; unused ones come back as null, which the scorer drops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.needleif.dataset_folder import DatasetFolder, read_dataset
from runner.benches.needleif.haystack import SPLITS
from runner.benches.needleif.records import BARE_PREAMBLE, BEGIN, END, HAYSTACK_PREAMBLE
from runner.benches.needleif.summary import bucket_tokens


@dataclass(frozen=True)
class Field:
    """A field of a record: its type is a scalar's name, `strings`, `list` or `struct`."""

    name: str
    type: str
    meaning: str = ""
    fields: tuple[Field, ...] = ()


def _arguments(type_name: str, names: str) -> tuple[Field, ...]:
    return tuple(Field(name, type_name) for name in names.split())


ARGUMENTS = (
    *_arguments("strings", "keywords forbidden_words"),
    *_arguments(
        "string",
        "keyword relation letter let_relation postscript_marker section_spliter end_phrase",
    ),
    *_arguments(
        "int64",
        "num_words num_paragraphs num_placeholders num_bullets num_highlights num_sections "
        "frequency let_frequency",
    ),
)
_TURN = (
    Field("role", "string", "`user`, or `assistant` in train and val"),
    Field("content", "string", "the text of the turn"),
)
_METADATA = (
    Field("condition", "string", "`bare` or `haystack`"),
    Field("instruction_id_list", "strings", "the instructions of the needle; ids may repeat"),
    Field("kwargs", "list", "the arguments of each instruction, in the same order", ARGUMENTS),
    Field("needle_text", "string", "the needle, word for word"),
    Field("needle_source", "string", "where the needle comes from"),
    Field("needle_source_key", "int64", "its key there"),
    Field("haystack_source", "string", "where the document comes from; null when bare"),
    Field("haystack_target_tokens", "int64", "the size of the window; null when bare"),
    Field("haystack_actual_tokens", "int64", "tokens of the document with its needle, or null"),
    Field("size_bucket", "string", "the window, such as `8k`; the same in both records"),
    Field("total_prompt_tokens", "int64", "tokens of this record's prompt"),
    Field("prompt_token_budget", "int64", "the most tokens that the pair's prompts may have"),
    Field("output_reserve_tokens", "int64", "tokens kept free for the answer"),
    Field("reference_tokenizer", "string", "what the tokens were counted with"),
    Field("depth_percent", "float64", "how much of the document lies before the needle, or null"),
    Field("needle_char_offset", "int64", "code points of the document before it, or null"),
    Field("complexity", "string", "`simple` (one instruction) or `complex` (two or three)"),
    Field("num_instructions", "int64", "how many instructions the needle has"),
    Field("split", "string", "`test`, `train` or `val`"),
    Field("seed", "int64", "the seed of the data set"),
    Field("needle_marker", "string", "reserved; null"),
)
FIELDS = (
    Field("id", "string", "`pair_id` and `-bare` or `-hay`"),
    Field("pair_id", "string", "shared by the two records of a needle"),
    Field("messages", "list", "the turns", _TURN),
    Field("metadata", "struct", "all that is known of the record", _METADATA),
)
_FRONT = """\
license: apache-2.0
language:
- en
pretty_name: needleif
tags:
- long-context
- instruction-following
- ifeval
- needle-in-a-haystack
- evaluation
task_categories:
- text-generation
configs:
- config_name: default
  data_files:
"""
_ATTRIBUTIONS = {
    "ifeval": "The needles are prompts of [IFEval](https://huggingface.co/datasets/google/IFEval) "
    '(Google Research, Apache-2.0), from "Instruction-Following Evaluation for Large Language '
    'Models", arXiv 2311.07911. Those are kept whose every instruction can be checked by a rule '
    "without a model; their text is unchanged.",
    "pg19": "The documents are passages of [PG19](https://huggingface.co/datasets/deepmind/pg19) "
    "(DeepMind, Apache-2.0): English books first published before 1919. Their lines were joined "
    "to paragraphs and runs of blanks collapsed; their words are unchanged.",
    "books": "The documents are passages of books like those of PG19 that whoever generated this "
    "data set supplied, one text a book. Their lines were joined to paragraphs and runs of blanks "
    "collapsed; their words are unchanged.",
    "programmatic": "The documents were made by a program from lists of words; they tell nothing.",
    "text": "The documents are passages of texts that whoever generated this data set supplied.",
}


def card(folder: Path) -> str:
    """The card of the data set in a folder, as `README.md` of the repository."""
    return card_of(read_dataset(folder))


def card_of(dataset: DatasetFolder) -> str:
    """The card: the front matter, and what the records are, hold and come from."""
    parts = (
        _what(),
        _conditions(),
        _metrics(),
        _statistics(dataset),
        _schema(),
        _attribution(dataset),
    )
    return front_matter() + "\n" + "\n".join(parts)


def data_file(split: str) -> str:
    """Where a split's records are in the repository."""
    return f"data/full/{split}.jsonl"


def front_matter() -> str:
    """The block of YAML that names license, files and the type of every field."""
    files = [f"  - split: {split}\n    path: {data_file(split)}\n" for split in SPLITS]
    info = ["dataset_info:\n", "  config_name: default\n", "  features:\n"]
    return "---\n" + _FRONT + "".join([*files, *info, *_features(FIELDS, "  ")]) + "---\n"


def _features(fields: Sequence[Field], indent: str) -> Iterator[str]:
    for field in fields:
        yield f"{indent}- name: {field.name}\n"
        if field.fields:
            yield f"{indent}  {field.type}:\n"
            yield from _features(field.fields, f"{indent}  ")
        elif field.type == "strings":
            yield f"{indent}  sequence: string\n"
        else:
            yield f"{indent}  dtype: {field.type}\n"


def _what() -> str:
    return """\
# needleif

Can a model still follow an instruction when it is buried in a long document? Each needle is an
instruction that simple rules can check, without a judge and without a model. It is asked twice:
once alone, and once hidden in prose that fills a context window. The difference is what the
document costs. Run before and after a fine-tune, it shows whether an ability that nobody
trained for was lost.
"""


def _conditions() -> str:
    return f"""\
## The two conditions

Every needle is a pair of records with the same `pair_id`, the bare one first. Both are a single
user turn without a system turn, and no metadata is in it.

Bare:

```text
{BARE_PREAMBLE}

<needle>
```

Haystack:

```text
{HAYSTACK_PREAMBLE}

{BEGIN}
<document with the needle as a paragraph of its own>
{END}
```

The prompt fills the window up to 95 % less what is kept free for the answer: ask with `max_tokens`
= `output_reserve_tokens`. Train and val hold an assistant turn too, the same in both records of a
pair; each was made from the bare prompt and passes every check strictly.
"""


def _metrics() -> str:
    return """\
## Metrics

Over the pairs that are answered in both conditions, with b and h = 1 where the bare and the hidden
needle was followed in all its instructions:

| metric | formula |
|---|---|
| baseline accuracy | mean of b |
| long-context accuracy | mean of h |
| distraction regression, the primary one | share of the pairs passed bare that fail hidden |
| net penalty | baseline accuracy - long-context accuracy |

Each is given strict (the answer as it is) and loose (an instruction also passes without the
answer's first or last line, or without asterisks). With several samples b and h are pass@k.
"""


def _statistics(dataset: DatasetFolder) -> str:
    splits: Mapping[str, Mapping[str, Any]] = dataset.stats["splits"]
    shown = [splits[split] for split in SPLITS]
    sizes = sorted({size for split in shown for size in split["size"]}, key=bucket_tokens)
    depths = sorted({depth for split in shown for depth in split["depth"]}, key=float)
    ids = sorted({name for split in shown for name in split["instruction_id"]})
    rows: list[tuple[str, list[object]]] = [
        ("records", [split["records"] for split in shown]),
        ("pairs", [split["pairs"] for split in shown]),
        *((f"pairs, {s}", [split["size"].get(s, 0) for split in shown]) for s in sizes),
        *((f"pairs at {d} %", [split["depth"].get(d, 0) for split in shown]) for d in depths),
        *(
            (f"pairs, {kind}", [split["complexity"].get(kind, 0) for split in shown])
            for kind in ("simple", "complex")
        ),
        ("tokens of a haystack prompt", [_spread(s["total_prompt_tokens"], 0) for s in shown]),
        ("share of its budget", [_spread(s["fill"], 3) for s in shown]),
    ]
    slots: list[tuple[str, list[object]]] = [
        (f"`{name}`", [split["instruction_id"].get(name, 0) for split in shown]) for name in ids
    ]
    return f"""\
## Statistics

{_table(["", *SPLITS], rows)}
Spreads are minimum / median / maximum. No needle and no passage of a document is in two splits.

{_table(["instruction", *SPLITS], slots)}"""


def _spread(values: Mapping[str, float | None], digits: int) -> str:
    parts = (values[name] for name in ("min", "median", "max"))
    return " / ".join("–" if part is None else f"{part:.{digits}f}" for part in parts)


def _table(header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]) -> str:
    lines = [header, ["---", *("---:" for _ in header[1:])]]
    lines += [[name, *map(str, cells)] for name, cells in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _schema() -> str:
    lines = "".join(f"| {cells} |\n" for cells in _rows(FIELDS, ""))
    return f"""\
## Schema

One JSON object a line. Once loaded, every object of `kwargs` has all 17 names, unused ones null:
drop the nulls, and only them, before checking.

| field | type | meaning |
|---|---|---|
{lines}"""


def _rows(fields: Sequence[Field], prefix: str) -> Iterator[str]:
    for field in fields:
        type_name = {"strings": "list of string", "list": "list of objects", "struct": "object"}
        shown = type_name.get(field.type, field.type)
        yield f"`{prefix}{field.name}` | {shown} | {field.meaning}"
        if field.fields is not ARGUMENTS:
            yield from _rows(field.fields, f"{prefix}{field.name}.")
        else:
            for type_, names in _arguments_by_type().items():
                listed = ", ".join(f"`{name}`" for name in names)
                yield f"`{prefix}{field.name}[]` | {type_name.get(type_, type_)} | {listed}"


def _arguments_by_type() -> dict[str, list[str]]:
    by_type: dict[str, list[str]] = {}
    for field in ARGUMENTS:
        by_type.setdefault(field.type, []).append(field.name)
    return by_type


def _attribution(dataset: DatasetFolder) -> str:
    facts = dataset.manifest
    needles, haystack = facts["needles"], facts["haystack"]
    told = [_ATTRIBUTIONS[name] for name in dataset.needle_sources if name in _ATTRIBUTIONS]
    told += [
        f"The needles of the source `{name}` were supplied by whoever generated this data set."
        for name in dataset.needle_sources
        if name not in _ATTRIBUTIONS
    ]
    # books that did not come from the hub are PG19's in form, and perhaps in nothing else
    is_own = haystack["source"] == "pg19" and haystack.get("origin") is None
    told.append(_ATTRIBUTIONS["books" if is_own else haystack["source"]])
    made: list[tuple[str, list[object]]] = [
        ("seed", [facts["seed"]]),
        ("reference tokenizer", [f"`{facts['tokenizer']}`"]),
        ("needles", [_pinned(needles.get("origin"), needles["sha256"])]),
        ("documents", [_pinned(haystack.get("origin"), haystack["revision"])]),
        ("version of the wording", [facts["wrapper_version"]]),
    ]
    return f"""\
## Attribution

{chr(10).join(f"- {line}" for line in told)}

License: Apache-2.0, see `LICENSE`.

{_table(["made from", ""], made)}
`manifest.json` has the whole configuration and the SHA-256 of each file. The same configuration,
needles and texts give the same bytes again.
"""


def _pinned(origin: str | None, digest: str) -> str:
    return f"`{digest}`" if origin is None else f"{origin}, `{digest}`"
