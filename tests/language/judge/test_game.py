"""Games of roles: what is said in one is nobody's fact, also when it was begun in an earlier reading."""

import pytest

from recollect.language.judge import judge
from recollect.records.judgement import Material

from .telling import contents
from .telling import message as said


def test_a_game_that_was_begun_earlier_goes_on() -> None:
    """Turn by turn, as people talk, the first message of a game was judged already."""
    begun = said("Let's play a role play: I'm a vampire count.")
    inside = said("I live in Transylvania.")
    assert judge(Material(messages=[inside])).memories
    assert not judge(Material(messages=[inside], earlier=[begun])).memories


def test_a_game_that_ended_earlier_is_over() -> None:
    """What comes after it counts again."""
    begun, ended = (
        said("Let's play a role play: I'm a vampire count."),
        said("Ok, stop. End of the role play."),
    )
    found = judge(Material(messages=[said("I live in Graz.")], earlier=[begun, ended]))
    assert [memory.content for memory in found.memories] == ["User lives in Graz."]


def test_a_game_may_begin_and_be_played_in_one_message() -> None:
    """A heading makes a game of what stands under it; who teaches role play tells a fact."""
    for game in ("As a role play: I am a pirate. I live on a ship.", "Role play: I live on a ship."):
        assert not judge(Material(messages=[said(game)])).memories
    assert judge(Material(messages=[said("I teach role play at a drama school in Leeds")])).memories


@pytest.mark.parametrize(
    "begun",
    [
        "You ask, I answer as Peter, a lawyer: I am a lawyer at Clifford Chance and I have three children",
        "Ask me questions and I will answer as a retired judge. I live in Rome.",
        "You play the doctor and I'm the patient. I have diabetes.",
        "I'll be Anna, you be the landlord. I have three cats.",
        "I'll answer as if I were a pilot. I live in Oslo.",
    ],
)
def test_who_answers_as_another_plays(begun: str) -> None:
    """Roles that are dealt out make a game, of this message and of the next."""
    assert contents(begun) == []
    assert contents(begun, "I live in Transylvania.") == []


@pytest.mark.parametrize(
    "told",
    [
        "I answer as soon as I can. I live in Bonn.",
        "I'll be in Rome and you are right, I live in Bonn.",
        "Do you play chess? I am a beginner. I live in Bonn.",
        "You ask a lot, I reply as well as I can. I live in Bonn.",
    ],
)
def test_who_answers_for_themself_plays_nothing(told: str) -> None:
    """The same words outside of a game leave facts what they are."""
    assert "User lives in Bonn." in contents(told)
