"""Amend: an edited message takes its pins, its summaries and what was retold of it along."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from recollect import Conflict, InvalidInput, Memory, NotFound
from recollect.engine import amend
from recollect.engine.record import record
from recollect.records.chat import ChatRecord
from recollect.records.message import Role, Utterance
from recollect.records.pin import Pin
from recollect.store import chats
from recollect.store.database import Connection

from .conftest import Opener
from .conversing import QUICK, FakeWriter, check_chat, parts_of, talk, until, written_by
from .fakes import FakeClock

# pyright: reportPrivateUsage=false


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


def test_the_older_statement_comes_back(memory: Memory) -> None:
    """When the newest dose is deleted, the last one before it is pinned again; an edited older one does not win."""
    chat = memory.chat("c", user="ann")
    said = [chat.add(user=f"My dad takes metformin {dose} mg").messages[0] for dose in (500, 850, 1000)]
    amended = chat.edit(said[0].message_id, "My dad takes metformin 250 mg")
    assert (amended.removed_pins, amended.added_pins) == ((), ())
    for dose, gone in ((1000, said[2]), (850, said[1]), (250, said[0])):
        (pin,) = chat.pins()
        assert pin.content == f"User's dad takes metformin {dose} mg"
        chat.delete(gone.message_id)
    assert chat.pins() == []


def test_an_edit_replaces_and_gives_back(memory: Memory) -> None:
    """New words replace an older pin, and say so; when they go, the older one is pinned again."""
    chat = memory.chat("c", user="ann")
    (older,) = chat.add(user="I take warfarin 3 mg").pins
    message = chat.add(user="Good morning").messages[0]
    amended = chat.edit(message.message_id, "I take warfarin 5 mg")
    assert amended.removed_pins == (older,)
    assert tuple(chat.pins()) == amended.added_pins
    amended = chat.edit(message.message_id, "Good evening")
    assert [pin.content for pin in chat.pins()] == [older.content]
    assert tuple(chat.pins()) == amended.added_pins


def test_a_message_in_between_is_not_the_last_word(memory: Memory) -> None:
    """A dose that is told again after a message stands, even if that message is edited to say another."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I take warfarin 3 mg")
    middle = chat.add(user="Good morning").messages[0]
    chat.add(user="I take warfarin 3 mg")
    chat.edit(middle.message_id, "I take warfarin 5 mg")
    assert [pin.content for pin in chat.pins()] == ["User takes warfarin 3 mg"]


def test_a_dose_told_again_comes_back_as_the_last_word(memory: Memory, clock: FakeClock) -> None:
    """One dose, another, the first again, a third: when that is deleted, the first is the newest pin, not the second."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I take metformin 500 mg and warfarin 3 mg")
    for said in (
        "metformin 850 mg and aspirin 50 mg",
        "metformin 500 mg",
        "metformin 1000 mg and aspirin 100 mg",
    ):
        clock.move(hours=1)
        last = chat.add(user=f"I take {said}").messages[0]
    chat.delete(last.message_id)
    about = [pin for pin in chat.pins() if "metformin" in pin.content]
    assert max(about, key=lambda pin: pin.created_at).content == "User takes metformin 500 mg"


def _interrupted(
    memory: Memory, meanwhile: list[Callable[[Connection], object]]
) -> Callable[..., Awaitable[Any]]:
    """Writing as ever, but something else of the same user comes first, once for each."""
    write = parts_of(memory).database.write

    async def run(user_id: str, work: Callable[[Connection], Any]) -> Any:
        if meanwhile:
            await write(user_id, meanwhile.pop())
        return await write(user_id, work)

    return run


def _folded(tx: Connection) -> None:
    chat = chats.get(tx, "ann", "c")
    assert chat is not None
    chats.save(tx, replace(chat, revision=chat.revision + 1))


@pytest.mark.parametrize(("changes", "fits"), [(0, True), (2, True), (9, False)])
def test_a_chat_that_changes_meanwhile_is_read_again(memory: Memory, changes: int, fits: bool) -> None:
    """The work is done on the chat as it is, after a few tries; a chat that never rests is a conflict, and is left alone."""
    message = memory.chat("c", user="ann").add(user="I take warfarin 3 mg").messages[0]
    seen: list[int] = []

    def work(reread: amend.Reread, chat: ChatRecord, tx: Connection) -> int:
        seen.append(chat.revision)
        assert reread.chats[0].revision == chat.revision
        return chat.revision

    run = _interrupted(memory, [_folded] * changes)
    changing = amend.change_message(parts_of(memory), "ann", message.message_id, work, run)
    if fits:
        assert memory._thread.run(changing) == changes
    else:
        with pytest.raises(Conflict):
            memory._thread.run(changing)
    assert seen == ([changes] if fits else [])


def test_what_is_said_meanwhile_is_pinned_too(memory: Memory) -> None:
    """A message that says the same while the first one is being changed brings the pin."""
    chat = memory.chat("c", user="ann")
    first = chat.add(user="I am allergic to penicillin.").messages[0]
    parts = parts_of(memory)

    async def run(user_id: str, work: Callable[[Connection], Any]) -> Any:
        said = [Utterance(role=Role.USER, text="I'm allergic to penicillin!")]
        assert (await record(parts, user_id, "c", said)).pins == ()
        return await parts.database.write(user_id, work)

    def work(reread: amend.Reread, found: ChatRecord, tx: Connection) -> list[Pin]:
        amend.unpin(tx, reread.before)
        return list(amend.repin(parts, tx, reread).added)

    added = memory._thread.run(amend.change_message(parts, "ann", first.message_id, work, run))
    assert chat.pins() == added and added[0].source_message_id == chat.messages()[-1].message_id


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
