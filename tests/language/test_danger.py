"""What a life may hang on: one list of its words, and who may use which of its two tests."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signed_paths import unsigned_path

from recollect.language import danger, health_statement
from recollect.language.danger import is_dangerous, may_be_dangerous, states_danger
from recollect.language.pattern import Pattern
from recollect.language.phrasing import third_person

# pyright: reportPrivateUsage=false

#: Clauses that say it of somebody.
STATED = [
    "My dad is allergic to Penicillin",
    "I might be allergic to penicillin",
    "I took an overdose",
    "I took too many pills last night",
    "I swallowed 30 paracetamol tablets",
    "My son swallowed bleach!",
    "He overdosed on fentanyl in 2019",
    "I want to kill myself",
    "I just want to die",
    "I don't want to live anymore",
    "I've been feeling suicidal lately",
    "She tried to commit suicide last year",
    "there's no point in living",
    "I have been cutting myself again",
    "I feel like hurting myself",
    "Grandma has a DNR on file",
    "My baby is not breathing",
    "I'm having a heart attack",
]
#: Mentions, in doubt, in a question, in other languages or as a warning.
MENTIONED = [
    "He had anaphylaxis in 2010.",
    "Sometimes User thinks about killing themself.",
    "User was diagnosed with type 1 diabetes.",
    "In case of emergency call Ana.",
    "User's emergency contact is Jane.",
    "User reacts badly to ibuprofen.",
    "User had a severe reaction to the vaccine.",
    "He must not eat grapefruit.",
    "User takes warfarin.",
    "Penicillin gives User hives.",
    "What is anaphylaxis?",
    "Is User suicidal?",
    "Mi hija es alérgica a los gatos.",
    "Mein Vater ist allergisch gegen Penicillin.",
    "ペニシリンのアレルギーがあります。",
]
NEITHER = [
    "User likes killing time.",
    "User should eat more.",
    "User plays the piano.",
    "User was diagnosed with type 2 diabetes.",
    "I'm allergic to Mondays",
    "He had a stroke of genius",
    "The build ends with a fatal error",
    "User has an emergency fund of 5,000 euros.",
    "I cut myself a slice of cake",
    "I took my pills this morning",
    "my battery died",
]


@pytest.mark.parametrize("clause", STATED)
def test_what_befalls_somebody_is_stated_and_dangerous(clause: str) -> None:
    """The narrow test finds it, and then so does the wide one, also in the third person of a summary."""
    assert states_danger(clause)
    assert is_dangerous(clause)
    assert is_dangerous(third_person(clause))


@pytest.mark.parametrize("text", MENTIONED)
def test_words_of_danger_are_enough_for_the_wide_test(text: str) -> None:
    """Whoever says it, in whatever sense and in several languages, it may not get lost."""
    assert is_dangerous(text)


@pytest.mark.parametrize("text", NEITHER)
def test_figures_of_speech_are_no_danger(text: str) -> None:
    """A word that resembles danger is none."""
    assert not is_dangerous(text)
    assert not states_danger(text)


@pytest.mark.parametrize(
    "clause",
    [
        "I'm not suicidal",
        "the suicide rate in Japan",
        "nobody here is allergic to nuts",
        "a film about suicide",
    ],
)
def test_denials_and_news_are_not_stated(clause: str) -> None:
    """What is denied or said of nobody makes no message a 10."""
    assert not states_danger(clause)


@given(st.sampled_from([*STATED, *MENTIONED]), st.text(max_size=20), st.text(max_size=20))
def test_whatever_is_stated_is_dangerous(text: str, before: str, after: str) -> None:
    """The two tests never contradict each other, whatever stands around the words."""
    whole = f"{before} {text} {after}"
    assert is_dangerous(whole) or not states_danger(whole)
    assert may_be_dangerous(whole) or not is_dangerous(whole)


@pytest.mark.parametrize("pattern", [danger._WORDS, danger._BEFALLS, danger._ALLERGY])
def test_every_way_through_a_pattern_passes_a_sign(pattern: Pattern) -> None:
    """No branch of any pattern can match a text that the signs rule out."""
    assert unsigned_path(pattern.compiled(), danger._SIGNS) is None


@pytest.mark.parametrize(
    "rule",
    [
        *health_statement._ALLERGY_STATED,
        health_statement._ALLERGY_OWNED,
        health_statement._ALLERGY_RELATIVE_CLAUSE,
        *health_statement._CONTACT,
        health_statement._DIRECTIVE,
        health_statement.REACTS,
        health_statement._REACTS_TO,
    ],
    ids=lambda rule: f"{rule.pattern[-24:]}",
)
def test_what_is_pinned_as_life_threatening_has_a_sign(rule: re.Pattern[str]) -> None:
    """No fact about health can be life-threatening in a pin and ruled out here."""
    assert unsigned_path(rule, danger._SIGNS) is None


def test_a_pattern_with_a_way_around_the_signs_is_found_out() -> None:
    """The proof above can fail: one branch without a sign is enough."""
    assert unsigned_path(re.compile(r"i (?:am allergic|feel (?:fine|warm))"), danger._SIGNS) is not None
