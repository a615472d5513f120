"""What a pin is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.pinning import may_be_about, subjects
from recollect.records.pin import PinType

ABOUT: list[tuple[str, str, set[str]]] = [
    ("auto", "User's dad is allergic to Penicillin, had anaphylaxis in 2010", {"father|allergy|penicillin"}),
    ("auto", "Mom takes metformin 20 mg", {"mother|medication|metformin"}),
    ("auto", "User's mother-in-law takes warfarin", {"mother-in-law|medication|warfarin"}),
    ("auto", "User's wife's mother is allergic to peanuts", {"wife's mother|allergy|peanut"}),
    ("auto", "User is severely allergic to shellfish and tree nuts", {"user|allergy|shellfish", "user|allergy|tree nut"}),
    ("auto", "Allergies: penicillin, sulfa drugs", {"user|allergy|penicillin", "user|allergy|sulfa"}),
    ("auto", "User has a severe peanut allergy", {"user|allergy|peanut"}),
    ("auto", "User is allergic to poison ivy and ugly ducks", {"user|allergy|poison ivi", "user|allergy|ugli duck"}),
    ("auto", "User is allergic to dying flies", {"user|allergy|die fli"}),
    ("auto", "User is diabetic and allergic to nuts", {"user|diagnosis|diabetes", "user|allergy|nut"}),
    ("auto", "User's dad takes metformin 500 mg for type 2 diabetes", {"father|medication|metformin"}),
    ("auto", "Patient John Smith takes insulin", {"patient john smith|medication|insulin"}),
    ("auto", "User takes 100 mg of zyloprim daily", {"user|medication|zyloprim"}),
    ("auto", "User takes zyloprim 100 mg", {"user|medication|zyloprim"}),
    ("auto", "User was diagnosed with Kawasaki syndrome in 2015", {"user|diagnosis|kawasaki syndrom"}),
    ("auto", "User has asthma and high blood pressure", {"user|diagnosis|asthma", "user|diagnosis|hypertension"}),
    ("auto", "Jane is User's emergency contact", {"user|contact|"}),
    ("auto", "His emergency contact is his daughter Maria", {"his|contact|"}),
    ("auto", "User's son's emergency contact is Ana", {"son|contact|"}),
    ("auto", "User's emergency contact is User's wife, 555", {"user|contact|"}),
    ("auto", "User's levothyroxine dose was raised to 100 mcg", {"user|medication|levothyroxine"}),
    ("auto", "User's ferrous fumarate dose was raised to 420 mg", {"user|medication|fumarate"}),
    ("auto", "User was switched from metformin to ozempic", {"user|medication|metformin", "user|medication|ozempic"}),
    ("auto", "User's doctor put User's dad on sertraline", {"father|medication|sertraline"}),
    ("auto", "Penicillin gives User hives", {"user|allergy|penicillin"}),
    ("auto", "Penicillin gives User's son Ken hives", {"son ken|allergy|penicillin"}),
    ("auto", "User gets hives from strawberries", {"user|allergy|strawberri"}),
    ("auto", "User's wife Sana can't eat gluten, she has celiac disease", {"wife sana|diagnosis|celiac"}),
    ("auto", "User's mother has a DNR", {"mother|resuscitation|"}),
    ("code", "margin = (price - cost) / price", {"user|code|margin"}),
    ("code", "User's blood pressure target is below 130/80", {"user|code|blood pressur target"}),
    ("system", "Time zone: Europe/Berlin", {"user|notice|time zone"}),
    ("concept", "User wants the assistant to always answer in German and use metric units",
     {"user|wish|language", "user|wish|metric unit use"}),
    ("concept", "User wants the assistant to call User Alex", {"user|wish|name"}),
    ("concept", "User wants the assistant to give User long, detailed answers", {"user|wish|length"}),
    ("concept", "User always prefers short answers", {"user|wish|length"}),
    ("concept", "User's daughter handles all medical decisions", {"user|in charge of|medical"}),
    ("concept", "User's dad dislikes needles", {"father|wish|needl"}),
]  # fmt: skip


@pytest.mark.parametrize(("pin_type", "content", "about"), ABOUT)
def test_who_and_what(pin_type: str, content: str, about: set[str]) -> None:
    """A key says who, what kind and what; doses, degrees and dates are no part of it."""
    assert subjects(content, PinType(pin_type)) == about


@pytest.mark.parametrize("code", ["x = 1\ny = 2", "make check\nmake test"])
def test_a_snippet_is_about_all_of_itself(code: str) -> None:
    """Another snippet that begins alike is another subject."""
    assert subjects(code, PinType.CODE) != subjects(f"{code}\nz = 3", PinType.CODE)


@given(st.text(max_size=300), st.sampled_from(list(PinType)))
def test_every_pin_is_about_something(content: str, pin_type: PinType) -> None:
    """Any text has a key, always the same."""
    found = subjects(content, pin_type)
    assert found and found == subjects(content, pin_type)


@pytest.mark.parametrize(
    "piece", ["a ", "allergic to ", "and ", "User's ", "x 1 mg ", "diagnosed with ", "= ", "my-"]
)
@pytest.mark.parametrize("pin_type", list(PinType))
def test_hostile_lengths_end(piece: str, pin_type: PinType) -> None:
    """2,000 characters of any shape are read; what takes more than linear time would not end here."""
    assert subjects((piece * 1000)[:2000], pin_type)


@pytest.mark.parametrize(("pin_type", "content", "about"), ABOUT)
def test_a_quick_no_is_never_wrong(pin_type: str, content: str, about: set[str]) -> None:
    """A text that has a key may have it, in capitals and with accents too."""
    for text in (content, content.upper(), content.replace("e", "\u00e9")):
        assert all(may_be_about(text, {key}) for key in about)
    assert not may_be_about(content, ())


@given(
    st.lists(st.sampled_from([content for _, content, _ in ABOUT]), max_size=3),
    st.sampled_from(list(PinType)),
)
def test_a_quick_no_is_never_wrong_about_a_pin(contents: list[str], pin_type: PinType) -> None:
    """Whatever a pin is about, its words may be about it."""
    content = " and ".join(contents)
    assert all(may_be_about(content, {key}) for key in subjects(content, pin_type))


def test_most_texts_are_a_quick_no() -> None:
    """Another medicine or allergen is told apart without reading."""
    assert not may_be_about(
        "My dad takes warfarin 5 mg", {"father|medication|metformin", "user|allergy|peanut"}
    )
