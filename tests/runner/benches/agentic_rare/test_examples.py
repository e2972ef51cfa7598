"""What the filter keeps and why it leaves the rest out, query by query, with the real words.

Words that nobody wrote before stand for the rare ones; real rare names are among them.
"""

from __future__ import annotations

import pytest

from runner.benches.agentic_rare.filtering.examine import REASONS, Examiner, Limits, RareQuery
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces

# of the specification, with the pieces of the rare word
SPECIFIED = [
    ("install qgrepwyzk plugin offline", {"qgrepwyzk": 6}),
    ("the vx730qtz battery replacement", {"vx730qtz": 6}),
    ("cheap snorvexylite mattress for side sleepers", {"snorvexylite": 5}),
    ('"exact phrase" thrumboqlyte torque spec', {"thrumboqlyte": 5}),
    ("frobnicetylene ligand synthesis yield", {"frobnicetylene": 5}),
]
KEPT = [
    ("snorvexylite mattress", {"snorvexylite": 5}),
    ("the snorvexylite", {"snorvexylite": 5}),
    ("snorvexylite vs memory foam which is better for back pain", {"snorvexylite": 5}),
    ("how do i uninstall qgrepwyzk from my laptop", {"qgrepwyzk": 6}),
    ("QGREPWYZK PLUGIN NOT WORKING", {"qgrepwyzk": 6}),
    ("what is thrumboqlyte used for", {"thrumboqlyte": 5}),
    ("vx730qtz firmware update download", {"vx730qtz": 6}),
    ("does the vx730qtz support usb c charging", {"vx730qtz": 6}),
    ("where can i buy a snorvexylite pillow near me", {"snorvexylite": 5}),
    ("best price for zylkornavent air filter", {"zylkornavent": 5}),
    ("zylkornavent side effects in older adults", {"zylkornavent": 5}),
    ("who founded blorqentix systems", {"blorqentix": 5}),
    ("blorqentix quarterly earnings report", {"blorqentix": 5}),
    ("cagrilintide phase 3 trial results", {"cagrilintide": 5}),
    ("semaglutide and tirzepatide cost without insurance", {"semaglutide": 5, "tirzepatide": 5}),
    ("methylcyclopropene effect on apple storage", {"methylcyclopropene": 6}),
    ("llanfairpwllgwyngyll train times", {"llanfairpwllgwyngyll": 10}),
    ("pseudopseudohypoparathyroidism treatment options", {"pseudopseudohypoparathyroidism": 10}),
    ("tbc1d24 mutation and hearing loss", {"tbc1d24": 5}),
    ("b08n5wrwnw replacement water filter", {"b08n5wrwnw": 8}),
    ("rtx5090ti power supply requirements", {"rtx5090ti": 5}),
    ("error 0x80070qz57 while installing the update", {"0x80070qz57": 8}),
    ("is frobnicetylene safe to touch", {"frobnicetylene": 5}),
    ("frobnicetylene, ligand synthesis: yield?", {"frobnicetylene": 5}),
    ('"frobnicetylene" synthesis yield', {"frobnicetylene": 5}),
    ("frobnicetylene-based ligand synthesis yield", {"frobnicetylene": 5}),
    ("price of qorvexzyl stock after the merger", {"qorvexzyl": 6}),
    ("site qorvexzyl login page problem", {"qorvexzyl": 6}),
    ("kubernetesctl zookeeper connection refused", {"kubernetesctl": 6}),
    ("how to configure websocketd behind a proxy server", {"websocketd": 5}),
    ("install grepwyz2000 on windows", {"grepwyz2000": 6}),
    ("weather in szczebrzeszyn next week", {"szczebrzeszyn": 6}),
    ("map of the town of hjørnevik with parking", {"hjørnevik": 5}),
    ("jobs at thrumbliksnor in london", {"thrumbliksnor": 5}),
    ("qgrepwyzk vx730qtz", {"qgrepwyzk": 6, "vx730qtz": 6}),
    ("qgrepwyzk vx730qtz snorvexylite", {"qgrepwyzk": 6, "vx730qtz": 6, "snorvexylite": 5}),
    ("12 qgrepwyzk", {"qgrepwyzk": 6}),
    ("is snorvexylite covered by health insurance", {"snorvexylite": 5}),
    ("summary of the brzęczyszczykiewicz case", {"brzęczyszczykiewicz": 8}),
    ("opening hours of the museum in llanrhaeadr", {"llanrhaeadr": 5}),
    ("how long to boil qwxzvbnm beans", {"qwxzvbnm": 7}),
    ("€20 off snorvexylite mattress code", {"snorvexylite": 5}),
    ("snorvexylite mattress – 20% off today", {"snorvexylite": 5}),
    ("snorvexylite mattress… review", {"snorvexylite": 5}),
    ("driver for hplj1320zx printer on windows 11", {"hplj1320zx": 7}),
]
SPECIFIED_OUT = [
    ("blue whale migration", "no_rare_word"),
    ("frobnicene ligand synthesis yield", "no_rare_word"),
    ("qgrepwyzk", "too_few_words"),
    ("see www.example.org qgrepwyzk docs", "urlish"),
    ("wo kann ich eine snorvexylite matratze kaufen", "non_english"),
    ("2ABCD34E5FG678901 recall check", "ineligible"),
    ("0f1e2d3c4b5a69788796a5b4c3d2e1f0 file origin", "ineligible"),
    ("pay 0x3b1f0c9a7e5d2846b1f0c9a7e5d2846b1f0c9a7e safely", "ineligible"),
    ("где купить матрас", "ineligible"),
    ("哪里 可以 买 床垫", "ineligible"),
    ("order 9981273 status", "no_rare_word"),
]
OUT = [
    ("", "bad_length"),
    ("   \t\n ", "bad_length"),
    (None, "bad_length"),
    (17, "bad_length"),
    (["snorvexylite", "mattress"], "bad_length"),
    ("snorvexylite mattress " * 10, "bad_length"),
    ("see https://a.b " + "x" * 200, "bad_length"),
    ("http://intranet snorvexylite mattress", "urlish"),
    ("HTTPS://A.B/C snorvexylite mattress", "urlish"),
    ("https://x", "urlish"),
    ("www.snorvexylite mattress review", "urlish"),
    ("WWW.Snorvexylite mattress review", "urlish"),
    ("snorvexylite.com mattress review", "urlish"),
    ("snorvexylite.COM mattress review", "urlish"),
    ("reviews on snorvexylite.org", "urlish"),
    ("reviews on snorvexylite.net", "urlish"),
    ("socket.io qgrepwyzk plugin", "urlish"),
    ("matratze.de snorvexylite mattress", "urlish"),
    ("shop.fr/snorvexylite mattress", "urlish"),
    ("shop.ru snorvexylite mattress", "urlish"),
    ("shop.co.jp snorvexylite mattress", "urlish"),
    ("mail ops@snorvexylite.com about it", "urlish"),
    ("asp.net qgrepwyzk plugin", "urlish"),
    ("snorvexylite.com", "urlish"),
    ("www.example.org", "urlish"),
    ("snorvexylite", "too_few_words"),
    ("  snorvexylite!  ", "too_few_words"),
    ("... !!! ???", "too_few_words"),
    ("🚀", "too_few_words"),
    ("снорвексилит", "too_few_words"),
    ("床垫哪里买", "too_few_words"),
    ("1HGCM82633A004352", "too_few_words"),
    ("snorvexylite матрас", "ineligible"),
    ("快速 snorvexylite mattress", "ineligible"),
    ("στρώμα snorvexylite mattress", "ineligible"),
    ("مرتبة snorvexylite mattress", "ineligible"),
    ("מזרן snorvexylite mattress", "ineligible"),
    ("매트리스 snorvexylite mattress", "ineligible"),
    ("マットレス snorvexylite mattress", "ineligible"),
    ("snorvexylite mattress 😀", "ineligible"),
    ("snorvexylite → mattress", "ineligible"),
    ("snorvexylite™ mattress review", "ineligible"),
    ("snorvexylite ≥ mattress", "ineligible"),
    ("snorvexylite\x07 mattress review", "ineligible"),
    ("ﬁne snorvexylite mattress", "ineligible"),
    ("snorvexylite mattress ½ price ⅓", "ineligible"),
    ("x\u0338y snorvexylite mattress", "ineligible"),
    ("wba3a5c5xcf256651 recall check", "ineligible"),
    ("1HGCM82633A004352 snorvexylite recall", "ineligible"),
    ("recall for VIN:1HGCM82633A004352?", "ineligible"),
    ("vin_1HGCM82633A004352 recall status", "ineligible"),
    ("d41d8cd98f00b204e9800998ecf8427e meaning", "ineligible"),
    ("D41D8CD98F00B204E9800998ECF8427E meaning", "ineligible"),
    ("sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709 collision", "ineligible"),
    ("commit a1b2c3d4e5f6a7b8c9d0e1f2 revert how", "ineligible"),
    ("hash xyz0f1e2d3c4b5a69788796a5b4c3d2e1f0 origin", "ineligible"),
    ("550e8400-e29b-41d4-a716-446655440000 error message", "ineligible"),
    ("sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 file", "ineligible"),
    ("0x1234567890123456789012345678901234567890 balance check", "ineligible"),
    ("0X3B1F0C9A7E5D2846B1F0C9A7E5D2846B1F0C9A7E balance check", "ineligible"),
    ("7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV token price", "ineligible"),
    ("wallet 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 balance", "ineligible"),
    ("pneumonoultramicroscopicsilicovolcanoconiosis meaning", "long_word"),
    ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq balance check", "long_word"),
    ("what is " + "z" * 41, "long_word"),
    ("key " + "1" * 41 + " meaning", "long_word"),
    ("acknowledgments in a thesis example", "no_rare_word"),
    ("indistinguishible from magic quote", "no_rare_word"),
    ("schizophrenics famous people list", "no_rare_word"),
    ("unprofessionel behaviour at work", "no_rare_word"),
    ("hypocritcal people quotes", "no_rare_word"),
    ("irreplacable parts of a car", "no_rare_word"),
    ("incomprehensibel text in english", "no_rare_word"),
    ("1234567 7654321 meaning", "no_rare_word"),
    ("000 111 222", "no_rare_word"),
    ("weather in london tomorrow", "no_rare_word"),
    ("how to bake bread at home", "no_rare_word"),
    ("python list comprehension example", "no_rare_word"),
    ("best laptops under 500 dollars", "no_rare_word"),
    ("ubuntu kernel panic on boot", "no_rare_word"),
    ("the the the", "no_rare_word"),
    ("matratze aus snorvexylite kaufen und liefern lassen", "non_english"),
    ("wo finde ich den treiber für vx730qtz", "non_english"),
    ("quel est le prix du matelas snorvexylite en france", "non_english"),
    ("dónde puedo comprar un colchón snorvexylite", "non_english"),
    ("onde posso comprar um colchão snorvexylite barato", "non_english"),
    ("dove posso comprare un materasso snorvexylite", "non_english"),
    ("var kan jag köpa en snorvexylite madrass", "non_english"),
    ("waar kan ik een snorvexylite matras kopen", "non_english"),
    ("gdzie mogę kupić materac snorvexylite", "non_english"),
    ("mistä voin ostaa snorvexylite patjan", "non_english"),
    ("kde koupit matraci snorvexylite levně", "non_english"),
    ("snorvexylite yatak nereden alınır fiyatları", "non_english"),
    ("mua nệm snorvexylite ở đâu giá rẻ", "non_english"),
    ("unde pot cumpăra o saltea snorvexylite ieftină", "non_english"),
    ("hol lehet snorvexylite matracot venni olcsón", "non_english"),
]


