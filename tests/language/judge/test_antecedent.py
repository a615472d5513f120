"""Somebody else whom a pronoun could mean."""

import pytest

from recollect.language.judge.antecedent import somebody_else

from .telling import contents

_FELIX = "My brother Felix lives in Erfurt."
_MARIA = "My sister Maria lives in Oslo."


@pytest.mark.parametrize(
    "text",
    [
        "The plumber came",
        "a new colleague started",
        "his boss called",
        "I met Anna's husband",
        "Tom visited us",
        "tom visited us",
        "Uncle Bob came",
        "I talked to Karl",
        "someone at work is ill",
        "my gardener came",
        "there is a new guy",
        "the dog ran away",
    ],
)
def test_somebody_else_is_seen(text: str) -> None:
    """Professions, animals, names and the kin of others may be who is meant."""
    assert somebody_else(text)


@pytest.mark.parametrize(
    "text",
    [
        "she is a nurse",
        "I am her main carer",
        "he works as a plumber at Siemens",
        "my brother called",
        "I have a dog",
        "the doctors are on strike",
        "In March it rained in Berlin",
        "They're late",
    ],
)
def test_what_somebody_is_or_where_is_nobody_else(text: str) -> None:
    """A profession said of somebody, the user's own people, many, places and months are no rivals."""
    assert not somebody_else(text)


def test_those_who_are_known_are_nobody_else() -> None:
    """A known name, and the role of somebody known, mean them."""
    assert not somebody_else("Felix visited us", names={"felix"})
    assert not somebody_else("the cat is ill", roles={"cat"})
    assert somebody_else("his cat is ill", roles={"cat"})


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (_FELIX, "Tom visited us, he is allergic to nuts."),
        (_FELIX, "tom visited us, he is allergic to nuts."),
        (_FELIX, "Tom is great. He has diabetes."),
        (_FELIX, "I met Anna's husband. He has diabetes."),
        (_FELIX, "Felix's boss came, he is allergic to nuts."),
        (_FELIX, "his boss called, he has cancer"),
        (_FELIX, "The vet says he has a thyroid problem"),
        (_FELIX, "The doctor says he has diabetes."),
        (_FELIX, "I talked to the electrician. His name is Karl."),
        (_FELIX, "Somebody at work is ill, he has cancer"),
        (_FELIX, "Mom called, he has diabetes"),
        ("My boyfriend Paul hates olives.", "The plumber came, he is allergic to dust."),
        ("My son Ben is 5.", "The dog ran away, he is afraid of fireworks."),
        (_MARIA, "Nurse Petra came, she is allergic to nuts"),
        (_MARIA, "The new teacher is strict. She lives in Rome."),
    ],
)
def test_a_nearer_one_takes_the_pronoun_away(before: str, said: str) -> None:
    """What is said of somebody else is not kept of the one who is known."""
    assert contents(before, said) == contents(before)


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        (_FELIX, "He works at Acme.", "User's brother Felix works at Acme."),
        (_FELIX, "Felix visited us, he is allergic to nuts.", "User's brother Felix is allergic to nuts."),
        (_FELIX, "Guess what, he lives in Berlin now.", "User's brother Felix lives in Berlin now."),
        (_FELIX, "My boss called, he has cancer.", "User's boss has cancer."),
        (_FELIX, "Dad called, he has diabetes.", "User's dad has diabetes."),
        ("My cat Milo is 3.", "The vet says he has diabetes.", "User's cat Milo has diabetes."),
        ("I like tea.", "My brother Felix called. He has a new job.", "User's brother Felix has a new job."),
        (
            "I like tea.",
            "My sister Maria is a nurse. She lives in Rome.",
            "User's sister Maria lives in Rome.",
        ),
        ("I like tea.", "My son Ben is 5. The doctor says he has asthma.", "User's son Ben has asthma."),
    ],
)
def test_who_is_meant_for_sure_is_still_known(before: str, said: str, kept: str) -> None:
    """The only one who was named, and nearer kin, keep their facts."""
    assert kept in contents(before, said)
