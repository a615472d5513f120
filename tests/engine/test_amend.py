"""Amend: an edited message takes its pins, its summaries and what was retold of it along."""

import pytest

from recollect import InvalidInput, Memory, NotFound

from .conftest import Opener
from .conversing import QUICK, FakeWriter, check_chat, talk, until, written_by
from .fakes import FakeClock


@pytest.fixture
def quick(opener: Opener, database_url: str) -> Memory:
    """A memory that folds after a few turns, on each of the two databases."""
    memory = opener(database_url, settings=QUICK)
    written_by(memory, FakeWriter())
    return memory


def test_an_edited_message_keeps_its_place(memory: Memory) -> None:
    """Only the words change, with their tokens and their importance; id, position, role and time stay."""
    chat = memory.chat("c", user="ann")
    said = talk(chat, 3)
    amended = chat.edit(said[2].message_id, "My dad is allergic to latex and carries an emergency kit.")
    assert amended.message == chat.message(said[2].message_id)
    assert (amended.message.position, amended.message.role, amended.message.created_at) == (
        said[2].position,
        said[2].role,
        said[2].created_at,
    )
    assert amended.message.importance_score == 10.0
    assert amended.message.tokens != said[2].tokens
    assert amended.to_dict()["rederived"]["refolded"] == 0
    check_chat(chat)


def test_pins_follow_the_new_words(memory: Memory) -> None:
    """The pin of the old words goes, that of the new words comes, and one that somebody rewrote stays."""
    chat = memory.chat("c", user="ann")
    recorded = chat.add(user="I am allergic to penicillin.")
    amended = chat.edit(recorded.messages[0].message_id, "I am allergic to walnuts.")
    assert amended.removed_pins == recorded.pins
    assert [pin.content for pin in chat.pins()] == ["User is allergic to walnuts"]
    assert tuple(chat.pins()) == amended.added_pins
    chat.update_pin(chat.pins()[0].pin_id, content="No walnuts, ever")
    assert chat.edit(recorded.messages[0].message_id, "I like music.").removed_pins == ()
    assert [pin.content for pin in chat.pins()] == ["No walnuts, ever"]


def test_a_fact_that_another_message_states_stays_pinned(memory: Memory) -> None:
    """Of two messages that say the same only one brought the pin; when that one changes, the other brings it."""
    chat = memory.chat("c", user="ann")
    first = chat.add(user="I am allergic to penicillin.").messages[0]
    second = chat.add(user="Do not forget: I am allergic to penicillin!").messages[0]
    assert len(chat.pins()) == 1
    chat.edit(first.message_id, "I had a nice day.")
    (pin,) = chat.pins()
    assert (pin.source_message_id, pin.importance_score) == (second.message_id, 10.0)
    chat.delete(second.message_id)
    assert chat.pins() == []


def test_a_pin_that_was_taken_away_does_not_come_back(memory: Memory) -> None:
    """What somebody unpinned by hand stays unpinned when another message is edited."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I am allergic to penicillin.")
    other = chat.add(user="My sister is allergic to walnuts.").messages[0]
    chat.unpin(next(pin.pin_id for pin in chat.pins() if "penicillin" in pin.content))
    chat.edit(other.message_id, "My sister is well.")
    assert chat.pins() == []


def test_editing_a_folded_message_folds_anew(quick: Memory) -> None:
    """Segments and briefs from that message on are taken back and made again up to the same place; earlier ones stay."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 30)
    assert quick.drain(user="ann")
    segments, briefs, before = chat.summaries(), chat.briefs(), chat.info()
    assert len(segments) > 4
    target = segments[3]
    amended = chat.edit(target.start_message_id, "My audition in Wolframstadt is on May 18 at 10:30.")
    assert amended.refolded == len(segments) - 3
    assert quick.drain(user="ann")
    check_chat(chat)
    assert chat.summaries()[:3] == segments[:3]
    assert chat.briefs()[:3] == briefs[:3]
    assert chat.info().folded_position == before.folded_position
    assert any("Wolframstadt" in item.summary for item in chat.summaries()[3:])
    assert chat.brief().revision > briefs[-1].revision
    old = next(item for item in said if item.message_id == target.start_message_id).text
    assert all(old not in item.summary for item in chat.summaries())


