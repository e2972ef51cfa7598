"""The checks of queries for one paper: accepted and rejected side by side."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.proposals import Proposal
from runner.benches.scholar.checks import Fault, Source, cleaned, fault, is_copied
from runner.benches.scholar.quantities import has_digit, numbers, spelled_quantity
from runner.benches.scholar.rows import Bucket

TITLE = "Annealed Lattices for Cold Sensors"
ABSTRACT = (
    "We report how lattices of sensors behave at low temperature. On the LATBENCH suite their "
    "readings stray by 12 per cent over 3,014 cycles, and annealing halves the noise. "
    "Calibrated panels age more slowly."
)
BODY = """\
A sparse layout was cooled by a Stirling cryocooler that the dairy of Tromvik had lent us, and the
drift was logged for 1,250 hours. Each triple-anneal schedule was run by Agnetha, who wrapped the
copper braid in rabbit fur to stop it from rattling. At 47.3 kelvin the solder joints turned
brittle; the gallium film peeled off after the third thaw. We scored replies with BERTScore and
SQuAD-v2 on a borrowed MacBook, and the Zephyrine adapter of Halvorsen failed twice.
Plain words help: the machine shook so much that the seals came off in winter. WARNING signs hung
everywhere, and the warning lamps too.
"""
PAPER = Source(TITLE, ABSTRACT, BODY, "Ingrid Halvorsen, Bo Quillfeather")
NAMED = Source(
    "TripleAnneal: GPT-4 Tunes Quenched Magnets in DNA-PAINT",
    "A tuner for quenched magnets.",
    BODY,
)
COLON = Source("Kestrel: Planning Routes for Grazing Goats", "Goats are planned for.", BODY)


def why(bucket: Bucket, query: str, source: Source = PAPER, **parts: str) -> str | None:
    found = fault(bucket, Proposal(query, None, **parts), source)
    return None if found is None else f"{found.reason}: {found.detail}"


def assert_is(found: str | None, wanted: str | None) -> None:
    """The fault, of which the table may give the beginning only."""
    if wanted is None:
        assert found is None
    else:
        assert found is not None
        assert found.startswith(wanted), found


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        # the example of the row format
        ('sparse lattice "triple-anneal schedule" cryocooler drift', None),
        ("gallium film thaw solder brittle", None),
        ("Stirling cryocooler dairy Tromvik", None),
        ("copper braid rabbit fur", None),
        ("brittle solder joints 47.3 kelvin", None),
        ("cryocooler drift 1250 hours", None),
        ('"wrapped the copper braid" rabbit', None),
        ('sensors "copper braid in rabbit fur"', None),
        ("lattices rabbit fur copper", None),
        ("cold lattices rabbit fur", None),  # "cold" is an everyday word
        ("Zephyrine adapter Halvorsen", None),
        ("SQuAD-v2 BERTScore borrowed MacBook", None),
        ("rabbit-fur copper braid", None),
        # form
        ("cryocooler dairy", "form: length"),
        ("gallium film thaw solder brittle copper braid rabbit fur dairy lent", "form: length"),
        (f"gallium film {'x' * 200}", "form: length"),
        ("gallium\nfilm thaw solder", "form: length"),
        ("what cooled the gallium film", "form: question"),
        ("gallium film peeled off when?", "form: question"),
        ("How was copper braid wrapped", "form: question"),
        ('"copper braid in" "rabbit fur to stop"', "form: span_count"),
        ('gallium "copper braid', "form: span_count"),
        ('gallium "copper braid" rabbit', "form: span_length"),
        (
            'gallium "wrapped the copper braid in rabbit fur"',
            "form: span_length",
        ),
        ("gallium film https://example.org/x", "form: id"),
        ("gallium film thaw example.org", "form: id"),
        ("gallium film www.tromvik", "form: id"),
        ("gallium film 10.1000/xyz123", "form: id"),
        ("gallium film arXiv 2509.04417", "form: id"),
        ("gallium film 2509.04417", "form: id"),
        ("gallium film PMC8123456", "form: id"),
        ("gallium film PMID 31415926", "form: id"),
        ("gallium film hep-ph/0203079", "form: id"),
        ("gallium film site:arxiv", "form: id"),
        ("gallium film site:example", "form: operator"),
        ("gallium film after:2026-01-01", "form: operator"),
        ("галлий пленка оттаивание", "form: not_english"),
        ("薄膜 焊点 低温 制冷机", "form: not_english"),
        # bad anchors
        ("gallium film Halvorsen et al", "bad_anchor: elsewhere"),
        ("gallium film Halvorsen et. al.", "bad_anchor: elsewhere"),
        ("gallium film supplementary material", "bad_anchor: elsewhere"),
        ("gallium film supplemental file", "bad_anchor: elsewhere"),
        ("gallium film table 3", "bad_anchor: numbered"),
        ("gallium film Tables 3", "bad_anchor: numbered"),
        ("gallium film Table S1", "bad_anchor: numbered"),
        ("gallium film Table IV", "bad_anchor: numbered"),
        ("gallium film Fig. 3a", "bad_anchor: numbered"),
        ("gallium film fig 12", "bad_anchor: numbered"),
        ("gallium film figure two", "bad_anchor: numbered"),
        ("gallium film Section 4.2", "bad_anchor: numbered"),
        ("gallium film appendix B", "bad_anchor: numbered"),
        ("gallium film Appendix 2", "bad_anchor: numbered"),
        ("gallium film theorem 1", "bad_anchor: numbered"),
        ("gallium film Lemma 3.2", "bad_anchor: numbered"),
        ("gallium film corollary 5", "bad_anchor: numbered"),
        ("gallium film proposition (7)", "bad_anchor: numbered"),
        ("gallium film eq. (3)", "bad_anchor: numbered"),
        ("gallium film thaw [12]", "bad_anchor: citation"),
        ("gallium film thaw [12, 14-16]", "bad_anchor: citation"),
        ("gallium film (Halvorsen, 2020)", "bad_anchor: citation"),
        ("gallium film Halvorsen 2020a", "bad_anchor: citation"),
        ("gallium film figured section", "unfounded: word figured"),
        # what title and abstract have already
        ("annealed lattices cold sensors", "leak: title_words"),
        ("lattices of sensors temperature noise", "leak: title_words"),
        ("noise readings stray cycles", "leak: nothing_new"),
        ("annealing noise temperature gallium", "leak: nothing_new"),
        ("gallium noise readings stray", "leak: nothing_new"),
        ("stray reading cycle gallium", "leak: nothing_new"),  # other forms of its words
        ("temperatures halve noises copper", "leak: nothing_new"),
        ("calibrating panels slow gallium", "leak: nothing_new"),
        ("annealing sensor copper braid", "leak: title_words"),
        ("lattice annealed gallium film", "leak: title_words"),
        ("cold-sensor gallium film lattice", "leak: title_words"),
        ("copper-sensors gallium lattices", "leak: title_words"),
        ("study approach method results gallium", "leak: nothing_new"),
        # what stands nowhere
        ("gallium film unicorn thaw", "unfounded: word unicorn"),
        ("helium cryocooler gallium film", "unfounded: word helium"),
        ('gallium "copper braid of rabbit fur"', "unfounded: span"),
        ('gallium "fur rabbit in braid"', "unfounded: span"),
        ('gallium "t the dairy of"', "unfounded: span"),
        ("gallium film thaw 48.3 kelvin", "unfounded: value 48.3"),
        ("gallium film 1251 hours", "unfounded: value 1251"),
        ("gallium film 47 kelvin", "unfounded: value 47"),
    ],
)
def test_a_body_query_rests_on_words_of_the_body_alone(query: str, wanted: str | None) -> None:
    assert_is(why("body", query), wanted)


CLUE = "Which dairy lent the cryocooler whose copper braid was wrapped in rabbit fur?"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (CLUE, None),
        ("Who wrapped the braid in rabbit fur while sensors were cooled for a winter?", None),
        ("Where did a gallium film peel off after the sensors had thawed several times?", None),
        ("What happened to the solder joints when the sensors were kept at 47.3 kelvin?", None),
        ("In which experiment did drift get logged for 1,250 hours with a Stirling engine?", None),
        # the other words of a question are free
        ("Which unicorn fancied the copper braid that was wrapped in rabbit fur?", None),
        ("Which dairy lent the cryocooler?", "form: length"),
        (" ".join(["gallium"] * 45) + "?", "form: length"),
        ("dairy cryocooler copper braid rabbit fur gallium film", "form: no_question"),
        ("Which dairy lent it? And what of the copper braid in rabbit fur?", "form: no_question"),
        ('Which dairy lent the "copper braid in rabbit fur" to the group?', "form: quotes"),
        ("Which dairy lent the 'copper braid in rabbit fur' to the group?", "form: quotes"),
        ("Which group's copper braid was wrapped in the dairy's rabbit fur?", None),
        (
            "Which copper braid in Table 3 was wrapped in rabbit fur by them?",
            "bad_anchor: numbered",
        ),
        ("Which copper braid did Halvorsen et al. wrap in rabbit fur there?", "bad_anchor: els"),
        ("Which annealed lattices for cold sensors had braids in rabbit fur?", "leak: title_copy"),
        ("Which annealing of a lattice used a copper braid in rabbit fur?", "leak: title_words"),
        ("How much do readings stray over the cycles when noise is halved?", "leak: nothing_new"),
        ("How much do readings stray when the copper noise is halved at once?", "leak: nothing"),
        (
            "Which unicorn fancied the purple sofa that was painted with glitter?",
            "unfounded: too_few_facts",
        ),
        (
            "Which unicorn fancied the purple sofa near the copper painted with glitter?",
            "unfounded: too_few_facts",
        ),
        (
            "Which copper braid was wrapped in rabbit fur for 1,260 hours by them?",
            "unfounded: value 1260",
        ),
        ("Welches Kupfer www.dairy war mit dem Fell umwickelt und gelötet?", "form: id"),
    ],
)
def test_a_clue_asks_for_facts_of_the_body(query: str, wanted: str | None) -> None:
    assert_is(why("clue", query), wanted)


TOT = (
    "I vaguely remember a paper where a machine shook so much that the seals came off, and they "
    "wrapped some wire in fur to calm it."
)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (TOT, None),
        (f"{TOT[:-1]} for dozens of hours.", None),
        (f"{TOT[:-1]}, hundreds of times, or thousands.", None),
        (f"{TOT[:-1]}; the cold hurt the sensors.", None),  # two words of the title
        (f"{TOT[:-1]} in Norway.", None),  # a name that everyone knows
        ("A machine shook and seals came off.", "form: length"),
        (" ".join(["shaking"] * 50), "form: length"),
        (f'{TOT[:-1]} and the "seals" came off.', "form: quotes"),
        (f"{TOT[:-1]} as a 'rattling wire' does.", "form: quotes"),
        (f"{TOT[:-1]} with α particles.", "form: not_english"),
        (f"{TOT[:-1]} at dairy.com too.", "form: id"),
        # digits of any kind
        (f"{TOT[:-1]} for 3,014 cycles.", "leak: digit"),
        (f"{TOT[:-1]} for 3014 cycles.", "leak: digit"),
        (f"{TOT[:-1]} on 2 machines.", "leak: digit"),
        (f"{TOT[:-1]} at 47.3 degrees.", "leak: digit"),
        (f"{TOT[:-1]} for 120 hours.", "leak: digit"),
        (f"{TOT[:-1]} by ½ a turn.", "leak: digit"),
        (f"{TOT[:-1]} by m² of it.", "leak: digit"),
        (f"{TOT[:-1]} by ٣ turns.", "leak: digit"),
        (f"{TOT[:-1]} by ３ turns.", "leak: digit"),
        (f"{TOT[:-1]} by ① turn.", "leak: digit"),
        (f"{TOT[:-1]} by some %.", "leak: digit"),
        # exact values in words
        (f"{TOT[:-1]} on two machines.", "leak: quantity two"),
        (f"{TOT[:-1]} for twelve hours.", "leak: quantity twelve"),
        (f"{TOT[:-1]} for twenty-five hours.", "leak: quantity twenty"),
        (f"{TOT[:-1]} for a hundred hours.", "leak: quantity hundred"),
        (f"{TOT[:-1]} for a dozen hours.", "leak: quantity dozen"),
        (f"{TOT[:-1]} for Seventeen hours.", "leak: quantity seventeen"),
        (f"{TOT[:-1]} by a few per cent.", "leak: quantity per cent"),
        (f"{TOT[:-1]} by some percent.", "leak: quantity percent"),
        (f"{TOT[:-1]}, a twofold gain.", "leak: quantity twofold"),
        (f"{TOT[:-1]}, a tenfold gain.", "leak: quantity tenfold"),
        (f"{TOT[:-1]} on the seventh day.", "leak: quantity seventh"),
        (f"{TOT[:-1]} on a six-hour trip.", "leak: quantity six"),
        (f"{TOT[:-1]} with two-thirds of it.", "leak: quantity two"),
        (f"{TOT[:-1]}, one of a kind.", None),
        (f"{TOT[:-1]} at the second try.", None),
        (f"{TOT[:-1]}, a small percentage.", None),
        # coined words
        (f"{TOT[:-1]} on the LATBENCH suite.", "leak: coined LATBENCH"),
        (f"{TOT[:-1]} on the latbench suite.", "leak: coined latbench"),
        (f"{TOT[:-1]} with BERTScore.", "leak: coined BERTScore"),
        (f"{TOT[:-1]} with bertscore.", "leak: coined bertscore"),
        (f"{TOT[:-1]} with bert score.", "leak: coined bertscore"),
        (f"{TOT[:-1]} with squad questions.", None),  # an everyday word of the body's names
        (f"{TOT[:-1]} with some macbook.", "leak: coined macbook"),
        (f"{TOT[:-1]} with an LLM.", "leak: coined LLM"),  # whatever the paper has
        (f"{TOT[:-1]} with an iPhone.", "leak: coined iPhone"),
        (f"{TOT[:-1]} with warning lamps.", None),  # capitals of a sign are no name
        # names written like other words
        (f"{TOT[:-1]} with the Zephyrine part.", "leak: name zephyrine"),
        (f"{TOT[:-1]} with the zephyrine part.", "leak: name zephyrine"),
        (f"{TOT[:-1]} in Tromvik.", "leak: name tromvik"),
        (f"{TOT[:-1]} by Quillfeather.", "leak: name quillfeather"),
        (f"{TOT[:-1]} by quillfeather.", "leak: name quillfeather"),
        (f"{TOT[:-1]} in Ouagadougou.", "leak: name ouagadougou"),
        # the title's words
        (f"{TOT[:-1]}; the sensors were cold and annealed.", "leak: title_words"),
        (f"{TOT[:-1]}; a cold sensor lattice.", "leak: title_words"),
        (f"{TOT[:-1]} of annealed lattices for cold sensors.", "leak: title_copy"),
        (f"{TOT[:-1]} as shown by others et al.", "bad_anchor: elsewhere"),
        (f"{TOT[:-1]} as in Appendix B there.", "bad_anchor: numbered"),
        (f"{TOT[:-1]} of figure three.", "bad_anchor: numbered"),
    ],
)
def test_a_vague_memory_has_no_name_and_no_value(query: str, wanted: str | None) -> None:
    assert_is(why("tot", query), wanted)


@pytest.mark.parametrize(
    ("query", "source", "wanted"),
    [
        # 13 of 87 real queries had the paper's own name, so that its title answered them
        ("TripleAnneal gallium film thaw", NAMED, "leak: title_name tripleanneal"),
        ("tripleanneal gallium film thaw", NAMED, "leak: title_name tripleanneal"),
        ("triple-anneal gallium film thaw", NAMED, "leak: title_name tripleanneal"),
        ("triple anneal gallium film thaw", NAMED, "leak: title_name tripleanneal"),
        ("gallium film thaw GPT-4", NAMED, "leak: title_name gpt"),
        ("gallium film thaw gpt4", NAMED, "leak: title_name gpt4"),
        ("gallium film thaw DNA", NAMED, "leak: title_name dna"),
        ("gallium film thaw dna-paint", NAMED, "leak: title_name dna"),
        ("gallium film thaw paint", NAMED, "leak: title_name paint"),
        ("gallium film thaw brittle", NAMED, None),
        ("Kestrel gallium film thaw", COLON, "leak: title_name kestrel"),
        ("kestrels gallium film thaw", COLON, "leak: title_name kestrel"),
        ("goats gallium film thaw", COLON, None),
    ],
)
def test_a_query_never_has_a_name_of_the_title(
    query: str, source: Source, wanted: str | None
) -> None:
    assert_is(why("body", query, source), wanted)


def test_an_exact_value_below_five_digits_is_one_too() -> None:
    for value in ("3,014", "3014", "12", "7"):
        assert_is(why("tot", f"{TOT[:-1]} over {value} cycles."), "leak: digit")


def test_names_of_the_body_are_banned_as_those_of_the_abstract_are() -> None:
    assert "BERTScore" not in TITLE + ABSTRACT
    assert_is(why("tot", f"{TOT[:-1]} with bertscore."), "leak: coined")


def test_other_forms_of_a_word_are_not_new() -> None:
    assert_is(why("body", "calibration panels slow gallium"), "leak: nothing_new")
    assert_is(why("body", "copper braids wrapping"), None)  # nor need they be as in the body


def test_a_span_must_stand_in_the_body_and_not_just_in_the_excerpt_of_the_reply() -> None:
    assert_is(why("body", 'gallium "the third thaw" film', quoted_span="the third thaw"), None)
    assert_is(
        why("body", 'gallium "the third thaw" film', quoted_span="another span"),
        "unfounded: span_differs",
    )
    assert_is(why("body", 'gallium "a third thaw" film'), "unfounded: span")


@pytest.mark.parametrize(
    ("evidence", "wanted"),
    [
        ("the gallium film peeled off after the third thaw", None),
        ("The Gallium  film\npeeled off", None),
        ("the gallium film was fine", "unfounded: evidence"),
        ("", None),
    ],
)
def test_the_evidence_must_stand_in_the_body(evidence: str, wanted: str | None) -> None:
    assert_is(why("body", "gallium film thaw brittle", evidence=evidence), wanted)
    assert_is(why("clue", CLUE, evidence=evidence), wanted)
    assert_is(why("tot", TOT, evidence=evidence), wanted)


@pytest.mark.parametrize(
    ("query", "clean"),
    [
        ('"gallium film thaw"', "gallium film thaw"),
        ("'gallium film thaw'", "gallium film thaw"),
        ('gallium "film thaw', "gallium film thaw"),
        ('gallium "film thaw" x', 'gallium "film thaw" x'),
        ('"gallium film" x "thaw y"', '"gallium film" x "thaw y"'),
        ('a "b" c "d', "a b c d"),
        ("  gallium  ", "gallium"),
        ('""', '""'),
        ("'tis a film's end", "'tis a film's end"),
    ],
)
def test_quotes_around_the_whole_and_unbalanced_ones_go(query: str, clean: str) -> None:
    assert cleaned(query) == clean


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two", "two"),
        ("Twenty-One", "twenty"),
        ("twentyone", "twentyone"),
        ("per  cent", "per  cent"),
        ("a million", "million"),
        ("a trillion", "trillion"),
        ("fourth", "fourth"),
        ("the fifteenth", "fifteenth"),
        ("fiftieth", "fiftieth"),
        ("threefold", "threefold"),
        ("hundredfold", "hundredfold"),
        ("sixth", "sixth"),
        ("eighths", "eighths"),
        ("one", None),
        ("someone", None),
        ("millions", None),
        ("dozens", None),
        ("weighty", None),
        ("often", None),
        ("tension", None),
        ("network", None),
        ("freight", None),
        ("percentage", None),
        ("first second third", None),
        ("half a quarter", None),
        ("sixties", None),
    ],
)
def test_numbers_in_words_are_exact_from_two_up(text: str, found: str | None) -> None:
    assert spelled_quantity(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3,014 and 2.5", {"3014", "2.5"}),
        ("12,345,678", {"12345678"}),
        ("1,2,3", {"1,2,3"}),
        ("0.05.", {"0.05"}),
        ("x2y", {"2"}),
        ("none", set()),
        ("10³", {"103"}),
    ],
)
def test_numbers_are_compared_without_separators(text: str, found: set[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize("text", ["1", "x1", "²", "Ⅳ", "½", "٣", "%", "‰", "三", "３"])
def test_a_digit_of_any_script_is_a_digit(text: str) -> None:
    assert has_digit(f"ab{text}c")
    assert not has_digit("abc, one or none")


@pytest.mark.parametrize(
    ("query", "copied"),
    [
        ("annealed lattices for cold sensors", True),
        ("lattices for cold sensors now", True),
        ("lattices for cold", False),
        ("sensors cold for lattices", False),
        ("ANNEALED LATTICES FOR COLD", True),
    ],
)
def test_four_words_of_the_title_in_a_row_are_a_copy(query: str, copied: bool) -> None:
    assert is_copied(query, TITLE) == copied


BITS = st.sampled_from(
    """I vaguely remember the machine shook and seals came off in winter some cold sensors lattice
    annealed LATBENCH latbench BERTScore bertscore SQuAD-v2 squad MacBook Zephyrine zephyrine
    Tromvik Halvorsen halvorsen two twelve per cent percent 3,014 47.3 1250 m² ½ dozen dozens
    GPT iPhone x1 "seals" one many hundreds Quillfeather α Ⅳ 三""".split()
)
COINED = {"latbench", "bertscore", "macbook"}


@given(st.lists(BITS, min_size=8, max_size=30))
def test_no_vague_memory_with_a_digit_or_a_coined_name_passes(words: list[str]) -> None:
    query = " ".join(words)
    if fault("tot", Proposal(query), PAPER) is not None:
        return
    assert not any(char.isnumeric() for char in query)
    assert '"' not in query
    parts = re.findall(r"[^\W_]+", query)
    assert not any(sum(char.isupper() for char in part) > 1 for part in parts)
    assert not COINED & {part.lower() for part in parts}
    assert not {"two", "twelve", "dozen", "percent"} & {part.lower() for part in parts}
    assert not {"zephyrine", "tromvik", "halvorsen"} & {part.lower() for part in parts}


@given(st.text(max_size=80), st.sampled_from(["before", "behind"]))
def test_a_digit_or_a_name_anywhere_in_a_vague_memory_is_found(text: str, place: str) -> None:
    for bad in ("3,014", "BERTScore", "latbench", "7"):
        query = f"{bad} {TOT} {text}" if place == "before" else f"{TOT} {text} {bad}"
        assert fault("tot", Proposal(query), PAPER) is not None


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    buckets: tuple[Bucket, ...] = ("body", "clue", "tot")
    for bucket in buckets:
        found = fault(bucket, Proposal(cleaned(text)), PAPER)
        assert found is None or isinstance(found, Fault)


FORMS = st.sampled_from(
    "TripleAnneal tripleanneal triple-anneal TRIPLEANNEAL GPT-4 gpt-4 gpt4 GPT4 DNA dna paint "
    "DNA-PAINT dna-paint dnapaint TripleAnneals".split()
)


@given(FORMS, st.integers(0, 4), st.sampled_from(["body", "clue"]))
def test_the_name_of_a_title_never_passes_in_any_form(
    name: str, place: int, bucket: Bucket
) -> None:
    clue = "Which dairy lent the cryocooler and copper braid wrapped in rabbit fur?"
    words = (clue if bucket == "clue" else "gallium film thaw brittle").split()
    query = " ".join([*words[:place], name, *words[place:]])
    if bucket == "clue" and not query.endswith("?"):
        query += "?"
    found = fault(bucket, Proposal(query), NAMED)
    assert found is not None
    assert found.reason in ("leak", "form")


def test_words_by_which_people_speak_of_any_paper_are_no_facts() -> None:
    query = "Which researchers described experiments and reported findings on gallium somewhere?"
    source = Source(
        TITLE, ABSTRACT, BODY + "We describe experiments and report findings somewhere."
    )
    assert_is(why("clue", query, source), "leak: nothing_new")


def test_the_parts_of_a_compound_in_the_title_are_its_words() -> None:
    source = Source("Snow-Melt Hydrographs of Wavelet-Filtered Gauges in Tundra", "", BODY)
    assert_is(why("body", "hydrographs gallium film thaw", source), None)
    assert_is(why("body", "hydrographs tundra gallium film", source), "leak: title_words")
    assert_is(why("body", "hydrographs wavelet gallium film", source), "leak: title_words")


def test_a_clue_has_no_quotation_marks_and_a_body_query_one_span_at_most() -> None:
    assert_is(why("clue", CLUE.replace("copper braid", '"copper braid"')), "form: quotes")
    assert_is(why("body", 'gallium "copper braid in rabbit fur"'), None)


def test_one_uncommon_word_of_the_title_is_allowed_and_no_second_one() -> None:
    assert_is(why("body", "lattices gallium film thaw"), None)
    assert_is(why("body", "lattices annealed gallium film"), "leak: title_words annealed, lattices")
    assert_is(why("clue", CLUE.replace("the cryocooler", "the lattice cryocooler")), None)