@pytest.mark.parametrize(("query", "hard"), SPECIFIED + KEPT)
def test_a_query_with_a_rare_word_is_kept(
    examiner: Examiner, query: str, hard: dict[str, int]
) -> None:
    found = examiner.examine(query)
    assert isinstance(found, RareQuery), found
    assert {word: len(pieces) for word, pieces in found.hard_words} == hard
    assert found.max_pieces == max(hard.values())


@pytest.mark.parametrize(("query", "reason"), SPECIFIED_OUT + OUT)
def test_a_query_is_left_out_for_the_first_reason(
    examiner: Examiner, query: object, reason: str
) -> None:
    assert examiner.examine(query) == reason


def test_every_reason_has_its_rows() -> None:
    assert {reason for _, reason in OUT} == set(REASONS)
    assert len(SPECIFIED + KEPT) + len(SPECIFIED_OUT + OUT) > 150


def test_no_row_is_told_twice() -> None:
    queries = [str(query) for query, _ in [*SPECIFIED, *KEPT, *SPECIFIED_OUT, *OUT]]
    assert sorted(set(queries)) == sorted(queries)


@pytest.mark.parametrize(
    ("limits", "query", "verdict"),
    [
        (Limits(min_words=3), "snorvexylite mattress", "too_few_words"),
        (Limits(min_words=3), "cheap snorvexylite mattress", None),
        (Limits(min_words=1), "snorvexylite", None),
        (Limits(min_words=0), "?!", "no_rare_word"),
        (Limits(max_query_chars=20), "snorvexylite mattress", "bad_length"),
        (Limits(max_query_chars=21), "snorvexylite mattress", None),
        (Limits(max_word_chars=11), "snorvexylite mattress", "long_word"),
        (Limits(max_word_chars=12), "snorvexylite mattress", None),
        (Limits(min_pieces=6), "snorvexylite mattress", "no_rare_word"),
        (Limits(min_pieces=4), "frobnicene ligand synthesis yield", None),
        (Limits(any_language=True), "wo kann ich eine snorvexylite matratze kaufen", None),
        (Limits(any_language=True), "снорвексилит матрас купить", "ineligible"),
    ],
)
def test_each_limit_is_where_it_is_set(
    pieces: WordPieces, limits: Limits, query: str, verdict: str | None
) -> None:
    found = Examiner(pieces, limits).examine(query)
    assert (found if isinstance(found, str) else None) == verdict


def test_an_unknown_word_is_rarer_than_any_that_breaks_into_pieces(pieces: WordPieces) -> None:
    # a letter that the vocabulary lacks
    found = Examiner(pieces, Limits(any_language=True)).examine("the ƣxvor battery and qgrepwyzk")
    assert isinstance(found, RareQuery)
    assert dict(found.hard_words)["ƣxvor"] == ("[UNK]",)
    assert found.max_pieces == 99


def test_a_rare_word_counts_once(examiner: Examiner) -> None:
    found = examiner.examine("snorvexylite mattress or SNORVEXYLITE pillow")
    assert isinstance(found, RareQuery)
    assert [word for word, _ in found.hard_words] == ["snorvexylite"]
    assert found.words == ["snorvexylite", "mattress", "or", "snorvexylite", "pillow"]


def test_white_space_and_decomposed_letters_are_tidied_before_anything_is_checked(
    examiner: Examiner,
) -> None:
    found = examiner.examine("  cafe\u0301\tsnorvexylite \n mattress for the bed ")
    assert isinstance(found, RareQuery)
    assert found.text == "café snorvexylite mattress for the bed"
