"""How important a message is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.message import Role
from recollect.rules.message_importance import is_life_critical, score
from recollect.rules.vocabulary import parse_vocabulary

VOCABULARY = parse_vocabulary("meds\ndoctor\nanaphylaxis\nblood pressure")

CRITICAL = [
    "My dad is allergic to Penicillin, had anaphylaxis in 2010",
    "I think I took an overdose, what should I do?",
    "I want to kill myself",
    "I don't want to live anymore",
    "I don't want to be here anymore.",
    "My son swallowed bleach!",
    "I've been feeling suicidal lately",
    "My mother has a do-not-resuscitate order",
    "Grandma has a DNR on file",
    "My emergency contact is Jane, 555-1234",
    "Emergency contact: my sister Laura, 0151 2345678",
    "You can reach my husband Jan in an emergency at 0664 1234.",
    "Penicillin gives me hives.",
    "My son, 7, is allergic to nuts.",
    "I'm 71, have a severe peanut allergy and live in Rome.",
    "I'm flying to Osaka with my son Ken, who is allergic to buckwheat.",
    "In an emergency, call my wife Ana at 555-2233",
    "I might be allergic to penicillin",
    "I was allergic to penicillin as a child",
    "My allergy to peanuts is severe, please remember",
    "what can I eat with my nut allergy?",
    "I’m allergic to bees",
    "My dad stopped breathing",
    "My baby is not breathing",
    "My grandfather is unconscious, what do I do?",
    "I think I'm having a heart attack",
    "I took too many pills last night",
    "I swallowed 30 paracetamol tablets",
    "He overdosed on fentanyl in 2019",
    "I have been cutting myself again",
    "I feel like hurting myself",
    "She tried to commit suicide last year",
    "there's no point in living",
    "I just want to die",
]

NOT_CRITICAL = [
    "What is anaphylaxis?",
    "What does DNR mean?",
    "Is suicide a sin?",
    "Who wrote Suicide Squad?",
    "Do you know the suicide rate in Japan?",
    "How many pills are an overdose?",
    "If someone overdoses, what should I do?",
    "I'm not allergic to anything",
    "I'm not suicidal",
    "No known allergies",
    "I'm allergic to Mondays",
    "Exams give me hives.",
    "You can call Mountain Rescue in an emergency.",
    "kill the process with SIGKILL",
    "In my novel the hero kills himself",
    "Write a poem about self-harm awareness",
    "Translate: I want to die",
    "I'm dying to see that movie",
    "I almost died laughing",
    "I cut myself a slice of cake",
    "He had a stroke of genius",
    "I took my pills this morning",
    "my battery died",
    "I live in Berlin",
]


@pytest.mark.parametrize(
    ("text", "role", "expected"),
    [
        ("The weather is nice this morning.", Role.ASSISTANT, 5.0),
        ("The weather is nice this morning.", Role.USER, 6.0),
        ("Is the weather nice this morning?", Role.USER, 7.0),
        ("What time for evening meds?", Role.USER, 9.0),
        ("Evening meds at 7 PM with dinner", Role.ASSISTANT, 7.0),
        ("ok", Role.USER, 5.0),
        ("ok", Role.TOOL, 4.0),
        ("x" * 19, Role.TOOL, 4.0),
        ("x" * 20, Role.TOOL, 5.0),
        ("My blood pressure was fine at the doctor's", Role.USER, 8.0),
    ],
)
def test_the_sum_of_signs(text: str, role: Role, expected: float) -> None:
    """S0's formula, sign by sign; its samples that contradict the formula follow the formula."""
    assert score(text, role, VOCABULARY) == expected


@pytest.mark.parametrize("text", CRITICAL)
def test_a_life_at_stake_is_ten(text: str) -> None:
    """What a life may hang on is 10 when the user states it, even in doubt."""
    assert score(text, Role.USER, VOCABULARY) == 10.0


@pytest.mark.parametrize("text", NOT_CRITICAL)
def test_talking_about_it_is_not_ten(text: str) -> None:
    """Questions, denials, idioms and stories are weighed like everything else."""
    assert score(text, Role.USER, VOCABULARY) < 10.0


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL])
@pytest.mark.parametrize(
    "text", ["Since you are allergic to penicillin, take azithromycin.", *CRITICAL[:4], *CRITICAL[12:16]]
)
def test_an_assistant_only_repeats(role: Role, text: str) -> None:
    """Words of an assistant or a tool are never life-critical."""
    assert not is_life_critical(text, role)


def test_the_operator_states_but_does_not_instruct() -> None:
    """A system notice of an allergy is 10, a prompt that mentions suicide is not."""
    assert score("Patient is allergic to Penicillin", Role.SYSTEM, VOCABULARY) == 10.0
    prompt = "You are a helpful assistant. If somebody says they want to kill themself, name a hotline."
    assert score(prompt, Role.SYSTEM, VOCABULARY) == 5.0


def test_both_ends_of_a_long_message_are_read() -> None:
    """A cry for help before or after a pasted document is heard."""
    document = "The committee met and discussed the plan at length. " * 2000
    assert is_life_critical(f"I want to kill myself. {document}", Role.USER)
    assert is_life_critical(f"{document} I want to kill myself.", Role.USER)
    assert not is_life_critical(document, Role.USER)


@given(st.text(max_size=300), st.sampled_from(list(Role)))
def test_the_scale_is_never_left(text: str, role: Role) -> None:
    """Any text has an importance from 0 to 10."""
    assert 0.0 <= score(text, role, VOCABULARY) <= 10.0


@pytest.mark.parametrize(
    "piece",
    [
        "die\n",
        "die ",
        "die. ",
        'die "a b c ',
        "die 'a b'c ",
        "my dog allergic ",
        "if i die ",
        "suicid",
        "die: ",
    ],
)
def test_hostile_lengths_end(piece: str) -> None:
    """200,000 characters of any shape are scored; what takes more than linear time would not end here."""
    text = (piece * (200_000 // len(piece) + 1))[:200_000]
    assert score(text, Role.USER, VOCABULARY) >= 5.0