def test_editing_the_tail_folds_nothing(quick: Memory) -> None:
    """A message that no summary covers changes without touching any; the counters follow its size."""
    chat = quick.chat("c", user="ann")
    talk(chat, 12)
    assert quick.drain(user="ann")
    segments = chat.summaries()
    last = chat.messages(limit=1)[0]
    assert chat.edit(last.message_id, "word " * 300).refolded == 0
    check_chat(chat)
    assert chat.summaries()[: len(segments)] == segments


def test_what_was_retold_is_told_anew(quick: Memory, clock: FakeClock) -> None:
    """Session summaries, rolling summaries and spines that could have told the old words are dropped and rebuilt."""
    chat = quick.chat("c", user="ann")
    secret = chat.add(user="I live in Wolframstadt.", assistant="I see.").messages[0]
    for number in range(20):
        clock.move(seconds=1)
        chat.add(user=f"I know {number} songs.")
    assert quick.drain(user="ann")
    clock.move(minutes=40)
    assert quick.drain(user="ann")
    (session,) = quick.sessions(user="ann")
    assert session.summary is not None
    assert "Wolframstadt" in session.summary.digest.one_liner
    assert any("Wolframstadt" in item.summary for item in quick.rolling_summaries(user="ann"))
    assert "Wolframstadt" in str(quick.spine(user="ann"))
    chat.edit(secret.message_id, "I live in Graz.")
    assert quick.drain(user="ann")
    (session,) = quick.sessions(user="ann")
    assert session.summary is not None
    assert "I live in Graz" in session.summary.digest.one_liner
    assert quick.rolling_summaries(user="ann")
    assert "lives in Graz" in str(quick.spine(user="ann"))
    told = (
        str(quick.session_summaries(session.session.session_id, user="ann")),
        str(quick.rolling_summaries(user="ann")),
        str(quick.spines(user="ann")),
        str(quick.state(user="ann").to_dict()),
    )
    assert all("Wolframstadt" not in text for text in told)


@pytest.mark.parametrize("kind", ["session", "rolling", "spine"])
def test_a_retelling_that_is_being_written_is_thrown_away(
    opener: Opener, clock: FakeClock, kind: str
) -> None:
    """A summary whose message is edited while it is written is not saved; the one that is tells the new words."""
    memory = opener()
    writer = written_by(memory, FakeWriter())
    writer.held.add(kind)
    chat = memory.chat("c", user="ann")
    said = [chat.add(user=f"I live in Wolframstadt number {number}.").messages[0] for number in range(20)]
    if kind == "session":
        clock.move(minutes=31)
    until(lambda: kind in writer.asked)
    for message in said:
        chat.edit(message.message_id, "I live in Graz.")
    writer.held.clear()
    assert memory.drain(user="ann")
    told = {
        "session": lambda: str([past.summary for past in memory.sessions(user="ann")]),
        "rolling": lambda: str(memory.rolling_summaries(user="ann")),
        "spine": lambda: str(memory.spines(user="ann")),
    }[kind]()
    assert "Graz" in told
    assert "Wolframstadt" not in told


def test_the_last_words_follow(memory: Memory) -> None:
    """The state shows what the user's last message says now."""
    chat = memory.chat("c", user="ann")
    talk(chat, 2)
    last = chat.add(user="The secret is wolframite.").messages[0]
    chat.edit(last.message_id, "Nothing.")
    assert memory.state(user="ann").state.last_user_message == "Nothing."


def test_what_cannot_be_edited(memory: Memory) -> None:
    """Empty words are refused; messages of other users and other chats are not found; nothing changes."""
    chat = memory.chat("c", user="ann")
    (message,) = chat.add(user="Hello there.").messages
    memory.chat("c", user="bob").add(user="Hello.")
    with pytest.raises(InvalidInput):
        chat.edit(message.message_id, "  ")
    for stranger in (
        lambda: memory.chat("c", user="bob").edit(message.message_id, "Ha!"),
        lambda: memory.chat("d", user="ann").edit(message.message_id, "Ha!"),
        lambda: memory.edit_message(message.message_id, "Ha!", user="bob"),
        lambda: memory.edit_message("nothing", "Ha!", user="ann"),
    ):
        with pytest.raises(NotFound):
            stranger()
    assert chat.messages() == [message]
    assert memory.edit_message(message.message_id, "Hi.", user="ann").message.text == "Hi."
