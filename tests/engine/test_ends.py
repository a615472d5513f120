"""Ends from the first word to memory and pin, in one chat and across chats, and what becomes of them when their message goes."""

from collections.abc import Callable

import pytest

from recollect import Memory, Settings
from recollect.encoder.minilm import MiniLM

from .conftest import Opener
from .fakes import FakeClock
from .judged_talk import contents

_JUDGED = Settings(sqlite_synchronous="normal")

#: Says something as user "ann" in a chat, waits until it was judged, and gives the id of the message.
Say = Callable[[str, str], str]


@pytest.fixture
def memory(opener: Opener, database_url: str, minilm: MiniLM) -> Memory:
    """A memory on each of the two databases that judges by rules and understands by the packaged model."""
    return opener(database_url, settings=_JUDGED, embedder=minilm)


@pytest.fixture
def say(memory: Memory, clock: FakeClock) -> Say:
    def said(chat: str, text: str) -> str:
        clock.move(seconds=20)
        message = memory.chat(chat, user="ann").add(user=text).messages[0]
        assert memory.drain(user="ann")
        return message.message_id

    return said


def _pinned(memory: Memory, chat: str) -> list[tuple[str, float]]:
    return [(pin.content, pin.importance_score) for pin in memory.chat(chat, user="ann").pins()]


def test_an_end_told_elsewhere_that_is_deleted_brings_the_pin_back(memory: Memory, say: Say) -> None:
    """The chat that still says so has its pin again, and the memory is what it was."""
    say("c0", "I take sertraline.")
    end = say("c1", "I stopped taking sertraline.")
    assert _pinned(memory, "c0") == [("User stopped taking sertraline", 8.0)]
    memory.forget(message=end, user="ann")
    assert _pinned(memory, "c0") == [("User takes sertraline", 8.0)]
    assert memory.drain(user="ann")
    assert _pinned(memory, "c0") == [("User takes sertraline", 8.0)]
    assert contents(memory) == ["User takes sertraline."]


def test_an_end_told_elsewhere_that_is_edited_brings_the_pin_back(memory: Memory, say: Say) -> None:
    """Other words end something else: what they no longer end is pinned as it was told."""
    say("c0", "I take 50 mg sertraline daily. I'm allergic to nuts.")
    end = say("c1", "I stopped taking sertraline.")
    kept = [("User is allergic to nuts", 10.0)]
    assert _pinned(memory, "c0") == [*kept, ("User stopped taking sertraline", 8.0)]
    amended = memory.edit(end, "I stopped taking the bus.", user="ann")
    assert [pin.chat_id for pin in (*amended.removed_pins, *amended.added_pins)] == ["c0", "c0"]
    assert memory.drain(user="ann")
    assert _pinned(memory, "c0") == [*kept, ("User takes 50 mg sertraline daily", 8.0)]
    assert _pinned(memory, "c1") == []


def test_a_chat_that_is_forgotten_leaves_no_end_elsewhere(memory: Memory, say: Say) -> None:
    """Its words are pinned nowhere any more, and the other chat pins again what it says itself."""
    say("c0", "I take sertraline.")
    say("c1", "I stopped taking sertraline.")
    assert _pinned(memory, "c0") == [("User stopped taking sertraline", 8.0)]
    receipt = memory.forget(chat=memory.chat("c1", user="ann").chat_id, user="ann")
    assert receipt.counts["pins"] >= 1
    assert _pinned(memory, "c0") == [("User takes sertraline", 8.0)]


def test_a_pin_of_another_chat_that_was_taken_away_stays_away(memory: Memory, say: Say) -> None:
    """Only what the end had replaced is told anew: a pin that somebody removed does not come back."""
    say("c0", "I take sertraline. I take metformin.")
    chat = memory.chat("c0", user="ann")
    (metformin,) = [pin for pin in chat.pins() if "metformin" in pin.content]
    memory.unpin(metformin.pin_id, user=chat.user_id)
    end = say("c1", "I stopped taking sertraline.")
    memory.forget(message=end, user="ann")
    assert memory.drain(user="ann")
    assert _pinned(memory, "c0") == [("User takes sertraline", 8.0)]


