"""Whom a pin is about: it is read alone."""

from datetime import UTC, datetime

import pytest

from recollect.language.pinning import LONGEST, auto_pins, subjects
from recollect.records.message import Message, Role
from recollect.records.pin import PinType


def pinned(text: str) -> list[str]:
    """What is pinned of a user's message."""
    message = Message(
        user_id="ana",
        message_id="m1",
        chat_id="c1",
        position=1,
        role=Role.USER,
        text=text,
        tokens=1,
        importance_score=5.0,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return [draft.content for draft in auto_pins(message)]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("My brother Felix is coming, he's allergic to nuts.", "User's brother Felix is allergic to nuts"),
        ("My brother Felix is here. Felix called, he's got asthma.", "User's brother Felix has got asthma"),
        ("Felix is coming, he's allergic to nuts.", "Felix is allergic to nuts"),
        ("My mum and my dad are coming, she's allergic to nuts", "User's mum is allergic to nuts"),
        ("Grandpa is in hospital, he takes warfarin 5 mg daily", "Grandpa takes warfarin 5 mg daily"),
        ("My cat Milo is ill. The vet says he has diabetes.", "User's cat Milo has diabetes"),
        ("The dog is ill, he is allergic to chicken", "The dog is allergic to chicken"),
        ("My son is ill. The doctor says he has epilepsy.", "User's son has epilepsy"),
    ],
)
def test_the_only_one_who_fits_takes_the_place_of_the_pronoun(text: str, content: str) -> None:
    """One relative, one animal or one name of the message is who is meant."""
    assert pinned(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "Felix and Carolin are coming, she's got a nut allergy.",
            "Felix and Carolin are coming, she's got a nut allergy",
        ),
        (
            "Felix and Carolin are coming. She's got a nut allergy.",
            "Felix and Carolin are coming. She's got a nut allergy",
        ),
        (
            "The vet says he has a thyroid problem and takes Felimazole 2.5 mg twice daily.",
            "The vet says he has a thyroid problem and takes Felimazole 2.5 mg twice daily",
        ),
        (
            "My brother Felix is here. The vet says he has diabetes.",
            "User's brother Felix is here. The vet says he has diabetes",
        ),
        ("My dad and my son came by. He has asthma.", "User's dad and User's son came by. He has asthma"),
        (
            "My wife is here. My sister called, she has epilepsy.",
            "User's sister called, she has epilepsy",
        ),
        (
            "My son's teacher called, he is allergic to nuts",
            "User's son's teacher called, he is allergic to nuts",
        ),
    ],
)
def test_in_doubt_the_words_that_name_them_are_pinned_too(text: str, content: str) -> None:
    """Nobody is given somebody else's illness, and no allergy is lost."""
    assert pinned(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "My daughter Mia can't have nuts, she goes into anaphylactic shock.",
            "User's daughter Mia can't have nuts, she goes into anaphylactic shock",
        ),
        (
            "Nuts are dangerous for my son, he goes into anaphylactic shock.",
            "Nuts are dangerous for User's son, he goes into anaphylactic shock",
        ),
        (
            "My wife Sana can't eat gluten, she has celiac disease.",
            "User's wife Sana can't eat gluten, she has celiac disease",
        ),
        (
            "I can't eat gluten, I have celiac disease.",
            "User can't eat gluten, User has celiac disease",
        ),
        ("My wife can't eat gluten, I have asthma.", "User has asthma"),
    ],
)
def test_what_somebody_cannot_have_is_pinned_with_the_reason(text: str, content: str) -> None:
    """The words before a fact that say of what it is true are pinned with it, if they are about the same person."""
    assert pinned(text) == [content]


@pytest.mark.parametrize(
    "text",
    [
        "The plumber came, he is allergic to dust.",
        "My boss called, he has cancer.",
        "My boyfriend Paul is here. The plumber came, he is allergic to dust.",
        "A new colleague started today, she has epilepsy.",
    ],
)
def test_a_stranger_is_not_pinned(text: str) -> None:
    """What is heard of a stranger is news, whoever was named before."""
    assert pinned(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("The plumber came, and I'm allergic to dust.", "User is allergic to dust"),
        ("Tom visited us. My son is allergic to nuts.", "User's son is allergic to nuts"),
        ("They're coming tomorrow, she's allergic to bees", "She's allergic to bees"),
    ],
)
def test_others_in_the_message_take_nothing_away(text: str, content: str) -> None:
    """A fact with its own subject is pinned, whoever else is named; a pronoun without anybody stays."""
    assert pinned(text) == [content]


def test_a_long_sentence_does_not_push_the_fact_out() -> None:
    """Where the words that name them are too many, the fact alone is pinned."""
    text = (
        f"Felix and Carolin are coming with {'a very large suitcase and ' * 9}a bag, she's got a nut allergy."
    )
    (content,) = pinned(text)
    assert content == "She's got a nut allergy" and len(content) <= LONGEST


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ("Felix and Carolin are coming, she's got a nut allergy", "she|"),
        ("The vet says he has diabetes", "he|"),
        ("User's dad and User's son came by. He has asthma", "he|"),
        ("User has diabetes", "user|"),
        ("User's dad has diabetes, he takes insulin", "father|"),
    ],
)
def test_a_fact_of_somebody_in_doubt_never_replaces_the_user_s(told: str, key: str) -> None:
    """What is pinned with the words before it is about "she", not about the user or the first who is named."""
    assert all(subject.startswith(key) for subject in subjects(told, PinType.AUTO))
