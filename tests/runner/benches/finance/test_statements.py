"""What is read out of an item, and what is passed over: anyone may have written it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.finance.sources import statements as wd
from runner.benches.finance.sources.statements import (
    Item,
    Moment,
    Names,
    clean_label,
    read_item,
    read_names,
    read_qid,
)
from tests.runner.benches.finance.wikidata_json import (
    NOBODY,
    SOMEBODY,
    amount,
    claim,
    entity,
    item,
    named,
    text,
    time,
    year,
)


def read(**claims: Any) -> Item:
    found = read_item("Q1", entity("Q1", "Acme", **claims))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("prop", "snak", "value"),
    [
        ("P856", text("https://acme.com/"), "https://acme.com/"),
        ("P856", text("  https://acme.com/ "), "https://acme.com/"),
        ("P169", item("Q42"), "Q42"),
        ("P1448", named("Acme, Inc."), "Acme, Inc."),
        ("P571", year(1987), Moment(1987, 0, 0, 9)),
        ("P571", time("1987-04-01"), Moment(1987, 4, 1, 11)),
        ("P571", time("1980-00-00", 8), Moment(1980, 0, 0, 8)),
        ("P571", time("00000001987-00-00", 9), Moment(1987, 0, 0, 9)),
        ("P1128", amount("+17000"), Decimal(17000)),
        ("P1128", amount("17000.0"), Decimal(17000)),
    ],
)
def test_a_value_is_read(prop: str, snak: Any, value: Any) -> None:
    [statement] = read(**{prop: snak}).stated(prop)
    assert statement.value == value


@pytest.mark.parametrize(
    "snak",
    [
        NOBODY,
        SOMEBODY,
        None,
        [],
        "Q42",
        {"snaktype": "value"},
        {"snaktype": "value", "datavalue": None},
        {"snaktype": "value", "datavalue": "Q42"},
        {"snaktype": "value", "datavalue": {"type": "string", "value": {"id": "Q42"}}},
        {"snaktype": "value", "datavalue": {"type": "time", "value": "+1987-00-00T00:00:00Z"}},
        {"snaktype": "value", "datavalue": {"type": ["string"], "value": "x"}},
        item("Q42") | {"snaktype": ["value"]},
        {
            "snaktype": "value",
            "datavalue": {"type": "wikibase-entityid", "value": {"id": "P31", "numeric-id": 31}},
        },
        {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": 42}}},
        {"snaktype": "value", "datavalue": {"type": "globecoordinate", "value": {"latitude": 1}}},
        text(""),
        text("  "),
        text(7),
        text("a\nb"),
        text("https://acme.com/\x00"),
        text("https://acme.com/\u202e"),
        text("x" * 2001),
        named("x" * 201),
        time("-0300-00-00", 9),
        time("13798000000-00-00", 9),
        time("not a date"),
        time("1987-01-01", None),  # type: ignore[arg-type]
        time("1987-01-01", True),
        amount(17000),
        amount("many"),
        amount("+NaN"),
        amount("Infinity"),
        amount("1e40"),
        amount("9" * 41),
        amount("+17000", "http://www.wikidata.org/entity/Q11573"),
        amount("+17000", None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_value_is_passed_over(snak: Any) -> None:
    raw = entity("Q1", "Acme", P856=[claim(snak), claim(text("https://acme.com/"))])
    found = read_item("Q1", raw)
    assert found is not None
    assert [statement.value for statement in found.stated("P856")] == ["https://acme.com/"]


@pytest.mark.parametrize(
    "raw", [None, 5, [], {"mainsnak": text("x")}, claim(text("x"), rank="deprecated")]
)
def test_a_statement_without_a_good_rank_is_passed_over(raw: Any) -> None:
    assert read(P856=[raw]).stated("P856") == ()


@pytest.mark.parametrize("raw", [None, [], "x", 1, {"missing": ""}, {"id": "Q1", "missing": None}])
def test_what_is_no_entity_is_none(raw: Any) -> None:
    assert read_item("Q1", raw) is None


@pytest.mark.parametrize(
    "claims",
    [None, [], "x", {"P169": None}, {"P169": "Q1"}, {"P169": {}}, {"P169": [[]]}, {5: []}],
)
def test_claims_of_another_shape_are_no_claims(claims: Any) -> None:
    assert read_item("Q1", {"id": "Q1", "claims": claims}) == Item("Q1", Names(None))


def test_properties_without_a_reader_and_statements_beyond_the_bound_are_left() -> None:
    found = read(P9999=text("x"), P856=[text(f"https://acme.com/{n}") for n in range(400)])
    assert found.stated("P9999") == ()
    assert len(found.stated("P856")) == wd.MAX_STATEMENTS


def test_qualifiers_say_when_and_whether_it_ended() -> None:
    ceo = read(
        P169=[
            claim(item("Q1"), P580=time("2020-03-01")),
            claim(item("Q2"), P580=year(2010), P582=year(2020)),
            claim(item("Q3"), P580=year(2010), P582=SOMEBODY),
            claim(item("Q4"), P580=year(2010), P1534=item("Q5")),
            claim(item("Q6"), P580=year(2021), P582=NOBODY),
        ]
    ).stated("P169")
    assert [claim.has_ended for claim in ceo] == [False, True, True, True, False]
    assert ceo[0].moment("P580") == Moment(2020, 3, 1, 11)
    assert ceo[0].moment("P585") is None


def test_a_date_that_is_vaguer_than_a_year_is_no_date() -> None:
    [ceo] = read(P169=claim(item("Q1"), P580=time("2020-00-00", 8))).stated("P169")
    assert ceo.moment("P580") is None


@pytest.mark.parametrize("raw", [None, [], "x", {"P580": None}, {"P580": ["x", None]}, {"P580": 1}])
def test_qualifiers_of_another_shape_are_none(raw: Any) -> None:
    [ceo] = read(P169=claim(item("Q1")) | {"qualifiers": raw}).stated("P169")
    assert (ceo.value, ceo.has_ended, dict(ceo.qualifiers)) == ("Q1", False, {})


def test_current_statements_are_the_preferred_of_those_without_end() -> None:
    found = read(
        P159=[
            claim(item("Q1"), "preferred", P582=year(2000)),
            claim(item("Q2")),
            claim(item("Q3"), "preferred"),
            claim(item("Q4"), "deprecated"),
        ]
    )
    assert [claim.value for claim in found.current("P159")] == ["Q3"]
    assert found.texts("P159") == ["Q2", "Q3"]


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (entity("Q1", "Acme", "Acme Inc.", "Acme"), Names("Acme", ("Acme Inc.",))),
        (entity("Q1", "Acme", "A1", lang="mul"), Names("Acme", ("A1",))),
        (entity("Q1", "Acme", lang="de"), Names(None)),
        (entity("Q1", "\u202e A\u200bc\nme\t Co "), Names("Ac me Co")),
        (entity("Q1", "x" * 201, "Acme"), Names(None, ("Acme",))),
        (entity("Q1", "\ud800Acme"), Names("Acme")),
        (entity("Q1", "...", "—", "🇺🇸"), Names(None)),
        ({"labels": {"en": "Acme"}, "aliases": {"en": ["x"]}}, Names(None)),
        ({"labels": ["Acme"], "aliases": ["x"]}, Names(None)),
        ({"labels": {"en": {"value": None}}, "aliases": {"en": {"value": "x"}}}, Names(None)),
        ({"labels": {"en": {"value": 5}, "mul": {"value": "Acme"}}}, Names("Acme")),
        (None, Names(None)),
        ([], Names(None)),
    ],
)
def test_names_are_visible_lines_in_english(raw: Any, names: Names) -> None:
    assert read_names(raw) == names


def test_a_label_of_all_languages_is_an_alias_beside_the_english_one() -> None:
    raw = {"labels": {"en": {"value": "Acme"}, "mul": {"value": "ACME"}}}
    assert read_names(raw) == Names("Acme", ("ACME",))


def test_aliases_are_bounded() -> None:
    raw = entity("Q1", "Acme", *(f"Acme {n}" for n in range(500)))
    assert len(read_names(raw).aliases) == wd.MAX_ALIASES


@pytest.mark.parametrize(
    ("raw", "qid"),
    [
        ("Q312", "Q312"),
        ("http://www.wikidata.org/entity/Q312", "Q312"),
        ("Q0", None),
        ("q312", None),
        ("P31", None),
        ("Q312/../Q1x", None),
        ("Q" + "9" * 13, None),
        ("x" * 200 + "/Q1", None),
        ("Q312\n", None),
        ("Q1٣", None),
        (312, None),
        (None, None),
    ],
)
def test_ids_are_ids(raw: Any, qid: str | None) -> None:
    assert read_qid(raw) == qid


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["value", "normal", "string", "time", "Q1", "+1987-00-00T00:00:00Z"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "claims labels aliases en P169 P571 mainsnak rank qualifiers snaktype datavalue "
                "type value id time precision amount unit P580".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_document_breaks_the_reader(raw: Any) -> None:
    found = read_item("Q1", raw)
    assert found is None or found.qid == "Q1"


@given(st.text(max_size=300))
def test_a_label_is_one_visible_line(raw: str) -> None:
    label = clean_label(raw)
    assert label is None or (label == " ".join(label.split()) and len(label) <= 200)
