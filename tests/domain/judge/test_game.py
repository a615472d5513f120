"""Games of roles: what is said in one is nobody's fact, also when it was begun in an earlier reading."""

from recollect.domain.judge import judge
from recollect.domain.judgement import Material

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