def test_taken_up_again_and_that_deleted(memory: Memory, say: Say) -> None:
    """Three chats: taken, stopped, taken again. Without the last one it is stopped, and no pin tells of the last one."""
    say("c0", "I take sertraline.")
    say("c1", "I stopped taking sertraline.")
    again = say("c2", "I take sertraline again.")
    assert _pinned(memory, "c0") == [("User takes sertraline again", 8.0)]
    memory.forget(message=again, user="ann")
    assert memory.drain(user="ann")
    assert contents(memory) == ["User stopped taking sertraline."]
    # The chat's own words, or the end again, whichever message is judged anew first.
    assert _pinned(memory, "c0") in (
        [("User takes sertraline", 8.0)],
        [("User stopped taking sertraline", 8.0)],
    )


def test_what_is_taken_up_again_is_pinned_only_where_its_end_was(memory: Memory, say: Say) -> None:
    """A pin of something else from the same message is no reason to pin a hobby."""
    say("c0", "I quit tennis. I'm allergic to penicillin.")
    say("c1", "I play tennis.")
    assert "User plays tennis." in contents(memory)
    assert _pinned(memory, "c0") == [("User is allergic to penicillin", 10.0)]
    assert _pinned(memory, "c1") == []


def test_a_renewed_pin_keeps_its_importance(memory: Memory, say: Say) -> None:
    """What somebody made more important stays so when news takes its place."""
    say("c0", "I take sertraline.")
    chat = memory.chat("c0", user="ann")
    memory.update_pin(chat.pins()[0].pin_id, importance_score=9, user=chat.user_id)
    say("c1", "I stopped taking sertraline.")
    assert _pinned(memory, "c0") == [("User stopped taking sertraline", 9.0)]


@pytest.mark.parametrize(
    ("known", "said", "pin"),
    [
        ("I'm allergic to penicillin.", "I'm no longer allergic to penicillin.", "User is allergic to penicillin"),
        ("I have a nut allergy.", "I no longer have a nut allergy.", "User has a nut allergy"),
        ("I take metformin.", "I don't have any more metformin, I need a refill.", "User takes metformin"),
        ("I take metformin.", "I stopped taking metformin on weekends.", "User takes metformin"),
        ("I take warfarin.", "I stopped taking warfarin because I have surgery next week.", "User takes warfarin"),
        ("I take 50 mg sertraline daily.", "I no longer take 100 mg sertraline.", "User takes 50 mg sertraline daily"),
    ],
)  # fmt: skip
def test_a_pin_stays_in_doubt(memory: Memory, say: Say, known: str, said: str, pin: str) -> None:
    """Here and elsewhere, what is not clearly over stays pinned as it was told."""
    say("c0", known)
    say("c1", said)
    say("c0", said)
    assert [content for content, _ in _pinned(memory, "c0")] == [pin]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I pay for Netflix.", "I no longer pay for Spotify."),
        ("I have two cats.", "I no longer have a cat."),
        ("I smoke.", "I quit smoking tomorrow."),
        ("I work at Google.", "I no longer work at Google on weekends."),
        ("I play tennis.", "I gave up tennis for Lent."),
    ],
)
def test_a_doubtful_end_is_only_proposed(memory: Memory, say: Say, known: str, said: str) -> None:
    """Another thing, a part, a day to come: both memories stay, and somebody is asked."""
    say("c", known)
    before = contents(memory)
    say("c", said)
    assert set(before) < set(contents(memory))
    assert len(memory.proposals(user="ann")) == 1


@pytest.mark.parametrize("said", ["I quit tennis for today.", "I quit tennis, just for now."])
def test_a_rest_is_no_end(memory: Memory, say: Say, said: str) -> None:
    """What is over for today goes on tomorrow: nothing is kept of it."""
    say("c", "I play tennis.")
    say("c", said)
    assert contents(memory) == ["User plays tennis."]


@pytest.mark.parametrize(
    ("known", "said", "now"),
    [
        ("I smoke.", "I gave up smoking.", "User gave up smoking."),
        ("I work at Google.", "I no longer work at Google.", "User no longer works at Google."),
        ("I pay for Netflix.", "I no longer pay for Netflix.", "User no longer pays for Netflix."),
        ("I take sertraline.", "My doctor took me off sertraline.", "User was taken off sertraline."),
        ("I take sertraline.", "I'm off sertraline.", "User is off sertraline."),
    ],
)
def test_a_clear_end_is_one(memory: Memory, say: Say, known: str, said: str, now: str) -> None:
    """What somebody plainly says to be over is over, and pinned so in the chat where it was pinned."""
    say("c0", known)
    pins = len(_pinned(memory, "c0"))
    say("c1", said)
    assert contents(memory) == [now]
    assert [content for content, _ in _pinned(memory, "c0")] == [now.rstrip(".")] * pins
