"""Tokenizers by name: what they count and what they say when they cannot."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from runner.benches.needleif.config import SMOKE
from runner.benches.needleif.counting import tokenizer_named
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.records import user_turn
from runner.benches.needleif.stats import dataset_stats
from runner.errors import DataError, UsageError
from runner.paths import SAMPLE

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}> {{ m.content }} <end> {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def _folder(path: Path, template: str | None) -> Path:
    model = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    model.save(str(path / "tokenizer.json"))
    if template:
        config = {"chat_template": template}
        (path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return path


def test_words_are_white_space_separated_pieces_plus_eight_a_message() -> None:
    words = tokenizer_named("words")
    assert words.count("a  b\n\nc-d") == 3
    assert words.count_chat(user_turn("a b"), True) == 10


def test_chat_template_is_counted_with_its_generation_prompt(tmp_path: Path) -> None:
    tokenizer = tokenizer_named(f"hf:{_folder(tmp_path, TEMPLATE)}")
    assert tokenizer.count_chat(user_turn("a b"), True) == 5
    assert tokenizer.count_chat(user_turn("a b"), False) == 4
    assert tokenizer.name.startswith(f"hf:{tmp_path.name}@")


def test_smoke_grid_fits_with_a_chat_template(tmp_path: Path) -> None:
    config = replace(SMOKE, tokenizer=f"hf:{_folder(tmp_path, TEMPLATE)}")
    job = opened(config, load_pool(SAMPLE / "needleif" / "needles.jsonl"))
    write_dataset(job, tmp_path / "out")
    stats = dataset_stats([tmp_path / "out" / f"{s}.jsonl" for s in ("test", "train", "val")])
    assert stats["broken"] == []
    assert str(tmp_path) not in (tmp_path / "out" / "manifest.json").read_text()


@pytest.mark.parametrize("name", ["", "word", "hf:", "tiktoken:", "words:x"])
def test_unknown_tokenizer_names_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="expected words, tiktoken"):
        tokenizer_named(name)


def test_folder_without_tokenizer_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"tokenizer\.json is missing"):
        tokenizer_named(f"hf:{tmp_path}")


def _configured(path: Path, **config: object) -> Path:
    """A tokenizer folder with these values in its configuration."""
    _folder(path, None)
    (path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("config", "rendered"),
    [
        ({"chat_template": "{{ bos_token }}x", "bos_token": "<s>"}, "<s>x"),
        ({"chat_template": "{{ bos_token }}x", "bos_token": {"content": "<b>"}}, "<b>x"),
        ({"chat_template": "{{ bos_token }}x", "bos_token": None}, "x"),
        (
            {
                "chat_template": [
                    {"name": "tool_use", "template": "tools"},
                    {"name": "default", "template": "plain"},
                ]
            },
            "plain",
        ),
        ({"chat_template": "  {% if true %}\n  a\n  {% endif %}\n"}, "  a\n"),
        ({"chat_template": "{{ messages[0]['content'] | tojson }}"}, '"é <b>"'),
        ({"chat_template": "{% for m in messages %}{% break %}{% endfor %}e"}, "e"),
    ],
)
def test_a_chat_template_is_rendered_as_its_authors_test_it(
    tmp_path: Path, config: dict[str, object], rendered: str
) -> None:
    tokenizer = tokenizer_named(f"hf:{_configured(tmp_path, **config)}")
    assert tokenizer.render is not None
    assert tokenizer.render(user_turn("é <b>"), True) == rendered


def test_a_template_of_its_own_file_goes_before_that_of_the_configuration(tmp_path: Path) -> None:
    _configured(tmp_path, chat_template="a", eos_token="</s>")
    (tmp_path / "chat_template.jinja").write_text("b{{ eos_token }}", encoding="utf-8")
    render = tokenizer_named(f"hf:{tmp_path}").render
    assert render is not None
    assert render(user_turn("x"), True) == "b</s>"


@pytest.mark.parametrize("config", [{}, {"chat_template": None}, {"chat_template": []}])
def test_without_a_template_each_message_costs_eight_more(
    tmp_path: Path, config: dict[str, object]
) -> None:
    tokenizer = tokenizer_named(f"hf:{_configured(tmp_path, **config)}")
    assert tokenizer.count_chat([*user_turn("a b"), *user_turn("c")], True) == 3 + 2 * 8


def test_no_second_opening_token_is_counted(tmp_path: Path) -> None:
    model = Tokenizer(models.WordLevel({"[UNK]": 0, "<s>": 1}, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    model.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)]
    )
    model.enable_truncation(2)
    model.enable_padding(length=9)
    model.save(str(tmp_path / "tokenizer.json"))
    assert tokenizer_named(f"hf:{tmp_path}").count("a b c d") == 4


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("tokenizer.json", "{", "no tokenizer that can be read"),
        ("tokenizer_config.json", "{", "no JSON"),
        ("tokenizer_config.json", "[1]", "no JSON object"),
        ("tokenizer_config.json", '{"chat_template": 7}', "chat_template must be a text"),
        ("chat_template.jinja", "{% if %}", "no chat template that can be read"),
    ],
)
def test_a_tokenizer_file_that_is_broken_is_named(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    _folder(tmp_path, None)
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=rf"{name}: {told}"):
        tokenizer_named(f"hf:{tmp_path}")


@pytest.mark.parametrize(
    "template",
    [
        "{{ raise_exception('roles must alternate') }}",
        "{{ messages[7]['content']['x'] }}",
        "{{ 1 / 0 }}",
        "{{ messages.append(1) }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    ],
)
def test_a_template_that_fails_or_reaches_out_is_an_error_of_the_data(
    tmp_path: Path, template: str
) -> None:
    tokenizer = tokenizer_named(f"hf:{_configured(tmp_path, chat_template=template)}")
    with pytest.raises(DataError, match="the chat template fails"):
        tokenizer.count_chat(user_turn("a"), True)


def test_two_folders_of_one_name_and_other_content_have_other_names(tmp_path: Path) -> None:
    names = set()
    for place, template in [("a", TEMPLATE), ("b", None), ("c", TEMPLATE)]:
        folder = tmp_path / place / "mine"
        folder.mkdir(parents=True)
        names.add(tokenizer_named(f"hf:{_folder(folder, template)}").name)
    assert len(names) == 2
    assert all(re.fullmatch(r"hf:mine@[0-9a-f]{40}", name) for name in names)


@pytest.mark.parametrize(
    ("value", "package"), [("tiktoken", "tiktoken"), ("hf:FOLDER", "tokenizers")]
)
def test_a_missing_extra_is_named_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, package: str
) -> None:
    _folder(tmp_path, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"needs the package {package} \(pip install {package}\)"):
        tokenizer_named(value.replace("FOLDER", str(tmp_path)))


class _Encoding:
    def encode(self, text: str, *, disallowed_special: tuple[str, ...]) -> list[str]:
        assert disallowed_special == ()
        return text.split()


@pytest.mark.parametrize(
    ("value", "name"),
    [("tiktoken", "tiktoken:cl100k_base"), ("tiktoken:o200k_base", "tiktoken:o200k_base")],
)
def test_an_encoding_of_tiktoken_takes_special_text_for_ordinary_text(
    monkeypatch: pytest.MonkeyPatch, value: str, name: str
) -> None:
    asked: list[str] = []

    def get_encoding(encoding: str) -> _Encoding:
        asked.append(encoding)
        return _Encoding()

    monkeypatch.setitem(sys.modules, "tiktoken", SimpleNamespace(get_encoding=get_encoding))
    tokenizer = tokenizer_named(value)
    assert (tokenizer.name, tokenizer.count("a <|endoftext|> b")) == (name, 3)
    assert asked == [name.partition(":")[2]]


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (ValueError("unknown"), "no encoding 'cl100k_base'; known: a, b"),
        (OSError("no route"), "could not download cl100k_base .* TIKTOKEN_CACHE_DIR"),
    ],
)
def test_an_encoding_that_is_not_there_is_said(
    monkeypatch: pytest.MonkeyPatch, problem: Exception, told: str
) -> None:
    def get_encoding(encoding: str) -> None:
        raise problem

    module = SimpleNamespace(get_encoding=get_encoding, list_encoding_names=lambda: ["a", "b"])
    monkeypatch.setitem(sys.modules, "tiktoken", module)
    with pytest.raises(UsageError, match=told):
        tokenizer_named("tiktoken")
